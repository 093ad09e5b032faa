"""A language tag → the direction its text is written in.

Source: the scripts that the Unicode Character Database marks R or AL, and the languages written in them by default
(CLDR likely subtags). A script subtag decides before the language: az-Arab is written from the right, az is not.
"""

from __future__ import annotations

import itertools
from typing import Final, Literal

Direction = Literal["ltr", "rtl"]

_SCRIPTS: Final = frozenset({"adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa"})
_LANGUAGES: Final = frozenset(
    {"ar", "arc", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "khw", "ks", "lrc", "mzn", "nqo", "ps"}
    | {"pnb", "prs", "sd", "skr", "syr", "ug", "ur", "yi"}
)


def direction(tag: str) -> Direction:
    """Return how a text in the language of a BCP 47 tag runs, in any letter case."""
    language, *rest = tag.casefold().split("-")
    # What follows a subtag of one character is an extension: en-u-nu-arab asks for digits, not for a script.
    own = itertools.takewhile(lambda part: len(part) > 1, rest)
    script = next((part for part in own if len(part) == 4 and part.isalpha()), "")
    return "rtl" if (script in _SCRIPTS if script else language in _LANGUAGES) else "ltr"

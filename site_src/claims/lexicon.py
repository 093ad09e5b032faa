"""Names that hold digits and are no numbers: number formats, parallelism, percentiles, status codes, versions.

What a site adds stands in `lexicon` of records/site.yml: names, or patterns between slashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# Standard notations of this field; each is matched as a whole.
STANDARD: Final = (
    r"(?:BF|FP|INT|UINT|TF|MXFP|NVFP|NF|Q|W)\d{1,2}(?:[-_]?E\d+M\d+|A\d{1,2}|_[A-Z0-9_]+)?(?:/(?:NV|MX)?FP\d+)?",
    r"E\d+M\d+(?:FN|FNUZ)?",
    r"(?:TP|PP|DP|EP|CP|SP)\d+",
    r"[CcBbRrNnKk]\d+",
    r"[Pp]\d{1,2}(?:\.\d+)?",
    r"Gen\d",
    r"(?:SM|sm_?|gfx)\d+[a-z]?",
    r"SHA-?(?:1|256|512)",
    r"UTF-?8",
    r"(?:https?://|www\.)\S+",
    r"HTTP(?:/\d(?:\.\d)?|\s\d{3})?",
    r"WSL\d",
    r"(?:PR|GH|RFC|CVE)[- #]?\d[\d-]*",
    r"[\w.-]*\w\.(?:json|jsonl|md|yml|yaml|toml|csv|tsv|txt|log|py|sh|html|svg|png|webp)",
    r"v?\d+\.\d+\.\d+(?:[.+-]?[\w.+-]+)?",
    r"v\d+(?:\.\d+)*(?:[-+.]?\w+)*",
)
_PATTERN: Final = re.compile(r"/(.+)/")


@dataclass(frozen=True)
class Lexicon:
    """The names of a site: standard notations and its own."""

    own: tuple[str, ...] = ()

    @property
    def pattern(self) -> re.Pattern[str]:
        """One expression that matches any name."""
        written = (m[1] if (m := _PATTERN.fullmatch(name)) else re.escape(name) for name in self.own)
        return re.compile("|".join(f"(?:{p})" for p in (*written, *STANDARD)))

    def knows(self, name: str) -> bool:
        """Tell whether a whole name is in the lexicon."""
        return _compiled(self).fullmatch(name) is not None

    def phrase(self, text: str, start: int, end: int) -> str | None:
        """Return the name of two or three words that a number at `start` to `end` belongs to: HTTP 200."""
        before = re.search(r"(?:[\w.+-]+[ \u00a0]){1,2}$", text[:start])
        if before is None:
            return None
        words = before[0].split()
        for count in (1, 2):
            phrase = " ".join([*words[-count:], text[start:end]])
            if _compiled(self).fullmatch(phrase):
                return phrase
        return None


_CACHE: dict[tuple[str, ...], re.Pattern[str]] = {}


def _compiled(lexicon: Lexicon) -> re.Pattern[str]:
    if lexicon.own not in _CACHE:
        _CACHE[lexicon.own] = lexicon.pattern
    return _CACHE[lexicon.own]


def faults(names: Iterable[str]) -> list[tuple[int, str]]:
    """Return the entries that are no pattern, with what is wrong."""
    found = []
    for index, name in enumerate(names):
        written = _PATTERN.fullmatch(name)
        try:
            re.compile(written[1] if written else re.escape(name))
        except re.error as error:
            found.append((index, f"the pattern cannot be read: {error}"))
    return found

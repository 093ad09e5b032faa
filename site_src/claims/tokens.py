"""A passage → its number tokens: digits, number words, labels such as 128K, names, versions and dates.

Everything with a digit belongs to exactly one token, so that no number can stand in prose unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal
from unicodedata import numeric

from .units import unit_after

Shape = Literal["number", "label", "word", "name", "date"]


@dataclass(frozen=True)
class Token:
    """One number of a passage: characters `start` to `end`, its value if it has one, the unit beside it.

    `number` 17,235.90 · `label` 128K, whose K is no exact thousand · `word` four · `name` FP8, v2.5.0 · `date`.
    `unit` is canonical, `unit_end` is where it ends; `shared_unit` is that of its range or list: 93 to 107 s.
    `english` is a number of a text with decimal commas as English writes it: 329.010 for 329,010.
    """

    start: int
    end: int
    written: str
    shape: Shape
    value: Decimal | None = None
    unit: str = ""
    unit_end: int = 0
    shared_unit: str = ""
    english: str = ""

    @property
    def plain(self) -> str:
        """The written form with a decimal point, whatever the language of its text."""
        return self.english or self.written


def _tree(words: Sequence[str]) -> str:
    """Return a pattern of words in which those that begin alike share their beginning; the longest is tried first."""
    below: dict[str, list[str]] = {}
    for word in filter(None, words):
        below.setdefault(word[0], []).append(word[1:])
    pattern = "|".join(re.escape(letter) + _tree(rest) for letter, rest in below.items())
    return f"(?:{pattern})" + ("?" if "" in words else "") if pattern else ""


_ONES: Final = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS: Final = (
    {word: n for n, word in enumerate(_ONES)}
    | {word: n for n, word in zip(range(20, 100, 10), _TENS, strict=True)}
    | {
        f"{tens}-{ones}": 10 * t + o
        for t, tens in enumerate(_TENS, 2)
        for o, ones in enumerate(_ONES[1:10], 1)
    }
    | {"no": 0, "dozen": 12, "hundred": 100, "thousand": 1000}
)  # fmt: skip
_SPELT: Final = _tree([*_WORDS])
_MONTH: Final = (
    r"(?=[A-Z])"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|"
    r"Mai|Juni|Juli|Oktober|Dezember|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?"
)
_DIGITS: Final = r"(?:\d{1,3}(?:[,_\u202f\u2009\u00a0]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
# A number with a decimal comma, or with points between its thousands. 0.947 and 3.10 are foreign, and as they stand.
_COMMA: Final = re.compile(
    r"(?<![\w.,])(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|\d+(?:[_\u202f\u2009\u00a0]\d{3})*,\d+)(?![.,]?\d)"
)
_EXCHANGED: Final = str.maketrans(",.", ".,")
_FRACTIONS: Final = "¼½¾⅐-⅞"
# What is glued to digits and makes another number of them: 10², 1½.
_RAISED: Final = f"⁰¹²³⁴-⁹⁻{_FRACTIONS}"
_TOKEN: Final = re.compile(
    # A token begins where a word, a sign or a digit does; an address may follow letters.
    r"(?:(?<!\w)(?=[\w+−-])|(?=[\dhw]))(?:"
    + "|".join(
        f"(?P<{name}>{pattern})"
        for name, pattern in {
            "address": r"(?:https?://|www\.)\S*[^\s.,;:)\]]",
            "date": r"(?<![\w.])\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?(?![\w])"
            rf"|(?<![\w.])\d{{1,2}}\.? {_MONTH}(?:,? \d{{4}}\b)?"
            rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
            rf"|\b{_MONTH} \d{{4}}\b"
            r"|(?<![\w.])\d{1,2}:\d{2}(?::\d{2})?(?![\w])"
            r"|(?<=\b[Ii]n )(?:19|20)\d{2}(?=[.,;:)](?!\d)|\s*$|\s+(?:and|to|by|on|at|the|with)\b)",
            "version": r"(?<![\w.,])v\d[\w.+-]*\w|(?<![\w.,])v\d\b|(?<![\w.,])\d+(?:\.\d+){2,}(?:[\w+-]*\w)?",
            # Scientific notation before what would take its E for a letter of a name.
            "science": rf"(?<![\w.])[+−-]?{_DIGITS}(?:[eE][+−-]?\d+\b|\s?[×x·]\s?10(?:\^|\*\*)?[-−]?[\d⁰¹²³⁴-⁹⁻]+)",
            # A word with letters before a digit, hyphens and dots inside it included: FP8, Qwen3.8-27B, C16.
            "name": r"(?<![\w])[^\W\d_][^\W\d]*+(?:[-_./][^\W\d]++)*+[-_]?\d(?:[\w.+/-]*\w)?"
            r"|(?<![\w.])0[xX][0-9a-fA-F]+\b|(?<![\w.])(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,64}(?!\w)",
            # 4K/8K are two labels; of 4K/s the K belongs to no length.
            "label": rf"(?<![\w.,]){_DIGITS}[kKMTB](?!\w|/[^\W\d])",
            "number": rf"(?:(?<![\w.,)\]%])[+−-])?{_DIGITS}[{_RAISED}]*|(?<!\w)[{_FRACTIONS}]",
            "word": rf"(?<![\w-])(?ai:{_SPELT})(?![\w]|[-’'][a-z])"
            rf"|(?<![\w-])(?ai:{_SPELT})(?=-(?:[a-z]))",
        }.items()
    )
    + ")"
)  # fmt: skip
_SHAPES: Final[dict[str, Shape]] = {
    "address": "name", "date": "date", "version": "name", "science": "number", "name": "name", "label": "label",
    "number": "number", "word": "word",
}  # fmt: skip
_JOINED: Final = re.compile(r"\s?(?:to|and|or|bis|und|,|,? and|[-–—/…]|→)\s?")
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUFFIX: Final = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}


def tokens(text: str, *, decimal_comma: bool = False) -> tuple[Token, ...]:
    """Return the number tokens of a passage in order; `decimal_comma` tells that 329,010 means 329.010 in it."""
    found = [*(_with_commas(text) if decimal_comma else _tokens(text))]
    for index in range(len(found) - 2, -1, -1):
        token, following = found[index], found[index + 1]
        between = text[token.unit_end : following.start]
        if not token.unit and token.shape == following.shape == "number" and _JOINED.fullmatch(between):
            found[index] = replace(token, shared_unit=following.unit or following.shared_unit)
    return tuple(found)


def _with_commas(text: str) -> Iterator[Token]:
    """Yield the tokens of a text that is read with point and comma changed places in its numbers."""
    for token in _tokens(_COMMA.sub(lambda m: m[0].translate(_EXCHANGED), text)):
        english = token.written if token.shape in {"number", "label"} else ""
        yield replace(token, written=text[token.start : token.end], english=english)


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    # A unit is passed over, so that in "93 s-107 s" no name begins with it.
    while match := _TOKEN.search(text, at):
        kind, written, at = str(match.lastgroup), match.group(), match.end()
        if kind in {"address", "name"} and not any(c.isdigit() for c in written):
            continue
        shape = _SHAPES[kind]
        unit, at = (unit_after(text, at) if shape in {"number", "label", "word"} else None) or ("", at)
        yield Token(match.start(), match.end(), written, shape, _value(kind, written), unit, at)


def _value(kind: str, written: str) -> Decimal | None:
    """Return the number a token writes. A label has the value that its suffix would give if it were exact."""
    if kind == "word":
        return Decimal(_WORDS[written.lower()])
    if kind == "label":
        return _plain(written[:-1]).scaleb(_SUFFIX[written[-1]])
    if kind == "science":
        base, _, power = re.split(r"([eE]|\s?[×x·]\s?10(?:\^|\*\*)?)", written, maxsplit=1)
        exponent = int(power.translate(_SUPERSCRIPTS).replace("−", "-"))
        return _plain(base).scaleb(exponent) if abs(exponent) < 1000 else None
    if kind == "number":
        return _plain(written) if written[-1].isdecimal() else _broken(written)
    return None


def _broken(written: str) -> Decimal | None:
    """Return the number of digits with a fraction behind them: 1½ is 1.5. A power or a third has no exact one."""
    sign = -1 if written[0] in "−-" else 1
    whole, part = written.lstrip("+−-")[:-1], Fraction(numeric(written[-1], 0)).limit_denominator(10)
    if part.denominator not in {2, 4, 5, 8, 10} or not (whole.isdecimal() or not whole):
        return None
    return sign * (Decimal(int(whole or 0)) + Decimal(part.numerator) / part.denominator)


def _plain(written: str) -> Decimal:
    return Decimal(re.sub(r"[,_\u202f\u2009\u00a0]", "", written).replace("−", "-"))

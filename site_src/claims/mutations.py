"""A text with a number in it → the same text with one slip of the pen: a digit, a unit, a swap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from .anchors import Spot
from .tokens import Token

Kind = Literal["digit", "dropped digit", "transposition", "number word", "unit", "swap", "field digit", "evidence line"]
KINDS: Final[tuple[Kind, ...]] = (
    "digit", "dropped digit", "transposition", "number word", "unit", "swap", "field digit", "evidence line",
)  # fmt: skip
_DIGITS: Final = "0123456789"
# What a slip makes of a number word: the word above and the word below it.
_WORDS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# Spellings of one unit, each with the unit it is taken for.
_UNITS: Final[dict[str, tuple[str, ...]]] = {
    "MiB": ("GiB", "MB"),
    "GiB": ("MiB", "GB"),
    "KiB": ("MiB", "KB"),
    "MB": ("GB", "MiB"),
    "GB": ("MB", "GiB"),
    "s": ("ms", "min"),
    "ms": ("s", "µs"),
    "min": ("s", "h"),
    "h": ("min",),
    "tokens/s": ("requests/s", "tokens", "ms"),
    "requests/s": ("tokens/s",),
    "tokens": ("requests", "tokens/s"),
    "%": ("×", "percentage points"),
    "×": ("%",),
    "W": ("kW", "J"),
}


@dataclass(frozen=True)
class Edit:
    """One change of a text: the characters `start` to `end` become `new`."""

    kind: Kind
    start: int
    end: int
    new: str

    def of(self, text: str) -> str:
        """Return the changed text."""
        return text[: self.start] + self.new + text[self.end :]


def of_token(text: str, token: Token) -> Iterator[Edit]:
    """Yield every slip of one number: its digits or its word, then its unit."""
    if token.shape == "word":
        yield from _words(token)
    else:
        yield from of_digits(token.written, token.start)
    if token.unit:
        start = (
            token.end + len(text[token.end : token.unit_end]) - len(text[token.end : token.unit_end].lstrip(" -\u00a0"))
        )
        for unit in _UNITS.get(token.unit, ()):
            gap = " " if start == token.end and unit[0].isalpha() else ""
            yield Edit("unit", start, token.unit_end, gap + unit)


def of_digits(written: str, start: int) -> Iterator[Edit]:
    """Yield every changed, dropped and transposed digit of a number that begins at `start`."""
    places = [i for i, c in enumerate(written) if c in _DIGITS]
    for i in places:
        for digit in _DIGITS.replace(written[i], ""):
            yield Edit("digit", start + i, start + i + 1, digit)
    for i in places if len(places) > 1 else ():
        yield Edit("dropped digit", start + i, start + i + 1, "")
    for i, j in pairwise(places):
        if written[i] != written[j]:
            changed = written[j] + written[i + 1 : j] + written[i]
            yield Edit("transposition", start + i, start + j + 1, changed)


def _words(token: Token) -> Iterator[Edit]:
    low = token.written.lower()
    for scale in (_WORDS, _TENS):
        if low in scale:
            at = scale.index(low)
            for other in {max(at - 1, 0), min(at + 1, len(scale) - 1)} - {at}:
                word = scale[other].capitalize() if token.written[0].isupper() else scale[other]
                yield Edit("number word", token.start, token.end, word)


def swaps(spots: list[Spot]) -> Iterator[tuple[Spot, Spot]]:
    """Yield each two different numbers that stand in one passage or one table row."""
    for index, one in enumerate(spots):
        for other in spots[index + 1 :]:
            is_near = one.passage is other.passage or (one.passage.row and one.passage.row == other.passage.row)
            if is_near and one.token.written != other.token.written:
                yield one, other

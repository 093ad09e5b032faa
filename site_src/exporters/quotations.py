"""A text and a passage of it → the shortest quotation that stands there and nowhere else.

Other programs find a quotation whatever its blanks and letter case, some whatever its dashes and accents. What is
told apart here is told apart by all of them, because letters and digits alone are compared.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache


@dataclass(frozen=True)
class Quoted:
    """A text that is quoted from, line by line."""

    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines without the blanks around them."""
        return [line.strip() for line in self.text.split("\n")]

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        found = [0]
        for line in self.text.split("\n"):
            found.append(found[-1] + len(line) + 1)
        return found[:-1]

    @cached_property
    def _bare(self) -> str:
        return "".join(bare(line) for line in self.lines)

    def line_at(self, offset: int) -> int:
        """Return the line, from 0, that holds the character `offset`."""
        return bisect_right(self.starts, offset) - 1

    def is_unique(self, passage: str) -> bool:
        """Tell whether letters and digits of a passage stand in the text exactly once."""
        wanted = bare(passage)
        first = self._bare.find(wanted) if wanted else -1
        return first >= 0 and self._bare.find(wanted, first + 1) < 0

    def of_line(self, number: int) -> str:
        """Return a line, with as many lines before it as make it the only one; a closing comma is left out."""
        for first in range(number, -1, -1):
            passage = " ".join(filter(None, self.lines[first : number + 1])).removesuffix(",")
            if self.is_unique(passage):
                return passage
        return " ".join(self.lines[: number + 1])

    def of_part(self, part: str, line: int) -> str:
        """Return a part of a line if it stands nowhere else, or the line from its begin to the end of the part."""
        if self.is_unique(part):
            return part
        whole = self.lines[line]
        return whole[: whole.find(part) + len(part)]


@lru_cache(maxsize=65536)
def bare(text: str) -> str:
    """Return the letters and digits of a text, without case and accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def joined(parts: Sequence[str]) -> str:
    """Return a text on one line, its blanks as single spaces."""
    return " ".join(" ".join(parts).split())

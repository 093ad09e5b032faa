"""A line of a document → its slots: each number with its unit, and the words that say what it is.

A cell such as `0.848 / 1.021 s` or `10.111 → 12.906 s` has one slot for each number; a unit at its end is that of
every slot, and a unit in the head of the column that of the cells below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from ..claims import vocabulary
from ..claims.tokens import Token, tokens
from ..claims.units import canonical

_SEPARATOR: Final = re.compile(r"\s*(?:→|->|/|\bvs\.?\b|\|)\s*")
_MARKS: Final = re.compile(r"\*\*|__|`")
# One dash is enough in a table (GFM); without a bar before it, it would be an empty list item.
_RULE: Final = re.compile(r"\s*(?:\|\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*|(?:\s*:?-{2,}:?\s*\|)*\s*:?-{2,}:?\s*)\|?\s*")
_ESCAPED_BAR: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Slot:
    """One number of a line. `place` counts the numbers of one group in a cell, `of` is how many there are.

    `column` is -1 outside a table; `head` is the text above it, `cell` the text it stands in.
    """

    number: Decimal
    unit: str
    column: int
    place: int
    of: int
    head: str
    cell: str
    row: tuple[str, ...] = ()

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its head and of the words right before it."""
        return vocabulary.stems(self.head) | vocabulary.stems(self.cell)


def plain(line: str) -> str:
    """Return a line without Markdown emphasis and code marks, blanks made single."""
    return " ".join(_MARKS.sub("", line).split())


def is_row(line: str) -> bool:
    """Tell whether a line is a row of a Markdown table."""
    return line.lstrip().startswith("|") and not _RULE.fullmatch(line)


def cells(line: str) -> list[str]:
    """Return the cells of a table row, emphasis removed."""
    return [plain(cell) for cell in _ESCAPED_BAR.split(line.strip().strip("|"))]


def heads(lines: Sequence[str], index: int) -> list[str]:
    """Return the head cells of the table that the row at `index` (from 0) belongs to; empty where there is none."""
    for at in range(index - 1, 0, -1):
        if _RULE.fullmatch(lines[at]) and is_row(lines[at - 1]):
            return cells(lines[at - 1])
        if not is_row(lines[at]):
            break
    return []


def slots(lines: Sequence[str], index: int) -> list[Slot]:
    """Return the slots of a line, in order. A unit that begins the next line of a paragraph counts."""
    line = lines[index]
    if not is_row(line):
        following = lines[index + 1].lstrip("> ").lstrip() if index + 1 < len(lines) else ""
        return [*_in_text(plain(line), plain(following))]
    found, row = list[Slot](), tuple(cells(line))
    names = heads(lines, index)
    for column, cell in enumerate(row):
        head = names[column] if column < len(names) else ""
        found += [replace(slot, column=column, head=head, row=row) for slot in _in_cell(cell, head)]
    return found


def _in_text(text: str, following: str) -> Iterator[Slot]:
    joined = f"{text} {following}"
    for token in tokens(joined):
        if token.start < len(text) and token.value is not None and token.shape in {"number", "word", "label"}:
            yield Slot(token.value, token.unit or token.shared_unit, -1, 0, 1, "", text)


def _in_cell(cell: str, head: str) -> Iterator[Slot]:
    """Yield the slots of one cell. Parts after a semicolon are groups of their own."""
    at_head = _unit_in(head)
    for group in cell.split(";"):
        numbers = [t for t in tokens(group) if t.value is not None and t.shape in {"number", "word"}]
        chain = _chain(group, numbers)
        for token in numbers:
            place, of = (chain.index(token), len(chain)) if token in chain else (0, 1)
            last = chain[-1].unit if token in chain else ""
            yield Slot(token.value or Decimal(0), token.unit or last or at_head, -1, place, of, head, group)


def _chain(group: str, numbers: Sequence[Token]) -> list[Token]:
    """Return the numbers of a group that separators join: one quantity under several conditions."""
    chain: list[Token] = []
    for one, other in pairwise(numbers):
        between = group[one.unit_end : other.start]
        if _SEPARATOR.fullmatch(between):
            chain = chain or [one]
            chain.append(other)
    return chain


def _unit_in(head: str) -> str:
    """Return the unit that ends a head: Native mean tok/s, Latency (ms). A letter alone is a name: Load B."""
    bracketed = re.search(r"[(\[]([^)\]]+)[)\]]\s*$", head)
    word = bracketed[1].strip() if bracketed else (head.split() or [""])[-1]
    found = canonical(word)
    return found if found in _KNOWN and (bracketed or len(word) > 1 or word == "%") else ""


_KNOWN: Final = frozenset(
    {"s", "ms", "tokens/s", "requests/s", "tokens", "%", "GiB", "MiB", "GB", "MB", "W", "min", "h"}
)

"""CSV lines and Markdown tables of a result file → rows whose cells know their line and the head above them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from ..problems import Rejected
from ..sources.slots import cells, heads, is_row
from .result_file import ResultFile
from .shape import Quantity, Spot

_NUMBER: Final = re.compile(r"-?\d{1,40}(\.\d{1,40})?", re.ASCII)
_GROUPED: Final = re.compile(r"-?\d{1,3}(,\d{3}){1,12}(\.\d{1,40})?", re.ASCII)
# What stands for a number that there is not; GenAI-Perf writes N/A where it could count no token.
_NO_NUMBER: Final = {"nan", "inf", "-inf", "infinity", "-infinity", "n/a"}


@dataclass(frozen=True)
class Row:
    """One row of a table: its line from 1, the heads above it and its cells."""

    file: ResultFile
    line: int
    heads: tuple[str, ...]
    cells: tuple[str, ...]

    def get(self, head: str) -> str | None:
        """Return the cell under a head, or None."""
        return dict(zip(self.heads, self.cells, strict=False)).get(head)

    def has(self, head: str) -> bool:
        """Tell whether the row has a filled cell under a head."""
        return bool(self.get(head))

    def spot(self, head: str, *, exact: bool = True) -> Spot:
        """Return where the cell under a head stands."""
        return Spot(self.line, column=head, exact=self.get(head) if exact else None)

    def refuse(self, code: str, message: str, remedy: str) -> Rejected:
        """Return the refusal of the file for what stands on this line."""
        return self.file.refuse(self.file.offset_of_line(self.line), code, message, remedy)

    def number(self, head: str) -> Decimal | None:
        """Return the number under a head, thousands commas left out; None for an empty cell, NaN or N/A."""
        cell = (self.get(head) or "").strip()
        if not cell or cell.lower() in _NO_NUMBER:
            return None
        found = number_of(cell)
        if found is None:
            message = f"{head} is {cell[:40]!r}, where a number belongs"
            raise self.refuse("import-shape", message, "Check that the format is right: --from FORMAT.")
        return found

    def quantity(self, head: str, *, metric: str, unit: str, statistic: str, **told: Any) -> Quantity | None:
        """Return the value under a head with its place, or None where the cell is empty."""
        if not self.has(head):
            return None
        value = self.number(head)
        if value is None:
            told = {**told, "null_reason": "not_reported", "in_file": self.get(head)}
        return Quantity(metric, unit, statistic, value, self.spot(head), **told)


def number_of(cell: str) -> Decimal | None:
    """Return a number in plain digits, or with thousands commas; None for anything else."""
    if _NUMBER.fullmatch(cell):
        return Decimal(cell)
    return Decimal(cell.replace(",", "")) if _GROUPED.fullmatch(cell) else None


def csv_rows(file: ResultFile) -> Iterator[Row]:
    """Yield the rows of CSV lines. A block of lines after a blank one has heads of its own, its first line."""
    above: tuple[str, ...] = ()
    for line, text in enumerate(file.lines, 1):
        found = tuple(_cells(text))
        if not text.strip():
            above = ()
        elif not above:
            above = found
        else:
            yield Row(file, line, above, found)


def csv_heads(file: ResultFile) -> tuple[str, ...]:
    """Return the cells of the first line that is not blank; empty where there is none."""
    return tuple(next((_cells(line) for line in file.lines if line.strip()), ()))


def _cells(text: str) -> list[str]:
    try:
        return next(csv.reader([text]), [])
    except csv.Error:
        return []


def table_rows(file: ResultFile) -> Iterator[Row]:
    """Yield the rows of Markdown tables, the ones of heads left out."""
    rows = file.lines
    for index, text in enumerate(rows):
        above = heads(rows, index) if is_row(text) else []
        if above:
            yield Row(file, index + 1, tuple(above), tuple(cells(text)))

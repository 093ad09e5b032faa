"""A finding written in Markdown: its tables → measurements with their lines, its text → the body of a page.

A column is a measurement where its head or its cells state a unit: `TTFT (ms)`, `12.5 tok/s`. Any other column is a
condition of the row. What the statistic is stands in the head, or is not stated. No unit is guessed from a name.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..claims.units import canonical, unit_after
from .result_file import ResultFile
from .shape import Format, Imported, Quantity, Run
from .tabular import Row, number_of, table_rows

_HEAD_UNIT: Final = re.compile(r"(?P<name>.*?)\s*[(\[](?P<unit>[^()\[\]]+)[)\]]\s*")
_CELL: Final = re.compile(r"(?P<number>-?\d[\d,]*(?:\.\d+)?)\s*(?P<unit>\D\S*.*)?")
_STATISTIC: Final = re.compile(
    r"\b(mean|average|avg|median|p\d{1,2}(?:\.\d+)?|min(?:imum)?|max(?:imum)?|peak|best)\b", re.I
)
_TITLE: Final = re.compile(r"^#\s+(.+?)\s*#*$", re.M)
_UNITS: Final = frozenset(
    ["s", "ms", "µs", "ns", "min", "h", "tokens/s", "requests/s", "requests/min", "tokens", "%", "bytes", "KiB", "MiB",
     "GiB", "TiB", "KB", "MB", "GB", "TB", "GB/s", "MB/s", "GiB/s", "MiB/s", "W", "kW", "J", "kWh", "Wh", "J/token",
     "°C", "MHz", "GHz", "USD"]
)  # fmt: skip


def recognise(file: ResultFile) -> bool:
    """Tell whether the file is named as Markdown, or begins with a heading and holds a table."""
    if file.name.lower().endswith((".md", ".markdown")):
        return True
    return file.text.lstrip().startswith("# ") and any(True for _ in table_rows(file))


def read_file(file: ResultFile) -> Imported:
    """Return a run for each row with a measured cell. Raises Rejected for a file of blanks."""
    if not file.text.strip():
        raise file.refuse(0, "import-empty", "the file holds no text", "Give a finding with text or tables.")
    runs = [run for row in table_rows(file) if (run := _run(row))]
    title = _TITLE.search(file.text)
    notes = () if runs else ("No column of a table states a unit, so that no value was taken; the text is the body.",)
    return Imported(tuple(runs), notes, title[1].strip() if title else None, file.text)


def _run(row: Row) -> Run | None:
    found = [q for head in row.heads[1:] if (q := _quantity(row, head))]
    if not found:
        return None
    measured = {q.spot.column for q in found}
    first = row.cells[0] if row.cells and row.cells[0] else f"line {row.line}"
    conditions: dict[str, Any] = {}
    for head, cell in zip(row.heads, row.cells, strict=False):
        if head and cell and head not in measured:
            number = number_of(cell)
            conditions[_key(head)] = cell if number is None else number
    spots = {_key(head): row.spot(head) for head in row.heads if _key(head) in conditions}
    return Run(first, tuple(found), conditions, spots)


def _key(head: str) -> str:
    return re.sub(r"\W+", "_", head).strip("_").lower() or "column"


def _quantity(row: Row, head: str) -> Quantity | None:
    """Return the value of a cell, if its head or the cell itself states a unit."""
    cell = row.get(head) or ""
    match, named = _CELL.fullmatch(cell), _HEAD_UNIT.fullmatch(head)
    of_head = named["unit"].strip() if named and canonical(named["unit"].strip()) in _UNITS else None
    if not match or row.heads.count(head) > 1:
        return None
    own = (match["unit"] or "").strip()
    unit = of_head if of_head and not _is_unit(own) else own if _is_unit(own) else None
    value = number_of(match["number"])
    if unit is None or value is None:
        return None
    words = _STATISTIC.search(head)
    name = named["name"] if named and of_head else head
    return Quantity(_key(name), unit, words[0].lower() if words else "not stated", value, row.spot(head))


def _is_unit(text: str) -> bool:
    """Tell whether a text is a unit and nothing else."""
    found = unit_after(text, 0) if text else None
    return found is not None and found[1] == len(text) and found[0] in _UNITS


FORMAT: Final = Format("markdown", "a finding in Markdown", recognise, read_file, is_json=False)

"""Cells of a matrix and memory observations → tables; what was not run is one cell that says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import facts, words
from .figures.select_cases import cells_of, omitted_of, quantities
from .model import Record
from .tables import Cite, value_cell
from .view import Cell, Column, Fact, Ref, Row, Table


def case_tables(case: Mapping[str, Any], slug: str, refs: tuple[Ref, ...]) -> tuple[Table, ...]:
    """Return the cells of a matrix, two quantities to a table, the cells not run included."""
    cells = cells_of(case)
    if not cells:
        return ()
    axis = next(iter(cells[0]))
    keys = quantities(cells, axis)
    pairs = [keys[i : i + 2] for i in range(0, len(keys), 2)]
    return tuple(_cell_table(f"{slug}-{n}", case, axis, pair, keys, refs) for n, pair in enumerate(pairs, 1))


def _cell_table(
    slug: str, case: Mapping[str, Any], axis: str, pair: list[str], keys: list[str], refs: tuple[Ref, ...]
) -> Table:
    heads = [(words.label(stem), unit) for stem, unit in map(words.split_unit, pair)]
    columns = [Column(f"{name}, {unit}" if unit else name, numeric=True) for name, unit in heads]
    names = words.listed([name for name, _ in heads])
    rows = [_cell_row(c, axis, pair, keys, refs) for c in cells_of(case)]
    rows += [_omitted_row(c, axis, pair, keys, refs) for c in omitted_of(case)]
    return Table(
        id=slug,
        caption=f"{names} by {words.label(axis).lower()}",
        notes=("One reported value per cell.",),
        columns=(Column(words.label(axis)), *columns),
        rows=tuple(rows),
    )


def _cell_row(cell: Mapping[str, Any], axis: str, pair: list[str], keys: list[str], refs: tuple[Ref, ...]) -> Row:
    values = tuple(value_cell(cell.get(k)) for k in pair)
    return Row("", _axis_cell(cell, axis, keys), values, refs)


def _axis_cell(cell: Mapping[str, Any], axis: str, keys: list[str]) -> Cell:
    value = cell.get(axis)
    extra = facts.facts(cell, skip=[axis, *keys, "status"])
    return Cell(words.field(axis, value)[1], raw=facts.fact(axis, value)[0].raw, facts=extra)


def _omitted_row(cell: Mapping[str, Any], axis: str, pair: list[str], keys: list[str], refs: tuple[Ref, ...]) -> Row:
    if any(cell.get(k) is not None for k in pair):
        return _cell_row(cell, axis, pair, keys, refs)
    gap = Cell(words.status(cell.get("status")), gap=len(pair))
    return Row("", _axis_cell(cell, axis, keys), (gap,), refs)


def memory_table(record: Record, cite: Cite) -> Table | None:
    """Return the memory observations as one table; units stay as reported."""
    if not record.memory_observations:
        return None
    rows = []
    for index, seen in enumerate(record.memory_observations, 1):
        kind, unit = seen.get("kind"), str(seen.get("unit") or "")
        cell = value_cell(seen.get("value"), unit)
        told = {"kind", "value", "unit"}
        listed: tuple[Fact, ...] = tuple(f for f in facts.facts(seen, skip=told) if not f.href)
        head = Cell(words.label(str(kind)) if kind else words.NOT_REPORTED, facts=listed)
        rows.append(Row(f"observation-{index}", head, (cell,), cite(seen)))
    columns = (Column("Reading"), Column("Value", numeric=True))
    notes = ("Free is not used, and one window is not another. Units are the source’s own.",)
    return Table("table-memory", "Memory observations", notes, columns, tuple(rows))

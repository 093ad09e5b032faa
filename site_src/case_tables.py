"""Cells of a matrix and memory observations → tables; what was not run is one cell that says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import facts, words
from .figures.select_cases import cells_of, omitted_of, quantities
from .interface import Words
from .model import Record
from .tables import Cite, value_cell
from .view import Cell, Column, Fact, Ref, Row, Table


def case_tables(say: Words, case: Mapping[str, Any], slug: str, refs: tuple[Ref, ...]) -> tuple[Table, ...]:
    """Return the cells of a matrix, two quantities to a table, the cells not run included."""
    cells = cells_of(case)
    if not cells:
        return ()
    axis = next(iter(cells[0]))
    keys = quantities(cells, axis)
    pairs = [keys[i : i + 2] for i in range(0, len(keys), 2)]
    return tuple(_cell_table(say, f"{slug}-{n}", case, axis, pair, keys, refs) for n, pair in enumerate(pairs, 1))


def _cell_table(
    say: Words, slug: str, case: Mapping[str, Any], axis: str, pair: list[str], keys: list[str], refs: tuple[Ref, ...]
) -> Table:
    heads = [(words.label(stem), unit) for stem, unit in map(words.split_unit, pair)]
    columns = [Column(f"{name}, {unit}" if unit else name, numeric=True) for name, unit in heads]
    names = say.listed([name for name, _ in heads])
    rows = [_cell_row(say, c, axis, pair, keys, refs) for c in cells_of(case)]
    rows += [_omitted_row(say, c, axis, pair, keys, refs) for c in omitted_of(case)]
    return Table(
        id=slug,
        caption=say("table.by", names=names, axis=words.label(axis).lower()),
        notes=(say("table.one_per_cell"),),
        columns=(Column(words.label(axis)), *columns),
        rows=tuple(rows),
    )


def _cell_row(
    say: Words, cell: Mapping[str, Any], axis: str, pair: list[str], keys: list[str], refs: tuple[Ref, ...]
) -> Row:
    values = tuple(value_cell(say, cell.get(k)) for k in pair)
    return Row("", _axis_cell(say, cell, axis, keys), values, refs)


def _axis_cell(say: Words, cell: Mapping[str, Any], axis: str, keys: list[str]) -> Cell:
    value = cell.get(axis)
    extra = facts.facts(say, cell, skip=[axis, *keys, "status"])
    return Cell(say.field(axis, value)[1], raw=facts.fact(say, axis, value)[0].raw, facts=extra)


def _omitted_row(
    say: Words, cell: Mapping[str, Any], axis: str, pair: list[str], keys: list[str], refs: tuple[Ref, ...]
) -> Row:
    if any(cell.get(k) is not None for k in pair):
        return _cell_row(say, cell, axis, pair, keys, refs)
    gap = Cell(say.status(cell.get("status")), gap=len(pair))
    return Row("", _axis_cell(say, cell, axis, keys), (gap,), refs)


def memory_table(say: Words, record: Record, cite: Cite) -> Table | None:
    """Return the memory observations as one table; units stay as reported."""
    if not record.memory_observations:
        return None
    rows = []
    for index, seen in enumerate(record.memory_observations, 1):
        kind, unit = seen.get("kind"), str(seen.get("unit") or "")
        cell = value_cell(say, seen.get("value"), unit)
        told = {"kind", "value", "unit"}
        listed: tuple[Fact, ...] = tuple(f for f in facts.facts(say, seen, skip=told) if not f.href)
        head = Cell(words.label(str(kind)) if kind else say("word.not_reported"), facts=listed)
        rows.append(Row(f"observation-{index}", head, (cell,), cite(seen)))
    columns = (Column(say("table.reading")), Column(say("table.value"), numeric=True))
    notes = (say("table.memory_note"),)
    return Table("table-memory", say("guide.memory"), notes, columns, tuple(rows))

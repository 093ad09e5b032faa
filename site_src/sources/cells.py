"""A JSON pointer or a CSV column, and the text of a document → the place of the value, if it stands there."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from ..claims.units import is_hard, of_key
from ..result_json import NonFinite, NotJson, Tree, lines, read, written
from .find import Place, Wanted


def in_json(one: Wanted, text: str) -> Place | None:
    """Return the place of a value that a JSON pointer names, if the document holds it there.

    In a file of JSON lines the line of the evidence is the document of the pointer.
    """
    found = _tree(text.removeprefix("\ufeff"), one.line)
    if found is None:
        return None
    tree, above = found
    pointer = one.at or ""
    if not tree.holds(pointer):
        return None
    held = tree.at(pointer)
    line = above + tree.text.count("\n", 0, tree.offset(pointer)) + 1
    if one.value is not None and isinstance(held, Decimal):
        return Place(line, written(held) or "") if held == one.value and _is_of_unit(one.unit, pointer) else None
    if isinstance(held, dict | list):
        # The words are the key of a part: that it is there is all they say.
        return Place(line, one.exact or "") if one.exact is None or _key(one.at) in one.exact else None
    if held is None or isinstance(held, NonFinite):
        return Place(line, written(held) or "") if one.value is None and one.exact == written(held) else None
    said = written(held) or ""
    wanted = one.exact if one.exact is not None else ""
    return Place(line, said) if wanted in {said, json.dumps(held, default=str)} else None


def _is_of_unit(unit: str, pointer: str) -> bool:
    """Tell whether a value in this unit may lie under a pointer whose last key names one: not seconds under ttft_ms."""
    told = of_key(_named(pointer))
    return not unit or not is_hard(told) or told == unit or (told == "per s" and unit.endswith("/s"))


def _named(pointer: str) -> str:
    """Return the last key of a pointer that names something: of /runs/0/ttft_ms/3 that is ttft_ms."""
    return next((step for step in reversed(pointer.split("/")) if not step.isdecimal()), "")


def _tree(text: str, line: int) -> tuple[Tree, int] | None:
    """Return the JSON value that evidence means, and how many lines stand before it."""
    try:
        tree = read(text)
        return None if tree.has_duplicates else (tree, 0)
    except NotJson:
        pass
    for number, _, one in lines(text):
        if number == line:
            try:
                tree = read(one)
            except NotJson:
                return None
            return None if tree.has_duplicates else (tree, number - 1)
    return None


def csv_cell(one: Wanted, rows: Sequence[str]) -> str | None:
    """Return the cell of a line under the head that evidence names; "" where its lines have no such head.

    None where the lines are no CSV: the first of a block, after a blank line, has as many cells as the line itself.
    """
    if one.column is None or not 0 < one.line <= len(rows):
        return None
    first = one.line - 1
    while first > 0 and rows[first - 1].strip():
        first -= 1
    heads, row = _cells(rows[first]), _cells(rows[one.line - 1])
    if first == one.line - 1 or len(heads) < 2 or len(heads) != len(row):
        return None
    return row[heads.index(one.column)] if one.column in heads else ""


def in_csv(one: Wanted, cell: str) -> Place | None:
    """Return the place of a value, if its cell of a CSV line holds it."""
    return Place(one.line, cell) if _is(cell, one) else None


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _is(cell: str, one: Wanted) -> bool:
    if one.value is None:
        return cell == one.exact
    try:
        return Decimal(cell.replace(",", "")) == one.value
    except InvalidOperation:
        return False


def _key(pointer: str | None) -> str:
    return (pointer or "").rpartition("/")[2]

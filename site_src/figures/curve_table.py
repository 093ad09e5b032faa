"""The values of a curve as a small table under its plot, in blocks side by side where the width allows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import style
from .sheet import Sheet
from .spec import Curve, CurvePoint
from .style import LINE, Type, row_type

_GAP, _BLOCK_GAP = 16.0, 44.0
_LEAST_ROWS = 4
_HEAD_LEAST = 110.0
_CELL_MOST = 190.0


@dataclass(frozen=True)
class _Row:
    """One value of the condition, and per series its point there, if it has one."""

    x: str
    points: tuple[CurvePoint | None, ...]


def _rows(curve: Curve) -> list[_Row]:
    """Give the rows in order of the condition; a second point of a series at the same place is a second row."""
    found: dict[tuple[float, str, int], list[CurvePoint | None]] = {}
    for number, series in enumerate(curve.series):
        seen: dict[tuple[float, str], int] = {}
        for point in series.points:
            place = (point.x.at, point.x.text)
            seen[place] = seen.get(place, 0) + 1
            row = found.setdefault((*place, seen[place]), [None] * len(curve.series))
            row[number] = point
    ordered = sorted(found.items(), key=lambda item: item[0][0])
    return [_Row(place[1], tuple(points)) for place, points in ordered]


def _text(point: CurvePoint | None) -> str:
    if point is None:
        return ""
    return point.words if point.value is None else point.value.text


def _widths(sheet: Sheet, heads: list[str], rows: list[_Row], kind: Type) -> list[float]:
    """Width of each column, the condition first, px: natural, but never wider together than the sheet."""
    bold, plain = Type(kind.size, style.BOLD), Type(kind.size)
    most = (sheet.right - sheet.left - _GAP * (len(heads) - 1)) / len(heads)
    out: list[float] = []
    for column, head in enumerate(heads):
        points = [row.points[column - 1] for row in rows if column]
        cells = [sheet.measure(_text(p), bold if p and p.value else plain) for p in points]
        cells += [sheet.measure(row.x, plain) for row in rows if not column]
        cell = max(cells, default=0.0)
        title = min(sheet.measure(head, bold), _HEAD_LEAST)
        out.append(min(max(cell, title, 40.0), most, _CELL_MOST) + 0.01)
    return out


def table(sheet: Sheet, curve: Curve, y: float, size: float) -> float:
    """Draw the table from `y` down; gives the y below, px."""
    rows, kind = _rows(curve), row_type(size)
    if not rows:
        return y
    heads = [curve.x_label, *(series.label for series in curve.series)]
    widths = _widths(sheet, heads, rows, kind)
    block = sum(widths) + _GAP * (len(widths) - 1)
    fit = int((sheet.right - sheet.left + _BLOCK_GAP + 0.1) // (block + _BLOCK_GAP))
    blocks = max(1, min(fit, math.ceil(len(rows) / _LEAST_ROWS)))
    per_block = math.ceil(len(rows) / blocks)
    ends: list[float] = []
    for number in range(math.ceil(len(rows) / per_block)):
        x = sheet.left + number * (block + _BLOCK_GAP)
        rights = [x + sum(widths[: c + 1]) + _GAP * c for c in range(len(widths))]
        columns = list(zip(rights, widths, strict=True))
        top = _heads(sheet, heads, columns, y, size)
        part = rows[number * per_block : (number + 1) * per_block]
        ends.append(_block(sheet, part, columns, top, kind))
    return max(ends)


def _heads(sheet: Sheet, heads: list[str], columns: list[tuple[float, float]], y: float, size: float) -> float:
    """Head the columns, the last lines level, over a rule; gives the y below, px."""
    kind = row_type(size, style.BOLD, "ink2")
    lines = [sheet.lines(head, width, kind) for head, (_, width) in zip(heads, columns, strict=True)]
    most = max(len(texts) for texts in lines)
    for (right, _), texts in zip(columns, lines, strict=True):
        group = sheet.new_group()
        for index, text in enumerate(texts, most - len(texts)):
            sheet.text(right, y + 14 + index * LINE, text, kind, align="right", group=group)
    y += 4 + LINE * most
    sheet.line((columns[0][0] - columns[0][1], y), (columns[-1][0], y))
    return y


def _block(sheet: Sheet, rows: list[_Row], columns: list[tuple[float, float]], y: float, kind: Type) -> float:
    """Draw rows under their heads; gives the y below, px."""
    bold, words = row_type(kind.size, style.BOLD), row_type(kind.size, colour="ink2")
    y += 2
    for row in rows:
        (right, width), *others = columns
        below = [sheet.para(right, y + 15, row.x, width, kind, align="right")]
        for (right, width), point in zip(others, row.points, strict=True):
            look = words if point is None or point.value is None else bold
            below.append(sheet.para(right, y + 15, _text(point), width, look, align="right"))
        y = max(*below, y + 15 + LINE) - 13
    return y

"""A matrix with lying stems, one row per column: the narrow cut, and the wide one where texts are long."""

from __future__ import annotations

from dataclasses import dataclass

from . import marks, style
from .panels import (
    LOOK,
    PANEL_GAP,
    cell_of,
    divider,
    head_height,
    panel_head,
    panel_scale,
    panel_width,
)
from .scale import Axis, axis_texts
from .sheet import Sheet
from .spec import Matrix, Panel
from .style import LINE, Type, row_type

_SIZE_WIDE = 14.0
_SIZE_NARROW = 13.0


def rows(sheet: Sheet, matrix: Matrix, y: float) -> float:
    """Draw the panels two side by side, each with its axis; gives the y below, px."""
    per_row = 2 if len(matrix.panels) > 1 else 1
    width = panel_width(sheet, per_row)
    for first in range(0, len(matrix.panels), per_row):
        row = matrix.panels[first : first + per_row]
        head = max(head_height(sheet, panel, width) for panel in row)
        top, ends = y, []
        for column, panel in enumerate(row):
            x = sheet.left + column * (width + PANEL_GAP)
            panel_head(sheet, panel, x, top, width)
            space = _space(sheet, matrix, panel, (x, width), _SIZE_WIDE)
            below = _cells(sheet, matrix, panel, space, top + head + 4)
            ends.append(axis_texts(sheet, space.axis, below + 15, 13, ""))
        y = max(ends) + 14
        if len(row) > 1:
            divider(sheet, sheet.left + width + PANEL_GAP / 2, top + 8, y - 8)
    return y


def column(sheet: Sheet, matrix: Matrix, y: float) -> float:
    """Draw the panels one below the other; gives the y below, px."""
    width = sheet.right - sheet.left
    for panel in matrix.panels:
        sheet.line((sheet.left, y), (sheet.right, y))
        panel_head(sheet, panel, sheet.left, y + 2, width)
        space = _space(sheet, matrix, panel, (sheet.left, width), _SIZE_NARROW)
        y = _cells(sheet, matrix, panel, space, y + head_height(sheet, panel, width) + 4) + 12
    return y - 4


@dataclass(frozen=True)
class _Space:
    """How a panel's width is shared out, px: names, axis, values."""

    x: float
    width: float
    name: float
    value: float
    axis: Axis
    bold: Type
    words: Type

    @property
    def box(self) -> float:
        """Width of the box of a cell without a value."""
        return self.x + self.width - self.axis.zero - 1


def _space(sheet: Sheet, matrix: Matrix, panel: Panel, across: tuple[float, float], size: float) -> _Space:
    """Share out a panel; `across` is its left edge and its width, px."""
    x, width = across
    bold = Type(size, style.BOLD)
    name = min(max(sheet.measure(text, bold) for text in (*matrix.columns, "00")), 0.32 * width)
    values = [cell.value.text for cell in panel.cells if cell.value is not None]
    value = min(max((sheet.measure(text, bold) for text in values), default=0.0), 0.35 * width) + 0.01
    axis = Axis(panel_scale(panel), x + name + 14, x + width - value - 16)
    return _Space(x, width, name, value, axis, bold, Type(size, colour="ink2"))


def _cells(sheet: Sheet, matrix: Matrix, panel: Panel, space: _Space, y: float) -> float:
    """Draw the name of the columns, then a row for each; gives the y below, px."""
    size = space.bold.size
    if matrix.axis.strip():
        y = sheet.para(space.x, y + 15, matrix.axis, space.width, row_type(size - 1, colour="ink2")) - 8
    for index, name in enumerate(matrix.columns):
        cell = cell_of(panel, index)
        lines = [len(sheet.lines(name, space.name, space.bold))]
        if cell.value is None:
            lines.append(len(sheet.lines(cell.words, space.box - 22, space.words)))
        else:
            lines.append(len(sheet.lines(cell.value.text, space.value, space.bold)))
        height = 16 + LINE * max(*lines, 1)
        middle = y + height / 2
        kind = Type(size, style.BOLD, "ink2" if cell.value is None else "ink")
        sheet.beside(space.x, middle, name, space.name, kind)
        if cell.value is None:
            marks.absence(sheet, space.axis.zero, y + 3, space.box, height - 6)
            sheet.beside(space.axis.zero + 10, middle, cell.words, space.box - 22, space.words)
        else:
            sheet.line((space.axis.zero, y), (space.axis.zero, y + height), "ink2", 1.2)
            x = space.axis.x(cell.value.at)
            marks.lying_stem(sheet, (space.axis.zero, middle), x, LOOK[0])
            marks.mark(sheet, x, middle, LOOK, filled=cell.filled)
            sheet.beside(x + 13, middle, cell.value.text, space.value, space.bold)
        y += height
    return y

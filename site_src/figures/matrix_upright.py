"""A matrix with upright stems, the columns' names below: where every text fits its column."""

from __future__ import annotations

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
from .scale import Scale
from .sheet import Sheet
from .spec import Cell, Matrix, Panel
from .style import LINE, Type, row_type

_PLOT_LEAST = 150.0
_VALUE = Type(15, style.BOLD)
_NAME = row_type(14, style.BOLD)
_MUTED_NAME = row_type(14, style.BOLD, "ink2")
_WORDS = Type(13, colour="ink2")


def most_per_row(sheet: Sheet, matrix: Matrix) -> int:
    """Panels per row that let every text stand in its column: 2, 1, or 0 where none does."""
    for per_row in (2, 1) if len(matrix.panels) > 1 else (1,):
        width = panel_width(sheet, per_row)
        if all(_fits(sheet, matrix, panel, _step(sheet, matrix, panel, width)) for panel in matrix.panels):
            return per_row
    return 0


def upright(sheet: Sheet, matrix: Matrix, y: float, per_row: int) -> float:
    """Draw the panels in rows; gives the y below, px."""
    width = panel_width(sheet, per_row)
    rows = [matrix.panels[i : i + per_row] for i in range(0, len(matrix.panels), per_row)]
    step = min(_step(sheet, matrix, panel, width) for panel in matrix.panels)
    names = 6 + LINE * max(len(sheet.lines(name, step - 8, _NAME)) for name in matrix.columns)
    height = _PLOT_LEAST + sheet.spare / len(rows)
    for row in rows:
        top, head = y, max(head_height(sheet, panel, width) for panel in row)
        base = y + head + 28 + height
        for column, panel in enumerate(row):
            x = sheet.left + column * (width + PANEL_GAP)
            panel_head(sheet, panel, x, y, width)
            _stems(sheet, matrix, panel, (x, base - height, width, height))
            sheet.text(x, base + names + 14, matrix.axis, _WORDS)
        y = base + names + (LINE if matrix.axis.strip() else 0) + 8
        if len(row) > 1:
            divider(sheet, sheet.left + width + PANEL_GAP / 2, top + 8, y - 4)
    return y


def _tick_room(sheet: Sheet, panel: Panel) -> float:
    return max(sheet.measure(text, _WORDS) for text in panel_scale(panel).texts(sheet.say)) + 12


def _step(sheet: Sheet, matrix: Matrix, panel: Panel, width: float) -> float:
    """Width of one column, px."""
    return (width - _tick_room(sheet, panel)) / len(matrix.columns)


def _fits(sheet: Sheet, matrix: Matrix, panel: Panel, step: float) -> bool:
    for index, name in enumerate(matrix.columns):
        cell = cell_of(panel, index)
        if not _whole_words(sheet, name, step - 8, 3, _NAME):
            return False
        if cell.value is None and not _whole_words(sheet, cell.words, _box_width(step), 6, _WORDS):
            return False
        if cell.value is not None and sheet.measure(cell.value.text, _VALUE) > step - 9:
            return False
    return True


def _whole_words(sheet: Sheet, text: str, width: float, most: int, kind: Type) -> bool:
    """Whether a text fits in `most` lines without breaking a word."""
    if any(sheet.measure(word, kind) > width for word in text.split()):
        return False
    return len(sheet.lines(text, width, kind)) <= most


def _box_width(step: float) -> float:
    return step * 0.92 - 12


def _stems(sheet: Sheet, matrix: Matrix, panel: Panel, area: tuple[float, float, float, float]) -> None:
    """Draw grid, stems and names of one panel; `area` is x, top, width and height of grid and steps, px."""
    x, top, width, height = area
    scale = panel_scale(panel)
    start, base = x + _tick_room(sheet, panel), top + height
    texts = scale.texts(sheet.say)
    for index, text in enumerate(texts):
        y = base - height * index / (len(texts) - 1)
        sheet.line((start, y), (x + width, y), "rule" if index else "ink2", 1.0 if index else 1.2)
        sheet.text(start - 10, y + 4.5, text, _WORDS, align="right")
    step = _step(sheet, matrix, panel, width)
    for index, name in enumerate(matrix.columns):
        middle, cell = start + step * (index + 0.5), cell_of(panel, index)
        kind = _MUTED_NAME if cell.value is None else _NAME
        sheet.para(middle, base + 21, name, step - 8, kind, align="center")
        if cell.value is None:
            marks.absence(sheet, middle - step * 0.46, top - 6, step * 0.92, height + 2, fill="page")
            half = top + height / 2
            sheet.beside(middle, half, cell.words, _box_width(step), _WORDS, align="center", knocks=True)
        else:
            _stem(sheet, cell, scale, middle, (base, top))


def _stem(sheet: Sheet, cell: Cell, scale: Scale, x: float, ends: tuple[float, float]) -> None:
    """Draw one value as a mark on a stem; `ends` are the y of zero and of the last step, px."""
    assert cell.value is not None
    y = scale.at(cell.value.at, *ends)
    if ends[0] - y > style.MARK_RADIUS:
        foot, tip = (x, ends[0]), (x, y + style.MARK_RADIUS)
        sheet.line(foot, tip, LOOK[0], style.STEM, solid=True, layer=2)
    marks.mark(sheet, x, y, LOOK, filled=cell.filled)
    sheet.text(x, y - 13, cell.value.text, _VALUE, align="center", knocks=True)

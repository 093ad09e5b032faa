"""Matrix: one panel per quantity over the same columns; a cell without a value is a dashed box of words."""

from __future__ import annotations

from . import frame, matrix_lying
from .matrix_upright import most_per_row, upright
from .sheet import Sheet
from .spec import FigureSpec, Matrix


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw a matrix figure: upright stems where every text fits its column, else lying ones."""
    content = spec.content
    assert isinstance(content, Matrix)
    y = frame.head(sheet, spec, wide) + (6 if wide else 4)
    per_row = most_per_row(sheet, content) if wide else 0
    if per_row:
        y = upright(sheet, content, y, per_row)
    elif wide:
        y = matrix_lying.rows(sheet, content, y)
    else:
        y = matrix_lying.column(sheet, content, y)
    cells = [cell for panel in content.panels for cell in panel.cells if cell.value is not None]
    looks = list(dict.fromkeys(("circle", cell.filled) for cell in cells))
    y = frame.key(sheet, y + 8, content.key, wide, looks)
    frame.foot(sheet, spec, wide, y)

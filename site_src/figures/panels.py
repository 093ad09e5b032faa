"""What the upright and the lying matrix share: panel widths, heads, cells and scales."""

from __future__ import annotations

from . import style
from .scale import Scale, scale_for
from .sheet import Sheet
from .spec import Cell, Panel
from .style import LINE, Type, row_type

PANEL_GAP = 52.0
LOOK = ("a", "circle")


def panel_width(sheet: Sheet, per_row: int) -> float:
    """Width of a panel where `per_row` stand side by side, px."""
    return (sheet.right - sheet.left - (per_row - 1) * PANEL_GAP) / per_row


def cell_of(panel: Panel, column: int) -> Cell:
    """The panel's cell in a column; an empty one past the end of a short panel."""
    return panel.cells[column] if column < len(panel.cells) else Cell(None)


def panel_scale(panel: Panel) -> Scale:
    """Scale of a panel's own values: no two panels share an axis."""
    return scale_for([cell.value.at for cell in panel.cells if cell.value is not None])


def head_height(sheet: Sheet, panel: Panel, width: float) -> float:
    """Height of a panel's title and unit, px."""
    title = len(sheet.lines(panel.title, width, Type(14, style.BOLD)))
    return LINE * (title + len(sheet.lines(panel.unit, width, Type(13)))) + 6


def panel_head(sheet: Sheet, panel: Panel, x: float, y: float, width: float) -> None:
    """Write a panel's title and unit from `y` down."""
    line = sheet.para(x, y + 18, panel.title, width, row_type(14, style.BOLD))
    sheet.para(x, line, panel.unit, width, row_type(13, colour="ink2"))


def divider(sheet: Sheet, x: float, top: float, bottom: float) -> None:
    """Draw the rule that keeps two panels apart."""
    sheet.line((x, top), (x, bottom), "rule", 1.2)

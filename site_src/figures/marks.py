"""Marks with a meaning: a value, an order, a difference, a gap, a share of a limit."""

from __future__ import annotations

from . import style
from .sheet import Sheet


def mark(
    sheet: Sheet,
    x: float,
    y: float,
    look: tuple[str, str],
    *,
    filled: bool,
    radius: float = style.MARK_RADIUS,
) -> None:
    """Draw a value's mark: hollow for one observation, filled for a statistic of several."""
    hue, shape = look
    fill, weight = (hue if filled else "page"), 0.38 * radius
    if shape == "circle":
        area = (x - radius, y - radius, 2 * radius, 2 * radius)
        sheet.box(*area, fill=fill, edge=hue, line=weight, radius=radius, solid=True, layer=5)
    elif shape == "square":
        half = 0.89 * radius
        sheet.box(x - half, y - half, 2 * half, 2 * half, fill=fill, edge=hue, line=weight, solid=True, layer=5)
    else:
        reach = 1.22 * radius
        corners = (
            ((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y))
            if shape == "diamond"
            else ((x, y - reach), (x + reach, y + 0.75 * reach), (x - reach, y + 0.75 * reach))
        )
        sheet.polygon(corners, fill=fill, edge=hue, line=weight, layer=5)


def lying_stem(sheet: Sheet, zero: tuple[float, float], x: float, hue: str, width: float = style.STEM) -> None:
    """Draw the line from zero to a mark at `x`, ending at the mark's rim; none where the mark covers it."""
    if x - style.MARK_RADIUS > zero[0]:
        sheet.line(zero, (x - style.MARK_RADIUS, zero[1]), hue, width, solid=True, layer=2)


def arrow(sheet: Sheet, x: float, y: float, end: float) -> None:
    """Draw a horizontal arrow from `x` to `end`."""
    sheet.line((x, y), (end - 5, y), "ink2", 1.6, solid=True)
    sheet.polygon(((end, y), (end - 8, y - 4.5), (end - 8, y + 4.5)), fill="ink2")


def gutter(sheet: Sheet, x: float, y: float, *, differs: bool, radius: float = 9.5) -> None:
    """Draw = between equal neighbours, a crossed = on a disc between different ones."""
    hue, unit = ("page" if differs else "edge"), radius / 13
    if differs:
        area = (x - radius, y - radius, 2 * radius, 2 * radius)
        sheet.box(*area, fill="ink", radius=radius, solid=True, layer=6)
        sheet.line((x - 4 * unit, y + 8 * unit), (x + 4 * unit, y - 8 * unit), hue, 1.8, layer=7, solid=True)
    for rise in (-3 * unit, 3 * unit):
        sheet.line((x - 6 * unit, y + rise), (x + 6 * unit, y + rise), hue, 1.8, layer=7, solid=True)


def absence(sheet: Sheet, x: float, y: float, width: float, height: float, *, fill: str | None = None) -> None:
    """Draw the dashed box that stands where a value is missing."""
    sheet.box(x, y, width, height, fill=fill, edge="edge", radius=4, dashed=True, layer=1.6)


def tally(sheet: Sheet, x: float, y: float, squares: tuple[int, int], *, per_row: int, step: float) -> float:
    """Draw one square per unit of a limit, the counted ones filled; gives the y below the last row.

    `squares` is count and limit, `step` the distance of two squares, px.
    """
    count, limit = squares
    side = step * 0.77
    for index in range(limit):
        hue = "b" if index < count else "edge"
        left, top = x + 0.8 + index % per_row * step, y + 0.8 + index // per_row * step
        fill = hue if index < count else None
        sheet.box(left, top, side, side, fill=fill, edge=hue, line=1.6, radius=2, solid=True)
    return y + ((limit - 1) // per_row) * step + side + 1.6

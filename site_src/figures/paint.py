"""A recorded sheet as a matplotlib figure: one artist per mark and line of text, in the light colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import matplotlib
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform

from . import style
from .fonts import Typeface
from .sheet import Label, Shape, Sheet, Stroke

_KNOCK_LAYER = 1.5
_TEXT_LAYER = 8.0
_ROUND = 0.5522847498
"""Control point distance of a Bezier quarter circle (https://spencermortensen.com/articles/bezier-circle/)."""


@contextmanager
def plain_settings() -> Iterator[None]:
    """Draw with matplotlib's own defaults, whatever a `matplotlibrc` says; put the caller's settings back."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        # unhinted advances: the same spacing in the raster as in the SVG
        matplotlib.rcParams.update({"text.hinting": "none", "svg.fonttype": "path", "svg.hashsalt": "figure"})
        yield


def figure(sheet: Sheet) -> Figure:
    """Build the figure of a sheet at 72 dpi, where 1 px of the sheet is 1 px of the output."""
    size = (sheet.width / 72, sheet.height / 72)
    painted = Figure(figsize=size, dpi=72, facecolor=style.LIGHT["page"], edgecolor="none")
    place = Affine2D().scale(1 / sheet.width, -1 / sheet.height).translate(0, 1) + painted.transFigure
    for shape in sheet.shapes:
        painted.add_artist(_shape(shape, place))
    for stroke in sheet.strokes:
        painted.add_artist(_stroke(stroke, place))
    for label in sheet.labels:
        if label.knocks:
            painted.add_artist(_knock(label, place))
        painted.add_artist(_Words(label, sheet.face))
    return painted


class _Words(Artist):
    """One line of text, drawn run by run: without the layout and the `$` markup of matplotlib's Text."""

    def __init__(self, label: Label, face: Typeface) -> None:
        super().__init__()
        self._label, self._face = label, face
        self.set_zorder(_TEXT_LAYER)

    def draw(self, renderer: RendererBase) -> None:
        """Draw at the figure's present dpi."""
        label = self._label
        drawn_on = self.get_figure(root=True)
        assert drawn_on is not None
        scale = drawn_on.dpi / 72
        pen = renderer.new_gc()
        pen.set_foreground(style.LIGHT[label.kind.colour])
        x = label.x
        for run in self._face.runs(label.text, label.kind.weight):
            font = _font(run.file, label.kind.size)
            renderer.draw_text(pen, x * scale, label.y * scale, run.text, font, 0.0, ismath=False)
            x += self._face.extent(run.text, label.kind.size, label.kind.weight).advance
        pen.restore()


@lru_cache(maxsize=256)
def _font(file: str, size: float) -> FontProperties:
    return FontProperties(fname=file, size=size)


def _colour(token: str | None) -> str:
    return style.LIGHT[token] if token else "none"


def _shape(shape: Shape, place: Transform) -> PathPatch:
    patch = PathPatch(
        _outline(shape),
        transform=place,
        facecolor=_colour(shape.fill),
        edgecolor=_colour(shape.edge),
        linewidth=shape.width if shape.edge else 0,
        zorder=shape.layer,
        joinstyle="miter",
    )
    if shape.dashed:
        patch.set_linestyle((0, style.DASH))
    return patch


def _outline(shape: Shape) -> Path:
    x, y, width, height = shape.box
    right, bottom = x + width, y + height
    if shape.corners or not shape.radius:
        corners = shape.corners or ((x, y), (right, y), (right, bottom), (x, bottom))
        return Path([*corners, corners[0]], closed=True)
    r = min(shape.radius, width / 2, height / 2)
    k = r * (1 - _ROUND)
    points = [(x + r, y), (right - r, y), (right - k, y), (right, y + k), (right, y + r)]
    points += [(right, bottom - r), (right, bottom - k), (right - k, bottom), (right - r, bottom)]
    points += [(x + r, bottom), (x + k, bottom), (x, bottom - k), (x, bottom - r)]
    points += [(x, y + r), (x, y + k), (x + k, y), (x + r, y), (x + r, y)]
    side = [Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    return Path(points, [Path.MOVETO, *side * 4, Path.CLOSEPOLY])


def _stroke(stroke: Stroke, place: Transform) -> PathPatch:
    return PathPatch(
        Path([stroke.start, stroke.end]),
        transform=place,
        facecolor="none",
        edgecolor=style.LIGHT[stroke.colour],
        linewidth=stroke.width,
        zorder=stroke.layer,
        capstyle="butt",
    )


def _knock(label: Label, place: Transform) -> PathPatch:
    """Clear what lies under a text: the grid, never a mark, which is drawn above."""
    area = (label.x - 4, label.y - 0.86 * label.kind.size, label.width + 8, 1.16 * label.kind.size)
    return _shape(Shape(area, label.ground, None, 0, _KNOCK_LAYER, False), place)

"""A figure spec as finished files. Pure: the same spec and fonts give the same bytes in any process."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Final

from . import capacity, curve, hero, incident, lint, matrix, memory, rates, style
from .fonts import FontError, Typeface, font_folder, typeface
from .paint import figure, plain_settings
from .raster import rasters, thumbnail
from .sheet import Sheet
from .spec import Drawn, FigureLint, FigureSpec, Kind
from .svg import identifier, svg

_KINDS: Final[MappingProxyType[Kind, Callable[[Sheet, FigureSpec, bool], None]]] = MappingProxyType(
    {
        "hero": hero.draw,
        "rates": rates.draw,
        "memory": memory.draw,
        "incident": incident.draw,
        "matrix": matrix.draw,
        "capacity": capacity.draw,
        "curve": curve.draw,
    }
)


def draw(spec: FigureSpec, extra_fonts: Path | None = None) -> Drawn:
    """Draw both cuts and the raster of a figure.

    `extra_fonts` is a folder whose *.ttf and *.otf are asked for characters that Inter lacks. Raises FigureLint
    where the drawing breaks a layout rule or no font has a character.
    """
    try:
        face = typeface(font_folder(), extra_fonts)
    except FontError as error:
        raise FigureLint(spec.stem, (str(error),)) from error
    wide, narrow = laid_out(spec, face, wide=True), laid_out(spec, face, wide=False)
    found = [f"wide: {fault}" for fault in lint.faults(wide)]
    found += [f"narrow: {fault}" for fault in lint.faults(narrow)]
    if found:
        raise FigureLint(spec.stem, tuple(found))
    with plain_settings():
        painted = figure(wide)
        webp, png, pixels = rasters(painted)
        # on a page the margin of the picture would indent its text against the column
        crop = 0 if spec.kind == "hero" else style.WIDE_MARGIN
        shown = (crop, 0, wide.width - 2 * crop, wide.height)
        wide_svg = svg(painted, identifier(spec.stem, "w"), spec.title, spec.desc, shown)
        whole = (0, 0, narrow.width, narrow.height)
        narrow_svg = svg(figure(narrow), identifier(spec.stem, "n"), spec.title, spec.desc, whole)
    return Drawn(
        wide=wide_svg,
        narrow=narrow_svg,
        webp=webp,
        png=png,
        thumb=thumbnail(pixels) if spec.kind == "hero" else b"",
        wide_size=(int(shown[2]), int(shown[3])),
        narrow_size=(int(narrow.width), int(narrow.height)),
        raster_size=pixels.size,
    )


def laid_out(spec: FigureSpec, face: Typeface, *, wide: bool) -> Sheet:
    """Record one cut at the height its content needs: a first pass measures, a second one places."""
    least = style.WIDE_HEIGHT if wide else 0
    probe = _blank(spec, face, wide, least)
    _KINDS[spec.kind](probe, spec, wide)
    fixed = wide and spec.kind == "hero"
    sheet = _blank(spec, face, wide, least if fixed else max(least, math.ceil(probe.need)))
    sheet.spare = max(0.0, least - probe.need)
    _KINDS[spec.kind](sheet, spec, wide)
    return sheet


def _blank(spec: FigureSpec, face: Typeface, wide: bool, height: float) -> Sheet:
    if not wide:
        return Sheet(face, spec.say, style.NARROW_WIDTH, height, 0, style.FLOOR_NARROW)
    if spec.kind == "hero":
        return Sheet(face, spec.say, style.WIDE_WIDTH, height, style.HERO_MARGIN, style.FLOOR_HERO)
    return Sheet(face, spec.say, style.WIDE_WIDTH, height, style.WIDE_MARGIN, style.FLOOR_WIDE)

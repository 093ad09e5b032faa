"""Every look of the figures: colour tokens, type sizes, margins. Sizes are CSS px at 1:1."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

# Two hues at most: a third could not be told apart under every common colour blindness, so it becomes ink.
LIGHT: Final = MappingProxyType(
    {
        "page": "#ffffff",
        "panel": "#f4f6f8",
        "ink": "#14181d",
        "ink2": "#475362",
        "rule": "#d3d9e0",
        "edge": "#768394",
        "a": "#124a8a",
        "b": "#b55200",
        "tint": "#b8c9dc",
    }
)
DARK: Final = MappingProxyType(
    {
        "page": "#11151a",
        "panel": "#1a2028",
        "ink": "#e9edf2",
        "ink2": "#aeb8c5",
        "rule": "#333d4a",
        "edge": "#7c899a",
        "a": "#62a9f2",
        "b": "#ffc38c",
        "tint": "#29415b",
    }
)

WIDE_WIDTH: Final = 800
WIDE_HEIGHT: Final = 450
NARROW_WIDTH: Final = 328
WIDE_MARGIN: Final = 28
HERO_MARGIN: Final = 44
RASTER_SCALE: Final = 2
RASTER_SIZE: Final = (1600, 900)
THUMB_STEP: Final = 5
"""How many pixels of a raster one of its thumbnail stands for, each way: 320 × 180, twice the size it is shown at."""

REGULAR: Final = 400
BOLD: Final = 700

FLOOR_WIDE: Final = 13.0
FLOOR_NARROW: Final = 12.0
FLOOR_HERO: Final = 16.0

MIN_CONTRAST: Final = 4.5
MIN_GAP: Final = 5.0

LINE: Final = 18.0
"""Distance of two baselines in rows and columns, px."""

STEM: Final = 2.6
MARK_RADIUS: Final = 6.3
DASH: Final = (4.0, 3.0)

SERIES: Final = (("a", "circle"), ("b", "square"), ("ink", "diamond"), ("ink", "triangle"))
"""Hue token and shape by series number; numbers past the last share its look."""


@dataclass(frozen=True)
class Type:
    """How a text is set: size in px, weight, colour token, and the distance of two baselines in sizes."""

    size: float
    weight: int = REGULAR
    colour: str = "ink"
    leading: float = 1.38


def row_type(size: float, weight: int = REGULAR, colour: str = "ink") -> Type:
    """Set a text with its lines `LINE` apart, as rows and columns count them."""
    return Type(size, weight, colour, LINE / size)


def series_look(series: int) -> tuple[str, str]:
    """Give the hue token and the shape of a series."""
    return SERIES[min(max(series, 0), len(SERIES) - 1)]


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two `#rrggbb` colours, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

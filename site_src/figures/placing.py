"""Placing of texts without a fixed place: values around marks, words in gaps, the items of a key line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from . import style
from .sheet import Sheet, tidy
from .style import LINE, Type

Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in px."""
Segment: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
KeyItem: TypeAlias = tuple[float, Callable[[float, float], None], str]
"""Width of a glyph, how to draw it from its left end and middle height, its words."""

_REACH = 8.0
_CLEAR = 2.5
_ITEM_GAP = 22.0
_GAP_PAD = 9.0
_GAP_WIDEST = 170.0


@dataclass(frozen=True)
class Wanted:
    """A text wanted at a mark, above it where `above`, else below; other sides are tried after that."""

    text: str
    x: float
    y: float
    above: bool


@dataclass(frozen=True)
class Placed:
    """A text with the left end of its baseline, px."""

    text: str
    x: float
    y: float


@dataclass
class Occupied:
    """What a text must not touch, within `bounds`: areas such as marks and texts, and slanted lines."""

    bounds: Area
    areas: list[Area] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)

    def free(self, area: Area) -> bool:
        """Whether an area lies inside the bounds and clear of everything."""
        left, top, right, bottom = self.bounds
        if area[0] < left or area[1] < top or area[2] > right or area[3] > bottom:
            return False
        if any(_meet(area, other) for other in self.areas):
            return False
        grown = (area[0] - _CLEAR, area[1] - _CLEAR, area[2] + _CLEAR, area[3] + _CLEAR)
        return not any(crosses(grown, segment) for segment in self.segments)


def around(x: float, y: float, reach: float = _REACH) -> Area:
    """Give the area of a mark."""
    return x - reach, y - reach, x + reach, y + reach


def place(sheet: Sheet, wanted: list[Wanted], kind: Type, occupied: Occupied) -> list[Placed] | None:
    """Find a free place for every text, in order; None where one has none."""
    out: list[Placed] = []
    for want in wanted:
        extent = sheet.face.extent(tidy(want.text), kind.size, kind.weight)
        above, below = max(extent.above, 0.76 * kind.size), max(extent.below, 0.21 * kind.size)
        for x, y in _sites(want, extent.advance, above, occupied.bounds):
            area = (x, y - above, x + extent.advance, y + below)
            if occupied.free(area):
                occupied.areas.append((area[0] - style.MIN_GAP, area[1], area[2] + style.MIN_GAP, area[3]))
                out.append(Placed(want.text, x, y))
                break
        else:
            return None
    return out


def _sites(want: Wanted, width: float, tall: float, bounds: Area) -> Iterator[tuple[float, float]]:
    """Give the places to try: over or under the mark, centred or shifted, then beside it."""
    over, under = want.y - _REACH - 5, want.y + _REACH + 3 + tall
    centre = min(max(want.x - width / 2, bounds[0]), bounds[2] - width)
    for line in (over, under) if want.above else (under, over):
        yield centre, line
        for shift in (6.0, 1.0, -4.0):
            yield from ((x, line) for x in (want.x - width + shift, want.x - shift))
    middle = want.y + 0.36 * tall + 1
    yield want.x + _REACH + 5, middle
    yield want.x - _REACH - 5 - width, middle


@dataclass(frozen=True)
class Run:
    """Neighbouring points without value that share their words: from where to where, and the room around, px."""

    first: float
    last: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class Gap:
    """The dashed box of a run: left end, width, lines of its words, px; not `told` where they do not fit in it."""

    left: float
    width: float
    lines: tuple[str, ...]
    told: bool


def gap(sheet: Sheet, run: Run, kind: Type, tall: float) -> Gap:
    """Choose the box of a run, its words whole and at most `tall` px high, or a narrow one without them."""
    inner = min(run.high - run.low - 2 * _GAP_PAD, max(_GAP_WIDEST, run.last - run.first))
    whole = run.low <= run.first and run.last <= run.high
    whole = whole and all(sheet.measure(word, kind) <= inner for word in run.words.split())
    lines = tuple(sheet.lines(run.words, inner, kind)) if whole else ()
    if not lines or len(lines) * LINE + 12 > tall:
        left = min(max(run.first - 5, run.low), run.first - 2)
        right = max(min(run.last + 5, run.high), run.last + 2)
        return Gap(left, right - left, (), not run.words.strip())
    widest = max(sheet.measure(line, kind) for line in lines)
    width = max(widest + 2 * _GAP_PAD, run.last - run.first + 10)
    width = min(width, run.high - run.low)
    left = min(max((run.first + run.last - width) / 2, run.low), run.high - width)
    return Gap(left, width, lines, True)


def _meet(one: Area, other: Area) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > 0 and min(one[3], other[3]) - max(one[1], other[1]) > 0


def crosses(area: Area, segment: Segment) -> bool:
    """Whether a straight line enters an area (Liang and Barsky: clip the line at the four sides)."""
    (x, y), (other_x, other_y) = segment
    first, last = 0.0, 1.0
    for start, step, low, high in ((x, other_x - x, area[0], area[2]), (y, other_y - y, area[1], area[3])):
        if step == 0:
            if not low < start < high:
                return False
            continue
        enters, leaves = sorted(((low - start) / step, (high - start) / step))
        first, last = max(first, enters), min(last, leaves)
    return first < last


def key_line(sheet: Sheet, y: float, items: list[KeyItem], size: float) -> tuple[float, float]:
    """Draw glyphs and their words in lines from `y` down; gives the y below and where the last line ends, px."""
    kind = Type(size, colour="ink2")
    x, line = sheet.left, y + size
    for width, glyph, words in items:
        start = x + width + 7
        if x > sheet.left and start + sheet.measure(words, kind) > sheet.right:
            x, line = sheet.left, line + size * 1.5
            start = x + width + 7
        glyph(x, line - 0.36 * size)
        if start + sheet.measure(words, kind) <= sheet.right:
            x = sheet.text(start, line, words, kind) + _ITEM_GAP
        else:
            line = sheet.para(start, line, words, sheet.right - start, kind) - size * kind.leading
            x = sheet.right
    return line + 0.4 * size, x - _ITEM_GAP

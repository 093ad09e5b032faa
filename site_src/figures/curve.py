"""Curve: one quantity over one numeric condition, both from zero; a missing value is a gap with its words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from . import frame, marks, style
from .curve_table import table
from .placing import Gap, KeyItem, Occupied, Placed, Run, Segment, Wanted, around, gap, key_line, place
from .scale import Scale, scale_for, shown_steps
from .sheet import Sheet
from .spec import Curve, CurvePoint, CurveSeries, FigureSpec
from .style import LINE, Type

_HEIGHT_WIDE, _HEIGHT_NARROW = 190.0, 180.0
_HEADROOM = 24.0
_LINE, _RADIUS_LEAST = 2.2, 3.4
_DIRECT_MOST = 150.0
_LANE_LINES = 3
_TICK_LINES, _TICK_GAP = 2, 8.0
_VALUE = Type(14, style.BOLD)


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw a curve figure."""
    content = spec.content
    assert isinstance(content, Curve)
    size = 13.0 if wide else 12.0
    small = Type(size, colour="ink2")
    y = frame.head(sheet, spec, wide) + 4
    labels = _end_labels(sheet, content) if wide else []
    if not labels:
        y = _series_key(sheet, content, y, size)
    y = sheet.para(sheet.left, y + size, content.unit, sheet.right - sheet.left, small) - size + 2
    plan = _planned(sheet, content, y, labels, wide)
    _plot(sheet, content, plan, labels, small)
    y = plan.field.base + 21 + LINE * (1 + max(line for _, _, line in plan.field.ticks))
    y = sheet.para(plan.field.left, y, content.x_label, sheet.right - plan.field.left, small) - size
    if plan.values is None:
        y = table(sheet, content, y + 8, 14 if wide else 13)
    shown = [(n, point) for n, series in enumerate(content.series) for point in series.points if point.value]
    looks = list(dict.fromkeys((style.series_look(n)[1], point.filled) for n, point in shown))[:6]
    y = frame.key(sheet, y + (12 if wide else 10), content.key, wide, looks)
    frame.foot(sheet, spec, wide, y)


@dataclass(frozen=True)
class _Field:
    """The plot, px: zero of the condition at `left`, its value `most` at `right`, zero of the value at `base`."""

    left: float
    right: float
    top: float
    base: float
    most: float
    scale: Scale
    ticks: tuple[tuple[float, str, int], ...]
    """Steps of the condition: value, text, and line of the text under the axis."""

    def x(self, value: float) -> float:
        """Where a value of the condition lies, px."""
        return self.left + min(max(value / self.most, 0.0), 1.0) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value lies, px."""
        return self.scale.at(value, self.base, self.top)

    def spot(self, point: CurvePoint) -> tuple[float, float]:
        """Where the mark of a point with a value lies, px."""
        assert point.value is not None
        return self.x(point.x.at), self.y(point.value.at)


@dataclass(frozen=True)
class _Plan:
    """Where everything in the plot stands; without `values` they stand in a table.

    `gaps` are dashed boxes, each with its top and height; `lanes` the series whose gaps lie above the plot,
    with the middle height of the lane.
    """

    field: _Field
    gaps: tuple[tuple[Gap, float, float], ...]
    lanes: tuple[tuple[int, float], ...]
    values: tuple[Placed, ...] | None


def _value_type(size: float) -> Type:
    """Set values one px larger than the small texts of the cut."""
    return Type(size + 1, style.BOLD)


def _points(curve: Curve) -> list[CurvePoint]:
    return [point for series in curve.series for point in series.points]


def _value_scale(curve: Curve) -> Scale:
    return scale_for([point.value.at for point in _points(curve) if point.value])


def _end_labels(sheet: Sheet, curve: Curve) -> list[tuple[str, float]]:
    """Each series' label with its last value, if all can stand at the right of the plot; else none."""
    most = max((point.x.at for point in _points(curve)), default=0.0)
    found: list[tuple[str, float]] = []
    for series in curve.series:
        last = series.points[-1] if series.points else None
        if last is None or last.value is None or last.x.at != most:
            return []
        if sheet.measure(series.label, _VALUE) > _DIRECT_MOST:
            return []
        found.append((series.label, last.value.at))
    step = _HEIGHT_WIDE / _value_scale(curve).end
    heights = sorted(value * step for _, value in found)
    return found if all(high - low > LINE + 2 for low, high in pairwise(heights)) else []


def _series_key(sheet: Sheet, curve: Curve, y: float, size: float) -> float:
    """Name the series beside their marks; gives the y below, px."""

    def item(number: int, series: CurveSeries) -> KeyItem:
        look = style.series_look(number)
        shown = [point.filled for point in series.points if point.value]
        filled = bool(shown) and all(shown)

        def glyph(x: float, middle: float) -> None:
            sheet.line((x, middle), (x + 28, middle), look[0], _LINE, layer=2)
            marks.mark(sheet, x + 14, middle, look, filled=filled, radius=5.2)

        return 28.0, glyph, series.label

    items = [item(number, series) for number, series in enumerate(curve.series) if series.label.strip()]
    return key_line(sheet, y, items, size)[0] + 4 if items else y


def _planned(sheet: Sheet, curve: Curve, y: float, labels: list[tuple[str, float]], wide: bool) -> _Plan:
    """Plan the plot at its least height, then with the spare height, unless only that would need a table."""
    size, least = (13.0, _HEIGHT_WIDE) if wide else (12.0, _HEIGHT_NARROW)
    scale = _value_scale(curve)
    ticks = [sheet.measure(text, Type(size)) for text in _step_texts(sheet, curve)]
    most = max((point.x.at for point in _points(curve)), default=0.0)
    left = sheet.left + max(14.0, *ticks, 0.0) + 14
    field = _Field(left, sheet.right, y, y, most if most > 0 else 1.0, scale, ())
    plans = []
    for beside in _margins(sheet, curve, labels, size):
        tried = _with_ticks(sheet, curve, replace(field, right=sheet.right - beside), size)
        plans.append((tried, _plan(sheet, curve, tried, labels, least, size)))
    chosen, plan = next((found for found in plans if found[1].values is not None), plans[0])
    roomy = _plan(sheet, curve, chosen, labels, least + sheet.spare, size)
    return plan if plan.values is not None and roomy.values is None else roomy


def _margins(sheet: Sheet, curve: Curve, labels: list[tuple[str, float]], size: float) -> list[float]:
    """Widths to keep at the right of the plot: for the series' labels, or none, or else for a value, px."""
    if labels:
        return [max(sheet.measure(text, _VALUE) for text, _ in labels) + 18]
    values = (sheet.measure(point.value.text, _value_type(size)) for point in _points(curve) if point.value)
    return [10.0, min(max(values, default=0.0) + 14, 0.25 * sheet.width)]


def _step_texts(sheet: Sheet, curve: Curve) -> tuple[str, ...]:
    """Texts of the value's steps; none where no value says how far they reach."""
    return _value_scale(curve).texts(sheet.say) if any(point.value for point in _points(curve)) else ()


def _with_ticks(sheet: Sheet, curve: Curve, field: _Field, size: float) -> _Field:
    """Put the condition's own values at its axis where they fit side by side, else round steps."""
    own = sorted(dict.fromkeys((point.x.at, point.x.text) for point in _points(curve)), key=lambda tick: tick[0])
    own = own if own and own[0][0] <= 0 else [(0.0, "0"), *own]
    ticks = _lined(sheet, field, own, size)
    if ticks:
        return replace(field, ticks=ticks)
    scale = scale_for([field.most])
    kept = shown_steps(sheet, scale, field.right - field.left, size)
    field = replace(field, most=scale.end)
    steps = [(float(scale.steps[index]), scale.texts(sheet.say)[index]) for index in kept]
    return replace(field, ticks=_lined(sheet, field, steps, size) or _lined(sheet, field, steps[-1:], size))


def _lined(
    sheet: Sheet, field: _Field, steps: list[tuple[float, str]], size: float
) -> tuple[tuple[float, str, int], ...]:
    """Give each step the line under the axis where its text fits; empty where one fits in none."""
    ends = [-_TICK_GAP] * _TICK_LINES
    out: list[tuple[float, str, int]] = []
    for at, text in steps:
        half = sheet.measure(text, Type(size)) / 2
        left = min(field.x(at), sheet.right - half) - half
        line = next((number for number, end in enumerate(ends) if left - end >= _TICK_GAP), None)
        if line is None or left < sheet.left:
            return ()
        ends[line] = left + 2 * half
        out.append((at, text, line))
    return tuple(out)


def _plan(
    sheet: Sheet, curve: Curve, field: _Field, labels: list[tuple[str, float]], height: float, size: float
) -> _Plan:
    """Stand the plot under lanes for the gaps, one per series with some; a lone series has them in the plot."""
    words = Type(size, colour="ink2")
    gaps: list[tuple[Gap, float, float]] = []
    lanes: list[tuple[int, float]] = []
    lone = len(curve.series) == 1
    y = field.top
    for number, series in enumerate([] if lone else curve.series):
        boxes = [gap(sheet, run, words, _LANE_LINES * LINE + 12) for run in _runs(field, series, False)]
        if boxes:
            tall = 10 + LINE * max(1, *(len(box.lines) for box in boxes))
            gaps += [(box, y + 6, tall) for box in boxes]
            lanes.append((number, y + 6 + tall / 2))
            y += tall + 8
    field = replace(field, top=y + _HEADROOM, base=y + _HEADROOM + height)
    if lone:
        boxes = [gap(sheet, run, words, height) for run in _runs(field, curve.series[0], True)]
        gaps += [(box, field.top - 6, height + 2) for box in boxes]
    own = {text for _, text, _ in field.ticks} >= {point.x.text for point in _points(curve)}
    told = own and all(box.told for box, _, _ in gaps)
    placed = _values(sheet, curve, field, gaps, labels, _value_type(size)) if told else None
    return _Plan(field, tuple(gaps), tuple(lanes), None if placed is None else tuple(placed))


def _runs(field: _Field, series: CurveSeries, among: bool) -> list[Run]:
    """Give the runs without value with the room around each, which ends at marks where they are `among` them."""
    same = [list(part) for _, part in groupby(series.points, key=lambda p: (p.value is None, p.words))]
    parts = same if among else [part for part in same if part[0].value is None]
    out: list[Run] = []
    for index, part in enumerate(parts):
        if part[0].value is not None:
            continue
        first, last = field.x(part[0].x.at), field.x(part[-1].x.at)
        low, high = min(field.left + 4, first - 2), field.right + 9
        if index:
            former = parts[index - 1][-1]
            near = field.x(former.x.at)
            low = near + 14 if former.value else (near + first) / 2 + 2
        if index + 1 < len(parts):
            latter = parts[index + 1][0]
            near = field.x(latter.x.at)
            high = near - 14 if latter.value else (near + last) / 2 - 2
        out.append(Run(first, last, low, high, part[0].words))
    return out


def _segments(curve: Curve, field: _Field) -> list[tuple[int, Segment]]:
    """Give the lines between neighbouring points that both have a value, each with its series."""
    return [
        (number, (field.spot(one), field.spot(other)))
        for number, series in enumerate(curve.series)
        for one, other in pairwise(series.points)
        if one.value and other.value
    ]


def _values(
    sheet: Sheet,
    curve: Curve,
    field: _Field,
    gaps: list[tuple[Gap, float, float]],
    labels: list[tuple[str, float]],
    kind: Type,
) -> list[Placed] | None:
    """Place the values at their marks; None where they would touch something."""
    bounds = (field.left + 4, field.top - _HEADROOM + 2, sheet.right, field.base - 2)
    occupied = Occupied(bounds, segments=[segment for _, segment in _segments(curve, field)])
    occupied.areas += [(box.left - 5, top, box.left + box.width + 5, top + tall) for box, top, tall in gaps]
    for _, value in labels:
        occupied.areas.append((field.right + 12, field.y(value) - LINE / 2, sheet.right, field.y(value) + LINE / 2))
    highest: dict[float, float] = {}
    wanted: list[tuple[CurvePoint, float]] = []
    for point in _points(curve):
        if point.value:
            occupied.areas.append(around(*field.spot(point)))
            highest[point.x.at] = max(point.value.at, highest.get(point.x.at, 0.0))
            wanted.append((point, point.value.at))
    texts = [
        Wanted(point.value.text, *field.spot(point), at >= highest[point.x.at]) for point, at in wanted if point.value
    ]
    again = replace(occupied, areas=list(occupied.areas))
    found = place(sheet, texts, kind, occupied)
    return found if found is not None else place(sheet, texts[::-1], kind, again)


def _plot(sheet: Sheet, curve: Curve, plan: _Plan, labels: list[tuple[str, float]], small: Type) -> None:
    """Draw grid, steps, gaps, lines, marks and the values that stand at them."""
    field, texts = plan.field, _step_texts(sheet, curve)
    steps = len(field.scale.steps) - 1
    for index in range(steps + 1) if texts else (0,):
        y = field.base - (field.base - field.top) * index / steps
        sheet.line((field.left, y), (field.right, y), "rule" if index else "ink2", 1.0 if index else 1.3)
        if texts:
            sheet.text(field.left - 12, y + 4.5, texts[index], small, align="right")
    sheet.line((field.left, field.top), (field.left, field.base), "ink2", 1.3)
    for at, text, line in field.ticks:
        x, half = field.x(at), sheet.measure(text, small) / 2
        sheet.line((x, field.base), (x, field.base + 5), "ink2", 1.3)
        sheet.text(min(x, sheet.right - half), field.base + 21 + LINE * line, text, small, align="center")
    for number, middle in plan.lanes:
        marks.mark(sheet, field.left - 14, middle, style.series_look(number), filled=False, radius=5.2)
    for box, top, tall in plan.gaps:
        marks.absence(sheet, box.left, top, box.width, tall, fill="page")
        first, group = top + tall / 2 + 4.6 - (len(box.lines) - 1) * LINE / 2, sheet.new_group()
        for index, words in enumerate(box.lines):
            middle = box.left + box.width / 2
            sheet.text(middle, first + index * LINE, words, small, align="center", knocks=True, group=group)
    _series(sheet, curve, field)
    for text, value in labels:
        sheet.text(field.right + 18, field.y(value) + 5, text, _VALUE)
    for placed in plan.values or ():
        sheet.text(placed.x, placed.y, placed.text, _value_type(small.size), knocks=True)


def _series(sheet: Sheet, curve: Curve, field: _Field) -> None:
    """Draw lines and marks, the marks smaller where points stand close."""
    least = min((math.dist(start, end) for _, (start, end) in _segments(curve, field)), default=99.0)
    radius = min(max(0.45 * least, _RADIUS_LEAST), style.MARK_RADIUS)
    for number, (start, end) in _segments(curve, field):
        sheet.line(start, end, style.series_look(number)[0], _LINE, layer=2)
    for number, series in enumerate(curve.series):
        for point in series.points:
            if point.value:
                marks.mark(sheet, *field.spot(point), style.series_look(number), filled=point.filled, radius=radius)

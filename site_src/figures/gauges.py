"""Gauges: shares of pools before and at an event, on one axis that says what the shares are of."""

from __future__ import annotations

from . import marks, style
from .scale import Axis, Scale, axis_texts, scale_for
from .sheet import Sheet
from .spec import Gauge
from .style import Type, row_type

_VALUE = Type(14, style.BOLD)
_STEM = 3.0
_NEAR = 13.0
"""Distance under which two marks would cover each other, px."""


def gauges_wide(sheet: Sheet, gauges: tuple[Gauge, ...], y: float, end: float) -> float:
    """Draw the gauges, their words at the left, the axis ending at `end` px; gives the y below."""
    sheet.text(sheet.left, y + 34, sheet.say("drawn.pools"), _VALUE)
    texts = [text for gauge in gauges for text, _ in _words(sheet, gauge, 14)]
    width = min(max((sheet.measure(text, _VALUE) for text in texts), default=0.0), 168.0)
    axis = Axis(_scale(gauges), sheet.left + width + 22, end)
    y += 46
    top = y
    for gauge in gauges:
        words = _words(sheet, gauge, 14)
        tall = sum(sheet.tall(text, width, kind) for text, kind in words)
        height = max(tall + 16, 52.0 + _second_line(sheet, gauge, axis))
        line = y + (height - tall) / 2 + 13
        for text, kind in words:
            line = sheet.para(sheet.left, line, text, width, kind)
        _share(sheet, gauge, axis, y + 36)
        y += height
    axis.grid(sheet, top, y)
    return axis_texts(sheet, axis, y + 18, 13, "")


def gauges_narrow(sheet: Sheet, gauges: tuple[Gauge, ...], y: float) -> float:
    """Draw the gauges with their words above; gives the y below, px."""
    sheet.text(sheet.left, y + 24, sheet.say("drawn.pools"), _VALUE)
    y += 30
    axis = Axis(_scale(gauges), sheet.left + 14, sheet.right - 14)
    for gauge in gauges:
        line = y + 20
        for text, kind in _words(sheet, gauge, 13):
            line = sheet.para(sheet.left, line, text, sheet.right - sheet.left, kind)
        top = line - 14
        height = 50.0 + _second_line(sheet, gauge, axis)
        axis.grid(sheet, top + 22, top + height)
        _share(sheet, gauge, axis, top + 36)
        y = top + height
    return axis_texts(sheet, axis, y + 16, 12, "") + 8


def _words(sheet: Sheet, gauge: Gauge, size: float) -> list[tuple[str, Type]]:
    """Label, note and the words for values nobody reported, with how each is set."""
    small = row_type(size - 1, colour="ink2")
    rows = [(gauge.label, row_type(size, style.BOLD)), (gauge.note, small)]
    if gauge.before is None:
        rows.append((sheet.say("drawn.no_before"), small))
    if gauge.at_event is None:
        rows.append((sheet.say("drawn.no_event"), small))
    return [row for row in rows if row[0].strip()]


def _scale(gauges: tuple[Gauge, ...]) -> Scale:
    values = [point.at for gauge in gauges for point in (gauge.before, gauge.at_event) if point is not None]
    # 0 to 1 as a rule; a share above 1 is an overcommitted pool, and the axis grows rather than hide it
    return scale_for([value for value in values if value > 1])


def _labels(sheet: Sheet, gauge: Gauge, axis: Axis) -> list[tuple[float, float, str]]:
    """Left end, right end and text of the printed values, kept inside the axis."""
    out: list[tuple[float, float, str]] = []
    for point, key in ((gauge.before, "drawn.before"), (gauge.at_event, "drawn.event")):
        if point is not None:
            text = sheet.say(key, value=point.text)
            width = sheet.measure(text, _VALUE)
            left = max(min(axis.x(point.at) - width / 2, axis.end - width), axis.zero + 8)
            out.append((left, left + width, text))
    return out


def _second_line(sheet: Sheet, gauge: Gauge, axis: Axis) -> float:
    """Height the second value needs below the stem where both do not fit side by side above it, px."""
    match _labels(sheet, gauge, axis):
        case [(left, right, _), (other_left, other_right, _)]:
            return 0.0 if right + 12 <= other_left or other_right + 12 <= left else 20.0
        case _:
            return 0.0


def _share(sheet: Sheet, gauge: Gauge, axis: Axis, stem: float) -> None:
    """Draw stem, marks and values of one gauge, the stem at the height `stem`."""
    before = None if gauge.before is None else axis.x(gauge.before.at)
    event = None if gauge.at_event is None else axis.x(gauge.at_event.at)
    if before is not None and event is not None:
        low, high = sorted((before, event))
        if high - low > 2 * style.MARK_RADIUS:
            ends = (low + style.MARK_RADIUS, stem), (high - style.MARK_RADIUS, stem)
            sheet.line(*ends, "b", _STEM, solid=True, layer=2)
    elif event is not None:
        marks.lying_stem(sheet, (axis.zero, stem), event, "b", _STEM)
    elif before is not None:
        marks.lying_stem(sheet, (axis.zero, stem), before, "a", _STEM)
    if before is not None:
        near = event is not None and abs(before - event) < _NEAR
        radius = 10.0 if near else style.MARK_RADIUS
        marks.mark(sheet, before, stem, ("a", "circle"), filled=False, radius=radius)
    if event is not None:
        marks.mark(sheet, event, stem, ("b", "circle"), filled=False)
    below = _second_line(sheet, gauge, axis) > 0
    for index, (left, _, text) in enumerate(_labels(sheet, gauge, axis)):
        sheet.text(left, stem + 24 if below and index else stem - 14, text, _VALUE, knocks=True)

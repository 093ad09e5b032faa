"""Incident: the order of steps, shares of pools before and at the event, counts."""

from __future__ import annotations

import math

from . import frame, marks, style
from .gauges import gauges_narrow, gauges_wide
from .sheet import Sheet
from .spec import Counted, FigureSpec, Incident, Step
from .style import LINE, Type, row_type

_SQUARES_MOST = 24
_COUNTS_LEFT = 552.0
_BESIDE_MOST = 4
_STEP_GAP = 29.3


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw an incident figure."""
    content = spec.content
    assert isinstance(content, Incident)
    y = frame.head(sheet, spec, wide) + min(sheet.spare * 0.3, 40.0) + (8 if wide else 4)
    y = (_steps_wide if wide else _steps_narrow)(sheet, content.steps, y)
    if content.gauges or content.counts:
        y += 10 if wide else 2
        sheet.line((sheet.left, y), (sheet.right, y))
        y = (_lower_wide if wide else _lower_narrow)(sheet, content, y)
    frame.foot(sheet, spec, wide, y)


def _steps_wide(sheet: Sheet, steps: tuple[Step, ...], y: float) -> float:
    """Draw up to four steps in a row, more in rows of three; gives the y below, px."""
    if not steps:
        return y
    per_row = len(steps) if len(steps) <= 4 else 3
    width = min((sheet.right - sheet.left - (per_row - 1) * _STEP_GAP) / per_row, 360.0)
    for first in range(0, len(steps), per_row):
        row = list(enumerate(steps[first : first + per_row], first + 1))
        height = max(_step_height(sheet, step, number, width) for number, step in row)
        for number, step in row:
            x = sheet.left + (number - first - 1) * (width + _STEP_GAP)
            _step(sheet, step, number, (x, y, width, height))
            if number > first + 1:
                marks.arrow(sheet, x - _STEP_GAP + 4, y + height / 2, x - 3)
        y += height + 14
    return _order_line(sheet, steps, y + 6, 13)


def _steps_narrow(sheet: Sheet, steps: tuple[Step, ...], y: float) -> float:
    width = sheet.right - sheet.left
    for number, step in enumerate(steps, 1):
        height = _step_height(sheet, step, number, width)
        _step(sheet, step, number, (sheet.left, y, width, height))
        y += height + 6
    return _order_line(sheet, steps, y + 8, 12)


def _step(sheet: Sheet, step: Step, number: int, area: tuple[float, float, float, float]) -> None:
    x, y, width, height = area
    sheet.box(x, y, width, height, fill="panel", layer=0.5)
    sheet.box(x, y, 4, height, fill="b" if step.alert else "a", solid=True)
    kind = row_type(14, style.BOLD)
    line = sheet.para(x + 14, y + 22, _heading(step, number), width - 26, kind, ground="panel") + 2
    for text in step.lines:
        line = sheet.para(x + 14, line, text, width - 26, row_type(13), ground="panel")


def _heading(step: Step, number: int) -> str:
    # no-break spaces keep the number with the first word and the gap between them open
    return f"{number}\u00a0\u00a0{step.heading}"


def _step_height(sheet: Sheet, step: Step, number: int, width: float) -> float:
    lines = len(sheet.lines(_heading(step, number), width - 26, Type(14, style.BOLD)))
    lines += sum(len(sheet.lines(text, width - 26, Type(13))) for text in step.lines)
    return 16 + LINE * lines


def _order_line(sheet: Sheet, steps: tuple[Step, ...], y: float, size: float) -> float:
    if len(steps) < 2:
        return y - 6
    kind = Type(size, colour="ink2")
    return sheet.para(sheet.left, y + 4, sheet.say("drawn.order"), sheet.right - sheet.left, kind) - size + 4


def _lower_wide(sheet: Sheet, incident: Incident, y: float) -> float:
    """Draw gauges and counts, side by side where the counts are few; gives the y below, px."""
    gauges, counts = incident.gauges, incident.counts
    if gauges and 0 < len(counts) <= _BESIDE_MOST:
        end = gauges_wide(sheet, gauges, y, 500.0)
        low = y + 12
        for count in counts:
            low = _count(sheet, count, _COUNTS_LEFT, low + 4, sheet.right - _COUNTS_LEFT) + 8
        sheet.line((_COUNTS_LEFT - 26, y + 22), (_COUNTS_LEFT - 26, max(end, low)))
        return max(end, low)
    if gauges:
        y = gauges_wide(sheet, gauges, y, sheet.right - 60)
        if counts:
            y += 10
            sheet.line((sheet.left, y), (sheet.right, y))
    return _count_grid(sheet, counts, y + 14) if counts else y


def _lower_narrow(sheet: Sheet, incident: Incident, y: float) -> float:
    if incident.gauges:
        y = gauges_narrow(sheet, incident.gauges, y)
        if incident.counts:
            sheet.line((sheet.left, y), (sheet.right, y))
    for count in incident.counts:
        y = _count(sheet, count, sheet.left, y + 4, sheet.right - sheet.left) + 6
    return y


def _count_grid(sheet: Sheet, counts: tuple[Counted, ...], y: float) -> float:
    width = (sheet.right - sheet.left - 2 * 28) / 3
    for first in range(0, len(counts), 3):
        row = enumerate(counts[first : first + 3])
        y = 10 + max(_count(sheet, c, sheet.left + k * (width + 28), y + 4, width) for k, c in row)
    return y - 8


def _squares(count: Counted) -> tuple[int, int] | None:
    """Count and limit as whole squares, or None where squares would not show them."""
    if count.limit is None or not 1 <= count.limit.at <= _SQUARES_MOST:
        return None
    if not 0 <= count.value.at <= count.limit.at or count.value.at % 1 or count.limit.at % 1:
        return None
    return int(count.value.at), int(count.limit.at)


def _count(sheet: Sheet, count: Counted, x: float, y: float, width: float) -> float:
    """Draw one count in a column of `width` px; gives the y below."""
    number = count.value.text
    if count.limit is not None:
        number = sheet.say("drawn.of", value=number, limit=count.limit.text)
    squares = _squares(count)
    if squares:
        y = sheet.para(x, y + 18, count.label, width, row_type(14, style.BOLD)) - 7
        return _counted_squares(sheet, (number, count.limit_label), squares, (x, y), width)
    label = f"{count.label} ({count.limit_label})" if count.limit_label.strip() else count.label
    kind = Type(18, style.BOLD, leading=1.2)
    shown = sheet.measure(number, kind)
    if shown > 0.45 * width:
        line = sheet.para(x, y + 20, number, width, kind)
        return max(sheet.para(x, line - 3, label, width, Type(13)) - 15, line - 19)
    sheet.text(x, y + 20, number, kind)
    start = x + max(shown, 13.0) + 10
    return max(sheet.para(start, y + 19.5, label, x + width - start, Type(13)) - 15, y + 22)


def _counted_squares(
    sheet: Sheet, words: tuple[str, str], squares: tuple[int, int], corner: tuple[float, float], width: float
) -> float:
    """Draw a count as squares of its limit, number and limit's name beside them or, where too long, below."""
    x, y = corner
    step = 22.0 if width < 300 else 26.0
    rows = math.ceil(squares[1] / (6 if width < 300 else 8))
    per_row = math.ceil(squares[1] / rows)
    start = x + per_row * step + 12
    low = marks.tally(sheet, x, y, squares, per_row=per_row, step=step)
    room = x + width - start
    number, name = row_type(15, style.BOLD), Type(13, colour="ink2", leading=16 / 13)
    tokens = [(word, kind) for text, kind in zip(words, (number, name), strict=True) for word in text.split()]
    if any(sheet.measure(word, kind) > room for word, kind in tokens) or len(sheet.lines(words[1], room, name)) > 2:
        end = sheet.measure(words[0], number) + 8
        if end + sheet.measure(words[1], name) <= width:
            sheet.text(x, low + 20, words[0], number)
            sheet.text(x + end, low + 20, words[1], name)
            return low + 28
        line = sheet.para(x, low + 20, words[0], width, number)
        return sheet.para(x, line - 1, words[1], width, name) - 8
    line = sheet.para(start, y + 13, words[0], room, number)
    return max(low, sheet.para(start, line, words[1], room, name) - 10) + 4

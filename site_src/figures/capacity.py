"""Capacity: per profile the token pool in full windows, the requests admitted, the deepest ones measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal

from . import frame, style
from .placing import KeyItem, key_line
from .scale import Axis, Scale, axis_texts, scale_for
from .sheet import Sheet
from .spec import Capacity, CapacityRow, FigureSpec
from .style import LINE, Type, row_type

_BAR, _BLOCK, _TICK = 14.0, 9.0, 3.0
_TRACK = 27.0
"""Bar, gap and blocks of one row, px; the tick stands out by 4 at both ends."""
_LEAST_BLOCK, _LEAST_WIDTH = 3.0, 2.5
_PLOT_LEAST = 0.7
"""Share of the plot's width that the axis keeps where numbers need room at its end."""
_AIR_MOST = 12.0
_NUMBER = Type(14, style.BOLD)


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw a capacity figure."""
    content = spec.content
    assert isinstance(content, Capacity)
    y = frame.head(sheet, spec, wide) + (4 if wide else 2)
    y = _wide(sheet, content, y) if wide else _narrow(sheet, content, y)
    y = frame.key(sheet, y + (14 if wide else 10), content.key, wide, [])
    frame.foot(sheet, spec, wide, y)


def _scale(rows: tuple[CapacityRow, ...]) -> Scale:
    """Scale of all rows; a ceiling that is a power of two, as most are, ends the axis itself."""
    top = max((v for row in rows for v in (row.windows.at, row.ceiling.at, _measured(row))), default=0.0)
    if top >= 4 and top == int(top) and int(top).bit_count() == 1:
        return Scale(tuple(Decimal(int(top) // 4 * step) for step in range(5)))
    return scale_for([top])


def _measured(row: CapacityRow) -> float:
    """All measured requests together, in windows."""
    return row.depth_share * row.depth_requests


@dataclass(frozen=True)
class _Numbers:
    """Where the numbers of a row stand: x, height of the baseline over the bar's top and text of each.

    `alone` is the text that has a line of its own above the bar instead.
    """

    beside: tuple[tuple[float, float, str], ...]
    alone: str = ""


def _numbers(sheet: Sheet, row: CapacityRow, axis: Axis) -> _Numbers:
    """Put the windows at the end of the bar and the ceiling at its tick, or both behind the further one."""
    bar, tick = axis.x(row.windows.at), axis.x(row.ceiling.at)
    blocks = axis.x(_measured(row))
    after = bar + 10 + sheet.measure(row.windows.text, _NUMBER)
    windows = (bar + 10, _BAR - 2, row.windows.text)
    clear = blocks < tick - 4
    if after + 8 < tick:
        return _Numbers((windows, (tick + 9, 19.0 if clear else _BAR - 2, row.ceiling.text)))
    ends = tick + 9 + sheet.measure(row.ceiling.text, _NUMBER)
    if bar > tick + 6 and clear and ends < axis.end:
        return _Numbers((windows, (tick + 9, _TRACK + 4, row.ceiling.text)))
    return _Numbers(((max(bar, tick) + 11, _BAR - 2, _both(sheet, row)),))


def _both(sheet: Sheet, row: CapacityRow) -> str:
    return sheet.say("drawn.both", windows=row.windows.text, ceiling=row.ceiling.text)


def _laid(sheet: Sheet, rows: tuple[CapacityRow, ...], zero: float, limit: float) -> tuple[Axis, list[_Numbers]]:
    """Choose the longest axis up to `limit` px whose numbers fit; the ones that never do get their own line."""
    scale = _scale(rows)
    half = sheet.measure(scale.texts(sheet.say)[-1], Type(13)) / 2
    most = min(limit - 2, sheet.right - half) - zero

    def attempt(share: float) -> tuple[int, Axis, list[_Numbers]]:
        axis = Axis(scale, zero, zero + most * share)
        laid = [_numbers(sheet, row, axis) for row in rows]
        late = [any(x + sheet.measure(text, _NUMBER) > limit for x, _, text in n.beside) for n in laid]
        laid = [_Numbers((), _both(sheet, r)) if over else n for r, n, over in zip(rows, laid, late, strict=True)]
        return sum(late), axis, laid

    steps = [attempt(1 - (1 - _PLOT_LEAST) * step / 30) for step in range(31)]
    _, axis, laid = min(steps, key=lambda found: found[0])
    return axis, laid


def _alone_height(sheet: Sheet, numbers: _Numbers, axis: Axis, limit: float) -> float:
    return LINE * len(sheet.lines(numbers.alone, limit - axis.zero - 8, _NUMBER))


def _track(sheet: Sheet, row: CapacityRow, numbers: _Numbers, axis: Axis, limit: float, y: float) -> None:
    """Draw bar, blocks, tick and numbers of a row; the top of the bar is at `y`, or under a line of numbers."""
    width = limit - axis.zero - 8
    kind = replace(_NUMBER, leading=LINE / _NUMBER.size)
    sheet.para(axis.zero + 8, y + 10, numbers.alone, width, kind, knocks=True)
    y += _alone_height(sheet, numbers, axis, limit)
    pool = max(axis.x(row.windows.at) - axis.zero, _LEAST_WIDTH)
    sheet.box(axis.zero, y, pool, _BAR, fill="tint", edge="a", line=1.4, solid=True)
    _blocks(sheet, row, axis, y + _TRACK - _BLOCK)
    tick = axis.x(row.ceiling.at)
    sheet.line((tick, y - 4), (tick, y + _TRACK + 4), "ink", _TICK, solid=True, layer=6)
    for x, rise, text in numbers.beside:
        sheet.text(x, y + rise, text, _NUMBER, knocks=True)


def _merged(row: CapacityRow, axis: Axis) -> bool:
    return row.depth_requests > 1 and 0 < axis.x(row.depth_share) - axis.zero < _LEAST_BLOCK


def _blocks(sheet: Sheet, row: CapacityRow, axis: Axis, y: float) -> None:
    """Draw one block per request: together as long as all of them on the axis, the gaps cut from the blocks."""
    total = axis.x(_measured(row)) - axis.zero
    if total <= 0:
        return
    count = 1 if _merged(row, axis) else row.depth_requests
    step = total / count
    gap = min(2.0, 0.3 * step)
    for index in range(count):
        width = step - (gap if index < count - 1 else 0.0)
        sheet.box(axis.zero + index * step, y, max(width, _LEAST_WIDTH), _BLOCK, fill="b", solid=True)


def _key(sheet: Sheet, capacity: Capacity, axis: Axis, y: float, wide: bool) -> tuple[float, float]:
    """Draw what bar, tick and blocks mean; gives the y below and where the line ends, px."""

    def bar(x: float, middle: float) -> None:
        sheet.box(x + 0.7, middle - 5.5, 22, 11, fill="tint", edge="a", line=1.4, solid=True)

    def tick(x: float, middle: float) -> None:
        sheet.line((x + 2, middle - 8), (x + 2, middle + 8), "ink", _TICK, solid=True)

    def blocks(x: float, middle: float) -> None:
        for shift in (0.0, 11.0):
            sheet.box(x + shift, middle - 4.5, 9, _BLOCK, fill="b", solid=True)

    say = sheet.say
    told = say("drawn.blocks") if wide else say("drawn.blocks_narrow")
    if any(_merged(row, axis) for row in capacity.rows):
        told = say("drawn.merged", blocks=told)
    items: list[KeyItem] = [(24, bar, say("drawn.pool")), (4, tick, say("drawn.ceiling")), (20, blocks, told)]
    return key_line(sheet, y, items, 13 if wide else 12)


def _wide(sheet: Sheet, capacity: Capacity, y: float) -> float:
    """Draw the rows with their words at the left and the depth at the right; gives the y below, px."""
    name, pool, depth = row_type(14, style.BOLD), row_type(13, colour="ink2"), row_type(14)
    head, heading = row_type(13, style.BOLD, "ink2"), sheet.say("drawn.deepest")
    rows = capacity.rows
    left = max((sheet.measure(t, k) for r in rows for t, k in ((r.label, name), (r.pool, pool))), default=0.0)
    left = min(max(left, 60.0), 190.0) + 0.01
    right = max((sheet.measure(row.depth, depth) for row in rows), default=0.0)
    right = min(max(right, sheet.measure(heading, head)), 150.0) + 0.01
    zero, limit = sheet.left + left + 22, sheet.right - right - 20
    axis, laid = _laid(sheet, rows, zero, limit)
    y, ends = _key(sheet, capacity, axis, y, wide=True)
    if ends + 24 > sheet.right - sheet.measure(heading, head):
        y += LINE + 2
    sheet.text(sheet.right, y - 5, heading, head, align="right")
    y += 5
    air = math.floor(min(sheet.spare / max(len(rows), 1), _AIR_MOST))
    for row, numbers in zip(rows, laid, strict=True):
        words = sheet.tall(row.label, left, name) + sheet.tall(row.pool, left, pool)
        plot = _TRACK + _alone_height(sheet, numbers, axis, limit)
        height = math.ceil(max(words + 14, sheet.tall(row.depth, right, depth) + 14, plot + 21)) + air
        axis.grid(sheet, y, y + height)
        line = sheet.para(sheet.left, y + 21 + air / 2, row.label, left, name)
        sheet.para(sheet.left, line, row.pool, left, pool)
        _track(sheet, row, numbers, axis, limit, y + 11 + air / 2)
        sheet.para(sheet.right, y + 21 + air / 2, row.depth, right, depth, align="right")
        y += height
        sheet.line((sheet.left, y), (sheet.right, y), width=0.8, layer=0.5)
    return axis_texts(sheet, axis, y + 20, 13, capacity.axis)


def _narrow(sheet: Sheet, capacity: Capacity, y: float) -> float:
    """Draw the rows with their words above and the depth below the marks; gives the y below, px."""
    name, small, depth = row_type(13, style.BOLD), row_type(12, colour="ink2"), row_type(12.5)
    width, limit = sheet.right - sheet.left, sheet.right
    axis, laid = _laid(sheet, capacity.rows, sheet.left + 2, limit)
    y, _ = _key(sheet, capacity, axis, y, wide=False)
    y += 6
    for row, numbers in zip(capacity.rows, laid, strict=True):
        sheet.line((sheet.left, y), (sheet.right, y))
        room = width - sheet.measure(row.pool, small) - 14
        line = y + 18
        if sheet.measure(row.label, name) <= room:
            sheet.text(sheet.right, line, row.pool, small, align="right")
            line = sheet.para(sheet.left, line, row.label, width, name)
        else:
            line = sheet.para(sheet.left, line, row.label, width, name)
            line = sheet.para(sheet.left, line, row.pool, width, small)
        line = max(line, y + 18 + LINE) - 8
        plot = _TRACK + _alone_height(sheet, numbers, axis, limit)
        sheet.line((axis.zero, line - 2), (axis.zero, line + plot + 4), "ink2", 1.3)
        for x in axis.ticks()[1:]:
            sheet.line((x, line - 2), (x, line + plot + 4))
        _track(sheet, row, numbers, axis, limit, line)
        y = sheet.para(sheet.left, line + plot + 20, row.depth, width, depth) - 8
    sheet.line((sheet.left, y), (sheet.right, y))
    return axis_texts(sheet, axis, y + 18, 12, capacity.axis)

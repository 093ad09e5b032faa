"""Memory: readings side by side with a mark per facet that says whether neighbours share it."""

from __future__ import annotations

from . import frame, marks, style
from .sheet import Sheet
from .spec import FigureSpec, Memory, Reading
from .style import LINE, Type, row_type

_GUTTER = 24.0


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw a memory figure. The first facet is the quantity: the free or used glyph stands before it."""
    content = spec.content
    assert isinstance(content, Memory)
    y = frame.head(sheet, spec, wide) + min(sheet.spare * 0.3, 40.0)
    y = _bands(sheet, content, y + 6) if wide else _stack(sheet, content, y + 4)
    y = _missing(sheet, content.missing, y, wide)
    frame.foot(sheet, spec, wide, y)


def _per_row(count: int) -> int:
    return 2 if count == 4 else max(min(count, 3), 1)


def _bands(sheet: Sheet, memory: Memory, y: float) -> float:
    """Draw the readings in rows of up to three; gives the y below, px."""
    head = sheet.say("drawn.reading")
    names = max(sheet.measure(name, Type(13)) for name in (head, *memory.facet_names))
    start = sheet.left + min(max(names, 48.0), 110.0) + 16
    per_row = _per_row(len(memory.readings))
    width = min((sheet.right - start - (per_row - 1) * _GUTTER) / per_row, 420.0)
    for first in range(0, len(memory.readings), per_row):
        band = memory.readings[first : first + per_row]
        y = _band(sheet, memory.facet_names, band, start=start, width=width, y=y) + 14
    return y - 14


def _band(
    sheet: Sheet, names: tuple[str, ...], band: tuple[Reading, ...], *, start: float, width: float, y: float
) -> float:
    """Draw the readings of one row from `start` on, each `width` px; gives the y below, px."""
    inner = width - 22
    tops = max(_headline_height(sheet, reading, inner) for reading in band)
    heights = []
    for index, name in enumerate(names):
        lines = [len(sheet.lines(name, start - sheet.left - 12, Type(13)))]
        lines += [_facet_lines(sheet, reading, index, inner) for reading in band]
        heights.append(10.4 + LINE * max(*lines, 1))
    bottom = y + tops + sum(heights) + 8
    sheet.text(sheet.left, y + tops - 16, sheet.say("drawn.reading"), Type(13, colour="ink2"))
    for column, reading in enumerate(band):
        x = start + column * (width + _GUTTER)
        sheet.box(x, y, width, bottom - y, fill="panel", radius=4, layer=0.5)
        _headline(sheet, reading, x + 11, y, inner)
        line = y + tops
        for index, height in enumerate(heights):
            sheet.line((x + 11, line), (x + width - 11, line))
            _facet(sheet, reading, index, x=x + 11, y=line + 19, width=inner)
            if column:
                same = _text_of(band[column - 1], index) == _text_of(reading, index)
                marks.gutter(sheet, x - _GUTTER / 2, line + 14.5, differs=not same)
            line += height
    line = y + tops
    for name, height in zip(names, heights, strict=True):
        room = start - sheet.left - 12
        sheet.para(sheet.left, line + 19, name, room, row_type(13, colour="ink2"))
        line += height
    return bottom


def _text_of(reading: Reading, index: int) -> str:
    return reading.facets[index] if index < len(reading.facets) else ""


def _headline_parts(sheet: Sheet, reading: Reading, width: float) -> tuple[float, bool]:
    """Size of the value, and whether the unit stands beside it."""
    unit = sheet.measure(reading.unit, Type(16, style.BOLD)) + 7 if reading.unit.strip() else 0.0
    for size in (30.0, 26.0, 22.0):
        if sheet.measure(reading.value, Type(size, style.BOLD)) + unit <= width:
            return size, True
    for size in (30.0, 26.0, 22.0, 18.0):
        if sheet.measure(reading.value, Type(size, style.BOLD)) <= width:
            return size, False
    return 18.0, False


def _headline_height(sheet: Sheet, reading: Reading, width: float) -> float:
    size, beside = _headline_parts(sheet, reading, width)
    if beside:
        return 56.0
    lines = len(sheet.lines(reading.value, width, Type(size, style.BOLD)))
    return 30 + lines * size * 1.2 + sheet.tall(reading.unit, width, Type(16, style.BOLD, leading=1.25))


def _headline(sheet: Sheet, reading: Reading, x: float, y: float, width: float) -> None:
    size, beside = _headline_parts(sheet, reading, width)
    if beside:
        end = sheet.text(x, y + 40, reading.value, Type(size, style.BOLD), ground="panel")
        sheet.text(end + 7, y + 40, reading.unit, Type(16, style.BOLD, "ink2"), ground="panel")
        return
    y = sheet.para(x, y + 14 + size * 0.9, reading.value, width, Type(size, style.BOLD, leading=1.2), ground="panel")
    y -= size * 1.2 - 22
    sheet.para(x, y, reading.unit, width, Type(16, style.BOLD, "ink2", leading=1.25), ground="panel")


def _facet_lines(sheet: Sheet, reading: Reading, index: int, width: float) -> int:
    shown, weight = _glyph_room(reading, index)
    return len(sheet.lines(_text_of(reading, index), width - shown, Type(13, weight)))


def _glyph_room(reading: Reading, index: int) -> tuple[float, int]:
    return (44.0, style.BOLD) if index == 0 and reading.quantity else (0.0, style.REGULAR)


def _facet(sheet: Sheet, reading: Reading, index: int, *, x: float, y: float, width: float) -> None:
    """Write one facet, its first baseline at `y`; the shape says free or used before the word."""
    shown, weight = _glyph_room(reading, index)
    if shown:
        free = reading.quantity == "free"
        hue = "a" if free else "b"
        sheet.box(x + 1, y - 11, 32, 12, fill="page" if free else hue, edge=hue, line=2, solid=True)
    text = _text_of(reading, index)
    sheet.para(x + shown, y, text, width - shown, row_type(13, weight), ground="panel")


def _stack(sheet: Sheet, memory: Memory, y: float) -> float:
    """Draw the readings one below the other, between them what differs; gives the y below, px."""
    names = max((sheet.measure(name, Type(12)) for name in memory.facet_names), default=0.0)
    start = sheet.left + 12 + min(max(names, 60.0), 100.0) + 16
    for number, reading in enumerate(memory.readings):
        if number:
            y = _between(sheet, memory, number, y)
        y = _card(sheet, memory.facet_names, reading, start, y) + 10
    return y - 4


def _between(sheet: Sheet, memory: Memory, number: int, y: float) -> float:
    former, reading = memory.readings[number - 1], memory.readings[number]
    names = [
        name for index, name in enumerate(memory.facet_names) if _text_of(former, index) != _text_of(reading, index)
    ]
    words = sheet.say("drawn.differs", names=", ".join(names)) if names else sheet.say("drawn.same")
    marks.gutter(sheet, sheet.left + 11, y + 9, differs=bool(names))
    return sheet.para(sheet.left + 30, y + 13.5, words, sheet.right - sheet.left - 30, Type(12, style.BOLD)) - 3


def _card(sheet: Sheet, names: tuple[str, ...], reading: Reading, start: float, y: float) -> float:
    width = sheet.right - sheet.left
    top = _headline_height(sheet, reading, width - 24) - 6
    inner, room = sheet.right - 12 - start, start - sheet.left - 20
    heights = [
        10
        + LINE
        * max(
            len(sheet.lines(name, room, Type(12))),
            _facet_lines(sheet, reading, index, inner),
            1,
        )
        for index, name in enumerate(names)
    ]
    height = top + sum(heights) + 4
    sheet.box(sheet.left, y, width, height, fill="panel", radius=4, layer=0.5)
    _headline(sheet, reading, sheet.left + 12, y - 2, width - 24)
    line = y + top
    for index, (name, tall) in enumerate(zip(names, heights, strict=True)):
        sheet.line((sheet.left + 12, line), (sheet.right - 12, line))
        left = sheet.left + 12
        sheet.para(left, line + 19, name, room, row_type(12, colour="ink2"), ground="panel")
        _facet(sheet, reading, index, x=start, y=line + 19, width=inner)
        line += tall
    return y + height


def _missing(sheet: Sheet, missing: tuple[str, ...], y: float, wide: bool) -> float:
    """Draw what no source reports as dashed boxes; gives the y below, px."""
    if not missing:
        return y
    sheet.text(sheet.left, y + 24, sheet.say("drawn.missing"), Type(13, style.BOLD))
    y += 33
    per_row = min(len(missing), 3) if wide else 1
    gap = 12.0
    width = (sheet.right - sheet.left - (per_row - 1) * gap) / per_row
    for first in range(0, len(missing), per_row):
        row = missing[first : first + per_row]
        counts = [len(sheet.lines(text, width - 26, Type(13))) for text in row]
        height = 16 + LINE * max(*counts, 1) if wide else 14 + LINE * max(*counts, 1)
        for column, (text, count) in enumerate(zip(row, counts, strict=True)):
            x = sheet.left + column * (width + gap)
            marks.absence(sheet, x + 0.7, y, width - 1.4, height)
            base = y + height / 2 + 4.6 - (count - 1) * LINE / 2
            sheet.para(x + 13, base, text, width - 26, row_type(13, colour="ink2"))
        y += height + 8
    return y - 8

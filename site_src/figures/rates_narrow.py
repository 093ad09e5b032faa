"""The narrow cut of a rates figure: value beside the label, the stem below it, then the notes."""

from __future__ import annotations

from . import marks, style
from .scale import Axis
from .sheet import Sheet
from .spec import RateRow, Rates
from .style import LINE, Type, row_type

_VALUE, _SMALL = Type(16, style.BOLD), Type(12, colour="ink2")


def note_head(rates: Rates, index: int) -> str:
    """Head of a note column, empty where none is given."""
    return rates.note_heads[index] if index < len(rates.note_heads) else ""


def note_texts(rates: Rates, row: RateRow, start: int) -> list[str]:
    """Notes from `start` on, each with its head before it."""
    notes = [(note_head(rates, i), note.text) for i, note in enumerate(row.notes)][start:]
    return [f"{head}: {text}" if head.strip() else text for head, text in notes if text.strip()]


def plot(sheet: Sheet, rates: Rates, axis: Axis, y: float) -> float:
    """Draw groups and axis; gives the y below, px."""
    width = sheet.right - sheet.left
    for group in rates.groups:
        sheet.line((sheet.left, y), (sheet.right, y))
        y += 4
        if group.label.strip():
            y = sheet.para(sheet.left, y + 17, group.label, width, Type(14, style.BOLD)) - 13
        for row in group.rows:
            y = _row(sheet, rates, row, axis, y)
        y += 2
    sheet.line((sheet.left, y), (sheet.right, y))
    return _axis_texts(sheet, axis, y + 18, rates.unit)


def _row(sheet: Sheet, rates: Rates, row: RateRow, axis: Axis, y: float) -> float:
    """Draw one row from `y` down; gives the y below, px."""
    width = sheet.right - sheet.left
    value = sheet.measure(row.value.text, _VALUE)
    beside = value <= 0.55 * width
    room = width - value - 14 if beside else width
    bottom = max(sheet.para(sheet.left, y + 18, row.label, room, row_type(14)), y + 18 + LINE)
    if beside:
        sheet.text(sheet.right, y + 18, row.value.text, _VALUE, align="right")
    else:
        bottom = sheet.para(sheet.left, bottom + 2, row.value.text, width, _VALUE)
    middle = bottom - 2
    sheet.line((axis.zero, middle), (axis.end, middle))
    for x in axis.ticks()[1:]:
        sheet.line((x, middle - 3), (x, middle + 3))
    sheet.line((axis.zero, middle - 7), (axis.zero, middle + 7), "ink2", 1.3)
    look = style.series_look(row.series)
    marks.lying_stem(sheet, (axis.zero, middle), axis.x(row.value.at), look[0])
    marks.mark(sheet, axis.x(row.value.at), middle, look, filled=row.filled)
    return _notes(sheet, note_texts(rates, row, 0), middle + 24) - 2


def _notes(sheet: Sheet, texts: list[str], y: float) -> float:
    """Write notes in pairs, left and right, or one below the other; gives the y below, px."""
    width = sheet.right - sheet.left
    while texts:
        pair = texts[:2]
        if len(pair) == 2 and sum(sheet.measure(text, _SMALL) for text in pair) + 14 <= width:
            sheet.text(sheet.left, y, pair[0], _SMALL)
            sheet.text(sheet.right, y, pair[1], _SMALL, align="right")
            y, texts = y + 17, texts[2:]
        else:
            y, texts = sheet.para(sheet.left, y, texts[0], width, _SMALL), texts[1:]
    return y - 5


def _axis_texts(sheet: Sheet, axis: Axis, y: float, unit: str) -> float:
    """Write the ends of the axis and its middle step, the unit after the last or below; gives the y below."""
    texts = axis.scale.texts(sheet.say)
    joined = sheet.measure(f"{texts[-1]} {unit}", _SMALL) <= 0.6 * (axis.end - axis.zero)
    closing = f"{texts[-1]} {unit}".strip() if joined else texts[-1]
    sheet.text(sheet.left, y, texts[0], _SMALL)
    start = sheet.text(sheet.right, y, closing, _SMALL, align="right") - sheet.measure(closing, _SMALL)
    if len(texts) % 2:
        middle, x = texts[len(texts) // 2], (axis.zero + axis.end) / 2
        half = sheet.measure(middle, _SMALL) / 2
        if sheet.left + sheet.measure(texts[0], _SMALL) + 12 < x - half and x + half + 12 < start:
            sheet.text(x, y, middle, _SMALL, align="center")
    if joined or not unit.strip():
        return y + 4
    return sheet.para(sheet.left, y + 17, unit, sheet.right - sheet.left, _SMALL) - 12

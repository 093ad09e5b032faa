"""Rates: one row per result, a mark on a stem from zero, the source's notes beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import frame, marks, rates_narrow, style
from .scale import Axis, axis_texts, scale_for
from .sheet import Sheet
from .spec import FigureSpec, RateGroup, RateRow, Rates
from .style import LINE, Type

_PLOT_LEAST = 230.0
_NOTE_WIDEST = 190.0
_COLUMN_GAP = 24.0
_AIR_MOST = 26.0
_LABEL, _VALUE, _SMALL = Type(14), Type(16, style.BOLD), Type(13, colour="ink2")
_HEAD = Type(13, style.BOLD, "ink2")


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw a rates figure."""
    content = spec.content
    assert isinstance(content, Rates)
    axis_scale = scale_for([row.value.at for group in content.groups for row in group.rows])
    y = frame.head(sheet, spec, wide)
    if wide:
        columns = _columns(sheet, content)
        y = _plot(sheet, content, columns, Axis(axis_scale, columns.zero, columns.limit - 10), y)
    else:
        y = rates_narrow.plot(sheet, content, Axis(axis_scale, sheet.left + 7, sheet.right - 8), y + 4)
    y = frame.key(sheet, y + (16 if wide else 12), content.key, wide, _looks(content))
    frame.foot(sheet, spec, wide, y)


def _looks(rates: Rates) -> list[tuple[str, bool]]:
    """Shapes of the rows and whether they are filled, each once, for the key."""
    rows = [row for group in rates.groups for row in group.rows]
    return list(dict.fromkeys((style.series_look(row.series)[1], row.filled) for row in rows))[:6]


@dataclass(frozen=True)
class _Columns:
    """Where things stand, px: width of the labels, zero of the axis, where the note columns begin.

    `notes` has the right edge and the width of each note column.
    """

    label: float
    zero: float
    limit: float
    notes: tuple[tuple[float, float], ...]


def _columns(sheet: Sheet, rates: Rates) -> _Columns:
    """Share out the width: labels first, then as many note columns as leave the plot its least width."""
    rows = [row for group in rates.groups for row in group.rows]
    label = min(max(sheet.measure(row.label, _LABEL) for row in rows), 190.0)
    label = max(label, 60.0)
    zero = sheet.left + label + 22
    value = min(max(sheet.measure(row.value.text, _VALUE) for row in rows), 160.0)
    widths = [_note_width(sheet, rates, i) for i in range(max(len(row.notes) for row in rows))]
    while widths and sheet.right - sum(widths) - _COLUMN_GAP * len(widths) - zero - value - 14 < _PLOT_LEAST:
        widths.pop()
    edge, kept = sheet.right, []
    for width in reversed(widths):
        kept.append((edge, width))
        edge -= width + _COLUMN_GAP
    return _Columns(label, zero, edge, tuple(reversed(kept)))


def _note_width(sheet: Sheet, rates: Rates, index: int) -> float:
    notes = [r.notes[index].text for g in rates.groups for r in g.rows if index < len(r.notes)]
    widest = max(sheet.measure(text, _LABEL) for text in notes)
    head = _head_width(sheet, rates_narrow.note_head(rates, index))
    return min(max(widest, head, 40.0) + 1, _NOTE_WIDEST)


def _head_width(sheet: Sheet, head: str) -> float:
    """Least width that sets a column's head in two lines without breaking a word, px."""
    natural = sheet.measure(head, _HEAD)
    longest = max((sheet.measure(word, _HEAD) for word in head.split()), default=0.0)
    widths = (max(longest, natural * share) for share in (0.5, 0.6, 0.7, 0.8, 0.9))
    return next((width for width in widths if len(sheet.lines(head, width, _HEAD)) <= 2), natural)


def _value_width(sheet: Sheet, row: RateRow, columns: _Columns) -> float:
    most = 0.45 * (columns.limit - columns.zero)
    return min(sheet.measure(row.value.text, _VALUE), most) + 0.01


def _fitted(sheet: Sheet, rates: Rates, columns: _Columns, axis: Axis) -> Axis:
    """Shorten the axis until each value fits between its mark and the note columns."""
    end = axis.end
    for row in (row for group in rates.groups for row in group.rows):
        share = row.value.at / axis.scale.end
        if share > 0:
            free = columns.limit - 15 - _value_width(sheet, row, columns) - axis.zero
            end = min(end, axis.zero + free / share)
    return Axis(axis.scale, axis.zero, end)


def _plot(sheet: Sheet, rates: Rates, columns: _Columns, axis: Axis, y: float) -> float:
    """Draw heads, groups and axis; gives the y below, px."""
    axis = _fitted(sheet, rates, columns, axis)
    y = _heads(sheet, rates, columns, y)
    air = min(sheet.spare / sum(len(group.rows) for group in rates.groups), _AIR_MOST)
    for group in rates.groups:
        y = math.ceil(_group_head(sheet, group, y))
        for row in group.rows:
            # whole px, so that the grid of one row joins the next without a seam
            band = math.floor(_band_height(sheet, row, columns) + air)
            axis.grid(sheet, y, y + band)
            _row(sheet, row, columns, axis, y + band / 2)
            y = math.ceil(_rest(sheet, rates, row, columns, y + band))
        y += 8
    return axis_texts(sheet, axis, y + 10, 13, rates.unit)


def _heads(sheet: Sheet, rates: Rates, columns: _Columns, y: float) -> float:
    """Head the note columns, the last lines level; gives the y below, px."""
    lines = [sheet.lines(rates_narrow.note_head(rates, i), width, _HEAD) for i, (_, width) in enumerate(columns.notes)]
    most = max((len(texts) for texts in lines), default=0)
    for (right, _), texts in zip(columns.notes, lines, strict=True):
        group = sheet.new_group()
        for index, text in enumerate(texts, most - len(texts)):
            sheet.text(right, y + 14 + index * LINE, text, _HEAD, align="right", group=group)
    return y + 6 + LINE * most


def _group_head(sheet: Sheet, group: RateGroup, y: float) -> float:
    sheet.line((sheet.left, y), (sheet.right, y))
    if not group.label.strip():
        return y + 12
    return sheet.para(sheet.left, y + 22, group.label, sheet.right - sheet.left, Type(14, style.BOLD)) - 5


def _band_height(sheet: Sheet, row: RateRow, columns: _Columns) -> float:
    """Least height of the band that holds a row's label, mark, value and note columns, px."""
    lines = [len(sheet.lines(row.label, columns.label, _LABEL))]
    lines.append(len(sheet.lines(row.value.text, _value_width(sheet, row, columns), _VALUE)))
    for note, (_, width) in zip(row.notes, columns.notes, strict=False):
        lines.append(len(sheet.lines(note.text, width, _LABEL)))
    return 12 + LINE * max(*lines, 1)


def _row(sheet: Sheet, row: RateRow, columns: _Columns, axis: Axis, middle: float) -> None:
    """Draw label, stem, mark, value and note columns of one row around the height `middle`."""
    look = style.series_look(row.series)
    x = axis.x(row.value.at)
    marks.lying_stem(sheet, (axis.zero, middle), x, look[0])
    marks.mark(sheet, x, middle, look, filled=row.filled)
    sheet.beside(sheet.left, middle, row.label, columns.label, _LABEL)
    width = _value_width(sheet, row, columns)
    sheet.beside(x + 14, middle, row.value.text, width, _VALUE, knocks=True)
    for note, (right, room) in zip(row.notes, columns.notes, strict=False):
        kind = Type(14, colour="ink2" if note.muted else "ink")
        sheet.beside(right, middle, note.text, room, kind, align="right")


def _rest(sheet: Sheet, rates: Rates, row: RateRow, columns: _Columns, y: float) -> float:
    """Write the notes that have no column as lines under the row; gives the y below, px."""
    texts = rates_narrow.note_texts(rates, row, len(columns.notes))
    if not texts:
        return y
    start, line = columns.zero + 8, y + 14
    for text in texts:
        line = sheet.para(start, line, text, sheet.right - start, _SMALL)
    return line - 10

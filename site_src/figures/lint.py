"""Layout rules, checked on what a sheet recorded: no collision, overflow, small or pale text, missing glyph."""

from __future__ import annotations

from collections.abc import Iterator

from . import style
from .sheet import Label, Shape, Sheet

Area = tuple[float, float, float, float]
"""Left, top, right, bottom in px."""


def faults(sheet: Sheet) -> tuple[str, ...]:
    """Name every broken rule in drawing order; empty for a sound sheet."""
    found = [fault for label in sheet.labels for fault in _alone(sheet, label)]
    found += _crowded(sheet.labels)
    areas = list(_mark_areas(sheet))
    soft = [_stroke_area(s.start, s.end, s.width) for s in sheet.strokes if not s.solid]
    for label in sheet.labels:
        found += [f"text over mark: {label.text!r}" for area in areas if _overlap(label, area, 0.5, 1.0)][:1]
        if not label.knocks:
            found += [f"text over line: {label.text!r}" for area in soft if _overlap(label, area, 0.9, 0.9)][:1]
    if sheet.need > sheet.height + 0.5:
        found.append(f"too tall: needs {sheet.need:.0f} px of {sheet.height:.0f}")
    return tuple(found)


def _alone(sheet: Sheet, label: Label) -> Iterator[str]:
    if label.x < -0.5 or label.top < -0.5 or label.right > sheet.width + 0.5 or label.bottom > sheet.height + 0.5:
        yield f"outside the canvas: {label.text!r}"
    elif label.right > sheet.right + 1 or label.x < sheet.left - 2.6:
        yield f"in the margin: {label.text!r}"
    if label.kind.size < sheet.floor:
        yield f"under {sheet.floor:g} px: {label.text!r} at {label.kind.size:g} px"
    for tokens in (style.LIGHT, style.DARK):
        ratio = style.contrast(tokens[label.kind.colour], tokens[label.ground])
        if ratio < style.MIN_CONTRAST:
            yield f"contrast {ratio:.2f}: {label.text!r}"
    for character in sheet.face.missing(label.text, label.kind.weight):
        yield f"no font has {character!r} (U+{ord(character):04X}): {label.text!r}"


def _crowded(labels: list[Label]) -> Iterator[str]:
    ordered = sorted(range(len(labels)), key=lambda i: labels[i].top)
    for place, index in enumerate(ordered):
        one = labels[index]
        for other in (labels[i] for i in ordered[place + 1 :]):
            if other.top > one.bottom - 1.5:
                break
            gap = max(one.x, other.x) - min(one.right, other.right)
            if one.group != other.group and gap < style.MIN_GAP:
                yield f"texts {max(gap, 0.0):.1f} px apart: {one.text!r} and {other.text!r}"


def _mark_areas(sheet: Sheet) -> Iterator[Area]:
    for stroke in sheet.strokes:
        if stroke.solid:
            yield _stroke_area(stroke.start, stroke.end, stroke.width)
    for shape in sheet.shapes:
        yield from [_shape_area(shape)] if shape.solid else _rims(shape)


def _shape_area(shape: Shape) -> Area:
    x, y, width, height = shape.box
    rim = shape.width / 2 if shape.edge else 0.0
    return x - rim, y - rim, x + width + rim, y + height + rim


def _rims(shape: Shape) -> Iterator[Area]:
    """The four sides of an outlined box that texts may stand in but not cross."""
    if shape.edge is None:
        return
    x, y, width, height = shape.box
    right, bottom = x + width, y + height
    for start, end in (((x, y), (right, y)), ((x, bottom), (right, bottom))):
        yield _stroke_area(start, end, shape.width)
    for start, end in (((x, y), (x, bottom)), ((right, y), (right, bottom))):
        yield _stroke_area(start, end, shape.width)


def _stroke_area(start: tuple[float, float], end: tuple[float, float], width: float) -> Area:
    (x, y), (other_x, other_y), half = start, end, width / 2
    return min(x, other_x) - half, min(y, other_y) - half, max(x, other_x) + half, max(y, other_y) + half


def _overlap(label: Label, area: Area, across: float, down: float) -> bool:
    left, top, right, bottom = area
    inside = min(label.right, right) - max(label.x, left)
    return inside > across and min(label.bottom, bottom) - max(label.top, top) > down

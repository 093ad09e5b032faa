"""What every figure but the title card has around its plot: tag, title, subtitle, key and source line."""

from __future__ import annotations

from . import marks, style
from .sheet import Sheet
from .spec import FigureSpec
from .style import Type


def head(sheet: Sheet, spec: FigureSpec, wide: bool) -> float:
    """Draw tag, title and subtitle; gives the y below them, px."""
    title, subtitle = (21.0, 14.0) if wide else (17.0, 13.0)
    width = sheet.right - sheet.left
    sheet.box(sheet.left, 0, 36, 5, fill="a", solid=True)
    y = sheet.para(sheet.left, 34 if wide else 30, spec.title, width, Type(title, style.BOLD, leading=1.2))
    y += 0 if wide else 2
    return sheet.para(sheet.left, y, spec.subtitle, width, Type(subtitle, colour="ink2", leading=1.36))


def foot_height(sheet: Sheet, spec: FigureSpec, wide: bool) -> float:
    """Height kept at the bottom for the rule and the source line, px."""
    size = 13.0 if wide else 12.0
    lines = len(sheet.lines(spec.source, sheet.right - sheet.left, Type(size)))
    return 12 + max(lines - 1, 0) * size * 1.36 + (size + 7 if lines else 0)


def foot(sheet: Sheet, spec: FigureSpec, wide: bool, below: float) -> None:
    """Draw the source line at the bottom and note the height needed; the content ends at `below`, px."""
    size = 13.0 if wide else 12.0
    kept = foot_height(sheet, spec, wide)
    sheet.need = below + kept + (14 if wide else 10)
    lines = sheet.lines(spec.source, sheet.right - sheet.left, Type(size))
    if not lines:
        return
    y = max(sheet.height, sheet.need) - kept
    sheet.line((sheet.left, y), (sheet.right, y))
    sheet.para(
        sheet.left,
        y + size + 7,
        spec.source,
        sheet.right - sheet.left,
        Type(size, colour="ink2", leading=1.36),
    )


def key_height(sheet: Sheet, key: str, wide: bool, shown: int) -> float:
    """Height the key line takes, px; 0 without a key."""
    size = 13.0 if wide else 12.0
    return sheet.tall(key, sheet.right - sheet.left - _indent(shown), Type(size)) + 4 if key.strip() else 0.0


def key(sheet: Sheet, y: float, text: str, wide: bool, looks: list[tuple[str, bool]]) -> float:
    """Draw the key with the marks it speaks of, each a shape and whether it is filled; gives the y below."""
    if not text.strip():
        return y
    size = 13.0 if wide else 12.0
    for index, (shape, filled) in enumerate(looks):
        x = sheet.left + 7 + 18 * index
        marks.mark(sheet, x, y + size * 0.62, ("ink2", shape), filled=filled, radius=5.2)
    indent = _indent(len(looks))
    width = sheet.right - sheet.left - indent
    sheet.para(sheet.left + indent, y + size, text, width, Type(size, colour="ink2"))
    return y + key_height(sheet, text, wide, len(looks))


def _indent(shown: int) -> float:
    return 18.0 * shown + 4 if shown else 0.0

"""Hero: the title card, exactly 800x450 in the wide cut because it is also the picture of shared links."""

from __future__ import annotations

from dataclasses import dataclass

from . import marks, style
from .sheet import Sheet
from .spec import FigureSpec, Hero, HeroColumn
from .style import Type

_SMALL = 16.0
_TITLES = (58.0, 54.0, 50.0, 46.0, 42.0, 38.0, 34.0, 30.0, 27.0, 24.0, 22.0, 20.0, 18.0, 16.0)
_TITLES_ALONE = (76.0, 70.0, 64.0, *_TITLES)
_VALUES = (44.0, 38.0, 32.0, 28.0, 24.0, 20.0, 17.0)
_COLUMN_GAP = 32.0


def draw(sheet: Sheet, spec: FigureSpec, wide: bool) -> None:
    """Draw a title card."""
    content = spec.content
    assert isinstance(content, Hero)
    (_draw_wide if wide else _draw_narrow)(sheet, spec, content)


def _balanced(sheet: Sheet, text: str, size: float, width: float) -> list[str]:
    """Break a title into as few lines as fit, the lines as even as they can be."""
    lines = sheet.lines(text, width, Type(size, style.BOLD))
    low, high = width / 2, width
    while high - low > 4 and len(lines) > 1:
        trial = (low + high) / 2
        if len(sheet.lines(text, trial, Type(size, style.BOLD))) > len(lines):
            low = trial
        else:
            high = trial
    return sheet.lines(text, high, Type(size, style.BOLD))


@dataclass(frozen=True)
class _Plan:
    """Type sizes and heights of the wide card, px."""

    title: tuple[str, ...]
    title_size: float
    value_size: float
    context: float
    columns: float
    foot: float

    @property
    def height(self) -> float:
        """Height of everything with the least air between."""
        gap = 22 if self.columns else 0
        return self.context + len(self.title) * self.title_size * 1.1 + 14 + gap + self.columns + self.foot


def _plan(sheet: Sheet, spec: FigureSpec, hero: Hero) -> _Plan:
    """Choose the largest title, then the largest values, that leave room for everything."""
    context, foot = _context_height(sheet, hero), _foot_height(sheet, hero)
    width = sheet.right - sheet.left
    plan = None
    for title_size in _TITLES if hero.columns else _TITLES_ALONE:
        lines = tuple(_balanced(sheet, spec.title, title_size, width))
        for value_size in _VALUES[:3] if title_size > 30 else _VALUES:
            columns = _columns_height(sheet, hero, value_size)
            plan = _Plan(lines, title_size, value_size, context, columns, foot)
            if plan.height <= style.WIDE_HEIGHT:
                return plan
    assert plan is not None
    return plan


def _context_height(sheet: Sheet, hero: Hero) -> float:
    width = sheet.right - sheet.left
    if _one_line(sheet, hero):
        return 70.0
    tag = sheet.tall(hero.tag, width, Type(_SMALL, style.BOLD, leading=1.3))
    return 49 + tag + sheet.tall(hero.context, width, Type(_SMALL, leading=1.3))


def _one_line(sheet: Sheet, hero: Hero) -> bool:
    tag = sheet.measure(hero.tag, Type(_SMALL, style.BOLD))
    return tag + 12 + sheet.measure(hero.context, Type(_SMALL)) <= sheet.right - sheet.left


def _context(sheet: Sheet, hero: Hero) -> None:
    if _one_line(sheet, hero):
        end = sheet.text(sheet.left, 58, hero.tag, Type(_SMALL, style.BOLD, "a"))
        gap = 12 if hero.tag.strip() else 0
        sheet.text(end + gap, 58, hero.context, Type(_SMALL, colour="ink2"))
        return
    width = sheet.right - sheet.left
    y = sheet.para(sheet.left, 52, hero.tag, width, Type(_SMALL, style.BOLD, "a", leading=1.3))
    sheet.para(sheet.left, y, hero.context, width, Type(_SMALL, colour="ink2", leading=1.3))


def _column_width(sheet: Sheet, hero: Hero) -> float:
    count = max(len(hero.columns), 1)
    return (sheet.right - sheet.left - (count - 1) * _COLUMN_GAP) / count


def _column_height(sheet: Sheet, column: HeroColumn, value_size: float, width: float) -> float:
    lines = len(sheet.lines(column.value, width, Type(value_size, style.BOLD)))
    heading = sheet.tall(column.heading, width, Type(_SMALL, style.BOLD, leading=1.3))
    words = sheet.tall(column.words, width, Type(_SMALL, leading=1.35))
    return 8 + heading + lines * value_size * 1.1 + 18 + words


def _columns_height(sheet: Sheet, hero: Hero, value_size: float) -> float:
    width = _column_width(sheet, hero)
    return max((_column_height(sheet, c, value_size, width) for c in hero.columns), default=0.0)


def _column(sheet: Sheet, column: HeroColumn, x: float, y: float, *, width: float, size: float) -> None:
    sheet.line((x, y), (x + width, y), "ink", 2.4)
    line = sheet.para(x, y + 24, column.heading, width, Type(_SMALL, style.BOLD, "ink2", leading=1.3))
    line += size * 0.85 - 12
    line = sheet.para(x - 1, line, column.value, width, Type(size, style.BOLD, "a", leading=1.1))
    sheet.para(x, line - size * 1.1 + 30, column.words, width, Type(_SMALL, leading=1.35))


def _site_width(sheet: Sheet, hero: Hero) -> float:
    return min(sheet.measure(hero.site, Type(17, style.BOLD)), 300.0) + 0.01


def _foot_lines(sheet: Sheet, hero: Hero) -> tuple[list[str], list[str], float]:
    site = _site_width(sheet, hero)
    room = sheet.right - sheet.left - site - 54
    return (
        sheet.lines(hero.state, room, Type(_SMALL)),
        sheet.lines(hero.site, site, Type(17, style.BOLD)),
        room,
    )


def _foot_height(sheet: Sheet, hero: Hero) -> float:
    state, site, _ = _foot_lines(sheet, hero)
    return 40 + 22 * max(len(state), len(site), 1)


def _draw_wide(sheet: Sheet, spec: FigureSpec, hero: Hero) -> None:
    plan = _plan(sheet, spec, hero)
    sheet.need = plan.height
    sheet.box(0, 0, sheet.width, 9, fill="a", solid=True)
    _context(sheet, hero)
    spare = max(style.WIDE_HEIGHT - plan.height, 0.0)
    air = min(spare * 0.3, 30.0) if plan.columns else min(spare * 0.3, 90.0)
    line = plan.context + plan.title_size * 0.86 + air
    group = sheet.new_group()
    for text in plan.title:
        # big type carries its side bearing: pull it back to the text edge
        x = sheet.left - min(plan.title_size / 26, 2.4)
        sheet.text(x, line, text, Type(plan.title_size, style.BOLD), group=group)
        line += plan.title_size * 1.1
    foot = style.WIDE_HEIGHT - plan.foot
    if hero.columns:
        width = _column_width(sheet, hero)
        bottom = line - plan.title_size * 0.86 + 22
        y = bottom + max(min((foot - plan.columns - bottom) * 0.5, 40.0), 0.0)
        for index, column in enumerate(hero.columns):
            _column(sheet, column, sheet.left + index * (width + _COLUMN_GAP), y, width=width, size=plan.value_size)
    _foot(sheet, hero, foot)


def _foot(sheet: Sheet, hero: Hero, y: float) -> None:
    state, site, _ = _foot_lines(sheet, hero)
    sheet.line((sheet.left, y), (sheet.right, y), "rule", 1.2)
    if state:
        marks.mark(sheet, sheet.left + 7, y + 21, ("ink2", "circle"), filled=False, radius=6)
    left, right = sheet.new_group(), sheet.new_group()
    for number, text in enumerate(state):
        sheet.text(sheet.left + 24, y + 27 + 22 * number, text, Type(_SMALL, colour="ink2"), group=left)
    for number, text in enumerate(site):
        at = y + 27 + 22 * number
        sheet.text(sheet.right, at, text, Type(17, style.BOLD), align="right", group=right)


def _draw_narrow(sheet: Sheet, spec: FigureSpec, hero: Hero) -> None:
    width = sheet.right - sheet.left
    sheet.box(sheet.left, 0, 36, 5, fill="a", solid=True)
    y = sheet.para(sheet.left, 30, hero.tag, width, Type(13, style.BOLD, "a"))
    y = sheet.para(sheet.left, y, hero.context, width, Type(12, colour="ink2"))
    size = next((s for s in (32.0, 28.0, 24.0) if len(_balanced(sheet, spec.title, s, width)) <= 3), 21.0)
    y += size * 0.72
    group = sheet.new_group()
    for text in _balanced(sheet, spec.title, size, width):
        sheet.text(sheet.left, y, text, Type(size, style.BOLD), group=group)
        y += size * 1.12
    y -= size * 0.5
    for column in hero.columns:
        sheet.line((sheet.left, y), (sheet.right, y), "ink", 1.6)
        y = _row_narrow(sheet, column, y) + 12
    sheet.line((sheet.left, y), (sheet.right, y))
    y = sheet.para(sheet.left, y + 20, hero.state, width, Type(12, colour="ink2"))
    y = sheet.para(sheet.left, y + 2, hero.site, width, Type(13, style.BOLD))
    sheet.need = y - 6


def _row_narrow(sheet: Sheet, column: HeroColumn, y: float) -> float:
    width = sheet.right - sheet.left
    value = sheet.measure(column.value, Type(24, style.BOLD))
    heading = sheet.measure(column.heading, Type(12, style.BOLD))
    if value + 14 + heading <= width:
        sheet.text(sheet.left, y + 30, column.value, Type(24, style.BOLD, "a"))
        sheet.text(sheet.right, y + 30, column.heading, Type(12, style.BOLD, "ink2"), align="right")
        y += 50
    else:
        y = sheet.para(sheet.left, y + 20, column.heading, width, Type(12, style.BOLD, "ink2"))
        y = sheet.para(sheet.left, y + 12, column.value, width, Type(24, style.BOLD, "a", leading=1.1)) - 5
    return sheet.para(sheet.left, y, column.words, width, Type(13)) - 13

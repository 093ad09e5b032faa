"""Axes from zero: few round steps, and the texts for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from ..interface import Words
from .sheet import Sheet
from .style import Type


@dataclass(frozen=True)
class Scale:
    """Steps from zero to a round end that holds every value. Texts are the steps' own digits."""

    steps: tuple[Decimal, ...]

    @property
    def end(self) -> float:
        """The value at the far end of the axis."""
        return float(self.steps[-1])

    def texts(self, say: Words) -> tuple[str, ...]:
        """Each step with its thousands grouped and the same number of decimals."""
        exponent = self.steps[1].normalize().as_tuple().exponent
        decimals = max(0, -exponent) if isinstance(exponent, int) else 0
        return tuple(say.digits(f"{step:,.{decimals}f}") for step in self.steps)

    def at(self, value: float, start: float, end: float) -> float:
        """Where a value lies between the px `start` (zero) and `end` (the last step)."""
        return start + min(max(value / self.end, 0.0), 1.0) * (end - start)


@dataclass(frozen=True)
class Axis:
    """A scale laid from the px `zero` to the px `end`, across."""

    scale: Scale
    zero: float
    end: float

    def x(self, value: float) -> float:
        """Where a value lies, px."""
        return self.scale.at(value, self.zero, self.end)

    def ticks(self) -> list[float]:
        """Where the steps lie, px; the first is zero."""
        last = len(self.scale.steps) - 1
        return [self.zero + (self.end - self.zero) * k / last for k in range(last + 1)]

    def grid(self, sheet: Sheet, top: float, bottom: float) -> None:
        """Draw an upright line at each step, the one at zero in ink."""
        for number, x in enumerate(self.ticks()):
            sheet.line((x, top), (x, bottom), "rule" if number else "ink2", 1.0 if number else 1.3)


def scale_for(values: list[float]) -> Scale:
    """Choose three to five equal steps of 1, 2, 2.5 or 5 times a power of ten, the end least empty."""
    top = max(values, default=0.0)
    if not top > 0 or not math.isfinite(top):
        return Scale(tuple(Decimal(k) / 4 for k in range(5)))
    exact = Decimal(repr(top))
    power = exact.adjusted()
    choices: list[tuple[Decimal, int, Decimal]] = []
    for unit in ("1", "2", "2.5", "5"):
        for shift in (power - 1, power):
            step = Decimal(unit).scaleb(shift)
            count = math.ceil(exact / step)
            if 3 <= count <= 5:
                choices.append((step * count, -count, step))
    _, count, step = min(choices)
    return Scale(tuple(step * k for k in range(-count + 1)))


def shown_steps(sheet: Sheet, scale: Scale, length: float, size: float) -> list[int]:
    """Steps whose texts fit side by side on an axis of `length` px: all, or the two ends and what fits between."""
    texts = scale.texts(sheet.say)
    last = len(texts) - 1
    widths = [sheet.measure(text, Type(size)) for text in texts]
    for stride in range(1, last + 1):
        if last % stride == 0:
            kept = list(range(0, last + 1, stride))
            gap = length * stride / last
            if all((widths[a] + widths[b]) / 2 + 12 <= gap for a, b in pairwise(kept)):
                return kept
    return [0, last] if widths[0] / 2 + widths[last] / 2 + 12 <= length else [last]


def axis_texts(sheet: Sheet, axis: Axis, y: float, size: float, unit: str) -> float:
    """Write the steps under an axis and the unit once beside the last; gives the y below, px."""
    texts, ticks = axis.scale.texts(sheet.say), axis.ticks()
    ends = axis.zero
    for index in shown_steps(sheet, axis.scale, axis.end - axis.zero, size):
        half = sheet.measure(texts[index], Type(size)) / 2
        x = max(min(ticks[index], sheet.right - half), sheet.left + half)
        ends = sheet.text(x, y, texts[index], Type(size, colour="ink2"), align="center")
    below = y + size * 0.4
    if not unit.strip():
        return below
    if ends + 9 + sheet.measure(unit, Type(size)) <= sheet.right:
        sheet.text(ends + 9, y, unit, Type(size, colour="ink2"))
        return below
    return sheet.para(axis.zero, y + size * 1.38, unit, sheet.right - axis.zero, Type(size, colour="ink2")) - size

"""Closed intervals of fractions: what a printed number may have been before it was rounded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product


@dataclass(frozen=True)
class Interval:
    """Every number from `low` to `high`; `mid`, the result of the printed digits; `names`, the inputs behind it.

    `unit` is that of an input and of sums of like inputs; None after a product or quotient, and where none is known.
    """

    low: Fraction
    mid: Fraction
    high: Fraction
    names: frozenset[str] = frozenset()
    unit: str | None = None

    @staticmethod
    def around(value: Fraction, half_step: Fraction) -> Interval:
        """Return the numbers that print as `value`, half a step to either side."""
        return Interval(value - half_step, value, value + half_step)

    def meets(self, other: Interval) -> bool:
        """Tell whether the two closed intervals share a number."""
        return self.low <= other.high and other.low <= self.high


def _combined(operation: Callable[[Fraction, Fraction], Fraction], a: Interval, b: Interval) -> Interval:
    """Apply an operation that is monotone in each argument: its extremes lie at the corners."""
    corners = [operation(x, y) for x, y in product((a.low, a.high), (b.low, b.high))]
    return Interval(min(corners), operation(a.mid, b.mid), max(corners), a.names | b.names)


def add(a: Interval, b: Interval) -> Interval:
    """Return a + b."""
    return replace(_combined(lambda x, y: x + y, a, b), unit=a.unit or b.unit)


def subtract(a: Interval, b: Interval) -> Interval:
    """Return a - b."""
    return replace(_combined(lambda x, y: x - y, a, b), unit=a.unit or b.unit)


def multiply(a: Interval, b: Interval) -> Interval:
    """Return a × b."""
    return _combined(lambda x, y: x * y, a, b)


def divide(a: Interval, b: Interval) -> Interval:
    """Return a ÷ b. Raises ZeroDivisionError where b may be zero."""
    if b.low <= 0 <= b.high:
        raise ZeroDivisionError
    return _combined(lambda x, y: x / y, a, b)


def exact(value: int | Fraction) -> Interval:
    """Return a number without any doubt."""
    return Interval(Fraction(value), Fraction(value), Fraction(value))

"""Derived expressions: any text over named intervals → an interval, or where the text goes wrong."""

from __future__ import annotations

from fractions import Fraction

from site_src.expression import ExpressionError, evaluate
from site_src.intervals import Interval
from tests.fuzz.target import of_bytes

HALF = Fraction(1, 2)
VALUES = {
    "a": Interval.around(Fraction(3), HALF),
    "b": Interval.around(Fraction("-329.010"), Fraction("0.0005")),
    "zero": Interval.around(Fraction(0), HALF),
    "long": Interval.around(Fraction("9" * 100), HALF),
}


def _one(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    try:
        found = evaluate(text, VALUES)
    except ExpressionError as error:
        assert 0 <= error.offset <= len(text)
        assert str(error)
        return
    assert found.low <= found.high


TARGET = of_bytes(
    _one,
    b"(a - b) / a * 100",
    b"percent_change(a, b)",
    "mean(a, b, long) × 1000 ÷ 3600 − ratio(a, zero)".encode(),
    b"((((a))))",
    b"long*" * 40 + b"long",
)

"""The arithmetic of relations: the grammar, its errors, and intervals that hold every true result."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src.expression import ExpressionError, UnitError, evaluate, names_in
from site_src.intervals import Interval, exact


def value(text: str, **numbers: int | Fraction) -> Fraction:
    found = evaluate(text, {n: exact(v) for n, v in numbers.items()})
    assert found.low == found.mid == found.high
    return found.mid


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", 2 + 3 * 4),
        ("(a + b) × c", 20),
        ("a - b − c", -5),
        ("-a + b", 1),
        ("a / c ÷ b", Fraction(2, 12)),
        ("sum(a, b, c)", 9),
        ("min(a, b, c) + max(a, b, c)", 6),
        ("mean(a, b, c)", 3),
        ("count(a, b, c)", 3),
        ("ratio(c, a)", 2),
        ("percent_change(a, b)", 50),
        ("100 * a / c", 50),
        ("1 - a", -1),
    ],
)
def test_arithmetic(text: str, expected: int | Fraction) -> None:
    assert value(text, a=2, b=3, c=4) == expected


@pytest.mark.parametrize(
    ("text", "said", "offset"),
    [
        ("", "missing", 0),
        ("a +", "missing", 3),
        ("a b", "an operator is missing", 2),
        ("(a", "')' is missing", 2),
        ("a / (a - a)", "may be zero", 4),
        ("ratio(a, a - a)", "may be zero", 0),
        ("2 * a", "literal", 0),
        ("z + a", "no input", 0),
        ("median(a)", "no function", 0),
        ("ratio(a)", "takes 2", 0),
        ("a ** a", "missing", 3),
        ("__import__(a)", "no function", 0),
        ("a; a", "no part of an expression", 1),
        ("(" * 60 + "a" + ")" * 60, "nested too deep", 32),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, said: str, offset: int) -> None:
    with pytest.raises(ExpressionError, match=said.replace(")", r"\)")) as raised:
        evaluate(text, {"a": exact(2)})
    assert raised.value.offset == offset


def test_names() -> None:
    assert names_in("sum(a, b) / c_1") == {"a", "b", "c_1"}


NUMBERS = st.fractions(min_value=-1000, max_value=1000, max_denominator=1000)
WIDTHS = st.fractions(min_value=0, max_value=10, max_denominator=1000)
PLACES = st.fractions(min_value=-1, max_value=1, max_denominator=100)


@given(
    *[NUMBERS] * 3,
    *[WIDTHS] * 3,
    *[PLACES] * 3,
    st.sampled_from(["a+b*c", "a-b-c", "a*b/c", "mean(a,b,c)", "-a*(b+c)"]),
)
def test_the_interval_holds_every_result_inside_the_inputs(
    a: Fraction, b: Fraction, c: Fraction, wa: Fraction, wb: Fraction, wc: Fraction,
    pa: Fraction, pb: Fraction, pc: Fraction, text: str,
) -> None:  # fmt: skip
    inputs = {"a": Interval.around(a, wa), "b": Interval.around(b, wb), "c": Interval.around(c, wc)}
    try:
        found = evaluate(text, inputs)
    except ExpressionError:
        assert "/" in text
        return
    inside = evaluate(text, {"a": exact(a + wa * pa), "b": exact(b + wb * pb), "c": exact(c + wc * pc)}).mid
    assert found.low <= inside <= found.high
    assert found.low <= found.mid <= found.high


@given(st.text(alphabet="ab(),+-*/ ÷0123456789.sumratio", max_size=40))
def test_any_text_gives_a_value_or_an_error(text: str) -> None:
    try:
        evaluate(text, {"a": exact(2), "b": exact(3)})
    except ExpressionError as error:
        assert 0 <= error.offset <= len(text)


@pytest.mark.parametrize(
    ("text", "offset"),
    [("a + b", 4), ("a - b", 4), ("1 + a - b", 8), ("sum(a, b)", 0), ("a / max(a, b)", 4), ("percent_change(a, b)", 0)],
)
def test_numbers_of_two_units_are_not_put_together(text: str, offset: int) -> None:
    values = {"a": replace(exact(2), unit="s"), "b": replace(exact(3), unit="ms")}
    with pytest.raises(UnitError, match="ms and s are put together") as caught:
        evaluate(text, values)
    assert caught.value.offset == offset
    assert evaluate(text, {**values, "b": replace(exact(3), unit="s")})


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("a + a", "s"),
        ("-a", "s"),
        ("min(a, a) + 1", "s"),
        ("a * 1000 + b", "ms"),
        ("a / b", None),
        ("mean(a, a)", None),
    ],
)
def test_a_unit_lives_through_sums_only(text: str, unit: str | None) -> None:
    assert evaluate(text, {"a": replace(exact(2), unit="s"), "b": replace(exact(3), unit="ms")}).unit == unit

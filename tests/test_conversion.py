"""Exact conversion between units of one kind."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src.claims.conversion import converted


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        ("0.848", "s", "ms", "848"),
        ("848.20", "ms", "s", "0.8482"),
        ("1", "GiB", "MiB", "1024"),
        ("1", "MiB", "GiB", "0.0009765625"),
        ("1", "GiB", "GB", "1.073741824"),
        ("1", "GB", "GiB", "0.931322574615478515625"),
        ("0.57", "", "%", "57"),
        ("57", "%", "", "0.57"),
        ("1", "kWh", "J", "3600000"),
        ("5", "lanes", "lanes", "5"),
        ("-1.5", "h", "min", "-90"),
    ],
)
def test_converted(value: str, unit: str, to: str, expected: str) -> None:
    assert converted(Decimal(value), unit, to) == Decimal(expected)


@pytest.mark.parametrize(
    ("value", "unit", "to"),
    [("1", "s", "h"), ("100", "ms", "min"), ("1", "s", "tokens"), ("1", "GiB", "s"), ("1", "W", "J"), ("1", "a", "b")],
)
def test_nothing_is_rounded_and_no_kind_becomes_another(value: str, unit: str, to: str) -> None:
    assert converted(Decimal(value), unit, to) is None


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9))
def test_there_and_back(value: Decimal) -> None:
    there = converted(value, "s", "ms")
    assert there is not None
    assert converted(there, "ms", "s") == value

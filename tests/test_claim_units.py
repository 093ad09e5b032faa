"""Unit words and unit suffixes → one canonical unit, and which of them may stand for which."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src import words
from site_src.claims import units

KNOWN = ["s", "ms", "µs", "min", "h", "tokens/s", "requests/s", "%", "percentage points", "KiB", "MiB", "GiB", "MB"]
KNOWN += ["GB", "TB", "GB/s", "W", "J", "bytes"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("tok/s", "tokens/s"),
        ("tokens per second", "tokens/s"),
        ("output tokens per second", "tokens/s"),
        ("prompt tokens", "tokens"),
        ("seconds", "s"),
        ("percent", "%"),
        (" GiB ", "GiB"),
        ("gib", "gib"),
        ("replies/min", "replies/min"),
        ("tok/s/GPU", "tokens/s/gpu"),
        ("output tokens/s per GPU", "tokens/s/gpu"),
        ("replies per minute", "replies per minute"),
        ("per s", "per s"),
        ("lanes", "lanes"),
        ("model B", "model B"),
        ("1", ""),
        ("ratio", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_canonical(written: str | None, expected: str) -> None:
    assert units.canonical(written) == expected


@pytest.mark.parametrize("unit", KNOWN)
def test_a_canonical_unit_is_its_own(unit: str) -> None:
    assert units.canonical(unit) == unit
    assert units.fits(unit, unit)


def test_no_unit_stands_for_another() -> None:
    assert [pair for pair in permutations(KNOWN, 2) if units.fits(*pair)] == []


def test_what_a_unit_is_shared_out_over() -> None:
    assert units.scope_of("tokens/s/gpu") == ("tokens/s", "gpu")
    assert [units.scope_of(unit) for unit in KNOWN] == [(unit, "") for unit in KNOWN]
    assert not units.fits("tokens/s/gpu", "tokens/s")
    assert not units.fits("tokens/s", "tokens/s/gpu")


def test_a_word_is_needed_to_claim_a_unit() -> None:
    assert units.fits("", "GiB")
    assert units.fits("tokens", "")
    assert not units.fits("s", "")
    assert not units.fits("tokens", "s")
    assert not units.fits("tokens", "tokens/s")


@pytest.mark.parametrize(
    ("text", "unit", "length"),
    [
        ("12 s.", "s", 2),
        ("12s", "s", 1),
        ("12-second wait", "s", 7),
        ("12\u202fms", "ms", 3),
        ("12 tokens/s", "tokens/s", 9),
        ("12 tokens per second", "tokens/s", 18),
        ("12 tokens", "tokens", 7),
        ("12%", "%", 1),
        ("12x", "×", 1),
        ("12 min", "min", 4),
        ("12 tok/s/GPU", "tokens/s/gpu", 10),
        ("12 tok/s/GPUs", "tokens/s/gpu", 11),
        ("12 tokens/s per GPU", "tokens/s/gpu", 17),
        ("12 tokens per second per user", "tokens/s/user", 27),
        ("12 tok/s/rack", "tokens/s/rack", 11),
        ("12 tok/s/GPU/h", "tokens/s/gpu/h", 12),
        ("12 GiB per card", "GiB/card", 13),
        ("12 tokens/s, per GPU", "tokens/s", 9),
        ("12 tokens/s per lane", "tokens/s", 9),
    ],
)
def test_the_unit_beside_a_number(text: str, unit: str, length: int) -> None:
    assert units.unit_after(text, 2) == (unit, 2 + length)


@pytest.mark.parametrize("text", ["12", "12 lanes", "12 x 96", "12 B trees", "12  s", "12 times", "12 Ms"])
def test_no_unit_beside_a_number(text: str) -> None:
    assert units.unit_after(text, 2) is None


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("group_wall_seconds", "s"),
        ("output_tokens_per_second", "tokens/s"),
        ("requests_per_second", "requests/s"),
        ("steps_per_second", "per s"),
        ("prompt_tokens", "tokens"),
        ("pool_GiB", "GiB"),
        ("pool_MiB_after_start", "MiB"),
        ("ttft_ms", "ms"),
        ("usage_percent", "%"),
        ("max_running_requests", ""),
        ("seconds_between_tokens", "s"),
        ("lanes", ""),
        ("tok_per_sec", "tokens/s"),
        ("req_per_s", "requests/s"),
        ("bytes_per_s", "per s"),
        ("tokens_per_slot", "tokens"),
        ("min", ""),
        ("latency_min", ""),
        ("", ""),
    ],
)
def test_the_unit_of_a_key(key: str, unit: str) -> None:
    assert units.of_key(key) == unit


@given(st.sampled_from(["seconds", "ms", "tokens_per_second", "GiB", "MB", "percent", "tokens", "watts", "minutes"]))
def test_keys_are_read_as_the_page_prints_them(ending: str) -> None:
    _, shown = words.split_unit(f"depth_{ending}")
    assert units.of_key(f"depth_{ending}") == units.canonical(shown)

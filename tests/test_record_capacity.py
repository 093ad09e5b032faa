"""The shipped capacity record: its arithmetic done again with fractions, from its own fields and nothing else."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import median_low
from typing import Any

import pytest

from site_src import parse, shape
from site_src.claims.leaves import leaf_at
from site_src.derive import Derivations
from site_src.evidence import Relation
from site_src.model import Measurement, Record

FILE = Path(__file__).parent.parent / "records" / "glm-kv-capacity.yml"


@pytest.fixture(scope="module")
def record() -> Record:
    checked = shape.record(FILE.name, parse.yaml_data(FILE.read_text(encoding="utf-8"), FILE.name))
    assert isinstance(checked, Record), checked
    return checked


def relation(record: Record, name: str) -> Relation:
    return next(r for r in record.relations if r.id == name)


def result(record: Record, label: str) -> Measurement:
    return next(r for r in record.reported_results if r.label == label)


def stated(record: Record, name: str) -> Decimal:
    found = relation(record, name).stated
    assert found is not None
    return found.value


def literal(record: Record, name: str, key: str) -> Fraction:
    value = relation(record, name).inputs[key].literal
    assert value is not None
    return Fraction(value)


def rounds_to(value: Fraction, printed: Decimal) -> bool:
    """Tell whether a number may be printed so: no farther from it than half of its last digit."""
    exponent = printed.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(value - Fraction(printed)) <= Fraction(10) ** exponent / 2


def spans(case: dict[str, Any]) -> list[tuple[Fraction, Fraction]]:
    return [
        (Fraction(start), Fraction(end)) for start, end in zip(case["first_output_ms"], case["end_ms"], strict=True)
    ]


def at_once(case: dict[str, Any]) -> int:
    """The most spans that share a moment; it is reached where one of them starts."""
    return max(sum(start <= at < end for start, end in spans(case)) for at, _ in spans(case))


def test_windows_are_pool_by_window(record: Record) -> None:
    assert len(record.profiles) == 5
    for profile in record.profiles:
        windows = Fraction(profile.pool_tokens) / Fraction(profile.window_tokens)
        assert rounds_to(windows, stated(record, profile.windows)), profile.id


def test_only_the_current_pool_is_configured(record: Record) -> None:
    assert [p.pool_state for p in record.profiles] == ["configured", *["reported"] * 4]


def test_envelope_adds_up(record: Record) -> None:
    pool = Fraction(record.profiles[0].pool_tokens)
    combined = []
    for row in record.envelope:
        requests = literal(record, row.combined, "requests")
        if "window" in relation(record, row.combined).inputs:
            parts = [Fraction(record.profiles[0].window_tokens)]
        else:
            parts = [literal(record, row.combined, key) for key in ("prompt", "output")]
        assert all(f"{int(part):,}" in row.allowance for part in parts), row.label
        each = sum(parts, Fraction())
        assert requests * each == stated(record, row.combined), row.label
        assert pool - requests * each == stated(record, row.remaining), row.label
        combined.append(requests * each)
    assert [total <= pool for total in combined] == [True, True, False]


def test_both_relations_of_a_row_use_the_same_literals(record: Record) -> None:
    for row in record.envelope:
        total, rest = relation(record, row.combined).inputs, relation(record, row.remaining).inputs
        assert {k: v.literal for k, v in total.items()} == {k: v.literal for k, v in rest.items() if k != "pool"}


def test_a_literal_input_is_a_field_that_prose_can_state() -> None:
    data = parse.yaml_data(FILE.read_text(encoding="utf-8"), FILE.name)
    found = leaf_at(data, Derivations({}, {}), "/relations/5/inputs/prompt/literal")
    assert found is not None
    assert found.kind == "number"
    assert found.value == Decimal(180000)
    assert found.row == data["relations"][5]["label"]
    assert leaf_at(data, Derivations({}, {}), "/relations/5/inputs/prompt/reason") is None


@pytest.mark.parametrize("number", [0, 1, 2])
def test_requests_decoding_at_once(record: Record, number: int) -> None:
    case = record.case_reports[number]
    assert len(case["first_output_ms"]) == len(case["end_ms"]) == case["requests_submitted"]
    assert at_once(case) == case["decoding_at_most"]
    assert rounds_to(sum((end - start for start, end in spans(case)), Fraction()), case["decoding_sum_ms"])


def test_results_repeat_what_the_cases_compute(record: Record) -> None:
    computed = {c["source_document_id"]: c["decoding_at_most"] for c in record.case_reports}
    checked = 0
    for found in record.reported_results:
        entry = found.condition_evidence.get("observed_decoding_at_most")
        if entry:
            assert found.conditions["observed_decoding_at_most"] == computed[entry.document], found.label
            checked += 1
    assert checked == 6


@pytest.mark.parametrize("label", ["Text K5 524K, batch of 16", "Rejected 499K run, batch of four"])
def test_rates_are_output_by_wall_time(record: Record, label: str) -> None:
    found = result(record, label)
    wall = Fraction(found.conditions["wall_clock_ms"]) / 1000
    rate = Fraction(found.conditions["output_tokens_in_all"]) / wall
    assert found.value is not None
    assert rounds_to(rate, found.value)
    assert abs(rate - Fraction(found.also_printed[-1].value)) < Fraction(1, 10**12)


def test_the_stated_median_is_the_lower_middle(record: Record) -> None:
    found = result(record, "Rejected 499K run, first token")
    samples = sorted(found.conditions["ttft_samples_in_request_order_ms"])
    assert median_low(samples) == found.also_printed[0].value
    assert found.value is not None
    assert rounds_to(Fraction(samples[1]) / 1000, found.value)
    assert not rounds_to(Fraction(samples[1] + samples[2]) / 2000, found.value)
    assert not relation(record, "ttft-median").comparable


def test_other_printings_round_to_the_page(record: Record) -> None:
    factor = {("s", "ms"): 1000}
    for found in record.reported_results:
        for other in found.also_printed:
            scale = 1 if other.unit == found.unit else factor[found.unit, other.unit]
            assert found.value is not None
            assert rounds_to(Fraction(other.value) / scale, found.value), found.label

"""The matrix record: the digits of the finding's table and the closer ones of summary.json round to each other.

Reads the record alone, so it runs where the source documents are not at hand.
"""

from __future__ import annotations

from collections import Counter
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Final

import pytest

from site_src import parse, shape
from site_src.evidence import Printing
from site_src.model import Measurement, Record

FILE: Final = Path(__file__).parent.parent / "records" / "qwen38-27b-tp-mtp-context.yml"
FACTORS: Final = ("weights", "tensor_parallel", "context_setting", "mtp")
SHORT: Final = ("ttft_p50", "ttft_p95", "prefill_rate_p50", "decode_rate_p50", "e2e_p50")
LONG: Final = ("ttft", "prefill_rate", "kv_pool_tokens", "decode_rate")
# Printed unit ← closer unit: the factor between them.
CONVERSIONS: Final = {("s", "ms"): Decimal("0.001")}
# Cells whose closer digits lie halfway between two printed numbers.
ON_A_HALF: Final = {
    ("Official FP8, TP 1, 393K, MTP off", "prefill_rate_p50"): ("4502", "4501.5"),
    ("BF16, TP 2, 600K, MTP 3", "ttft_p95"): ("0.769", "768.5"),
    ("Official FP8, TP 2, 600K, MTP off", "e2e_p50"): ("1.584", "1583.5"),
    ("Official FP8, TP 2, 600K, MTP 3", "ttft_p50"): ("0.743", "742.5"),
    ("Official FP8, TP 2, 600K, MTP 3", "prefill_rate_p50"): ("4852", "4851.5"),
    ("BF16, TP 2, 1.01M, MTP off", "prefill_rate"): ("1201", "1200.5"),
}
# The three of them that rounding half to even would print with another last digit.
ONLY_HALF_UP: Final = {
    ("BF16, TP 2, 600K, MTP 3", "ttft_p95"),
    ("Official FP8, TP 2, 600K, MTP 3", "ttft_p50"),
    ("BF16, TP 2, 1.01M, MTP off", "prefill_rate"),
}


@pytest.fixture(scope="module")
def record() -> Record:
    found = shape.record(FILE.name, parse.yaml_data(FILE.read_text("utf-8"), FILE.name))
    assert isinstance(found, Record), found
    return found


def key(result: Measurement) -> tuple[str, str]:
    return result.label, result.metric


def step(value: Decimal) -> Decimal:
    """Return the place of the last printed digit."""
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(1).scaleb(exponent)


def printed(result: Measurement) -> Decimal:
    assert result.value is not None
    return result.value


def converted(result: Measurement, other: Printing) -> Decimal:
    """Return the other printing of a value in the unit of this one."""
    factor = Decimal(1) if other.unit == result.unit else CONVERSIONS[result.unit, other.unit]
    return other.value * factor


def both(record: Record) -> list[tuple[Measurement, Decimal]]:
    return [(r, converted(r, other)) for r in record.reported_results for other in r.also_printed]


def test_there_are_sixteen_arms_with_every_metric_once(record: Record) -> None:
    arms = list(dict.fromkeys(r.label for r in record.reported_results))
    assert len(arms) == 16
    for campaign, metrics in (("short", SHORT), ("long", LONG)):
        rows = [r for r in record.reported_results if r.campaign == campaign]
        assert [key(r) for r in rows] == [(arm, metric) for arm in arms for metric in metrics]


def test_an_arm_is_one_set_of_factors(record: Record) -> None:
    sets = {(r.label, *(r.conditions[f] for f in FACTORS)) for r in record.reported_results}
    assert len(sets) == len({s[1:] for s in sets}) == 16
    assert {c.id: c.factors for c in record.campaigns} == {"short": FACTORS, "long": FACTORS}


def test_counted_prompt_tokens_go_with_the_setting(record: Record) -> None:
    rows = [r for r in record.reported_results if r.campaign == "long"]
    counted = {(str(r.conditions["context_setting"]), int(r.conditions["prompt_tokens"])) for r in rows}
    assert counted == {("393K", 388979), ("600K", 598729), ("1.01M", 985107)}


def test_each_value_stands_in_both_documents_or_in_the_summary_alone(record: Record) -> None:
    where = Counter(
        (r.metric == "decode_rate", r.evidence.document, tuple(o.evidence.document for o in r.also_printed))
        for r in record.reported_results
        if r.evidence
    )
    assert where == {(False, "finding", ("summary",)): 128, (True, "summary", ()): 16}


def test_the_two_printings_round_to_each_other(record: Record) -> None:
    pairs = both(record)
    assert len(pairs) == 128
    far = [key(r) for r, closer in pairs if abs(printed(r) - closer) > step(printed(r)) / 2]
    assert far == []


def test_the_cells_on_a_half_are_known(record: Record) -> None:
    halves = {
        key(r): (str(r.value), str(r.also_printed[0].value))
        for r, closer in both(record)
        if abs(printed(r) - closer) == step(printed(r)) / 2
    }
    assert halves == ON_A_HALF


def test_three_of_them_need_rounding_half_up(record: Record) -> None:
    pairs = both(record)
    assert all(closer.quantize(step(printed(r)), ROUND_HALF_UP) == r.value for r, closer in pairs)
    odd = {key(r) for r, closer in pairs if closer.quantize(step(printed(r)), ROUND_HALF_EVEN) != r.value}
    assert odd == ONLY_HALF_UP


def test_a_long_row_is_one_request_and_a_short_one_ten(record: Record) -> None:
    counts = {(r.campaign, r.metric == "kv_pool_tokens", r.n) for r in record.reported_results}
    assert counts == {("short", False, 10), ("long", False, 1), ("long", True, None)}

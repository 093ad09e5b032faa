"""Relations and comparisons of a record: verdicts inside rounding, matched pairs only, problems with their place."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from site_src import campaigns, shape, words
from site_src.derive import Derivations, derive, half_step
from site_src.model import Record
from site_src.problems import Finding, Problem
from tests.records import sound


def derived(data: dict[str, Any]) -> tuple[Derivations, list[Problem], list[Finding]]:
    checked = shape.record("r.json", data)
    assert isinstance(checked, Record), checked
    record = campaigns.merged(checked)
    return derive("r.json", campaigns.merged_data(data, record), record)


def with_relation(**parts: Any) -> dict[str, Any]:
    """Return a record whose one result is 12.50 and one relation is `parts` over it."""
    data = sound()
    data["reported_results"][0]["conditions"]["seconds"] = Decimal("8.00")
    relation = {
        "id": "r",
        "label": "Product",
        "expr": "rate * seconds",
        "inputs": {
            "rate": {"pointer": "/reported_results/0/value"},
            "seconds": {"pointer": "/reported_results/0/conditions/seconds"},
        },
        "unit": "1",
    }
    data["relations"] = [{**relation, **parts}]
    return data


RATE = {"rate": {"pointer": "/reported_results/0/value"}}
SUPERSCRIPT = {"rate": {"pointer": "/reported_results/²/value"}}


def stated(value: str, by: str = "source") -> dict[str, Any]:
    return {"value": Decimal(value), "by": by}


def test_a_relation_is_computed() -> None:
    found, problems, findings = derived(with_relation())
    assert (found.values["r"].text, found.values["r"].verdict) == ("100.00", "computed here")
    assert (problems, findings) == ([], [])


@pytest.mark.parametrize("value", ["100.0", "100", "100.10", "99.9", "100.1"])
def test_a_stated_value_inside_the_rounding_agrees(value: str) -> None:
    found, problems, findings = derived(with_relation(stated=stated(value)))
    assert found.values["r"].verdict == "agrees"
    assert (problems, findings) == ([], [])


def test_the_sources_own_error_is_a_finding_and_ours_a_problem() -> None:
    found, problems, findings = derived(with_relation(stated=stated("101.0")))
    assert found.values["r"].verdict == "disagrees"
    assert problems == []
    assert [(f.code, f.pointer) for f in findings] == [("relation-disagrees", "/relations/0")]
    _, problems, findings = derived(with_relation(stated=stated("101.0", by="site")))
    assert [(p.code, p.pointer) for p in problems] == [("relation-contradicts", "/relations/0/stated")]
    assert findings == []


def test_what_is_another_quantity_is_not_judged() -> None:
    parts = {"stated": stated("7"), "comparable": False, "reason": "another clock"}
    found, problems, findings = derived(with_relation(**parts))
    assert found.values["r"].verdict == "not comparable"
    assert (problems, findings) == ([], [])


def test_a_declared_resolution_widens_a_whole_number() -> None:
    data = with_relation(stated=stated("126"))
    data["reported_results"][0]["value"] = Decimal(16)
    assert derived(data)[0].values["r"].verdict == "disagrees"
    data["reported_results"][0]["resolution"] = Decimal(1)
    assert derived(data)[0].values["r"].verdict == "agrees"


def test_faults_have_codes_and_places() -> None:
    broken: list[tuple[dict[str, Any], str, str]] = [
        ({"expr": "rate * "}, "relation-expr", "/relations/0/expr"),
        ({"expr": "rate"}, "relation-expr", "/relations/0/inputs"),
        ({"inputs": SUPERSCRIPT, "expr": "rate"}, "relation-pointer", "/relations/0/inputs/rate"),
        ({"inputs": {"rate": {"pointer": "/title"}}, "expr": "rate"}, "relation-pointer", "/relations/0/inputs/rate"),
        ({"inputs": RATE, "expr": "rate + rate"}, "relation-unit", "/relations/0/unit"),
    ]
    for ranked in (False, True):
        for parts, code, pointer in broken:
            data = with_relation(**parts)
            data["performance_ranking_allowed"] = ranked
            assert (code, pointer) in [(p.code, p.pointer) for p in derived(data)[1]]


def test_a_missing_relation_is_named_where_it_is_used() -> None:
    data = sound()
    data["key_figures"] = [{"relation": "gone", "label": "x"}]
    assert [(p.code, p.pointer) for p in derived(data)[1]] == [("dangling-relation", "/key_figures/0/relation")]


def matrix() -> dict[str, Any]:
    """Return four results of a two by two matrix."""
    data = sound()
    first = data["reported_results"][0]
    first["conditions"] = {}
    data["campaigns"] = [
        {"id": "m", "label": "matrix", "conditions": {"lanes": Decimal(4)}, "factors": ["cards", "mode"]}
    ]
    data["reported_results"] = [
        {
            **first,
            "label": f"{c} {m}",
            "campaign": "m",
            "value": Decimal(v),
            "conditions": {"cards": Decimal(c), "mode": m},
        }
        for c, m, v in [(1, "a", "10.0"), (1, "b", "15.0"), (2, "a", "20.0"), (2, "b", "0.0")]
    ]
    compared = {"id": "c", "label": "mode", "campaign": "m", "metric": "reply_rate", "factor": "mode"}
    data["comparisons"] = [{**compared, "first": "a", "second": "b", "show": "ratio", "places": 2}]
    return data


def test_pairs_differ_in_the_factor_alone_in_record_order() -> None:
    found, problems, _ = derived(matrix())
    assert problems == []
    assert [(p.first, p.second, p.text) for p in found.pairs["c"]] == [(1, 2, "1.50"), (3, 4, "0.00")]


def test_other_shows() -> None:
    for show, text in [("difference", "5.00"), ("percent_change", "50.00")]:
        data = matrix()
        data["comparisons"][0]["show"] = show
        assert derived(data)[0].pairs["c"][0].text == text


def test_a_comparison_outside_a_declared_matrix_is_a_problem() -> None:
    data = matrix()
    data["campaigns"][0]["factors"] = ["cards"]
    assert [p.code for p in derived(data)[1]] == ["unmatched-comparison"]
    data = matrix()
    data["comparisons"][0]["second"] = "z"
    assert [p.code for p in derived(data)[1]] == ["unmatched-comparison"]


def test_a_pair_of_two_units_is_a_problem() -> None:
    data = matrix()
    data["reported_results"][1]["unit"] = "replies/h"
    assert [(p.code, p.pointer) for p in derived(data)[1]] == [("relation-unit", "/comparisons/0")]


def test_unmatched_cells_may_not_be_compared_where_ranking_is_off() -> None:
    data = matrix()
    inputs = {"a": {"pointer": "/reported_results/0/value"}, "b": {"pointer": "/reported_results/3/value"}}
    data["relations"] = [
        {"id": "x", "label": "x", "expr": "b - a", "inputs": inputs, "unit": data["reported_results"][0]["unit"]}
    ]
    assert [p.code for p in derived(data)[1]] == ["unmatched-comparison"]
    data["relations"][0]["inputs"]["b"] = {"pointer": "/reported_results/1/value"}
    assert derived(data)[1] == []
    data["relations"][0]["inputs"]["b"] = {"pointer": "/reported_results/3/value"}
    data["performance_ranking_allowed"] = True
    assert derived(data)[1] == []


def test_campaign_problems() -> None:
    data = matrix()
    data["reported_results"][0] |= {"campaign": "gone"}
    data["reported_results"][1]["conditions"]["lanes"] = Decimal(5)
    record = shape.record("r.json", data)
    assert isinstance(record, Record)
    from site_src.load import Document

    found = campaigns.campaigns_fit(Document("r.json", "brook", data), record)
    assert [(p.code, p.pointer) for p in found] == [
        ("dangling-campaign", "/reported_results/0/campaign"),
        ("campaign-conflict", "/reported_results/1/conditions/lanes"),
    ]


def test_printing_rounds_halves_away_and_groups() -> None:
    assert words.fraction(Fraction(1, 2), 0) == "1"
    assert words.fraction(Fraction(-393216), 0) == "−393,216"
    assert words.fraction(Fraction(5, 2000), 2) == "0.00"
    assert words.fraction(Fraction(12345678, 1000), 2) == "12,345.68"
    assert half_step(Decimal("1.50")) == Fraction(1, 200)
    assert half_step(Decimal(15)) == 0


def test_a_comparison_uses_the_printing_with_the_most_digits() -> None:
    data = matrix()
    data["comparisons"][0] |= {"show": "difference", "places": 1}
    first, second = data["reported_results"][:2]
    first |= {"value": Decimal("820.6"), "unit": "s"}
    second |= {"value": Decimal("817.8"), "unit": "s"}
    assert derived(data)[0].pairs["c"][0].text == "−2.8"
    for result, printed_value, unit in [(first, "820.553", "s"), (second, "817813", "ms")]:
        result["also_printed"] = [{"value": Decimal(printed_value), "unit": unit, "evidence": {"document": "report"}}]
    assert derived(data)[0].pairs["c"][0].text == "−2.7"


def test_what_moves_with_a_factor_is_a_condition_of_the_campaign() -> None:
    data = matrix()
    data["comparisons"][0]["moves_with"] = ["lanes"]
    assert derived(data)[1] == []
    data["comparisons"][0]["moves_with"] = ["weather"]
    assert [(p.code, p.pointer) for p in derived(data)[1]] == [("unmatched-comparison", "/comparisons/0/moves_with")]


def test_nothing_is_divided_by_a_zero() -> None:
    data = matrix()
    data["reported_results"][0]["value"] = Decimal("0.0")
    assert [(p.code, p.pointer) for p in derived(data)[1]] == [("unmatched-comparison", "/comparisons/0/show")]


@pytest.mark.parametrize("expr", ["sum(a, b) / c", "a / b + c - c", "min(a, b) / c"])
def test_aggregates_do_not_hide_unmatched_cells(expr: str) -> None:
    data = matrix()
    inputs = {n: {"pointer": f"/reported_results/{i}/value"} for n, i in [("a", 0), ("b", 1), ("c", 2)]}
    data["relations"] = [{"id": "x", "label": "x", "expr": expr, "inputs": inputs, "unit": "1"}]
    assert "unmatched-comparison" in [p.code for p in derived(data)[1]]

"""The first record: campaigns hold every condition once, the arithmetic closes, the cited lines hold the cells.

Runs on the record alone. Where the source documents or the seed lie beside the checkout, they are compared too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from site_src import campaigns, parse, shape
from site_src.derive import Derived, derive
from site_src.model import Record, Source

ROOT: Final = Path(__file__).parent.parent
FILE: Final = ROOT / "records" / "A15.json"
SHARED: Final = ROOT.parent / "shared"
OFF, ONLINE, NEIGHBOUR = "option off", "online FP8", 16
# Relation → what it comes to, and how that stands to the source.
CLOSES: Final = {
    "rate-128k-off": ("367.123", "agrees"),
    "rate-128k-fp8": ("422.033", "agrees"),
    "rate-490k-off": ("236.677", "agrees"),
    "rate-490k-fp8": ("329.012", "agrees"),
    "overlap-128k-fp8": ("80.0", "computed here"),
    "overlap-490k-fp8": ("54.0", "computed here"),
    "pool-490k": ("1.68", "computed here"),
    "prefill-64k": ("13,571", "not comparable"),
    "prefill-64k-gap": ("27", "computed here"),
    "prefill-490k": ("8,115", "not comparable"),
    "prefill-490k-gap": ("9", "computed here"),
    "prefill-matrix-cold": ("5,279", "agrees"),
    "occupancy-240k": ("2.65", "computed here"),
    "places-free": ("10", "computed here"),
}
# How many conditions each result has once its campaign is merged in.
CONDITIONS: Final = (39, 39, 39, 39, 32, 31, 32, 31, 33, 33, 34, 34, 34, 34, 35, 35, 33)
# What was corrected in the merged conditions of a result: key → value, or what is gone.
GONE: Final = "gone"
BEFORE: Final = "the state immediately before v2.5.0; the source gives it no number"
CORRECTED: Final[dict[int, dict[str, Any]]] = {
    0: {"recipe_release": BEFORE},
    2: {"recipe_release": BEFORE},
    5: {"metric_denominator": GONE},
    7: {"metric_denominator": GONE},
    8: {"precision_option": ONLINE, "boot": "the online-FP8 boot"},
    9: {"precision_option": ONLINE, "long_text_C4_peak": None},
    # The heading over these rows says which prompts they are; prose that calls them so must have it from the record.
    10: {"input_length_source_label": "64K"},
    11: {"input_length_source_label": "64K"},
    12: {"input_length_source_label": "490K"},
    13: {"input_length_source_label": "490K"},
}


@pytest.fixture(scope="module")
def data() -> Any:
    return parse.json_data(FILE.read_text("utf-8"), FILE.name)


@pytest.fixture(scope="module")
def written(data: Any) -> Record:
    """The record as it is written, campaigns apart."""
    found = shape.record(FILE.name, data)
    assert isinstance(found, Record), found
    return found


@pytest.fixture(scope="module")
def record(written: Record) -> Record:
    return campaigns.merged(written)


@pytest.fixture(scope="module")
def derived(data: Any, record: Record) -> dict[str, Derived]:
    derivations, problems, findings = derive(FILE.name, campaigns.merged_data(data, record), record)
    assert (problems, findings) == ([], [])
    return dict(derivations.values)


def without_markup(line: str) -> str:
    return re.sub(r"[*`]", "", line)


def evidence(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every evidence entry of the record that names a line."""
    if isinstance(value, dict):
        if {"document", "line", "exact"} <= value.keys():
            yield value
        for item in value.values():
            yield from evidence(item)
    elif isinstance(value, list):
        for item in value:
            yield from evidence(item)


def leaves(value: Any) -> int:
    if isinstance(value, dict):
        return sum(leaves(v) for v in value.values())
    if isinstance(value, list):
        return sum(leaves(v) for v in value)
    return isinstance(value, Decimal)


def test_a_campaign_holds_what_its_results_share_and_they_do_not_repeat_it(written: Record) -> None:
    for campaign in written.campaigns:
        results = [r for r in written.reported_results if r.campaign == campaign.id]
        assert len(results) > 1
        assert not any(r.conditions.keys() & campaign.conditions.keys() for r in results)
        sets = [r.conditions.items() for r in results]
        left = [(k, v) for k, v in sets[0] if all((k, v) in s for s in sets[1:])]
        assert left == [], f"{campaign.id} should hold {left}"
    assert {r.campaign for r in written.reported_results} == {c.id for c in written.campaigns}


def test_no_result_loses_a_condition(record: Record) -> None:
    assert tuple(len(r.conditions) for r in record.reported_results) == CONDITIONS


def test_conditions_are_written_once(data: Any) -> None:
    sets = [part.get("conditions") for part in (*data["campaigns"], *data["reported_results"])]
    values = [[r["value"], r["evidence"]] for r in data["reported_results"]]
    assert leaves([*sets, *values]) <= 102


def test_a_first_token_time_of_one_request_names_no_denominator(record: Record) -> None:
    shown = [r.denominator for r in record.reported_results if r.metric == "ttft" and r.campaign == "v2.5.0"]
    assert shown == [None, None]


def test_release_and_precision_option_go_together(record: Record) -> None:
    rows = [r.conditions for r in record.reported_results if r.campaign == "v2.5.0"]
    releases = {(c["precision_option"], c["recipe_release"]) for c in rows}
    assert releases == {(ONLINE, "v2.5.0"), (OFF, BEFORE)}


def test_what_no_line_prints_is_said_beside_it(record: Record) -> None:
    for result in record.reported_results:
        if result.conditions["recipe_release"] == "3.0":
            assert {"mamba_slots", "HiCache_NIXL_GiB"} <= result.conditions.keys()
            assert "mamba_slots, HiCache_NIXL_GiB" in result.conditions["condition_notes"]
        assert not result.condition_evidence.keys() & {"mamba_slots", "HiCache_NIXL_GiB"}


def test_the_arithmetic_closes(derived: dict[str, Derived]) -> None:
    assert {name: (d.text, d.verdict) for name, d in derived.items()} == CLOSES


def test_it_closes_only_inside_the_rounding(derived: dict[str, Derived]) -> None:
    for name in ("rate-128k-off", "rate-128k-fp8", "rate-490k-off", "rate-490k-fp8"):
        stated = derived[name].relation.stated
        assert stated and derived[name].interval.mid != stated.value


def test_no_relation_combines_releases(record: Record) -> None:
    for relation in record.relations:
        pointers = [e.pointer.split("/") for e in relation.inputs.values() if e.pointer]
        parts = {tuple(p[1:3]) for p in pointers if p[1] != "reported_results"}
        rows = [record.reported_results[int(p[2])] for p in pointers if p[1] == "reported_results"]
        releases = {(r.campaign, r.conditions["recipe_release"]) for r in rows}
        assert len(parts) + len(releases) == 1, relation.id


def test_what_is_stated_is_the_field_it_points_to(data: Any, record: Record) -> None:
    for relation in record.relations:
        if relation.stated and relation.stated.pointer:
            found: Any = data
            for step in relation.stated.pointer.split("/")[1:]:
                found = found[int(step)] if isinstance(found, list) else found[step]
            assert str(found) == str(relation.stated.value)


def test_each_reading_is_kept_once(record: Record) -> None:
    assert record.memory_observations == ()
    matrix = record.case_reports[0]["memory"]
    assert [matrix["paired_per_cell_peak"], matrix["host_peak_RAM"]] == [None, None]
    assert record.reported_results[9].conditions["long_text_C4_peak"] is None


def text_of(source: Source) -> str | None:
    """Return the document where it lies beside the checkout, its bytes compared with the pin."""
    path = SHARED / "sources" / (source.repository or "-") / source.revision / source.document_path
    if not path.is_file():
        return None
    raw = path.read_bytes()
    assert hashlib.sha256(raw).hexdigest() == source.document_sha256
    return raw.decode("utf-8")


@pytest.mark.skipif(not (SHARED / "sources").is_dir(), reason="the source documents are not at hand")
def test_each_cited_line_holds_its_cell(data: Any, record: Record) -> None:
    texts = {s.document_id: text_of(s) for s in record.all_sources}
    cited = [e for e in evidence(data) if texts[e["document"]] is not None]
    assert len(cited) >= len(record.reported_results)
    for entry in cited:
        line = (texts[entry["document"]] or "").split("\n")[int(entry["line"]) - 1]
        assert entry["exact"] in without_markup(line), entry


def test_each_cell_holds_the_value(record: Record) -> None:
    for result in record.reported_results:
        assert result.evidence and result.evidence.exact and result.value is not None
        assert f"{result.value:,f}" in result.evidence.exact


@pytest.mark.skipif(not (SHARED / "seeds" / "A15.json").is_file(), reason="the seed is not at hand")
def test_merged_conditions_are_the_seeds_but_for_what_was_corrected(record: Record) -> None:
    seed = json.loads((SHARED / "seeds" / "A15.json").read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    assert len(record.reported_results) == len(seed["reported_results"]) + 1
    for index, old in enumerate(seed["reported_results"]):
        new = record.reported_results[index]
        same = ("label", "metric", "value", "unit", "statistic", "uncertainty", "evidence_state", "site_reproduced")
        assert {k: getattr(new, k) for k in same} == {k: old[k] for k in same}
        wanted = {**old["conditions"], **CORRECTED.get(index, {})}
        conditions = {k: v for k, v in new.conditions.items() if k != "condition_notes"}
        assert conditions == {k: v for k, v in wanted.items() if v != GONE}
    neighbour, reading = (record.reported_results[i].conditions for i in (NEIGHBOUR, 8))
    assert {k for k in reading if neighbour[k] != reading[k]} == {"precision_option", "recipe_release", "boot"}

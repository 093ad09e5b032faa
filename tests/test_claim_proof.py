"""What `check` proves of each number: digits, unit, words beside it, row and class, against the record and the lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from site_src.claims import dates, forms
from site_src.claims.leaves import Leaf
from site_src.claims.tokens import tokens
from site_src.pipeline import check_project
from site_src.project import Project
from tests.claim_samples import bound, claims, codes, problems, project, put, put_claims, record, row

R = "/reported_results"
BODY = (
    "With drafting off the batch printed 329.010 tokens/s.\n\n"
    "After the run 7.52 GiB of memory were free.\n\n"
    "The first token came after 4.71 s.\n\n"
    "Four requests ran in FP8, and the source was checked on 1 March 2025.\n\n"
    "The rate per request is 82.25 tokens/s."
)


@pytest.fixture
def tarn(tmp_path: Path) -> Project:
    return bound(tmp_path, record(BODY))


def test_a_bound_record_is_sound(tarn: Project) -> None:
    assert [(c["written"], c["class"]) for c in claims(tarn)] == [
        ("329.010", "claim"),
        ("7.52", "claim"),
        ("4.71", "claim"),
        ("Four", "count"),
        ("FP8", "name"),
        ("1 March 2025", "date"),
        ("82.25", "derived"),
    ]
    assert codes(tarn) == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("329.010", "329.011", "claim-differs"),
        ("329.010", "329.01", "claim-differs"),
        ("329.010", "329.0100", "claim-differs"),
        ("329.010", "0329.010", "claim-differs"),
        ("329.010", "-329.010", "claim-differs"),
        ("329.010", "32.9010", "claim-differs"),
        ("329.010", "329", "claim-differs"),
        ("329.010 tokens/s", "329.010 tokens", "claim-unit"),
        ("329.010 tokens/s", "329.010 requests/s", "claim-unit"),
        ("329.010 tokens/s", "329.010", "claim-stale"),
        ("329.010 tokens/s", "329.010 tok/s", ""),
        ("329.010 tokens/s", "329.010 tokens per second", ""),
        ("329.010 tokens/s", "329.010 tok/s/GPU", "claim-unit"),
        ("329.010 tokens/s", "329.010 tokens/s per GPU", "claim-unit"),
        ("7.52 GiB", "7.52 MiB", "claim-unit"),
        ("7.52 GiB", "7.52 GB", "claim-unit"),
        ("4.71 s", "4.71 ms", "claim-unit"),
        ("4.71 s", "4.71 seconds", ""),
        ("Four", "Five", "claim-differs"),
        ("Four", "4", "claim-stale"),
        ("FP8", "FP4", "claim-differs"),
        ("1 March 2025", "2 March 2025", "claim-differs"),
        ("1 March 2025", "1 March 2024", "claim-differs"),
        ("1 March 2025", "March 2025", "claim-stale"),
        ("1 March 2025", "2025-03-01", "claim-stale"),
        ("82.25", "82.24", "claim-differs"),
        ("82.25", "82.30", "claim-differs"),
        ("82.25", "82", "claim-stale"),
        ("82.25 tokens/s", "82.25 %", "claim-unit"),
        ("memory were free", "memory were used", "claim-scope claim-stale"),
        ("The first", "A first", "claim-stale"),
    ],
)
def test_one_slip_in_prose(tarn: Project, old: str, new: str, code: str) -> None:
    """One slip is told once, whatever it is; another spelling of the same unit is none."""
    assert BODY.count(old) == 1
    put(tarn.root, record(BODY.replace(old, new)))
    assert codes(tarn) == code.split()


def test_every_problem_stands_at_its_number(tarn: Project) -> None:
    body = BODY.replace("4.71", "4.72")
    put(tarn.root, record(body))
    (told,) = problems(tarn)
    assert (told.file, told.pointer, told.offset) == ("records/tarn.json", "/body_markdown", body.index("4.72"))


# --- one line of the lock


def said_of(tarn: Project, number: str, changed: dict[str, Any]) -> list[str]:
    """Change one line of the lock, None takes a key out; return what a check says."""
    lines = claims(tarn)
    (line,) = [c for c in lines if c["written"] == number]
    line |= changed
    put_claims(tarn, [{k: v for k, v in c.items() if v is not None} for c in lines])
    return codes(tarn)


@pytest.mark.parametrize(
    ("written", "changed", "code"),
    [
        ("329.010", {"class": "open"}, "claim-open"),
        ("329.010", {"class": "count"}, ""),
        ("329.010", {"class": "derived"}, "claim-class"),
        ("329.010", {"class": "date"}, "claim-class claim-differs"),
        ("329.010", {"class": "plain", "reason": "so"}, "claim-class"),
        ("329.010", {"pointer": f"{R}/1/value", "row": "drafting on"}, "claim-differs"),
        ("329.010", {"row": "drafting on"}, "claim-pointer"),
        ("329.010", {"row": None}, "claim-pointer"),
        ("329.010", {"pointer": f"{R}/9/value"}, "claim-pointer"),
        ("329.010", {"pointer": "nowhere"}, "claim-pointer"),
        ("329.010", {"pointer": "/body_markdown", "row": None}, "claim-pointer"),
        ("329.010", {"pointer": "/summary", "row": None}, "claim-pointer"),
        ("329.010", {"pointer": f"{R}/0/source_line"}, "claim-pointer"),
        ("329.010", {"pointer": f"{R}/0/uncertainty"}, "claim-pointer"),
        ("329.010", {"pointer": f"{R}/0/site_reproduced"}, "claim-pointer"),
        ("329.010", {"pointer": None, "row": None}, "claim-class"),
        ("329.010", {"sentence": "00000000"}, "claim-stale"),
        ("329.010", {"unit": None}, "claim-stale"),
        ("329.010", {"written": "402.55"}, "claim-stale"),
        ("7.52", {"pointer": f"{R}/3/value", "row": "memory taken"}, "claim-differs"),
        ("Four", {"class": "claim"}, ""),
        ("Four", {"pointer": None, "row": None}, "claim-class"),
        ("Four", {"pointer": None, "row": None, "reason": " "}, "claim-class"),
        ("Four", {"pointer": None, "row": None, "reason": "the four of the photograph"}, ""),
        ("Four", {"pointer": f"{R}/0/conditions/repetitions"}, "claim-differs"),
        ("Four", {"class": "plain", "pointer": None, "row": None}, "claim-class"),
        ("Four", {"class": "plain", "pointer": None, "row": None, "reason": "a habit"}, ""),
        ("FP8", {"class": "plain", "reason": None}, "claim-class"),
        ("FP8", {"pointer": f"{R}/0/label", "row": "drafting off"}, "claim-pointer"),
        ("1 March 2025", {"pointer": None}, ""),
        ("1 March 2025", {"pointer": "/title"}, "claim-pointer"),
        ("82.25", {"class": "claim"}, "claim-class"),
        ("82.25", {"pointer": "/relations/1"}, "claim-pointer"),
        ("82.25", {"pointer": "/relations/0/label"}, "claim-pointer"),
    ],
)
def test_one_slip_in_the_lock(tarn: Project, written: str, changed: dict[str, Any], code: str) -> None:
    assert said_of(tarn, written, changed) == code.split()


def test_a_reason_lets_a_word_of_the_opposite_stand(tmp_path: Path) -> None:
    found = project(tmp_path, record("Of what was used by others 7.52 GiB became free memory."))
    body = "Nothing was used: of the 7.52 GiB used before, all is free."
    put(tmp_path, record(body))
    spot = {"field": "body", "written": "7.52", "unit": "GiB", "left": "used: of the", "right": "used before, all is"}
    bound_line = {**spot, "class": "claim", "pointer": f"{R}/2/value", "row": "memory left"}
    put_claims(found, [bound_line])
    told = set(codes(found))
    assert "claim-scope" in told
    put_claims(found, [bound_line | {"reason": "free again, the sentence says so"}])
    assert "claim-scope" not in codes(found)


def test_a_line_for_nothing_and_a_line_too_many_are_told(tarn: Project) -> None:
    lines = claims(tarn)
    gone = lines[2] | {"left": "was told at", "written": "9.99"}
    put_claims(tarn, [*lines, gone, lines[2]])
    told = problems(tarn)
    assert [(p.file, p.pointer, p.code) for p in told] == [
        ("records/tarn.claims.json", "/claims/7", "claim-stale"),
        ("records/tarn.claims.json", "/claims/8", "claim-stale"),
    ]
    assert "“9.99” of body is gone" in told[0].message
    assert "has the anchor of an earlier line" in told[1].message


def test_without_a_lock_numbers_are_one_finding(tmp_path: Path) -> None:
    found = project(tmp_path, record(BODY))
    (finding,) = [f for f in check_project(found).findings if f.code == "open-claims"]
    assert finding.message == "7 numbers in prose without a lock: 4 in digits, 1 in words, 2 names and dates"
    assert codes(found) == []
    put(tmp_path, record("Only 4."))
    assert any(f.message.startswith("1 number in prose") for f in check_project(found).findings)
    put(tmp_path, record("None."))
    assert "open-claims" not in {f.code for f in check_project(found).findings}


def test_an_empty_lock_proves_nothing(tmp_path: Path) -> None:
    found = project(tmp_path, record(BODY))
    put_claims(found, [])
    assert codes(found) == ["claim-open"] * 7


# --- one slip in the record


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: rows[0].update(value=Decimal("329.01")), "claim-differs"),
        (lambda rows: rows[0].update(unit="requests/s"), "claim-unit"),
        (lambda rows: rows[0].update(label="drafting away"), "claim-pointer claim-pointer"),
        (lambda rows: rows[2].update(metric="used_memory"), "claim-scope"),
        (lambda rows: rows[2].update(unit="GB"), "claim-unit"),
        (lambda rows: rows[4].update(value=None), "claim-pointer"),
        (lambda rows: rows[0]["conditions"].update(concurrency=Decimal(5)), "claim-differs claim-differs"),
        (lambda rows: rows[0]["conditions"].update(repetitions=Decimal(9)), ""),
    ],
)
def test_one_slip_in_the_record(tarn: Project, change: Callable[[list[dict[str, Any]]], None], code: str) -> None:
    data = record(BODY)
    change(data["reported_results"])
    put(tarn.root, data)
    told = problems(tarn)
    assert [p.code for p in told] == code.split()
    assert {p.pointer for p in told} <= {"/body_markdown"}


def test_a_date_is_compared_with_its_field(tarn: Project) -> None:
    put(tarn.root, record(BODY, source_checked_on="2025-03-02", published_on="2025-03-02", modified_on="2025-03-02"))
    assert codes(tarn) == ["claim-differs"]


# --- values in, values out


def leaf(value: str, unit: str = "", key: str = "rate", text: str | None = None) -> Leaf:
    if text is not None:
        return Leaf("/x", "text", key, None, text, unit)
    return Leaf("/x", "number", key, Decimal(value), value, unit)


@pytest.mark.parametrize(
    ("written", "field", "expected"),
    [
        ("329.010", leaf("329.010"), True),
        ("329.01", leaf("329.010"), False),
        ("17,235.90", leaf("17235.90"), True),
        ("17\u202f235.90", leaf("17235.90"), True),
        ("17,235.9", leaf("17235.90"), False),
        ("−3.0", leaf("-3.0"), True),
        ("3.0", leaf("-3.0"), False),
        ("+3.0", leaf("3.0"), True),
        ("1.2e5", leaf("120000"), True),
        ("3.4×10^3", leaf("3400"), True),
        ("128K", leaf("128000"), True),
        ("128K", leaf("131072"), False),
        ("four", leaf("4"), True),
        ("four", leaf("4.0"), False),
        ("no", leaf("0"), True),
        ("1½", leaf("1.5"), True),
        ("10²", leaf("100"), False),
        ("57 %", leaf("0.57", key="pool_usage"), True),
        ("57.0 %", leaf("0.57", key="pool_usage"), False),
        ("57 %", leaf("0.570", key="pool_usage"), False),
        ("57.0 %", leaf("0.570", key="pool_usage"), True),
        ("57", leaf("0.57", key="pool_usage"), False),
        ("57 %", leaf("0.57", key="seconds"), False),
        ("57 %", leaf("0.57", "s", key="usage"), False),
        ("157 %", leaf("1.57", key="usage"), False),
        ("40", leaf("", text="40 of 40"), True),
        ("4", leaf("", text="40 of 40"), False),
        ("12", leaf("", text="12.50"), False),
        ("four", leaf("", text="4 cards"), True),
        ("4", leaf("", text="four cards"), True),
        ("no", leaf("", text="0 cards"), False),
        ("FP8", leaf("", text="online FP8"), True),
        ("FP8", leaf("", text="FP81"), False),
        ("128K", leaf("", text="128K"), True),
        ("128K", leaf("", text="128000"), False),
        ("v2.5.0", leaf("", text="https://example.org/tree/v2.5.0/a"), True),
        ("5", leaf("", text="https://example.org/tree/v2.5.0/a"), False),
    ],
    ids=lambda v: v if isinstance(v, str) else None,
)
def test_a_written_number_equals_its_field(written: str, field: Leaf, expected: bool) -> None:
    (token,) = tokens(written)
    assert forms.equals(token, field) is expected


def test_a_field_may_tell_by_its_name_what_its_rate_is_shared_out_over() -> None:
    (token,) = tokens("82.25 tokens/s per request")
    field = leaf("82.25", "tokens/s")
    assert not forms.unit_fits(token, field)
    assert forms.unit_fits(token, replace(field, terms=frozenset({"perrequest"})))
    assert forms.unit_fits(token, replace(field, rows=frozenset({"perrequest"})))
    assert not forms.unit_fits(token, replace(field, unit="tokens", terms=frozenset({"perrequest"})))
    assert forms.unit_fits(token, replace(field, unit="tokens/s/request"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("18 October 2026", "2026-10-18"),
        ("October 18, 2026", "2026-10-18"),
        ("3. März 2026", "2026-03-03"),
        ("May 2026", "2026-05"),
        ("2026-10-18T08:15:00Z", "2026-10-18"),
        ("2026", "2026"),
        ("18 October", None),
        ("12:30", None),
        ("Sept. 4, 2025", "2025-09-04"),
    ],
)
def test_dates(written: str, expected: str | None) -> None:
    assert dates.iso_of(written) == expected


@pytest.mark.parametrize(
    ("written", "holds"),
    [("73.78", True), ("73.8", True), ("74", True), ("73.79", True), ("73.80", False), ("73.7", False), ("73", False)],
)
def test_a_derived_number_lies_in_the_interval_of_its_relation(written: str, holds: bool, tmp_path: Path) -> None:
    relation = {
        "id": "gap",
        "label": "Used beyond free",
        "expr": "used - free",
        "inputs": {"used": {"pointer": f"{R}/3/value"}, "free": {"pointer": f"{R}/2/value"}},
        "unit": "GiB",
        "places": 2,
    }
    found = bound(tmp_path, record("The gap between used and free was 73.78 GiB.", relations=[relation]))
    put(tmp_path, record(f"The gap between used and free was {written} GiB.", relations=[relation]))
    assert ("claim-differs" in codes(found)) is not holds


def test_a_minus_may_be_told_in_words(tmp_path: Path) -> None:
    relation = {
        "id": "gap",
        "label": "Free less used",
        "expr": "free - used",
        "inputs": {"used": {"pointer": f"{R}/3/value"}, "free": {"pointer": f"{R}/2/value"}},
        "unit": "GiB",
        "places": 2,
    }
    found = bound(tmp_path, record("Used memory exceeds free by 73.78 GiB.", relations=[relation]))
    assert [c["class"] for c in claims(found)] == ["derived"]


def test_a_campaign_is_bound_by_its_own_pointer(tmp_path: Path) -> None:
    campaign = {"id": "both", "label": "Both settings", "conditions": {"context_tokens": Decimal(65530)}}
    rows = [row("drafting off", "aggregate_output_rate", "329.010", "tokens/s", 11) | {"campaign": "both"}]
    data = record("The context held 65,530 tokens.", campaigns=[campaign], reported_results=rows, relations=[])
    found = bound(tmp_path, data)
    assert [c["pointer"] for c in claims(found)] == ["/campaigns/0/conditions/context_tokens"]

"""Each rule of the evidence has a record on which it fires, and stays silent on a sound one."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from site_src import findings, prose, shape
from site_src.codes import FINDINGS
from site_src.load import Document
from site_src.model import Record
from site_src.pipeline import CODES_OF_BUILD
from site_src.problems import Finding
from tests.records import COMMIT, HASH, REPORT, sound

Change = Callable[[dict[str, Any]], None]


def audit(data: dict[str, Any]) -> tuple[Finding, ...]:
    record = shape.record("records/brook.json", data)
    assert isinstance(record, Record), record
    document = Document("records/brook.json", "brook", data)
    return findings.audit(document, record, prose.parse(record.body_markdown or "", record.title))


def excludes_its_own_metric(data: dict[str, Any]) -> None:
    data["reported_results"][0]["metric"] = "time_to_first_word"
    data["reported_results"][0]["conditions"]["metric_denominator"] = "talk, excluding first word"


def names_no_document(data: dict[str, Any]) -> None:
    data["reported_results"][0]["source_document_id"] = "memo"


def cites_nothing(data: dict[str, Any]) -> None:
    extra = {**data["sources"][0], "document_id": "annex", "document_sha256": "c" * 64}
    data["supplemental_sources"] = [{**extra, "pinned_url": REPORT.replace("REPORT", "ANNEX")}]


def anchors_a_rendered_page(data: dict[str, Any]) -> None:
    data["reported_results"][0]["evidence_url"] = f"{REPORT}#L9"


def links_elsewhere(data: dict[str, Any]) -> None:
    data["body_markdown"] = "See [the chat](https://chat.example.org/9)."


def names_an_address_in_a_case(data: dict[str, Any]) -> None:
    data["case_reports"] = [{"id": "x", "source_url": REPORT, "ticket": "https://tickets.example.org/9"}]


def repeats_a_reading(data: dict[str, Any]) -> None:
    data["memory_observations"] = [{"kind": "used", "value": Decimal("12.50"), "unit": "replies/min"}]


def shows_an_image(data: dict[str, Any]) -> None:
    data["body_markdown"] = "![a graph](/assets/a-rates.webp)"


def cites_a_page(data: dict[str, Any]) -> None:
    page = "https://brook.example.org/notes"
    data["sources"][0] |= {"pinned_url": page, "revision": "copy-1", "public_URL_is_immutable": False}
    data["reported_results"][0]["evidence_url"] = page


def labels_a_length(data: dict[str, Any]) -> None:
    data["reported_results"][0]["conditions"] |= {"prompt_length_label": "32K", "prompt_tokens": None}


def submits_together(data: dict[str, Any]) -> None:
    data["long_context_cases"] = [{"requests_submitted": Decimal(4), "running_requests": None, "source_url": REPORT}]


FIRES: list[tuple[str, Change, str]] = [
    (
        "denominator-contradicts-metric",
        excludes_its_own_metric,
        "/reported_results/0/conditions/metric_denominator",
    ),
    ("dangling-source", names_no_document, "/reported_results/0/source_document_id"),
    ("uncited-source", cites_nothing, "/supplemental_sources/0"),
    ("ignored-line-anchor", anchors_a_rendered_page, "/reported_results/0/evidence_url"),
    ("address-without-source", links_elsewhere, "/body_markdown"),
    ("address-without-source", names_an_address_in_a_case, "/case_reports/0/ticket"),
    ("duplicated-observation", repeats_a_reading, "/memory_observations/0"),
    ("image-without-hash", shows_an_image, "/body_markdown"),
    ("mutable-source", cites_a_page, "/sources/0"),
    ("nominal-length", labels_a_length, "/reported_results/0/conditions"),
    ("submitted-not-running", submits_together, "/long_context_cases/0"),
]


@pytest.mark.parametrize(("code", "change", "pointer"), FIRES, ids=[f"{c}:{f.__name__}" for c, f, _ in FIRES])
def test_rule_fires(code: str, change: Change, pointer: str) -> None:
    data = sound()
    change(data)
    assert [(f.code, f.pointer) for f in audit(data)] == [(code, pointer)]


def test_sound_record_has_no_finding() -> None:
    assert audit(sound()) == ()


def test_every_code_is_fired_and_named() -> None:
    # What relations say is fired in test_derive.py, what only a build finds in test_image_hashes.py.
    assert {code for code, _, _ in FIRES} | CODES_OF_BUILD | {"relation-disagrees"} == set(FINDINGS)


def quiet_denominator(data: dict[str, Any]) -> None:
    data["reported_results"][0]["conditions"]["metric_denominator"] = "talk, excluding idle time"


def quiet_hash_instead_of_id(data: dict[str, Any]) -> None:
    data["reported_results"][0]["source_document_id"] = None


def quiet_body_link_cites(data: dict[str, Any]) -> None:
    cites_nothing(data)
    data["body_markdown"] = f"See [the annex]({REPORT.replace('REPORT', 'ANNEX')}?plain=1#L3)."


def quiet_line_of_a_data_file(data: dict[str, Any]) -> None:
    data["sources"][0] |= {"document_path": "run.json", "pinned_url": REPORT.replace("REPORT.md", "run.json")}
    data["reported_results"][0]["evidence_url"] = f"{REPORT.replace('REPORT.md', 'run.json')}#L9"


def quiet_same_digits_in_another_unit(data: dict[str, Any]) -> None:
    data["memory_observations"] = [{"kind": "used", "value": Decimal("12.50"), "unit": "GiB"}]


def quiet_counted_length(data: dict[str, Any]) -> None:
    data["reported_results"][0]["conditions"] |= {"prompt_length_label": "32K", "prompt_tokens": Decimal(32011)}


def quiet_known_running(data: dict[str, Any]) -> None:
    submitted = {"requests_submitted": Decimal(4), "running_requests": Decimal(2), "source_url": REPORT}
    data["long_context_cases"] = [submitted]


QUIET: list[Change] = [
    quiet_denominator,
    quiet_hash_instead_of_id,
    quiet_body_link_cites,
    quiet_line_of_a_data_file,
    quiet_same_digits_in_another_unit,
    quiet_counted_length,
    quiet_known_running,
]


@pytest.mark.parametrize("change", QUIET, ids=lambda f: f.__name__)
def test_rule_stays_silent(change: Change) -> None:
    data = sound()
    change(data)
    assert audit(data) == ()


def test_messages_name_both_sides() -> None:
    data = sound()
    names_no_document(data)
    (finding,) = audit(data)
    assert "source 1 has its hash" in finding.message
    data["reported_results"][0] |= {"source_document_sha256": "e" * 64, "evidence_url": f"{REPORT}x"}
    found = {f.code: f.message for f in audit(data)}
    assert "no source has its hash or address" in found["dangling-source"]
    assert COMMIT != HASH

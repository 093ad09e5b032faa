"""Each rule of the evidence has a record on which it fires, and stays silent on a sound one."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from site_src import audit as audit_page
from site_src import findings, placeholders, prose, quantities, shape, skeleton
from site_src.claims.examine import OPEN_CLAIMS
from site_src.codes import FINDINGS
from site_src.interface import ENGLISH
from site_src.load import Document
from site_src.model import Record
from site_src.pipeline import CODES_OF_BUILD
from site_src.problems import Finding
from tests.records import COMMIT, HASH, REPORT, sound
from tests.test_verify import CODES as CODES_OF_RECEIPTS

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


def gives_a_first_token_time_per_second(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"metric": "ttft_p50", "unit": "tok/s"}


def ends_a_key_in_the_wrong_unit(data: dict[str, Any]) -> None:
    data["case_reports"] = [{"source_url": REPORT, "cells": [{"lanes": Decimal(4), "TTFT_tokens": Decimal(3)}]}]


def mixes_units_of_memory(data: dict[str, Any]) -> None:
    row = data["reported_results"][0] | {"metric": "free_VRAM", "unit": "GiB"}
    data["reported_results"] = [row, row | {"label": "second", "value": Decimal(900), "unit": "MiB"}]


def writes_zero_for_a_run_not_made(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"value": Decimal(0), "status": "not_run_power"}


def writes_zero_for_a_first_token(data: dict[str, Any]) -> None:
    data["case_reports"] = [{"source_url": REPORT, "cells": [{"lanes": Decimal(4), "TTFT_seconds": Decimal("0.0")}]}]


def writes_zero_for_a_rate_of_work_done(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"metric": "output_rate", "value": Decimal(0)}
    data["reported_results"][0]["conditions"]["requests_completed"] = Decimal(4)


def writes_zero_for_used_memory(data: dict[str, Any]) -> None:
    data["memory_observations"] = [
        {"kind": "peak_memory_used", "value": Decimal(0), "unit": "GiB", "source_url": REPORT}
    ]


def gives_a_rate_of_a_cell_not_run(data: dict[str, Any]) -> None:
    cell = {"lanes": Decimal(32), "status": "not_run_capacity", "output_tokens_per_second": Decimal("80.5")}
    data["case_reports"] = [{"source_url": REPORT, "omitted_cells": [cell]}]


def gives_a_value_of_a_row_not_run(data: dict[str, Any]) -> None:
    data["reported_results"][0]["status"] = "not run: power"


def copies_a_concurrency(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"label": "32K C4 cold"}
    data["reported_results"][0]["conditions"]["concurrency"] = Decimal(1)


def copies_a_parallelism(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"label": "cold, TP 2"}
    data["reported_results"][0]["conditions"]["parallelism"] = "TP1, PP2"


def copies_a_length(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"label": "490K C4"}
    data["reported_results"][0]["conditions"]["input_length_source_label"] = "128K"


def copies_a_workload(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"label": "128K C4"}
    data["reported_results"][0]["conditions"] |= {"workload": "128K C1 retrieval", "concurrency": Decimal(4)}


def copies_a_workload_of_another_length(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"label": "128K C4"}
    held = {"workload": "490K retrieval", "prompt_length_label": "128K", "prompt_tokens": Decimal(128021)}
    data["reported_results"][0]["conditions"] |= held


def contradicts_its_machine(data: dict[str, Any]) -> None:
    data["case_reports"] = [{"source_url": REPORT, "system": "two cards; TP2", "tensor_parallel": Decimal(1)}]


def copies_an_option(data: dict[str, Any]) -> None:
    row = data["reported_results"][0]
    rows = [(f"option {said}", f"option {held}") for said, held in (("off", "off"), ("on", "on"), ("off", "on"))]
    data["reported_results"] = [
        row | {"label": label, "conditions": row["conditions"] | {"mode": mode}} for label, mode in rows
    ]


def copies_a_release(data: dict[str, Any]) -> None:
    data["campaigns"] = [{"id": "2.1-cold", "label": "Cold"}, {"id": "3.0-cold", "label": "Colder"}]
    data["reported_results"][0] |= {"campaign": "2.1-cold"}
    data["reported_results"][0]["conditions"]["release"] = "3.0"


def divides_a_memory(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"metric": "free_VRAM", "unit": "GiB"}
    data["reported_results"][0]["conditions"]["metric_denominator"] = "output tokens over wall time"


def copies_the_streams_of_a_cell(data: dict[str, Any]) -> None:
    cell = {"label": "C8", "concurrency": Decimal(16)}
    data["case_reports"] = [{"source_url": REPORT, "cells": [cell]}]


def stores_no_line(data: dict[str, Any]) -> None:
    data["reported_results"][0]["evidence_url"] = REPORT


def stores_another_document(data: dict[str, Any]) -> None:
    cites_nothing(data)
    data["body_markdown"] = f"See [the annex]({REPORT.replace('REPORT', 'ANNEX')})."
    data["reported_results"][0]["evidence_url"] = f"{REPORT.replace('REPORT', 'ANNEX')}?plain=1#L9"


def pins_a_place_inside(data: dict[str, Any]) -> None:
    data["sources"][0]["pinned_url"] = f"{REPORT}#results"
    data["reported_results"][0]["evidence_url"] = None


def cites_a_page_without_a_copy(data: dict[str, Any]) -> None:
    page = "https://brook.example.org/notes"
    data["sources"][0]["url"] = page
    data["case_reports"] = [{"source_url": page, "source_snapshot_sha256": "d" * 64}]


def changes_after_the_check(data: dict[str, Any]) -> None:
    data["sources"][0]["last_commit_at"] = "2025-03-02T00:10:00Z"


def reads_after_the_day_of_the_page(data: dict[str, Any]) -> None:
    data["sources"][0]["checked_on"] = "2025-03-02"


def updates_a_case_after_the_check(data: dict[str, Any]) -> None:
    data["long_context_cases"] = [{"source_url": REPORT, "source_updated_at": "2025-04-01T08:00:00Z"}]


def counts_by_label(data: dict[str, Any]) -> None:
    conditions = {"prompt_length_label": "128K", "actual_prompt_tokens": Decimal(131072)}
    data["reported_results"][0]["conditions"] |= conditions


def counts_cells_by_the_label_of_the_case(data: dict[str, Any]) -> None:
    cell = {"lanes": Decimal(1), "counted_input_tokens": Decimal(262144)}
    data["case_reports"] = [{"source_url": REPORT, "input_length_label": "about 262K", "cells": [cell]}]


def counts_a_result_by_label(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"metric": "prompt_tokens", "unit": "tokens", "value": Decimal(32000)}
    data["reported_results"][0]["conditions"]["prompt_length_label"] = "32K"


def ranks(data: dict[str, Any]) -> None:
    data["body_markdown"] = "With 12.50 replies/min the first box is the fastest."


def claims_a_run(data: dict[str, Any]) -> None:
    data["answer"] = "We measured 12.50 replies/min."


def leaves_the_answer(data: dict[str, Any]) -> None:
    data["answer"] = placeholders.TEXT


def leaves_the_title_of_an_import(data: dict[str, Any]) -> None:
    data["title"] = placeholders.title("brook-bench, heron-bench")


def leaves_the_summary_of_an_import_in_german(data: dict[str, Any]) -> None:
    data |= {"lang": "de", "summary": placeholders.summary("brook-bench")}


def leaves_the_body(data: dict[str, Any]) -> None:
    data["body_markdown"] = skeleton.body()


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
    ("unit-contradicts-kind", gives_a_first_token_time_per_second, "/reported_results/0/unit"),
    ("unit-contradicts-kind", ends_a_key_in_the_wrong_unit, "/case_reports/0/cells/0/TTFT_tokens"),
    ("two-units", mixes_units_of_memory, "/reported_results/1/unit"),
    ("zero-not-measured", writes_zero_for_a_run_not_made, "/reported_results/0/value"),
    ("zero-not-measured", writes_zero_for_a_first_token, "/case_reports/0/cells/0/TTFT_seconds"),
    ("zero-not-measured", writes_zero_for_a_rate_of_work_done, "/reported_results/0/value"),
    ("zero-not-measured", writes_zero_for_used_memory, "/memory_observations/0/value"),
    (
        "value-despite-not-run",
        gives_a_rate_of_a_cell_not_run,
        "/case_reports/0/omitted_cells/0/output_tokens_per_second",
    ),
    ("value-despite-not-run", gives_a_value_of_a_row_not_run, "/reported_results/0/value"),
    ("condition-on-wrong-row", copies_a_concurrency, "/reported_results/0/conditions/concurrency"),
    ("condition-on-wrong-row", copies_a_parallelism, "/reported_results/0/conditions/parallelism"),
    ("condition-on-wrong-row", copies_a_length, "/reported_results/0/conditions/input_length_source_label"),
    ("condition-on-wrong-row", copies_a_workload, "/reported_results/0/conditions/workload"),
    ("condition-on-wrong-row", copies_a_workload_of_another_length, "/reported_results/0/conditions/workload"),
    ("condition-on-wrong-row", contradicts_its_machine, "/case_reports/0/tensor_parallel"),
    ("condition-on-wrong-row", copies_an_option, "/reported_results/2/conditions/mode"),
    ("condition-on-wrong-row", copies_a_release, "/reported_results/0/conditions/release"),
    ("condition-on-wrong-row", divides_a_memory, "/reported_results/0/conditions/metric_denominator"),
    ("condition-on-wrong-row", copies_the_streams_of_a_cell, "/case_reports/0/cells/0/concurrency"),
    ("stored-url-differs", stores_no_line, "/reported_results/0/evidence_url"),
    ("stored-url-differs", stores_another_document, "/reported_results/0/evidence_url"),
    ("stored-url-differs", pins_a_place_inside, "/sources/0/pinned_url"),
    ("snapshot-incomplete", cites_a_page_without_a_copy, "/case_reports/0/source_url"),
    ("newer-than-checked", changes_after_the_check, "/sources/0/last_commit_at"),
    ("newer-than-checked", reads_after_the_day_of_the_page, "/sources/0/checked_on"),
    ("newer-than-checked", updates_a_case_after_the_check, "/long_context_cases/0/source_updated_at"),
    ("label-as-length", counts_by_label, "/reported_results/0/conditions/actual_prompt_tokens"),
    ("label-as-length", counts_cells_by_the_label_of_the_case, "/case_reports/0/cells/0/counted_input_tokens"),
    ("label-as-length", counts_a_result_by_label, "/reported_results/0/value"),
    ("ranking-words", ranks, "/body_markdown"),
    ("claims-own-measurement", claims_a_run, "/answer"),
    ("left-unwritten", leaves_the_answer, "/answer"),
    ("left-unwritten", leaves_the_title_of_an_import, "/title"),
    ("left-unwritten", leaves_the_summary_of_an_import_in_german, "/summary"),
    ("left-unwritten", leaves_the_body, "/body_markdown"),
]


@pytest.mark.parametrize(("code", "change", "pointer"), FIRES, ids=[f"{c}:{f.__name__}" for c, f, _ in FIRES])
def test_rule_fires(code: str, change: Change, pointer: str) -> None:
    data = sound()
    change(data)
    assert [(f.code, f.pointer) for f in audit(data)] == [(code, pointer)]


def test_sound_record_has_no_finding() -> None:
    assert audit(sound()) == ()


def test_every_code_is_fired_and_named() -> None:
    # What relations say is fired in test_derive.py, what only a build finds in test_image_hashes.py, wording in
    # test_wording.py, a record without a lock in test_claim_proof.py, and what a receipt tells in test_verify.py.
    elsewhere = CODES_OF_BUILD | CODES_OF_RECEIPTS | {"relation-disagrees", "submitted-as-running", OPEN_CLAIMS}
    assert {code for code, _, _ in FIRES} | elsewhere == set(FINDINGS)


def quiet_draft(data: dict[str, Any]) -> None:
    data |= {"draft": True, "answer": placeholders.TEXT, "title": placeholders.title("brook-bench")}


def quiet_words_of_an_editor(data: dict[str, Any]) -> None:
    data["answer"] = "The second part is to be written. `To be written.` is what a draft says."


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


def quiet_unknown_words(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"metric": "door_wait", "unit": "hops"}
    data["case_reports"] = [{"source_url": REPORT, "rate_limit_tokens": Decimal(3), "KV_pool_tokens": Decimal(9)}]


def quiet_two_spellings_of_one_unit(data: dict[str, Any]) -> None:
    row = data["reported_results"][0] | {"metric": "output_rate", "unit": "tok/s"}
    data["reported_results"] = [row, row | {"label": "second", "unit": "tokens per second"}]


def quiet_two_quantities_of_one_metric(data: dict[str, Any]) -> None:
    # A share of the memory and its bytes are no two units of one kind; a rate per user is another quantity.
    row = data["reported_results"][0] | {"metric": "memory_used", "unit": "GiB"}
    rate = row | {"metric": "output_rate", "unit": "tokens/s"}
    data["reported_results"] = [row, row | {"unit": "%"}, rate, rate | {"unit": "tokens/min/user"}]


def quiet_another_printing(data: dict[str, Any]) -> None:
    printing = {"value": Decimal(750), "unit": "ms", "evidence": {"document": "report"}}
    data["reported_results"][0] |= {"metric": "ttft", "unit": "s", "also_printed": [printing]}


def quiet_zeros_that_were_measured(data: dict[str, Any]) -> None:
    counts = {"OOMs_reported": Decimal(0), "aborts": Decimal(0), "queue_wait_seconds": Decimal(0)}
    swap = {"kind": "swap_memory_used", "value": Decimal(0), "unit": "GiB"}
    data["case_reports"] = [{"source_url": REPORT, **counts, "swap": swap}]
    hung = {"metric": "output_rate", "value": Decimal(0), "statistic": "one run; spread not reported"}
    data["reported_results"][0] |= hung


def quiet_cell_that_was_not_run(data: dict[str, Any]) -> None:
    cell = {"concurrency": Decimal(32), "timeout_seconds": Decimal(60), "status": "not_run_capacity", "ttft": None}
    data["case_reports"] = [{"source_url": REPORT, "omitted_cell": cell}]


def quiet_row_that_was_run_late(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"statistic": "one run; the second was not run", "status": "notable"}


def quiet_label_of_a_window(data: dict[str, Any]) -> None:
    # The window explains the 524K, the corpus the C4.
    row = data["reported_results"][0]
    row |= {"label": "Brook 524K, C4 perplexity, TP 2"}
    held = {"prompt_length_label": "4K", "context_limit_tokens": Decimal(524288), "concurrency": Decimal(1)}
    row["conditions"] |= {**held, "tensor_parallel": Decimal(2), "parallelism": "PP1", "workload": "4K prompts"}


def quiet_label_that_names_two(data: dict[str, Any]) -> None:
    data["reported_results"][0]["label"] = "C1 against C4, TP1 over TP2"
    data["reported_results"][0]["conditions"] |= {"concurrency": Decimal(4), "parallelism": "TP2"}


def quiet_option_of_another_condition(data: dict[str, Any]) -> None:
    row = data["reported_results"][0]
    pairs = [("BF16 weights", "BF16", "BF16"), ("FP8 weights", "FP8", "BF16"), ("FP8 all", "FP8", "FP8")]
    data["reported_results"] = [
        row | {"label": label, "conditions": row["conditions"] | {"weights": weights, "kv_dtype": cache}}
        for label, weights, cache in pairs
    ]


def quiet_release_of_its_campaign(data: dict[str, Any]) -> None:
    data["campaigns"] = [{"id": "3.0-warm", "label": "Warm"}, {"id": "3.0-cold", "label": "Cold"}]
    data["reported_results"][0] |= {"campaign": "3.0-cold"}
    data["reported_results"][0]["conditions"] |= {"release": "3.0", "driver_version": "2.1"}


def quiet_scope_of_a_memory(data: dict[str, Any]) -> None:
    data["reported_results"][0] |= {"metric": "free_VRAM", "unit": "GiB"}
    data["reported_results"][0]["conditions"]["metric_denominator"] = "per card"


def quiet_raw_pin(data: dict[str, Any]) -> None:
    raw = f"https://raw.githubusercontent.com/brook-labs/runs/{COMMIT}/REPORT.md"
    data["sources"][0] |= {"pinned_url": raw, "report_url": REPORT}
    data["reported_results"][0]["evidence_url"] = None


def quiet_copy_with_date_and_hash(data: dict[str, Any]) -> None:
    page = "https://brook.example.org/notes"
    data["sources"][0]["url"] = page
    copied = {"source_snapshot_sha256": "d" * 64, "source_checked_on": "2025-03-01"}
    data["case_reports"] = [
        {"source_url": page, **copied},
        {"source_url": page, "public_URL_is_immutable": True},
        {"source_url": page, "source_document_id": "report"},
    ]


def quiet_same_day(data: dict[str, Any]) -> None:
    # 23:30 on 1 March in New York is 2 March in UTC, and so is the check of 2 March.
    data["source_checked_on"] = "2025-03-02"
    data["sources"][0] |= {"last_commit_at": "2025-03-01T23:30:00-05:00", "checked_on": "2025-03-02"}
    data["case_reports"] = [{"source_url": REPORT, "source_published_on": "2025-03-02", "expires_on": "2030-01-01"}]


def quiet_count_near_its_label(data: dict[str, Any]) -> None:
    counted = {"prompt_length_label": "128K", "actual_prompt_tokens": Decimal(128021)}
    set_up = {"configured_prompt_tokens": Decimal(128000), "prompt_window_tokens": Decimal(131072)}
    data["reported_results"][0]["conditions"] |= {**counted, **set_up}


def quiet_ranks_where_allowed(data: dict[str, Any]) -> None:
    ranks(data)
    data["performance_ranking_allowed"] = True


def quiet_own_run(data: dict[str, Any]) -> None:
    claims_a_run(data)
    data["site_reproduced"] = True


QUIET: list[Change] = [
    quiet_draft,
    quiet_words_of_an_editor,
    quiet_denominator,
    quiet_hash_instead_of_id,
    quiet_body_link_cites,
    quiet_line_of_a_data_file,
    quiet_same_digits_in_another_unit,
    quiet_counted_length,
    quiet_known_running,
    quiet_unknown_words,
    quiet_two_spellings_of_one_unit,
    quiet_two_quantities_of_one_metric,
    quiet_another_printing,
    quiet_zeros_that_were_measured,
    quiet_cell_that_was_not_run,
    quiet_row_that_was_run_late,
    quiet_label_of_a_window,
    quiet_label_that_names_two,
    quiet_option_of_another_condition,
    quiet_release_of_its_campaign,
    quiet_scope_of_a_memory,
    quiet_raw_pin,
    quiet_copy_with_date_and_hash,
    quiet_same_day,
    quiet_count_near_its_label,
    quiet_ranks_where_allowed,
    quiet_own_run,
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


def test_a_mutable_source_says_what_leans_on_it() -> None:
    data = sound()
    cites_a_page(data)
    data["case_reports"] = [{"source_document_id": "report"}, {"source_document_sha256": HASH}]
    (finding,) = audit(data)
    assert finding.message.endswith("has a saved hash; 1 value and 2 cases lean on it")


def test_one_defect_of_an_address_is_one_finding() -> None:
    data = sound()
    data["reported_results"][0]["evidence_url"] = "https://elsewhere.example.org/x#L3"
    assert [f.code for f in audit(data)] == ["address-without-source"]
    data["reported_results"][0]["evidence_url"] = f"{REPORT}#L9"
    assert [f.code for f in audit(data)] == ["ignored-line-anchor"]


@pytest.mark.parametrize(
    ("metric", "unit"),
    [
        ("decode_rate", "s"),
        ("prefill_rate_p95", "ms/token"),
        ("output_throughput", "GiB"),
        ("decode_rate", "%"),
        ("time_to_first_token", "tokens/s"),
        ("itl_ms", "s"),
        ("e2e_latency", "tok/s"),
        ("peak_memory_used", "tokens"),
        ("available_VRAM", "tokens/s"),
        ("pool_occupancy_percent", "tokens"),
        ("mamba_usage_percent", "1"),
        ("kv_pool_tokens", "GiB"),
        ("completed_requests", "s"),
        ("board_power", "GB"),
    ],
)
def test_units_that_contradict(metric: str, unit: str) -> None:
    assert quantities.contradiction(metric, unit) is not None


@pytest.mark.parametrize(
    ("metric", "unit"),
    [
        ("decode_rate", "tok/s"),
        ("output_rate_per_user", "tokens/s/user"),
        ("cache_hit_rate", "%"),
        ("acceptance_rate", "1"),
        ("request_rate", "requests per minute"),
        ("tpot", "ms/token"),
        ("time_per_output_token_ms", "ms"),
        ("output_tokens_per_second", "tokens/s"),
        ("tokens_per_second", "tokens/s"),
        ("tokens_per_joule", "tokens/J"),
        ("requests_per_minute", "requests/min"),
        ("memory_bandwidth", "GB/s"),
        ("kv_cache_memory", "tokens"),
        ("kv_pool_tokens", "prompt tokens"),
        ("memory_used", "%"),
        ("token_usage", "tokens"),
        ("ttft_reduction", "%"),
        ("ttft", "blinks"),
        ("rate_limit_waits", "s"),
        ("reply_rate", "replies/min"),
        ("prompt_depth", "furlongs"),
    ],
)
def test_units_that_go_with_their_metric(metric: str, unit: str) -> None:
    assert quantities.contradiction(metric, unit) is None


def test_findings_of_one_code_stand_together_and_are_counted_once() -> None:
    def found(code: str, reason: str) -> Finding:
        return Finding("records/x.json", "/sources/0", code, "said", "Do it.", reason, "2025-04-01")

    shown = audit_page.groups(
        ENGLISH, [found("mutable-source", "a"), found("uncited-source", "b"), found("mutable-source", "c")]
    )
    counted = [
        f"{FINDINGS['mutable-source']} (2)",
        f"{FINDINGS['mutable-source']} (2)",
        f"{FINDINGS['uncited-source']} (1)",
    ]
    assert [(g.title, g.reason) for g in shown] == list(zip(counted, "acb", strict=True))

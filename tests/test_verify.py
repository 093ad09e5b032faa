"""Do the pinned documents still say so: the cell of a row and a column, in its unit, as a whole number."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from site_src import campaigns, load, receipts, serial, shape
from site_src.check import check
from site_src.cli import main
from site_src.exits import CONTENT, DONE, SURROUNDINGS
from site_src.model import Record
from site_src.project import Project
from site_src.sources.find import Place, Wanted, find
from site_src.sources.slots import slots
from site_src.sources.verify import Obtained, placed, verify
from site_src.verifying import merged
from tests.records import COMMIT, sound, turned

SHARED = Path(__file__).resolve().parents[2] / "shared"

TABLE = """# Lathe runs

## Idle and load

| Spindle | Load A | Load B | Change | Detail |
|---|---:|---:|---:|---|
| oak, slow | 14.71 parts/s | **4.71 parts/s** | -68% | start 10.111 → 12.906 s; total 16.7 → 18.1 s |
| ash, slow | 9.30 parts/s | 4.71 parts/s | -49% | start 11.000 → 13.5 s; total 17.0 → 19.0 s |

| Wood | Wait p50 / p95 | Chips |
|---|---:|---:|
| oak | 0.848 / 1.021 s | 1,250 |
| ash | 0.884 / 1.061 s | 11,250 |

The belt drew 3.66 GiB of log space
in all; at rest it held 329.010 rows and zero faults.
""".splitlines()

LOADS = ("Load A", "Load B")


def wanted(value: str | None, line: int, **told: Any) -> Wanted:
    number = Decimal(value) if value is not None else None
    return Wanted("/reported_results/0/evidence", "report", line, number, **told)


def place(one: Wanted) -> tuple[int, str] | None:
    found = find(TABLE, one)
    return (found.line, found.cell) if found else None


def of_load(value: str, line: int, load: str, **told: Any) -> Wanted:
    texts = ("oak, slow" if line == 7 else "ash, slow", load)
    return wanted(value, line, unit=told.pop("unit", "parts/s"), texts=texts, alternatives=((LOADS, load),), **told)


def test_a_value_stands_in_the_column_that_its_condition_heads() -> None:
    assert place(of_load("4.71", 7, "Load B")) is not None
    assert place(of_load("14.71", 7, "Load A")) is not None


def test_the_same_digits_in_another_column_are_absent() -> None:
    assert place(of_load("4.71", 7, "Load A")) is None
    assert place(of_load("14.71", 7, "Load B")) is None


def test_digits_inside_a_longer_number_are_absent() -> None:
    assert place(wanted("250", 12, terms=frozenset({"chip"}))) is None
    assert place(wanted("1250", 13, terms=frozenset({"chip"}), texts=("oak",))) == (12, "1,250")


def test_another_unit_is_absent() -> None:
    assert place(wanted("3.66", 15, unit="MiB")) is None
    assert place(wanted("3.66", 15, unit="GiB")) == (15, "3.66 GiB")


def test_the_slot_of_an_arrow_follows_the_order_of_the_columns() -> None:
    start = frozenset({"start"})
    assert place(of_load("12.906", 7, "Load B", unit="s", terms=start)) == (7, "12.906 s")
    assert place(of_load("12.906", 7, "Load A", unit="s", terms=start)) is None
    assert place(of_load("10.111", 7, "Load A", unit="s", terms=start)) == (7, "10.111 s")


def test_the_slot_of_a_head_with_two_statistics_is_that_of_the_statistic() -> None:
    wait, median, tail = frozenset({"wait"}), frozenset({"median", "p50"}), frozenset({"p95"})
    assert place(wanted("0.848", 12, unit="s", terms=wait, statistic=median, texts=("oak",))) == (12, "0.848 s")
    assert place(wanted("0.848", 12, unit="s", terms=wait, statistic=tail, texts=("oak",))) is None


def test_emphasis_separators_and_lost_zeros_do_not_matter() -> None:
    assert place(wanted("329.01", 16)) == (16, "329.010")
    assert place(wanted("1250.0", 12, terms=frozenset({"chip"}), texts=("oak",))) == (12, "1,250")


def test_a_moved_line_is_told_by_its_row() -> None:
    assert place(replace(of_load("4.71", 7, "Load B"), line=8)) == (7, "4.71")
    assert place(replace(of_load("9.30", 8, "Load A"), line=3)) == (8, "9.30")


def test_a_neighbour_that_prints_the_same_is_not_the_row() -> None:
    # Line 8 prints 4.71 in the same column; the row is that of oak.
    one = of_load("4.71", 7, "Load B")
    assert find(TABLE, replace(one, line=8)) == Place(7, "4.71")


def test_exact_words_stand_whole_and_may_go_on_in_the_next_line() -> None:
    assert place(wanted(None, 15, exact="of log space in all")) == (15, "of log space in all")
    assert place(wanted(None, 15, exact="of log spac")) is None
    assert place(wanted("0", 16, exact="zero faults")) == (16, "zero")


def test_an_explicit_column_is_obeyed() -> None:
    assert place(wanted("4.71", 7, column="Load B")) is not None
    assert place(wanted("4.71", 7, column="Load A")) is None
    assert place(wanted("4.71", 7, column="Load C")) is None


def test_a_digit_of_the_line_changed_is_absent() -> None:
    for index in range(len(TABLE[6])):
        if TABLE[6][index : index + 4] == "4.71" and TABLE[6][index - 1] != "1":
            changed = [*TABLE[:6], TABLE[6][:index] + "4.72" + TABLE[6][index + 4 :], *TABLE[7:]]
            found = find(changed, of_load("4.71", 7, "Load B"))
            assert found is None or found.line != 7


def test_units_of_a_cell_are_shared_by_its_slots() -> None:
    units = [(str(s.number), s.unit, s.place, s.of) for s in slots(TABLE, 6) if s.head == "Detail"]
    assert units == [("10.111", "s", 0, 2), ("12.906", "s", 1, 2), ("16.7", "s", 0, 2), ("18.1", "s", 1, 2)]


# A whole record

REPORT = "# Runs\n\n## Replies\n\nOne lane gave 12.50 replies/min.\n\n## Setup\n\nFour lanes of 7 m.\n"
RUN = '{\n  "rate": {"replies": 12.5},\n  "lanes": 4\n}\n'


def record(**change: Any) -> dict[str, Any]:
    row = {k: v for k, v in sound()["reported_results"][0].items() if not k.startswith(("source_", "evidence_url"))}
    row |= {"evidence": {"document": "report", "line": Decimal(5)}}
    source = {**sound()["sources"][0], "document_sha256": hashlib.sha256(REPORT.encode()).hexdigest()}
    data = sound() | {"schema_version": "1.1.0", "summary": "A run.", "answer": "It ran."}
    return data | {"sources": [source], "reported_results": [row | change]}


def verified(data: dict[str, Any], **bytes_of: bytes) -> dict[str, Any]:
    shaped = shape.record("records/brook.json", data)
    assert isinstance(shaped, Record), shaped

    def obtain(source: Any) -> Obtained:
        held = bytes_of.get(source.document_id)
        return Obtained(held, "snapshot") if held is not None else Obtained()

    receipt = verify(data, campaigns.merged(shaped), obtain, "2025-03-02")
    return receipt.model_dump(exclude_none=True)


def test_a_value_is_verified_with_its_line_cell_and_section() -> None:
    found = verified(record(), report=REPORT.encode())
    (value,) = found["values"]
    assert re.fullmatch("[0-9a-f]{16}", value["asked"])
    assert found["values"] == (
        {
            "pointer": "/reported_results/0/evidence",
            "asked": value["asked"],
            "outcome": "verified",
            "value": "12.50",
            "line": 5,
            "cell": "12.50",
            "section": 2,
        },
    )
    (source,) = found["sources"]
    assert (source["outcome"], source["size"], source["on"]) == ("verified", len(REPORT), "2025-03-02")
    git = hashlib.sha1(b"blob %d\0" % len(REPORT) + REPORT.encode(), usedforsecurity=False).hexdigest()
    assert source["swhid"] == f"swh:1:cnt:{git}"


def test_one_changed_byte_is_another_document() -> None:
    found = verified(record(), report=REPORT.replace("lane gave", "lane Gave").encode())
    assert found["sources"][0]["outcome"] == "hash-differs"
    assert found["values"][0]["outcome"] == "hash-differs"


def test_an_editable_page_that_changed_has_drifted() -> None:
    data = record()
    data["sources"][0] |= {"revision": "copy-1", "public_URL_is_immutable": False}
    data["sources"][0]["pinned_url"] = "https://brook.example.org/notes"
    assert verified(data, report=b"other")["sources"][0]["outcome"] == "drifted"


def test_what_was_not_supplied_is_not_checked() -> None:
    found = verified(record())
    assert found["sources"] == (
        {
            "source": record()["sources"][0]["pinned_url"],
            "pin": record()["sources"][0]["document_sha256"],
            "outcome": "not-checked",
        },
    )
    assert [v["outcome"] for v in found["values"]] == ["not-checked"]


def test_a_line_of_format_1_0_is_verified_by_the_hash_of_its_source() -> None:
    data = sound()
    digest = hashlib.sha256(REPORT.encode()).hexdigest()
    data["sources"][0] |= {"document_sha256": digest}
    data["reported_results"][0] |= {"source_document_sha256": digest, "source_line": Decimal(5)}
    assert verified(data, report=REPORT.encode())["values"][0]["outcome"] == "verified"
    data["reported_results"][0] |= {"source_line": Decimal(6)}
    moved = verified(data, report=REPORT.encode())["values"][0]
    assert (moved["outcome"], moved["line"]) == ("line-moved", 5)


def test_a_json_pointer_names_the_value_and_its_line() -> None:
    data = record(evidence={"document": "run", "pointer": "/rate/replies", "line": Decimal(2)})
    digest = hashlib.sha256(RUN.encode()).hexdigest()
    run = {**data["sources"][0], "document_id": "run", "document_path": "run.json", "document_sha256": digest}
    run["pinned_url"] = f"https://github.com/brook-labs/runs/blob/{COMMIT}/run.json"
    data["supplemental_sources"] = [run]
    assert verified(data, run=RUN.encode())["values"][0]["outcome"] == "verified"
    data["reported_results"][0]["evidence"]["pointer"] = "/lanes"
    assert verified(data, run=RUN.encode())["values"][0]["outcome"] == "value-absent"
    data["reported_results"][0]["evidence"] = {"document": "run", "pointer": "/rate/replies", "line": Decimal(3)}
    assert verified(data, run=RUN.encode())["values"][0]["outcome"] == "line-moved"


WAITS = '{"runs": [{"first_token_ms": 848.2, "wall": 848.2, "share_percent": 54.0}]}\n'


@pytest.mark.parametrize(
    ("value", "unit", "at", "held", "outcome"),
    [
        ("0.8482", "s", "first_token_ms", "ms", "verified"),
        ("848.2", "ms", "first_token_ms", None, "verified"),
        ("848.2", "s", "first_token_ms", None, "value-absent"),
        ("848.2", "s", "wall", None, "verified"),
        ("0.8482", "s", "wall", "ms", "verified"),
        ("0.848", "s", "first_token_ms", "ms", "value-absent"),
        ("0.54", "ratio", "share_percent", "%", "verified"),
        ("54.0", "ratio", "share_percent", "%", "value-absent"),
    ],
)
def test_a_document_may_hold_a_value_in_another_unit(
    value: str, unit: str, at: str, held: str | None, outcome: str
) -> None:
    evidence = {"document": "report", "pointer": f"/runs/0/{at}", **({"unit": held} if held else {})}
    data = record(value=Decimal(value), unit=unit, evidence=evidence)
    data["sources"][0]["document_sha256"] = hashlib.sha256(WAITS.encode()).hexdigest()
    assert verified(data, report=WAITS.encode())["values"][0]["outcome"] == outcome


def test_a_condition_that_its_section_does_not_print_is_told() -> None:
    conditions = {"metric_denominator": "wall time", "repetitions": Decimal(1), "lane_metres": Decimal(7)}
    found = verified(record(conditions=conditions), report=REPORT.encode())
    # "One lane" is in the section of the value; 7 stands in the next one.
    assert found["unlined"] == ("/reported_results/0/conditions/lane_metres",)


# The command


def project(folder: Path, data: dict[str, Any]) -> Path:
    (folder / "site" / "records").mkdir(parents=True)
    (folder / "site" / "records" / "brook.json").write_text(serial.json_text(data) + "\n", "utf-8")
    (folder / "site" / "records" / "brook.audit.yml").write_text("[]\n", "utf-8")
    path = folder / "documents" / "brook-labs" / "runs" / COMMIT / "REPORT.md"
    path.parent.mkdir(parents=True)
    path.write_text(REPORT, "utf-8")
    return folder / "site"


def run(site: Path, *arguments: str) -> int:
    return main(["verify", "--project", str(site), "-q", *arguments])


def receipt_of(site: Path) -> dict[str, Any]:
    receipt: dict[str, Any] = json.loads((site / "records" / "brook.verified.json").read_text("utf-8"))
    return receipt


def test_the_command_writes_a_receipt_that_the_page_shows(tmp_path: Path) -> None:
    site = project(tmp_path, record())
    assert run(site, "--snapshots", str(tmp_path / "documents")) == DONE
    assert receipt_of(site)["sources"][0]["obtained"] == "snapshot"
    assert main(["build", "--project", str(site), "--out", str(tmp_path / "out"), "-q"]) == DONE
    page = (tmp_path / "out" / "notes" / "brook" / "index.html").read_text("utf-8")
    assert f"against {len(REPORT)} bytes with this hash" in page
    assert "line 5, verified</a>" in page


def test_documents_may_lie_by_their_hash(tmp_path: Path) -> None:
    site = project(tmp_path, record())
    folder = tmp_path / "by" / "by-hash"
    folder.mkdir(parents=True)
    (folder / hashlib.sha256(REPORT.encode()).hexdigest()).write_text(REPORT, "utf-8")
    assert run(site, "--snapshots", str(tmp_path / "by")) == DONE
    assert receipt_of(site)["values"][0]["outcome"] == "verified"


def test_nothing_supplied_is_no_error_unless_all_is_required(tmp_path: Path) -> None:
    site = project(tmp_path, record())
    assert run(site) == DONE
    assert run(site, "--require-all") == SURROUNDINGS
    assert main(["build", "--project", str(site), "--out", str(tmp_path / "out"), "-q"]) == DONE
    assert "Declared, not re-verified" in (tmp_path / "out" / "notes" / "brook" / "index.html").read_text("utf-8")


def test_a_contradicted_value_is_content_and_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = record(value=Decimal("12.51"))
    site = project(tmp_path, data)
    assert run(site, "--snapshots", str(tmp_path / "documents")) == CONTENT
    assert "/reported_results/0/evidence: the document does not print 12.51 there" in capsys.readouterr().err
    assert main(["check", "--project", str(site), "--strict"]) == CONTENT
    assert "[value-absent]" in capsys.readouterr().err


def test_a_receipt_of_another_value_or_pin_is_stale(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = project(tmp_path, record())
    assert run(site, "--snapshots", str(tmp_path / "documents")) == DONE
    path = site / "records" / "brook.json"
    path.write_text(path.read_text("utf-8").replace("12.50", "12.60"), "utf-8")
    assert main(["check", "--project", str(site), "--strict"]) == CONTENT
    assert "[receipt-stale]" in capsys.readouterr().err


AT = "/reported_results/0"
# Code, change of the row, change of the source, the bytes served, where it is found.
FIRES: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("condition-without-line", {}, {}, REPORT, f"{AT}/conditions/lanes"),
    (
        "condition-elsewhere",
        {"condition_evidence": {"lanes": {"document": "report", "line": Decimal(9), "exact": "Four lanes"}}},
        {},
        REPORT,
        f"{AT}/condition_evidence/lanes",
    ),
    ("hash-differs", {}, {}, REPORT.replace("gave", "Gave"), "/sources/0"),
    (
        "source-drifted",
        {},
        {"revision": "copy-1", "public_URL_is_immutable": False, "pinned_url": "https://brook.example.org/notes"},
        REPORT.replace("gave", "Gave"),
        "/sources/0",
    ),
    ("line-moved", {"evidence": {"document": "report", "line": Decimal(4)}}, {}, REPORT, f"{AT}/evidence"),
    ("value-absent", {"value": Decimal("12.51")}, {}, REPORT, f"{AT}/evidence"),
]
CODES = {"receipt-stale", *(code for code, *_ in FIRES)}


@pytest.mark.parametrize(("code", "row", "source", "served", "pointer"), FIRES, ids=[code for code, *_ in FIRES])
def test_what_a_receipt_tells_is_a_finding(
    tmp_path: Path, code: str, row: dict[str, Any], source: dict[str, Any], served: str, pointer: str
) -> None:
    data = record(**row)
    data["sources"][0] |= source
    site = project(tmp_path, data)
    by_hash = tmp_path / "by" / "by-hash" / data["sources"][0]["document_sha256"]
    by_hash.parent.mkdir(parents=True)
    by_hash.write_text(served, "utf-8")
    run(site, "--snapshots", str(tmp_path / "by"))
    (checked,) = check(load.load(Project(site)), frozenset(), drafts=False).explainers
    assert (code, pointer) in [(f.code, f.pointer) for f in checked.findings]


CHANGES: dict[str, dict[str, Any]] = {
    "value": {"value": Decimal("12.5")},
    "unit": {"unit": "replies/h"},
    "line": {"evidence": {"document": "report", "line": Decimal(4)}},
    "column": {"evidence": {"document": "report", "line": Decimal(5), "column": "One lane"}},
    "statistic": {"statistic": "median"},
    "metric": {"metric": "another_rate"},
    "label": {"label": "two lanes"},
    "condition": {"conditions": {"lanes": Decimal(2)}},
}


def answers(site: Path, change: dict[str, Any]) -> tuple[list[str], bool]:
    """Return the values that a receipt speaks of when the row of the record is changed, and whether it is stale."""
    (document,) = load.load(Project(site)).documents
    return answers_to(site, {**document.data, "reported_results": [document.data["reported_results"][0] | change]})


def answers_to(site: Path, data: dict[str, Any]) -> tuple[list[str], bool]:
    """Return the same for a record of other data."""
    (document,) = load.load(Project(site)).documents
    shaped = shape.record(document.file, data)
    assert isinstance(shaped, Record)
    found, _, findings = receipts.read(replace(document, data=data), campaigns.merged(shaped))
    return list(found.values), any(f.code == "receipt-stale" for f in findings)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_answer_holds_only_as_long_as_the_question(tmp_path: Path, change: dict[str, Any]) -> None:
    site = project(tmp_path, record())
    assert run(site, "--snapshots", str(tmp_path / "documents")) == DONE
    assert answers(site, {}) == (["/reported_results/0/evidence"], False)
    assert answers(site, change) == ([], True)


def two_parts(zone: str, time: str) -> dict[str, Any]:
    """Return a record whose results and campaign have several words that tell their rows apart."""
    one = record(conditions={"zone": zone, "time": time})
    [row] = one["reported_results"]
    evidence = {"document": "report", "line": Decimal(5), "exact": "One lane"}
    campaign = {"id": "north", "label": zone, "weather": time, "evidence": evidence}
    other = row | {"label": "at rest", "conditions": {"time": "noon", "zone": "west"}}
    return one | {"reported_results": [row, other], "campaigns": [campaign]}


def test_keys_in_another_order_ask_the_same_and_swapped_words_do_not(tmp_path: Path) -> None:
    data = two_parts("east", "dawn")
    site = project(tmp_path, data)
    run(site, "--snapshots", str(tmp_path / "documents"))
    held = [f"/{name}/evidence" for name in ("reported_results/0", "reported_results/1", "campaigns/0")]
    assert answers_to(site, data) == (held, False)
    assert [*turned(data)] != [*data]
    assert answers_to(site, turned(data)) == (held, False)
    # The other row says what it said.
    assert answers_to(site, two_parts("dawn", "east")) == (held[1:2], True)


def test_a_value_is_no_longer_verified_when_its_document_has_another_pin(tmp_path: Path) -> None:
    site = project(tmp_path, record())
    assert run(site, "--snapshots", str(tmp_path / "documents")) == DONE
    path = site / "records" / "brook.json"
    old = hashlib.sha256(REPORT.encode()).hexdigest()
    path.write_text(path.read_text("utf-8").replace(old, "b" * 64), "utf-8")
    assert run(site) == DONE
    assert [v["outcome"] for v in receipt_of(site)["values"]] == ["not-checked"]


def test_an_earlier_receipt_keeps_what_is_not_supplied_again(tmp_path: Path) -> None:
    site = project(tmp_path, record())
    assert run(site, "--snapshots", str(tmp_path / "documents")) == DONE
    before = receipt_of(site)
    assert run(site) == DONE
    assert receipt_of(site) == before


def test_merging_takes_what_is_new(tmp_path: Path) -> None:
    data = record()
    shaped = shape.record("records/brook.json", data)
    assert isinstance(shaped, Record)
    old = verify(data, campaigns.merged(shaped), lambda s: Obtained(b"other", "clone"), "2025-03-01")
    new = verify(data, campaigns.merged(shaped), lambda s: Obtained(REPORT.encode(), "snapshot"), "2025-03-02")
    assert merged(new, old) == new
    assert merged(verify(data, campaigns.merged(shaped), lambda s: Obtained(), "2025-03-03"), new) == new


def test_a_broken_receipt_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = project(tmp_path, record())
    (site / "records" / "brook.verified.json").write_text('{"format": 9, "sources": [], "values": []}\n', "utf-8")
    assert main(["check", "--project", str(site)]) == CONTENT
    said = capsys.readouterr().err
    assert "[schema-version]" in said
    assert "Take records/brook.verified.json away, and run verify again." in said


@pytest.mark.skipif(not (SHARED / "sources").is_dir(), reason="the documents are not at hand")
def test_every_value_of_the_seed_and_of_the_shipped_records_is_verified(tmp_path: Path) -> None:
    shipped = Path(__file__).resolve().parents[1] / "records"
    for name, files in {"ours": [*shipped.iterdir()], "seed": [SHARED / "seeds" / "A15.json"]}.items():
        folder = tmp_path / name / "records"
        folder.mkdir(parents=True)
        for file in files:
            if not file.name.endswith(".verified.json"):
                (folder / file.name).write_bytes(file.read_bytes())
        shutil.copytree(shipped.parent / "assets", tmp_path / name / "assets")
        assert run(tmp_path / name, "--snapshots", str(SHARED / "sources")) == DONE
        for path in folder.glob("*.verified.json"):
            values = json.loads(path.read_text("utf-8"))["values"]
            assert len(values) >= 16
            assert {v["outcome"] for v in values} == {"verified"}


# --- places in JSON lines, in CSV, and in files with what JSON has no number for

LINES = '{"a": 1.50, "b": NaN}\n\n{"a": 2.50, "b": null, "c": 7.5e-05}\n'
CSV = "Metric,avg,p99\nWait (ms),4.71,14.71\n\nMetric,Value\nCount,4.00\n"


def at(value: str | None, line: int, pointer: str, exact: str | None = None, text: str = LINES) -> Place | None:
    number = Decimal(value) if value is not None else None
    return placed(Wanted("/x", "report", line, number, at=pointer, exact=exact), text)


def test_a_pointer_leads_into_the_json_line_that_evidence_names() -> None:
    assert at("1.5", 1, "/a") == Place(1, "1.50")
    assert at("2.5", 3, "/a") == Place(3, "2.50")
    assert at("2.5", 1, "/a") is None
    assert at("2.5", 2, "/a") is None
    assert at("2.5", 3, "/d") is None


def test_nan_null_and_exponents_are_found_as_they_are_written() -> None:
    assert at(None, 1, "/b", "NaN") == Place(1, "NaN")
    assert at(None, 3, "/b", "null") == Place(3, "null")
    assert at(None, 3, "/b", "NaN") is None
    assert at("0", 3, "/b") is None
    assert at("0.000075", 3, "/c") == Place(3, "7.5e-05")
    assert at("0.00075", 3, "/c") is None


def test_a_document_with_a_key_twice_proves_nothing() -> None:
    assert at("1", 1, "/a", text='{"a": 1}') == Place(1, "1")
    assert at("1", 1, "/a", text='{"a": 1, "a": 1}') is None
    assert at("1", 1, "/a", text='\ufeff{"a": 1}') == Place(1, "1")


def test_a_csv_cell_stands_under_its_head() -> None:
    def cell(value: str, line: int, column: str) -> Place | None:
        return placed(wanted(value, line, column=column), CSV)

    assert cell("14.71", 2, "p99") == Place(2, "14.71")
    assert cell("4.71", 2, "p99") is None
    assert cell("4", 5, "Value") == Place(5, "4.00")
    assert cell("4.71", 2, "Value") is None
    assert cell("4", 5, "avg") is None


def test_a_table_rule_may_be_one_dash() -> None:
    rows = ["| a | b (ms) |", "| - | -: |", "| x | 4.71 |"]
    assert find(rows, wanted("4.71", 3, column="b (ms)")) == Place(3, "4.71 ms")
    assert find(rows, wanted("4.71", 3, column="a")) is None

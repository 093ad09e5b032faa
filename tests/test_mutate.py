"""Slips of the pen on bound numbers: which there are, which are caught, and that one which is not is told."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from site_src import binding, mutation, serial
from site_src.claims.mutations import of_digits, of_token
from site_src.claims.tokens import tokens
from site_src.cli import main
from site_src.exits import CONTENT, DONE
from site_src.problems import Surroundings
from site_src.project import Project
from tests.records import sound

DOCUMENT = "# Runs\n\n| lanes | replies/min |\n|---|---|\n| 4 | **12.50** |\n| 4 | 12.5 |\n\n\nBoth ran.\n"


def edits(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for token in tokens(text):
        for edit in of_token(text, token):
            found.setdefault(edit.kind, set()).add(edit.of(text))
    return found


def test_digits_are_changed_dropped_and_transposed() -> None:
    found = edits("took 12.0 s")
    assert len(found["digit"]) == 27
    assert found["dropped digit"] == {"took 2.0 s", "took 1.0 s", "took 12. s"}
    assert found["transposition"] == {"took 21.0 s", "took 10.2 s"}
    assert found["unit"] == {"took 12.0 ms", "took 12.0 min"}


def test_a_word_becomes_its_neighbours_and_keeps_its_capital() -> None:
    assert edits("Four lanes")["number word"] == {"Three lanes", "Five lanes"}
    assert edits("no lanes")["number word"] == {"one lanes"}
    assert edits("thirty lanes")["number word"] == {"twenty lanes", "forty lanes"}


def test_a_glued_unit_is_parted_when_it_is_changed() -> None:
    assert edits("40GB")["unit"] == {"40 MB", "40 GiB"}


def test_one_digit_is_never_dropped() -> None:
    assert {e.kind for e in of_digits("7", 0)} == {"digit"}


def project(folder: Path, body: str, change: dict[str, Any] | None = None) -> Project:
    """Return a project of one bound record."""
    data = sound() | {"body_markdown": body, "summary": "A run.", "answer": "It ran."} | (change or {})
    (folder / "records").mkdir(parents=True)
    (folder / "records" / "brook.json").write_text(serial.json_text(data) + "\n", "utf-8")
    found = Project(folder.resolve())
    (bound,) = binding.bindings(found, [])
    assert [d.spot.token.written for d in bound.drafts if d.why] == []
    binding.write(found, bound)
    return found


def mutated(found: Project, sample: int = 0, folder: Path | None = None) -> mutation.Outcome:
    (outcome,) = mutation.mutate(found, binding.bindings(found, []), sample, folder)
    return outcome


def test_every_slip_of_a_bound_number_is_caught_in_process_and_by_the_whole_check(tmp_path: Path) -> None:
    found = project(tmp_path, "The rate was 12.50 replies/min over 4 lanes.")
    outcome = mutated(found, sample=500)
    assert outcome.survivors == ()
    assert outcome.disagreeing == ()
    assert outcome.sampled == sum(outcome.tried.values())
    assert outcome.caught == outcome.tried
    # 12.50 and 4: nine other digits for each of five; 12.50 against 4.
    assert {k: c.tried for k, c in outcome.counts().items()} == {
        "digit": 45,
        "dropped digit": 4,
        "transposition": 3,
        "swap": 1,
        "field digit": 45,
    }


def test_a_slip_that_no_check_can_see_is_told(tmp_path: Path) -> None:
    # The text holds the number twice, so that one slip leaves the other to agree.
    lanes = {"lanes_used": "4 lanes of 4 lanes", "metric_denominator": "wall time", "repetitions": Decimal(1)}
    row = {**sound()["reported_results"][0], "conditions": lanes}
    found = project(tmp_path, "All 4 lanes used.", {"reported_results": [row]})
    outcome = mutated(found)
    assert outcome.counts()["field digit"].caught < outcome.counts()["field digit"].tried
    assert outcome.survivors[0].startswith("field digit: /reported_results/0/conditions/lanes_used: ")


def test_a_record_without_a_lock_is_not_mutated(tmp_path: Path) -> None:
    found = project(tmp_path, "The rate was 12.50 replies/min.")
    (tmp_path / "records" / "brook.claims.json").unlink()
    with pytest.raises(Surroundings, match="Run bind first"):
        mutated(found)


def test_counts_are_kept_with_the_claims_and_dropped_when_one_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = project(tmp_path, "The rate was 12.50 replies/min.")
    lock = tmp_path / "records" / "brook.claims.json"
    assert main(["mutate", "--project", str(tmp_path), "--sample", "0", "--write", "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    held = json.loads(lock.read_text("utf-8"))
    assert held["mutated"]["kinds"] == told[0]["kinds"]
    assert main(["bind", "--project", str(tmp_path), "-q"]) == DONE
    assert json.loads(lock.read_text("utf-8")) == held
    record = tmp_path / "records" / "brook.json"
    record.write_text(record.read_text("utf-8").replace("The rate was", "Then the rate was"), "utf-8")
    assert main(["bind", "--project", str(tmp_path), "-q", "--keep"]) == DONE
    assert "mutated" not in json.loads(lock.read_text("utf-8"))
    assert binding.bindings(found, [])[0].explainer.claims.mutated is None


def test_the_command_exits_with_content_where_a_slip_survives(tmp_path: Path) -> None:
    lanes = {"lanes_used": "4 lanes of 4 lanes", "metric_denominator": "wall time", "repetitions": Decimal(1)}
    row = {**sound()["reported_results"][0], "conditions": lanes}
    project(tmp_path, "All 4 lanes used.", {"reported_results": [row]})
    assert main(["mutate", "--project", str(tmp_path), "--sample", "0", "-q"]) == CONTENT


# Evidence lines


def with_document(folder: Path, line: int, exact: str | None = None) -> tuple[Project, Path]:
    row = {k: v for k, v in sound()["reported_results"][0].items() if not k.startswith(("source_", "evidence_url"))}
    entry = {"document": "report", "line": Decimal(line)} | ({"exact": exact} if exact else {})
    source = {**sound()["sources"][0], "document_sha256": hashlib.sha256(DOCUMENT.encode()).hexdigest()}
    change = {"reported_results": [{**row, "evidence": entry}], "sources": [source]}
    found = project(folder / "site", "The rate was 12.50 replies/min.", {**change, "schema_version": "1.1.0"})
    place = folder / "documents" / source["repository"] / source["revision"] / source["document_path"]
    place.parent.mkdir(parents=True)
    place.write_text(DOCUMENT, "utf-8")
    return found, folder / "documents"


@pytest.mark.parametrize(
    ("line", "exact", "counts"),
    [(5, "12.50", (2, 2, 0)), (5, None, (1, 2, 1)), (6, "12.5", (2, 2, 0))],
    ids=["cell", "a neighbour of equal value", "no longer number"],
)
def test_an_evidence_line_one_off_is_caught_or_exempt(
    tmp_path: Path, line: int, exact: str | None, counts: tuple[int, int, int]
) -> None:
    found, documents = with_document(tmp_path, line, exact)
    count = mutated(found, folder=documents).counts()["evidence line"]
    assert (count.caught, count.tried, count.exempt) == counts


def test_a_line_that_does_not_print_its_cell_survives(tmp_path: Path) -> None:
    found, documents = with_document(tmp_path, 9, "12.50")
    outcome = mutated(found, folder=documents)
    assert outcome.survivors == ("evidence line: /reported_results/0/evidence: line 9 does not print it",)


def test_other_bytes_are_not_the_document(tmp_path: Path) -> None:
    found, documents = with_document(tmp_path, 5, "12.50")
    (path,) = documents.rglob("REPORT.md")
    path.write_text(DOCUMENT + "\n", "utf-8")
    outcome = mutated(found, folder=documents)
    assert "evidence line" not in outcome.counts()
    assert outcome.unread == ("source 1",)

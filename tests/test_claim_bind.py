"""The claim lock over time: what a second binding asks after prose or record changed, and what `check` says then."""

from __future__ import annotations

import copy
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from site_src.cli import main
from site_src.exits import CONTENT, DONE, SURROUNDINGS
from site_src.project import Project
from tests.claim_samples import LOCK, bind, bound, claims, codes, problems, project, put, put_claims, record, row

OFF = "With drafting off the batch printed 329.010 tokens/s."
ON = "With drafting on it printed 402.55 tokens/s."
MEMORY = "After the run 7.52 GiB of memory were free and 81.30 GiB were used."
FIRST = "The first token came after 4.71 s."
BODY = f"{OFF} {ON}\n\n{MEMORY}\n\n{FIRST}"


@pytest.fixture
def tarn(tmp_path: Path) -> Project:
    """Return a record whose five numbers are bound."""
    return bound(tmp_path, record(BODY))


def rebound(tarn: Project, data: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Write the record anew; return each number that is asked about, and why."""
    put(tarn.root, data)
    return [(d.spot.token.written, d.why) for d in bind(tarn).drafts if d.why]


def renewed(tarn: Project, data: dict[str, Any]) -> dict[str, str | None]:
    """Write the record anew and bind it without a question; return number → pointer."""
    assert rebound(tarn, data) == []
    assert main(["bind", "-q", "--project", str(tarn.root)]) == DONE
    assert codes(tarn) == []
    return {line["written"]: line.get("pointer") for line in claims(tarn)}


def test_a_second_binding_asks_nothing_and_changes_no_byte(tarn: Project, capsys: pytest.CaptureFixture[str]) -> None:
    before = (tarn.root / LOCK).read_bytes()
    assert codes(tarn) == []
    assert main(["bind", "tarn", "--project", str(tarn.root)]) == DONE
    told, ended = capsys.readouterr().out.splitlines()
    assert told == f"{LOCK}: 5 of 5 numbers have a class, 0 open; unchanged"
    assert re.fullmatch(r"1 record, 5 numbers, 0 open in \d+\.\d s", ended)
    assert (tarn.root / LOCK).read_bytes() == before


def test_a_record_without_numbers_gets_no_lock(tmp_path: Path) -> None:
    found = project(tmp_path, record("It ran.", summary="A run.", relations=[], reported_results=[]))
    assert main(["bind", "-q", "--project", str(found.root)]) == DONE
    assert not (tmp_path / LOCK).exists()


# --- prose that changed


@pytest.mark.parametrize(
    "body",
    [
        f"{FIRST}\n\n{BODY.removesuffix(FIRST)}",
        f"{ON} {OFF}\n\n{MEMORY}\n\n{FIRST}",
        f"## Rates\n\n{OFF} {ON}\n\n## Memory\n\n{MEMORY}\n\n{FIRST}",
        f"> {BODY}".replace("\n\n", "\n>\n> "),
        BODY.replace("\n\n", "\n\nMore words, and none of them counts.\n\n"),
        BODY.replace("329.010", "**329.010**"),
        BODY.replace(" ", "\n"),
    ],
    ids=["moved up", "changed places", "under headings", "quoted", "new neighbours", "emphasised", "wrapped"],
)
def test_a_sentence_that_moved_as_it_was_asks_nothing(tarn: Project, body: str) -> None:
    pointers = {line["written"]: line["pointer"] for line in claims(tarn)}
    assert renewed(tarn, record(body)) == pointers


def test_a_sentence_that_moved_into_a_field_of_the_record_asks_nothing_or_proposes_the_same(tarn: Project) -> None:
    data = record(BODY.replace(f"\n\n{FIRST}", ""), answer=FIRST)
    assert renewed(tarn, data)["4.71"] == "/reported_results/4/value"


def test_a_reworded_sentence_asks_one_question(tarn: Project) -> None:
    body = BODY.replace("After the run", "When all of it had ended,")
    assert rebound(tarn, record(body)) == [("7.52", "sentence"), ("81.30", "sentence")]
    (question,) = bind(tarn).questions
    assert [d.entry.pointer for d in question.drafts] == ["/reported_results/2/value", "/reported_results/3/value"]
    (told,) = problems(tarn)
    assert (told.code, told.message) == (
        "claim-stale",
        "the words around “7.52” and “81.30” changed since they were bound",
    )


def test_a_reworded_sentence_stays_a_question_until_it_is_answered(
    tarn: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tarn.root, record(BODY.replace("came after", "stood there after")))
    for state in ("written", "unchanged"):
        assert main(["bind", "--project", str(tarn.root)]) == CONTENT
        said = capsys.readouterr()
        assert said.err.count("[claim-stale]") == 1
        assert "/reported_results/4/value  first token" in said.err
        assert said.out.splitlines()[0] == f"{LOCK}: 4 of 5 numbers have a class, 1 open; {state}"
        assert codes(tarn) == ["claim-stale"]
    assert main(["bind", "--keep", "-q", "--project", str(tarn.root)]) == DONE
    assert codes(tarn) == []


def test_what_is_kept_must_still_agree(tarn: Project, capsys: pytest.CaptureFixture[str]) -> None:
    put(tarn.root, record(BODY.replace("came after 4.71", "stood there after 4.72")))
    assert main(["bind", "--keep", "-q", "--project", str(tarn.root)]) == CONTENT
    assert "[claim-open]" in capsys.readouterr().err


def test_a_removed_sentence_drops_its_lines_alone(tarn: Project) -> None:
    found = renewed(tarn, record(BODY.replace(f" {ON}", "")))
    assert set(found) == {"329.010", "7.52", "81.30", "4.71"}


def test_a_new_sentence_is_bound_and_the_others_are_left_alone(tarn: Project) -> None:
    lines = claims(tarn)
    found = renewed(tarn, record(f"{BODY}\n\nIt took 41.75 s of wall time."))
    assert found["41.75"] == "/reported_results/0/conditions/wall_seconds"
    assert claims(tarn)[: len(lines)] == lines


def test_a_number_changed_in_prose_is_asked_about_alone(tarn: Project) -> None:
    assert rebound(tarn, record(BODY.replace("402.55", "402.56"))) == [("402.56", "differs")]
    (told,) = problems(tarn)
    assert told.code == "claim-differs"
    assert "the record holds 402.55 tokens/s" in told.message


def test_two_equal_sentences_are_told_apart_by_order(tmp_path: Path) -> None:
    rows = [
        row(f"box {b}", "aggregate_output_rate", v, "tokens/s", n) for b, v, n in (("a", "61.5", 1), ("b", "62.5", 2))
    ]
    data = record("- It printed 61.5 tokens/s.\n- It printed 62.5 tokens/s.", reported_results=rows, relations=[])
    found = bound(tmp_path, data)
    assert [line.get("ordinal", 0) for line in claims(found)] == [0, 1]
    put(tmp_path, data | {"body_markdown": "- It printed 62.5 tokens/s.\n- It printed 61.5 tokens/s."})
    assert codes(found) == ["claim-differs", "claim-differs"]


# --- a record that changed


def changed(path: str, value: Any, body: str = BODY) -> dict[str, Any]:
    """Return the sample with one value of one result changed."""
    data = record(body)
    at, key = path.split("/")
    data["reported_results"][int(at)][key] = value
    return data


def test_a_value_changed_in_the_record_names_the_sentences_that_must_change(tmp_path: Path) -> None:
    body = f"{BODY}\n\nAgain: drafting off printed 329.010 tokens/s."
    found = bound(tmp_path, record(body, answer=OFF))
    put(tmp_path, changed("0/value", Decimal("329.110"), body) | {"answer": OFF})
    told = problems(found)
    assert [(p.code, p.pointer) for p in told] == [
        ("claim-differs", "/answer"),
        ("claim-differs", "/body_markdown"),
        ("claim-differs", "/body_markdown"),
    ]
    assert all("the record holds 329.110 tokens/s at /reported_results/0/value" in p.message for p in told)
    assert [(d.spot.token.written, d.why) for d in bind(found).drafts if d.why] == [("329.010", "differs")] * 3


def test_a_value_changed_in_record_and_prose_is_renewed(tarn: Project) -> None:
    body = BODY.replace("402.55 tokens/s", "403.00 tok/s")
    put(tarn.root, changed("1/value", Decimal("403.00"), body))
    assert codes(tarn) == ["claim-stale"]
    assert renewed(tarn, changed("1/value", Decimal("403.00"), body))["403.00"] == "/reported_results/1/value"


def test_a_unit_changed_in_record_and_prose_is_renewed(tarn: Project) -> None:
    body = BODY.replace("7.52 GiB", "7.52 GB")
    renewed(tarn, changed("2/unit", "GB", body))
    assert [line["unit"] for line in claims(tarn) if line["written"] == "7.52"] == ["GB"]


def test_a_row_put_before_others_is_followed_by_its_label(tarn: Project) -> None:
    data = record(BODY)
    data["reported_results"].insert(0, row("warm-up", "aggregate_output_rate", "11.25", "tokens/s", 9))
    data["relations"] = []
    put(tarn.root, data)
    assert set(codes(tarn)) == {"claim-differs", "claim-pointer"}
    found = renewed(tarn, data)
    assert found["329.010"] == "/reported_results/1/value"
    assert found["4.71"] == "/reported_results/5/value"


def test_rows_that_changed_places_are_followed_by_their_labels(tarn: Project) -> None:
    data = record(BODY)
    rows = data["reported_results"]
    rows[2], rows[3] = rows[3], rows[2]
    found = renewed(tarn, data)
    assert (found["7.52"], found["81.30"]) == ("/reported_results/3/value", "/reported_results/2/value")


def test_a_renamed_row_keeps_its_numbers(tarn: Project) -> None:
    data = changed("2/label", "memory that was left")
    put(tarn.root, data)
    assert codes(tarn) == ["claim-pointer"]
    assert renewed(tarn, data)["7.52"] == "/reported_results/2/value"
    assert {line["row"] for line in claims(tarn)} >= {"memory that was left"}


def test_a_row_that_is_gone_is_asked_about(tarn: Project) -> None:
    data = record(BODY)
    del data["reported_results"][4]
    assert rebound(tarn, data) == [("4.71", "differs")]
    assert codes(tarn) == ["claim-pointer"]


def test_two_rows_of_one_label_are_asked_about(tarn: Project) -> None:
    data = record(BODY)
    data["reported_results"].insert(0, copy.deepcopy(data["reported_results"][0]))
    data["reported_results"][0]["value"] = Decimal("330.000")
    data["relations"] = []
    assert ("329.010", "differs") in rebound(tarn, data)


def test_a_field_that_became_null_is_asked_about(tarn: Project) -> None:
    assert rebound(tarn, changed("4/value", None)) == [("4.71", "differs")]


# --- lines that a hand edits


def test_an_open_number_is_chosen_by_editing_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = project(tmp_path, record("That was 4 of them, in 12 parts."))
    assert main(["bind", "-q", "--project", str(tmp_path)]) == CONTENT
    assert [line["class"] for line in claims(found)] == ["open", "open"]
    assert codes(found) == ["claim-open", "claim-open"]
    four, twelve = claims(found)
    chosen = {k: v for k, v in four.items() if k not in {"class", "fits", "row"}}
    chosen |= {"class": "claim", "pointer": "/reported_results/0/conditions/concurrency"}
    put_claims(found, [chosen, twelve | {"class": "plain", "reason": "parts of this page"}])
    assert codes(found) == ["claim-pointer"]
    assert main(["bind", "-q", "--project", str(tmp_path)]) == DONE
    assert codes(found) == []
    assert claims(found)[0]["row"] == "drafting off"
    assert capsys.readouterr().err.count("[claim-open]") == 2


def test_a_line_that_is_deleted_is_proposed_anew(tarn: Project) -> None:
    lines = claims(tarn)
    put_claims(tarn, lines[1:])
    assert codes(tarn) == ["claim-open"]
    assert main(["bind", "-q", "--project", str(tarn.root)]) == DONE
    assert claims(tarn) == lines


# --- the command


def test_dry_run_writes_nothing_and_says_what_it_would(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = project(tmp_path, record(BODY))
    assert main(["bind", "--dry-run", "--project", str(tmp_path)]) == DONE
    assert not (tmp_path / LOCK).exists()
    told, _ = capsys.readouterr().out.splitlines()
    assert told == f"{LOCK}: 5 of 5 numbers have a class, 0 open; would be written"
    assert main(["bind", "-q", "--project", str(found.root)]) == DONE
    assert capsys.readouterr().out == ""
    assert main(["bind", "--dry-run", "--project", str(tmp_path)]) == DONE
    assert "0 open; unchanged" in capsys.readouterr().out


def test_json_holds_claims_and_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, record(f"{FIRST} That was in 4 parts of 12."))
    assert main(["bind", "--json", "--project", str(tmp_path)]) == CONTENT
    said = capsys.readouterr()
    assert said.err == ""
    (told,) = json.loads(said.out)
    assert set(told) == {"record", "file", "claims", "questions"}
    assert (told["record"], told["file"]) == ("tarn", LOCK)
    assert [(c["written"], c["class"], c["pointer"]) for c in told["claims"]] == [
        ("4.71", "claim", "/reported_results/4/value")
    ]
    four, twelve = told["questions"]
    assert (four["written"], four["why"], twelve["written"], twelve["why"]) == ("4", "open", "12", "open")
    assert "/reported_results/0/conditions/concurrency" in four["fits"]
    assert twelve["fits"] == []


def test_without_a_terminal_open_numbers_are_listed_with_the_fields_that_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, record("It was 4 of them."))
    assert main(["bind", "--project", str(tmp_path)]) == CONTENT
    said = capsys.readouterr()
    assert "records/tarn.json:" in said.err
    assert "“4” may mean more than one field, or none  [claim-open]" in said.err
    assert "    1  4  /reported_results/0/conditions/concurrency\n" in said.err
    assert "drafting off; " in said.err
    told, _ = said.out.splitlines()
    assert told == f"{LOCK}: 0 of 1 numbers have a class, 1 open; written"


def test_an_unknown_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, record(BODY))
    assert main(["bind", "heron", "--project", str(tmp_path)]) == SURROUNDINGS
    assert capsys.readouterr().err == "No record has the id heron. There are: tarn.\n"


def test_only_the_named_records_are_bound(tmp_path: Path) -> None:
    project(tmp_path, record(BODY))
    written = (tmp_path / "records" / "tarn.json").read_text("utf-8")
    (tmp_path / "records" / "mere.json").write_text(written.replace("tarn", "mere"), "utf-8")
    assert main(["bind", "-q", "mere", "--project", str(tmp_path)]) == DONE
    assert (tmp_path / "records" / "mere.claims.json").is_file()
    assert not (tmp_path / LOCK).exists()


def test_a_broken_lock_is_reported_and_left_as_it_is(tarn: Project, capsys: pytest.CaptureFixture[str]) -> None:
    lock = tarn.root / LOCK
    lock.write_text('{"format": 2, "claims": []}')
    assert main(["bind", "--project", str(tarn.root)]) == CONTENT
    assert "[schema-version]" in capsys.readouterr().err
    assert lock.read_text() == '{"format": 2, "claims": []}'

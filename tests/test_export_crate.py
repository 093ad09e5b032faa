"""export ro-crate: every file is there and described, values keep their digits and nulls their reasons."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from site_src.cli import CONTENT, DONE, SURROUNDINGS, USAGE, main
from site_src.project import RESOURCES
from tests import exports
from tests.records import COMMIT

LICENCE: Final = "https://example.org/licence"
SETTINGS: Final = f'title: "Brook notes"\nlicense: {LICENCE}\nsite_url: https://example.org/notes/\n'
METADATA: Final = "ro-crate-metadata.json"


def project(root: Path, **fields: Any) -> Path:
    made = exports.project(root, **fields).root
    (made / "records" / "site.yml").write_text(SETTINGS, "utf-8")
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path / "project")


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def exported(root: Path, *options: str) -> tuple[dict[str, bytes], dict[str, dict[str, Any]]]:
    """Return the files of the crate and its entities by their @id."""
    assert main(["export", "ro-crate", "brook", "--project", str(root), *options]) == DONE
    files = tree(root / "export" / "brook-ro-crate")
    graph = json.loads(files[METADATA])["@graph"]
    entities = {entity["@id"]: entity for entity in graph}
    assert len(entities) == len(graph), "each entity stands once"
    return files, entities


def references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in references(item)]
    return [value["@id"]] if isinstance(value, dict) else []


def test_what_is_one_value_is_no_list(root: Path) -> None:
    _, entities = exported(root)
    assert entities["./"]["isBasedOn"] == {"@id": "#src-1"}
    lists = [value for entity in entities.values() for value in entity.values() if isinstance(value, list)]
    assert lists
    assert all(len(value) > 1 for value in lists)


def told(entities: dict[str, dict[str, Any]], number: int) -> dict[str, str]:
    """Return what is told beside a value, by name."""
    beside = references(entities[f"#result-{number}"]["valueReference"])
    return {entities[name]["propertyID"]: entities[name]["value"] for name in beside}


def test_every_file_is_described_with_its_size_and_hash(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(root)
    files, entities = exported(root)
    out = re.escape(str(root / "export" / "brook-ro-crate"))
    assert re.fullmatch(rf"1 record, {len(files) - 1} files in \d+\.\d s: {out}\n", capsys.readouterr().out)
    parts = references(entities["./"]["hasPart"])
    assert {*parts} == {*files} - {METADATA, "manifest.json"}
    for path in parts:
        entity = entities[path]
        assert entity["@type"] == "File"
        assert entity["description"]
        assert "/" in entity["encodingFormat"]
        assert entity["encodingFormat"] != "application/octet-stream"
        assert entity["contentSize"] == str(len(files[path]))
        assert entity["sha256"] == hashlib.sha256(files[path]).hexdigest()
    assert {p for p in parts if p.startswith("records/")} == {n for n in before if n.startswith("records/")}
    assert {n: d for n, d in tree(root).items() if not n.startswith("export/")} == before


def test_files_beside_the_guide_are_those_of_the_site(root: Path) -> None:
    files, _ = exported(root)
    assert main(["build", "-q", "--jobs", "1", "--project", str(root)]) == DONE
    site = tree(root / "_site")
    shared = {p: d for p, d in files.items() if p.startswith(("notes/", "assets/"))}
    assert shared
    assert {p: site[p] for p in shared} == shared
    beside = {p for p in site if re.fullmatch(r"notes/brook/[^/]+", p) and not p.endswith(".html")}
    assert beside == {p for p in shared if p.startswith("notes/")}


def test_the_root_tells_title_dates_licence_and_publisher_of_record_and_project(root: Path) -> None:
    _, entities = exported(root)
    whole = entities["./"]
    record = exports.record()
    assert (whole["name"], whole["datePublished"], whole["identifier"]) == ("Brook", record["published_on"], "brook")
    assert whole["license"] == {"@id": LICENCE}
    assert whole["url"] == "https://example.org/notes/notes/brook/"
    assert entities["#site"]["name"] == "Brook notes"
    assert "creativeWorkStatus" not in whole


def test_each_reference_leads_to_an_entity_and_none_is_nested(root: Path) -> None:
    _, entities = exported(root)
    outside = {"https://w3id.org/ro/crate/1.1"}
    for entity in entities.values():
        for key, value in entity.items():
            assert {*references(value)} <= {*entities} | outside, (entity["@id"], key)
            items = value if isinstance(value, list) else [value]
            assert all(set(item) == {"@id"} for item in items if isinstance(item, dict)), (entity["@id"], key)


def test_values_keep_their_digits_and_the_table_says_the_same(root: Path) -> None:
    files, entities = exported(root)
    rows = list(csv.DictReader(io.StringIO(files["notes/brook/results.csv"].decode(), newline="")))
    assert [entities[f"#result-{n}"]["value"] for n in (1, 2)] == ["12.50", "9.75"] == [row["value"] for row in rows]
    assert "#result-3" not in entities
    for number, row in enumerate(rows, 1):
        entity, beside = entities[f"#result-{number}"], told(entities, number)
        assert (entity["name"], entity["propertyID"], entity["unitText"]) == (row["label"], row["metric"], row["unit"])
        assert entity["url"] == row["evidence_url"]
        assert entity["isBasedOn"] == {"@id": "#src-1"}
        for key, value in beside.items():
            if not key.startswith("null_reason."):
                assert row[key] == value
    assert told(entities, 1)["conditions.pool_usage"] == "0.57"
    assert told(entities, 1)["conditions.odd"] == exports.record()["reported_results"][0]["conditions"]["odd"]


def test_a_null_has_no_value_and_says_why_and_a_zero_stays(tmp_path: Path) -> None:
    results = exports.record()["reported_results"]
    results[1] |= {"value": None, "null_reason": "not_run_power", "evidence": {"document": "report"}, "unit": "MiB"}
    results[1]["conditions"] |= {"batch": None, "power": None, "retries": Decimal(0), "cold": False, "empty": ""}
    results[1]["null_reasons"] = {"power": "not_applicable"}
    root = project(tmp_path / "p", reported_results=results, relations=[], body_markdown="It ran.", summary="It ran.")
    _, entities = exported(root)
    assert "value" not in entities["#result-2"]
    assert entities["#result-2"]["unitText"] == "MiB"
    beside = told(entities, 2)
    assert beside["null_reason"] == "not_run_power"
    assert beside["null_reason.conditions.batch"] == "not_reported"
    assert beside["null_reason.conditions.power"] == "not_applicable"
    assert (beside["conditions.retries"], beside["conditions.cold"], beside["conditions.empty"]) == ("0", "false", "")
    assert "null_reason" not in told(entities, 1)


def test_cited_documents_are_named_at_their_commit_and_none_is_lost(tmp_path: Path) -> None:
    first = exports.record()["sources"][0]
    page = "https://brook.example.org/notes"
    more = [
        {**first, "document_id": "data", "publisher": "Brook Data", "license": "https://example.org/by"},
        {**first, "document_id": "page", "pinned_url": page, "revision": "copy-1", "repository": None},
    ]
    more[0] |= {"document_path": "B.md", "pinned_url": first["pinned_url"].replace("REPORT", "B")}
    more[1] |= {"public_URL_is_immutable": False, "publisher": "A pond"}
    _, entities = exported(project(tmp_path / "p", supplemental_sources=more))
    works = [entities[f"#src-{n}"] for n in (1, 2, 3)]
    assert works[0]["url"] == f"https://github.com/brook-labs/runs/blob/{COMMIT}/REPORT.md"
    assert [w["sha256"] for w in works] == [first["document_sha256"]] * 3
    assert [w.get("license") for w in works] == [None, "https://example.org/by", None]
    names = [entities[w["publisher"]["@id"]]["name"] for w in works[:2]]
    assert names == ["Brook Labs", "Brook Data"], "one account, two names"
    assert entities[works[0]["publisher"]["@id"]]["url"] == "https://github.com/brook-labs"
    assert works[2]["publisher"] == "A pond"
    assert works[2]["url"] == page
    assert "Editable page" in works[2]["description"]
    assert "Fixed revision" in works[0]["description"]


def test_a_path_is_an_address_in_the_metadata(tmp_path: Path) -> None:
    files, entities = exported(project(tmp_path / "p", path="/notes/b\u00e4che/"))
    assert "notes/b\u00e4che/record.json" in files
    assert "notes/b%C3%A4che/record.json" in entities


def test_a_file_of_project_and_site_under_one_name_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path / "p", path="/records/")
    (root / "records" / "brook.json").rename(root / "records" / "record.json")
    (root / "records" / "brook.claims.json").unlink()
    file = root / "records" / "record.json"
    file.write_text(file.read_text("utf-8").replace('"id": "brook"', '"id": "record"'), "utf-8")
    assert main(["export", "ro-crate", "record", "--project", str(root)]) == SURROUNDINGS
    assert capsys.readouterr().err.startswith("records/record.json is a file of the project and of its site.")


def test_the_program_made_what_no_editor_keeps(root: Path) -> None:
    files, entities = exported(root)
    made, kept = (references(entities["#export"][key]) for key in ("result", "object"))
    assert sorted([*made, *kept, METADATA, "manifest.json"]) == sorted(files)
    assert {path.partition("/")[0] for path in kept} == {"records"}
    assert entities["#pinpress"]["softwareVersion"]


def test_a_draft_without_a_lock_is_a_crate_and_says_so(root: Path) -> None:
    (root / "records" / "brook.claims.json").unlink()
    file = root / "records" / "brook.json"
    file.write_text(file.read_text("utf-8").replace("{", '{"draft": true,', 1), "utf-8")
    files, entities = exported(root)
    assert entities["./"]["creativeWorkStatus"] == "Draft"
    assert "notes/brook/claims.json" not in files


def test_bytes_are_the_same_again_whatever_the_surroundings(root: Path, tmp_path: Path) -> None:
    made = []
    for seed, zone in (("0", "UTC"), ("7", "Pacific/Auckland")):
        out = tmp_path / f"out-{seed}"
        command = [sys.executable, str(RESOURCES / "build.py"), "export", "ro-crate", "brook", "-q"]
        environment = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        subprocess.run([*command, "--project", str(root), "--out", str(out)], check=True, env=environment)
        made.append(tree(out))
    assert made[0] == made[1]


def test_what_cannot_be_exported_is_told_and_nothing_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", "ro-crate", "brook", "--project", str(root)]
    assert main([*command, "--snapshots", str(root)]) == USAGE
    assert "leave --snapshots out" in capsys.readouterr().err
    assert main([*command[:2], "brok", *command[3:]]) == SURROUNDINGS
    assert "There are: brook." in capsys.readouterr().err
    assert main(["export", "repro", "brook", "-q", "--project", str(root)]) == DONE
    assert main([*command, "--out", str(root / "export" / "brook")]) == SURROUNDINGS
    assert f"no {METADATA}" in capsys.readouterr().err
    (root / "records" / "site.yml").write_text("title: Brook notes\n", "utf-8")
    assert main(command) == CONTENT
    assert "[missing-licence]" in capsys.readouterr().err
    assert not (root / "export" / "brook-ro-crate").exists()

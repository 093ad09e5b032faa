"""export repro: what stands in the folder, that it says what the record says, and that nothing else is touched."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from site_src import assets
from site_src.check import Explainer, check
from site_src.cli import CONTENT, DONE, SURROUNDINGS, USAGE, main
from site_src.exporters import repro
from site_src.exporters.documents import Document, origin
from site_src.exporters.quotations import Quoted
from site_src.load import load
from site_src.model import Source
from site_src.pointers import at_pointer
from site_src.project import RESOURCES, Project
from tests import exports
from tests.records import COMMIT


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return exports.project(tmp_path / "project").root


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def exported(root: Path, *options: str) -> dict[str, Any]:
    assert main(["export", "repro", "brook", "--project", str(root), *options]) == DONE
    told = json.loads((root / "export" / "brook" / "repro.yaml").read_text("utf-8"))
    assert isinstance(told, dict)
    return told


def evidence_of(told: dict[str, Any], written: str) -> list[dict[str, Any]]:
    (claim,) = (c for c in told["claims"] if c["text"].startswith(f"“{written}”"))
    return [e for e in claim["evidence"] if e["artifact"] != "prose"]


def explainer_of(root: Path) -> Explainer:
    project = Project(root)
    (explainer,) = check(load(project), assets.own_names(project)).explainers
    return explainer


def test_the_folder_holds_pinned_texts_and_nothing_else_is_written(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(root)
    told = exported(root)
    out = re.escape(str(root / "export" / "brook"))
    assert re.fullmatch(rf"1 record, 7 claims in \d+\.\d s: {out}\n", capsys.readouterr().out)
    after = tree(root)
    made = {name.removeprefix("export/brook/") for name in after if name.startswith("export/brook/")}
    assert made == {"repro.yaml", "prose.md", "record.json", "derived.json", "README.md", "manifest.json"}
    assert {k: v for k, v in after.items() if not k.startswith("export/")} == before
    for artifact in told["artifacts"]:
        digest = hashlib.sha256(after[f"export/brook/{artifact['path']}"]).hexdigest()
        assert artifact["digest"] == {"algorithm": "sha256", "value": digest}
    assert told["schema_version"] == "repro/1"
    inputs = json.loads(after["export/brook/manifest.json"])["inputs"]
    assert [entry["path"] for entry in inputs] == ["records/brook.claims.json", "records/brook.json"]


def test_numbers_are_read_by_pointer_with_the_digits_of_the_prose(root: Path) -> None:
    told = exported(root)
    at = "/reported_results/0"
    value = {"kind": "metric", "artifact": "record", "name": "reply_rate", "pointer": f"{at}/value"}
    assert evidence_of(told, "12.50") == [value | {"reported": "12.50", "places": 2}]
    (repetitions,) = evidence_of(told, "One")
    assert (repetitions["pointer"], repetitions["reported"]) == (f"{at}/conditions/repetitions", "1")
    (share,) = evidence_of(told, "57 %")
    assert (share["pointer"], share["reported"], share["conversion"]) == (
        f"{at}/conditions/pool_usage",
        "57",
        "percent",
    )
    (label,) = evidence_of(told, "128K")
    assert label["kind"] == "quote"
    assert label["text"].endswith('"length_label": "128K"')
    assert '"value": 12.50' in label["text"], "the row tells it from the other one"
    record = (root / "export" / "brook" / "record.json").read_text("utf-8")
    assert '"value": 12.50,' in record


def test_what_pinpress_computed_is_told_apart(root: Path) -> None:
    told = exported(root)
    computed, *inputs = evidence_of(told, "2.75")
    assert (computed["artifact"], computed["reported"], computed["places"]) == ("derived", "2.75", 2)
    assert computed["pointer"] == "/relations/gap/without_sign", "the prose tells the minus in words"
    derived = json.loads((root / "export" / "brook" / "derived.json").read_text("utf-8"), parse_float=Decimal)
    assert at_pointer(derived, "/relations/gap/value") == Decimal("-2.75")
    assert {e["pointer"]: e["reported"] for e in inputs} == {
        "/reported_results/0/value": "12.50",
        "/reported_results/1/value": "9.75",
    }
    (claim,) = (c for c in told["claims"] if c["text"].startswith("“2.75"))
    assert claim["text"].endswith("Computed by pinpress: a - b.")


def test_each_quotation_stands_in_its_text_once(root: Path) -> None:
    told = exported(root)
    folder = root / "export" / "brook"
    for claim in told["claims"]:
        quote = claim["evidence"][0]
        assert quote["artifact"] == "prose"
        assert (folder / "prose.md").read_text("utf-8").count(quote["text"]) == 1


def test_the_manifest_is_yaml_and_json_alike(root: Path) -> None:
    told = exported(root)
    text = (root / "export" / "brook" / "repro.yaml").read_text("utf-8")
    assert yaml.safe_load(text) == told
    odd = {"a": '\u2028 \x85 \ufeff “#: \\ " é 🦉'}
    assert yaml.safe_load(repro._yaml(odd)) == json.loads(repro._yaml(odd)) == odd


def test_names_and_exempt_numbers_are_set_aside_with_their_reason(tmp_path: Path) -> None:
    root = exports.project(tmp_path / "p", summary="One run under v1.2.3 rules.").root
    assert exported(root)["set_aside"][0] == {
        "artifact": "prose",
        "text": "run under v1.2.3 rules.",
        "reason": "a name",
    }


def test_cited_documents_are_named_where_they_lie(root: Path, tmp_path: Path) -> None:
    folder = exports.snapshots(tmp_path / "snapshots")
    before = tree(folder)
    told = exported(root, "--snapshots", str(folder))
    source = told["artifacts"][-1]
    assert source["path"] == f"../../../snapshots/brook-labs/runs/{COMMIT}/REPORT.md"
    assert (root / "export" / "brook" / source["path"]).resolve().is_file()
    assert source["origin"] == {
        "repository": "https://github.com/brook-labs/runs",
        "commit": COMMIT,
        "path": "REPORT.md",
    }
    assert evidence_of(told, "12.50")[1] == {"kind": "quote", "artifact": "source-1", "text": "| first | 12.50 |"}
    assert [e["artifact"] for e in evidence_of(told, "57 %")] == ["record"], "its line does not print 57"
    assert tree(folder) == before
    assert "REPORT.md" not in (root / "export" / "brook" / "README.md").read_text("utf-8")


def test_a_changed_document_is_not_taken_for_the_cited_one(root: Path, tmp_path: Path) -> None:
    folder = exports.snapshots(tmp_path / "snapshots")
    (folder / "brook-labs" / "runs" / COMMIT / "REPORT.md").write_text("12.50", "utf-8")
    told = exported(root, "--snapshots", str(folder))
    assert [a["id"] for a in told["artifacts"]] == ["record", "derived", "prose"]
    about = (root / "export" / "brook" / "README.md").read_text("utf-8")
    assert f"source 1: https://github.com/brook-labs/runs, commit {COMMIT}, REPORT.md" in about


def test_a_document_that_is_data_is_read_by_its_pointer(tmp_path: Path) -> None:
    raw = b'{"runs": [{"rate": 12.4981, "lanes": 4}, {"rate": 9.75}]}\n'
    results = exports.record()["reported_results"]
    for index, result in enumerate(results):
        result["evidence"] = {"document": "report", "line": Decimal(1), "pointer": f"/runs/{index}/rate"}
    source = exports.record()["sources"][0] | {"document_sha256": hashlib.sha256(raw).hexdigest()}
    made = exports.project(tmp_path / "p", reported_results=results, sources=[source])
    explainer = explainer_of(made.root)
    documents = {1: Document(explainer.record.all_sources[0], "data.json", raw)}
    told = json.loads(repro.files(explainer, documents, "0")["repro.yaml"])
    assert evidence_of(told, "12.50")[1] == {
        "kind": "metric",
        "artifact": "source-1",
        "name": "rate",
        "pointer": "/runs/0/rate",
        "reported": "12.50",
    }


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        (f"https://raw.githubusercontent.com/a/b/{COMMIT}/R.md", "https://github.com/a/b"),
        (f"https://git.example.org/a/b/-/blob/{COMMIT}/R.md", "https://git.example.org/a/b"),
        (f"https://huggingface.co/datasets/a/b/blob/{COMMIT}/R.md", "https://huggingface.co/datasets/a/b"),
        ("https://github.com/a/b/blob/main/R.md", None),
        ("https://example.org/R.md", None),
    ],
)
def test_an_origin_is_a_document_at_a_commit(url: str, repository: str | None) -> None:
    named = "datasets/a/b" if "datasets" in url else "a/b"
    revision = COMMIT if COMMIT in url else "snapshot-2026-01-01"
    held = exports.record()["sources"][0] | {"pinned_url": url, "revision": revision, "repository": named}
    found = origin(Source.model_validate(held | {"document_path": "R.md"}))
    assert (found["repository"] if found else None) == repository


def test_a_repeated_quotation_is_widened_until_it_is_the_only_one() -> None:
    text = Quoted('{\n  "label": "first",\n  "rate": 1,\n  "label": "second",\n  "rate": 1\n}\n')
    assert text.of_line(2) == '"label": "first", "rate": 1'
    assert text.of_line(1) == '"label": "first"'
    assert not Quoted("14.7 s\n\n4.7 s").is_unique("4.7 s")
    assert Quoted("a 4.7 S, é").is_unique("4.7 s")


def test_bytes_are_the_same_again_whatever_the_surroundings(root: Path, tmp_path: Path) -> None:
    made = []
    for seed, zone in (("0", "UTC"), ("7", "Pacific/Auckland")):
        out = tmp_path / f"out-{seed}"
        command = [sys.executable, str(RESOURCES / "build.py"), "export", "repro", "brook", "-q"]
        environment = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        subprocess.run([*command, "--project", str(root), "--out", str(out)], check=True, env=environment)
        made.append(tree(out))
    assert made[0] == made[1]


def test_an_export_is_written_again_and_keeps_what_others_put_there(root: Path) -> None:
    exported(root)
    (root / "export" / "brook" / "notes.txt").write_text("mine")
    exported(root)
    assert (root / "export" / "brook" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("out", ["records", "records/export", "_site"])
def test_folders_of_other_use_are_refused(root: Path, out: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["build", "-q", "--project", str(root)])
    before = tree(root)
    arguments = ["export", "repro", "brook", "--project", str(root), "--out", str(root / out)]
    assert main(arguments) == SURROUNDINGS
    assert "Name another --out" in capsys.readouterr().err
    assert tree(root) == before


def test_an_unknown_id_is_told_with_the_known_ones(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "repro", "brok", "--project", str(root)]) == SURROUNDINGS
    assert capsys.readouterr().err == "No record has the id brok. There are: brook.\n"
    assert not (root / "export").exists()


def test_claims_that_are_not_bound_or_do_not_hold_are_not_exported(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, lock = root / "records" / "brook.json", root / "records" / "brook.claims.json"
    record.write_text(record.read_text("utf-8").replace("made 12.50", "made 12.51"), "utf-8")
    arguments = ["export", "repro", "brook", "--project", str(root)]
    assert main(arguments) == CONTENT
    assert "[claim-differs]" in capsys.readouterr().err
    lock.unlink()
    assert main(arguments) == CONTENT
    assert "[open-claims]" in capsys.readouterr().err
    record.write_text(json.dumps(json.loads(record.read_text("utf-8")) | {"summary": "A.", "body_markdown": "B."}))
    assert main(arguments) == SURROUNDINGS
    assert "there is nothing to export" in capsys.readouterr().err
    assert not (root / "export").exists()


def test_an_unknown_form_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["export", "xml", "brook"])
    assert stopped.value.code == USAGE
    assert "repro" in capsys.readouterr().err

"""What changed for readers between two sites, in words and as data; and the statement about a site."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from site_src.cli import CONTENT, DONE, SURROUNDINGS, main
from site_src.project import RESOURCES
from site_src.release.attestation import role_of
from site_src.release.changes import words_of
from site_src.release.record_changes import Change, of_records
from site_src.serial import json_text
from tests.records import sound

SCHEMA = RESOURCES / "tests" / "schemas" / "in-toto-statement-v1-slsa-v1.json"


def project_of(root: Path, *records: dict[str, Any]) -> Path:
    (root / "records").mkdir(parents=True)
    for record in records:
        (root / "records" / f"{record['id']}.json").write_text(json_text(record))
    assert main(["build", "-q", "--jobs", "1", "--project", str(root)]) == DONE
    return root


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project_of(tmp_path_factory.mktemp("old") / "project", sound())


def changed() -> dict[str, Any]:
    record = sound()
    record["reported_results"][0]["value"] = Decimal("12.500")
    record["reported_results"][0]["conditions"]["lanes"] = None
    record["modified_on"] = "2025-03-02"
    record["sources"][0]["document_sha256"] = record["reported_results"][0]["source_document_sha256"] = "c" * 64
    return record


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    other = {**sound(), "id": "rill", "path": "/notes/rill/", "title": "Rill"}
    return project_of(tmp_path_factory.mktemp("new") / "project", changed(), other)


def out_of(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    assert main([str(word) for word in words]) == DONE
    return capsys.readouterr().out


def test_an_editor_reads_what_changed(old: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = out_of(capsys, "diff", old / "_site", new / "_site").splitlines()
    assert "page    added  /notes/rill/" in lines
    assert "page    changed  /notes/brook/" in lines
    at = lines.index("guide   /notes/brook/  (record brook)")
    assert lines[at + 1] == "  value   first · reply_rate: 12.50 replies/min → 12.500 replies/min"
    assert "  field   first · reply_rate: conditions.lanes: 4 → not reported" in lines
    assert f"  source  sources[report].document_sha256: {'b' * 64} → {'c' * 64}" in lines
    assert "  date    modified_on: 2025-03-01 → 2025-03-02" in lines
    assert "guide   added  /notes/rill/  (record rill)" in lines
    assert "figure  added  rill-hero" in lines
    assert ", 1 value, 1 source, 1 date, " in lines[-1]


def test_archives_say_the_same_and_manifests_what_they_can(
    old: Path, new: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, root in (("old.tar.gz", old), ("new.tar.zst", new)):
        assert main(["archive", "-q", "--project", str(root), "--out", str(tmp_path / name)]) == DONE
    of_folders = out_of(capsys, "diff", "-q", old / "_site", new / "_site")
    assert out_of(capsys, "diff", "-q", tmp_path / "old.tar.gz", tmp_path / "new.tar.zst") == of_folders
    of_manifests = out_of(capsys, "diff", "-q", old / "_site" / "manifest.json", new / "_site" / "manifest.json")
    assert "page    added  /notes/rill/\n" in of_manifests
    assert "guide   /notes/brook/ changed; name folders or archives, and not manifests, to see" in of_manifests
    assert "12.50" not in of_manifests
    assert out_of(capsys, "diff", "-q", old / "_site", tmp_path / "old.tar.gz") == ""


def test_programs_read_the_same(old: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(out_of(capsys, "diff", "--format", "json", old / "_site", new / "_site"))
    (brook, rill) = told["guides"]
    assert (rill["record"], rill["old"], rill["new"]) == ("rill", None, "/notes/rill/")
    assert brook["changes"][0] == {
        "kind": "value",
        "where": "first · reply_rate",
        "field": "value",
        "old": "12.50 replies/min",
        "new": "12.500 replies/min",
    }
    assert told["pages"]["removed"] == []
    assert json.loads(out_of(capsys, "diff", "--format", "sarif", old / "_site", new / "_site"))["version"] == "2.1.0"


def test_a_site_that_is_not_as_listed_is_not_compared(
    old: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "-q", "--jobs", "1", "--project", str(old), "--out", str(tmp_path / "site")]) == DONE
    (tmp_path / "site" / "CNAME").write_text("example.org\n")
    assert main(["diff", str(old / "_site"), str(tmp_path / "site")]) == DONE
    (tmp_path / "site" / "robots.txt").write_text("x")
    capsys.readouterr()
    assert main(["diff", str(old / "_site"), str(tmp_path / "site")]) == CONTENT
    assert capsys.readouterr().err.startswith("site/robots.txt  the file has 1 bytes")
    assert main(["diff", str(old / "_site"), str(tmp_path / "none")]) == SURROUNDINGS
    assert "none: No such file or directory" in capsys.readouterr().err


def changes_of(edit: Callable[[dict[str, Any]], object]) -> list[Change]:
    record = sound()
    edit(record)
    return list(of_records(sound(), record))


def test_nothing_changed_is_nothing() -> None:
    assert changes_of(lambda _: None) == []


def row(label: str, value: str | None, lanes: int) -> dict[str, Any]:
    held = None if value is None else Decimal(value)
    return {"label": label, "metric": "m", "value": held, "unit": "u", "conditions": {"lanes": Decimal(lanes)}}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([row("a", "1", 1)], [row("a", None, 1)], [("a · m", "1 u", "not reported")]),
        (
            [row("a", None, 1)],
            [{**row("a", None, 1), "null_reason": "not_run"}],
            [("a · m", "not reported", "not run")],
        ),
        ([row("a", "0", 1)], [row("a", None, 1)], [("a · m", "0 u", "not reported")]),
        ([row("a", "1", 1)], [{**row("a", "1", 1), "unit": "GiB"}], [("a · m", "1 u", "1 GiB")]),
        ([row("a", "1", 1)], [], [("a · m", "1 u", None)]),
        ([row("a", "1", 1), row("a", "2", 2)], [row("a", "2", 2), row("a", "3", 1)], [("a · m", "1 u", "3 u")]),
        ([row("a", "1", 1)], [row("a", "9", 9), row("a", "1", 1)], [("a · m", None, "9 u")]),
        (
            [row("a", "1", 1), row("a", "2", 1)],
            [row("a", "3", 1), row("a", "4", 1)],
            [("a · m", "1 u", None), ("a · m", "2 u", None), ("a · m", None, "3 u"), ("a · m", None, "4 u")],
        ),
        ([row("a", "1", 1)], [row("b", "1", 1)], [("a · m", "1 u", None), ("b · m", None, "1 u")]),
    ],
)
def test_rows_are_paired_only_where_there_is_one_way(
    old: list[Any], new: list[Any], told: list[tuple[str, str | None, str | None]]
) -> None:
    found = of_records({"reported_results": old}, {"reported_results": new})
    assert [(c.where, c.old, c.new) for c in found if c.kind == "value"] == told


def test_fields_are_named_by_their_path() -> None:
    found = changes_of(lambda r: r.update(answer="It stopped.", draft=True))
    assert found == [
        Change("field", "", "answer", "It ran.", "It stopped."),
        Change("field", "", "draft", None, "true"),
    ]
    (dated,) = changes_of(lambda r: r["sources"][0].update(checked_on="2025-03-02"))
    assert (dated.kind, dated.field) == ("date", "sources[report].checked_on")


def test_pages_that_read_the_same_are_told_from_others() -> None:
    page = b'<p class="a">12.5 <b>GiB</b></p><style>p{}</style><img alt="x">'
    assert words_of(page) == words_of(b'<p>12.5  GiB</p><script>1<2</script><img src="y" alt="x">')
    for other in (b"12.5 MiB", b"12.50 GiB"):
        assert words_of(page) != words_of(b"<p>" + other + b'</p><img alt="x">')


# --- the statement


def faults(statement: Any) -> list[str]:
    return [e.message for e in Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).iter_errors(statement)]


@pytest.fixture(scope="module")
def statement(old: Path) -> Any:
    out = old / "dist" / "site.intoto.json"
    first = [main(["attest", "-q", "--jobs", "1", "--project", str(old)]), out.read_bytes()]
    assert first == [main(["attest", "-q", "--jobs", "1", "--project", str(old)]), out.read_bytes()]
    assert first[0] == DONE
    return json.loads(out.read_bytes())


def test_the_statement_has_the_published_form(statement: Any) -> None:
    assert faults(statement) == []
    assert faults({**statement, "_type": "https://in-toto.io/Statement/v0.1"}) != []
    assert faults({**statement, "subject": [{"name": "a"}]}) != []
    assert faults({**statement, "predicate": {**statement["predicate"], "runDetails": {}}}) != []


def test_the_statement_names_everything(statement: Any, old: Path) -> None:
    manifest = json.loads((old / "_site" / "manifest.json").read_bytes())
    assert {s["name"]: s["digest"]["sha256"] for s in statement["subject"]} == {
        o["path"]: o["sha256"] for o in manifest["outputs"]
    }
    needed = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    by_name = {n["name"]: n.get("digest", {}).get("sha256") for n in needed}
    assert {i["path"]: i["sha256"] for i in manifest["inputs"]}.items() <= by_name.items()
    (cited,) = [n for n in needed if n["annotations"]["role"] == "cited document"]
    assert (cited["uri"].endswith("/REPORT.md"), cited["digest"]) == (True, {"sha256": "b" * 64})
    packages = {n["uri"] for n in needed if n["annotations"]["role"] == "package"}
    assert {f"pkg:pypi/{name}@{version(name)}" for name in ("jinja2", "matplotlib", "numpy", "zstandard")} <= packages
    assert {"uv.lock"} == {n["name"] for n in needed if n["annotations"]["role"] == "lock"}
    assert any(n["uri"].startswith("pkg:generic/python@") for n in needed if n["annotations"]["role"] == "interpreter")
    assert statement["predicate"]["runDetails"]["builder"]["version"] == {"pinpress": version("pinpress")}


def test_a_site_that_its_project_does_not_give_is_not_attested(
    old: Path, new: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["attest", "--project", old, "--site", new / "_site", "--out", tmp_path / "x.json", "--jobs", "1"]
    assert main([str(word) for word in words]) == CONTENT
    assert "[not-reproduced]" in capsys.readouterr().err
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("records/a.json", "record"),
        ("records/b/a.yml", "record"),
        ("records/a.md", "body"),
        ("records/a.claims.json", "claim lock"),
        ("records/a.verified.json", "receipt"),
        ("records/site.yml", "settings"),
        ("templates/a.html.j2", "template"),
        ("assets/fonts/a.woff2", "asset"),
    ],
)
def test_roles_of_inputs(path: str, role: str) -> None:
    assert role_of(path) == role

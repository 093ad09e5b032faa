"""A release: two builds compared before anything is written, the bill of materials, what is locked."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import cyclonedx.schema
import jsonschema_rs
import pytest

from site_src.cli import DONE
from site_src.cli import main as pinpress
from site_src.release.packing import SUMS
from site_src.serial import json_text
from tests.made import licences
from tests.records import sound
from tests.release import artifact
from tests.release.advisories import NoData, known_faults
from tests.release.bom import bom
from tests.release.packages import LOCK, licence_of, packages


def test_a_release_is_written_once_two_builds_are_alike(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parent / "rejects" / "_sound", tmp_path / "project")
    dist = tmp_path / "dist"
    assert artifact.main(tmp_path / "project", dist, strict=False) == 0
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", SUMS], cwd=dist, check=True)
    assert sorted(p.name for p in dist.iterdir()) == [SUMS, "bom.cdx.json", "site.intoto.json", "site.tar.zst"]
    assert pinpress(["verify-site", str(dist / "site.tar.zst")]) == DONE


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda b: (b / "x").write_text("2"), "x differs between "),
        (lambda b: (b / "x").unlink(), "x is in "),
        (lambda b: (b / "y").write_text("1"), "y is in "),
        (lambda b: (b / "x").chmod(0o600), "x has another mode in "),
    ],
)
def test_two_trees_that_differ_are_told(harm, told: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    one, other = tmp_path / "one", tmp_path / "other"
    for tree in (one, other):
        tree.mkdir()
        (tree / "x").write_text("1")
        (tree / "x").chmod(0o644)
    assert artifact.first_difference(one, other) == ""
    harm(other)
    assert artifact.first_difference(one, other).startswith(told)


def test_nothing_is_written_where_two_builds_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that changes between the two builds stands for a build that depends on its surroundings."""
    record = tmp_path / "project" / "records" / "brook.json"
    record.parent.mkdir(parents=True)
    record.write_text(json_text(sound()))
    build = artifact.build

    def changing(project: Path, into: Path, around: artifact.Surrounding, *, strict: bool) -> Path:
        root = build(project, into, around, strict=strict)
        record.write_text(record.read_text().replace("It ran.", "It ran on."))
        return root

    monkeypatch.setattr(artifact, "build", changing)
    assert artifact.main(tmp_path / "project", tmp_path / "dist", strict=False) == 1
    assert "Two builds are not alike: " in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()


def schema() -> jsonschema_rs.Draft7Validator:
    """Return CycloneDX's own schema of a bill. Its library's validator takes minutes for what this does at once."""
    folder = Path(cyclonedx.schema.__file__).parent / "_res"

    def read(name: str) -> Any:
        return json.loads((folder / f"{name}.SNAPSHOT.schema.json").read_text("utf-8"))

    whole = read("bom-1.6")
    base = whole["$id"].rpartition("/")[0]
    others = [(f"{base}/{n}.SNAPSHOT.schema.json", read(n)) for n in ("spdx", "jsf-0.82")]
    return jsonschema_rs.Draft7Validator(whole, registry=jsonschema_rs.Registry(others), validate_formats=True)


def test_the_bill_of_materials_is_one_and_the_same() -> None:
    bill = bom()
    assert bill == bom()
    told = json.loads(bill)
    schema().validate(told)
    listed = {(c["name"], c["version"]) for c in told["components"]}
    assert listed == {(p.name, p.version) for p in packages()}
    assert "timestamp" not in told["metadata"]
    by_name = {c["name"]: c for c in told["components"]}
    assert by_name["jinja2"]["licenses"]
    assert all(h["alg"] == "SHA-256" for h in by_name["jinja2"]["externalReferences"][0]["hashes"])


def test_a_bill_that_is_none_is_refused() -> None:
    told = json.loads(bom())
    told["components"][0]["type"] = "thing"
    assert not schema().is_valid(told)


def test_every_locked_package_is_listed_with_its_hashes() -> None:
    found = list(packages())
    assert len(found) == LOCK.read_text("utf-8").count("[[package]]") - 1
    assert all(p.files and all(len(digest) == 64 for _, digest in p.files) for p in found)
    rows = licences.PAGE.read_text("utf-8")
    assert [p.name for p in found if f"| {p.name} | {p.version} |" not in rows] == []


def test_a_licence_is_of_the_locked_version_or_not_known() -> None:
    assert licence_of("jinja2", "0.1") is None
    assert licence_of("no-such-package", "1") is None
    known = next(p for p in packages() if p.name == "jinja2")
    assert known.licence
    assert licence_of(known.name, known.version) == known.licence


def test_advisories_are_told_from_no_answer() -> None:
    sound_one, unknown = {"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "not found"}
    faulty = {"name": "c", "version": "2", "vulns": [{"id": "PYSEC-1"}]}
    assert known_faults({"dependencies": [sound_one]}) == []
    assert known_faults({"dependencies": [faulty, unknown]}) == ["c 2: PYSEC-1"]
    for silent in ([sound_one, unknown], []):
        with pytest.raises(NoData):
            known_faults({"dependencies": silent})

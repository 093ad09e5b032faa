"""Declared image hashes: accepted once, compared at every build, settled by pixels on another platform."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from site_src import edit, image_hashes
from site_src.cli import CONTENT, DONE, main
from site_src.layout.form import canonical
from site_src.serial import json_text
from tests.records import sound

IMAGE = {"url": "/assets/brook-hero.webp", "alt": "A card", "width": 1600, "height": 900}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with one record that has a title card and shows a matrix."""
    data = sound()
    data["image"] = IMAGE
    data["case_reports"] = [{"id": "m", "source_document_id": "report", "cells": [{"lanes": 1, "rate": 2}]}]
    data["body_markdown"] = "![Cells.](/assets/brook-matrix.webp)"
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(data).replace('": "2"', '": 2') + "\n")
    return tmp_path


def strict(root: Path) -> int:
    return main(["build", "--strict", "-q", "--project", str(root)])


def test_accept_writes_hashes_that_a_strict_build_agrees_with(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert strict(root) == CONTENT
    assert "[image-without-hash]" in capsys.readouterr().err
    assert main(["figures", "--accept", "--project", str(root)]) == DONE
    assert capsys.readouterr().out.count("accepted  ") == 2
    assert strict(root) == DONE
    sidecar = yaml.safe_load((root / "records" / "brook.figures.yml").read_text())
    assert set(sidecar["brook-matrix.webp"]) == {"kind", "sha256", "pixels_sha256", "platform"}
    text = (root / "records" / "brook.figures.yml").read_text()
    assert canonical(text, "records/brook.figures.yml") == text
    assert sidecar["brook-matrix.webp"]["platform"] == image_hashes.platform()
    main(["figures", "--accept", "--project", str(root)])
    assert "accepted" not in capsys.readouterr().out


def changed(root: Path, name: str, key: str, value: str) -> None:
    path = root / "records" / "brook.figures.yml"
    path.write_text(edit.set_key(path.read_text(), "yaml", f"/{name}", key, value))


def test_a_wrong_hash_is_a_finding(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["figures", "--accept", "-q", "--project", str(root)])
    changed(root, "brook-matrix.webp", "sha256", "0" * 64)
    changed(root, "brook-matrix.webp", "pixels_sha256", "0" * 64)
    assert strict(root) == CONTENT
    assert "records/brook.figures.yml:3:11" in capsys.readouterr().err


def test_equal_pixels_settle_other_bytes(root: Path) -> None:
    main(["figures", "--accept", "-q", "--project", str(root)])
    changed(root, "brook-matrix.webp", "sha256", "0" * 64)
    assert strict(root) == DONE


def test_another_platform_is_named_and_not_blamed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["figures", "--accept", "-q", "--project", str(root)])
    for key, value in [("sha256", "0" * 64), ("pixels_sha256", "0" * 64), ("platform", "Plan9-sparc")]:
        changed(root, "brook-matrix.webp", key, value)
    assert main(["build", "--strict", "--project", str(root)]) == DONE
    assert "its hash was written on Plan9-sparc, not comparable on" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("json", '{"a": {"k": "old", "z": 1}}', '{"a": {"k": "new", "z": 1}}'),
        ("json", '{"a": {"z": 1.10}}', '{"a": {"k": "new","z": 1.10}}'),
        ("json", '{\n  "a": {\n    "z": 1\n  }\n}', '{\n  "a": {\n    "k": "new",\n    "z": 1\n  }\n}'),
        ("json", '{"a": {}}', '{"a": {"k": "new"}}'),
        ("yaml", "a:\n  k: old # why\n  z: 1.10\n", "a:\n  k: new # why\n  z: 1.10\n"),
        ("yaml", "# first\na:\n  z: 1\nb: 2\n", "# first\na:\n  k: new\n  z: 1\nb: 2\n"),
        ("yaml", "a: {z: 1}\n", "a: {k: new, z: 1}\n"),
    ],
)
def test_one_key_is_set_and_nothing_else_changes(kind: str, text: str, expected: str) -> None:
    assert edit.set_key(text, kind, "/a", "k", "new") == expected


def test_no_mapping_no_edit() -> None:
    for kind, text in [("json", '{"a": 1}'), ("yaml", "a: 1\n")]:
        with pytest.raises(KeyError):
            edit.set_key(text, kind, "/a", "k", "new")

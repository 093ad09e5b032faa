"""Each shipped guide as an RO-Crate, judged by roc-validator: a sound one passes whole, a broken one is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from site_src.cli import DONE, main
from tests import exports
from tests.audit import outside
from tests.audit.project import ROOT, expect_none

pytestmark = pytest.mark.audit

Graph = dict[str, dict[str, Any]]
# What the project itself does not say, and a crate must.
ADDED = "license: https://example.org/licence\nsite_url: https://example.org/notes/\n"


@pytest.fixture(scope="module")
def crates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Export every shipped guide, and a small one with one source below an address in other letters."""
    root = tmp_path_factory.mktemp("crates")
    for name in ("records", "assets"):
        shutil.copytree(ROOT / name, root / name)
    with (root / "records" / "site.yml").open("a", encoding="utf-8") as settings:
        settings.write(ADDED)
    small = exports.project(tmp_path_factory.mktemp("small"), path="/notes/b\u00e4che/").root
    (small / "records" / "site.yml").write_text(ADDED, "utf-8")
    roots = {**{e.record.id: root for e in outside.explainers()}, "brook": small}
    for record_id, project in roots.items():
        assert main(["export", "ro-crate", record_id, "-q", "--project", str(project)]) == DONE
    return {record_id: project / "export" / f"{record_id}-ro-crate" for record_id, project in roots.items()}


def judged(folders: list[Path], cache: Path) -> list[list[str]]:
    """Return what the validator has against each crate."""
    told = outside.judged({"crate": str(folder), "cache": str(cache)} for folder in folders)
    assert all(one["checks"] > 50 for one in told), "required and recommended checks have run"
    return [one["issues"] for one in told]


def test_all_that_is_required_and_recommended_holds(crates: dict[str, Path], tmp_path: Path) -> None:
    assert crates
    found = judged([*crates.values()], tmp_path / "cache")
    expect_none(dict(zip(crates, found, strict=True)))


def _lacks_its_licence(folder: Path, graph: Graph) -> None:
    del graph["./"]["license"]


def _lacks_a_file(folder: Path, graph: Graph) -> None:
    next(folder.glob("records/*.md")).unlink()


def _leaves_a_file_out(folder: Path, graph: Graph) -> None:
    graph["./"]["hasPart"].pop()


def _is_published_on_no_day(folder: Path, graph: Graph) -> None:
    graph["./"]["datePublished"] = "last spring"


def _uses_a_term_nobody_defines(folder: Path, graph: Graph) -> None:
    graph["./"]["colour"] = "red"


def _nests_an_entity(folder: Path, graph: Graph) -> None:
    graph["#result-1"]["isBasedOn"] = {"@type": "CreativeWork", "name": "report"}


@pytest.mark.parametrize(
    "spoil",
    [
        _lacks_its_licence,
        _lacks_a_file,
        _leaves_a_file_out,
        _is_published_on_no_day,
        _uses_a_term_nobody_defines,
        _nests_an_entity,
    ],
)
def test_a_broken_crate_is_refused(
    crates: dict[str, Path], spoil: Callable[[Path, Graph], None], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(next(iter(crates.values())), tmp_path / "crate"))
    file = folder / "ro-crate-metadata.json"
    whole = json.loads(file.read_text("utf-8"))
    spoil(folder, {entity["@id"]: entity for entity in whole["@graph"]})
    file.write_text(json.dumps(whole), "utf-8")
    (issues,) = judged([folder], tmp_path / "cache")
    assert issues

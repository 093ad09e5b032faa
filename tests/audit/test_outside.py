"""Each shipped record, judged by claims-cli and numaudit: all that is right passes, each slip is found."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from site_src.check import Explainer
from site_src.cli import DONE, main
from site_src.exporters import repro
from tests import exports
from tests.audit import outside, slips
from tests.audit.project import expect_none

pytestmark = pytest.mark.audit

# Classes of numbers that no field holds; a count is one of them where it points to none.
_EXEMPT = frozenset({"name", "date", "plain", "count"})


@pytest.fixture(scope="module", params=[e.record.id for e in outside.explainers()])
def explainer(request: pytest.FixtureRequest) -> Explainer:
    """Each shipped record in turn."""
    return next(e for e in outside.explainers() if e.record.id == request.param)


@pytest.fixture(scope="module")
def exported(explainer: Explainer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the export of a record, outside of any git repository; return its folder."""
    folder = tmp_path_factory.mktemp(explainer.record.id) / "sound"
    folder.mkdir()
    for name, content in repro.files(explainer, {}, "0").items():
        (folder / name).write_bytes(content)
    return folder


def test_claims_cli_finds_every_claim_ok_and_no_number_beside_them(explainer: Explainer, exported: Path) -> None:
    manifest = str(exported / "repro.yaml")
    verified, counted = outside.judged([{"verify": manifest}, {"numbers": manifest}])
    assert verified == {"exit": 0, "claims": len(explainer.claims.stated), "failed": []}
    assert counted == {"unbound": []}


def test_claims_cli_finds_each_slip(exported: Path) -> None:
    made = slips.slips(exported)
    assert len(made) == 3 * slips.EACH
    manifests = [slips.apply(exported, slip, exported.parent / slip.name) for slip in made]
    answers = outside.judged({"verify": str(path)} for path in manifests)
    missed = [
        s.name for s, told in zip(made, answers, strict=True) if told["exit"] != 1 or s.claim not in told["failed"]
    ]
    assert missed == []


def test_numaudit_finds_no_number_without_a_source(explainer: Explainer, tmp_path: Path) -> None:
    data = tmp_path / "evidence.json"
    data.write_text(outside.evidence(explainer), "utf-8")
    passages = outside.fields(explainer)
    texts = ["\n".join(" ".join(p.text.split()) for p in passages), explainer.body.source]
    (told,) = outside.judged([{"data": [str(data)], "texts": texts}])
    in_fields, in_body = ([(line, text) for line, text, s in found if s == "unsourced"] for found in told["found"])
    faults = [
        f"{passages[line - 1].field}: {text}"
        for line, text in in_fields
        if not _is_exempt(explainer, text, passage=id(passages[line - 1]))
    ]
    faults += [f"body:{line}: {text}" for line, text in in_body if not _is_exempt(explainer, text, line=line)]
    expect_none({explainer.record.id: faults})
    assert sum(map(len, told["found"])) > len(explainer.claims.spots) / 4


def _is_exempt(explainer: Explainer, text: str, *, passage: int | None = None, line: int | None = None) -> bool:
    """Tell whether the lock gives a reason why the number at a place states no field."""
    for bound in explainer.claims.bound:
        spot = bound.spot
        is_there = (
            id(spot.passage) == passage
            if line is None
            else (
                not spot.passage.field.startswith("/") and explainer.body.source.count("\n", 0, spot.offset) == line - 1
            )
        )
        if is_there and text.strip(" %") in spot.token.written and bound.leaf is None:
            return bound.entry.cls in _EXEMPT
    return False


def test_claims_cli_finds_the_cited_document_at_its_origin(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    commit = _committed(clone, exports.REPORT)
    root = exports.project(tmp_path / "project", commit).root
    folder = exports.snapshots(tmp_path / "snapshots", commit)
    arguments = ["export", "repro", "brook", "-q", "--project", str(root), "--snapshots", str(folder)]
    assert main(arguments) == DONE
    manifest = str(root / "export" / "brook" / "repro.yaml")
    clones = [f"https://github.com/brook-labs/runs={clone}"]
    verified, found = outside.judged([{"verify": manifest}, {"origins": manifest, "clones": clones}])
    assert (verified["exit"], verified["failed"]) == (0, [])
    assert found == {"states": {"source-1": "same"}}


def _committed(folder: Path, text: str) -> str:
    """Make a repository that holds one document; return the commit."""
    folder.mkdir()
    (folder / "REPORT.md").write_text(text, "utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "a"], ["rev-parse", "HEAD"]):
        run = subprocess.run(["git", "-C", str(folder), *command], check=True, capture_output=True, text=True)
    return run.stdout.strip()


def test_the_judges_are_awake(tmp_path: Path) -> None:
    data = tmp_path / "evidence.json"
    data.write_text(json.dumps({"rate": 12.5}), "utf-8")
    (told,) = outside.judged([{"data": [str(data)], "texts": ["It made 12.5 in 7 runs."]}])
    assert told["found"] == [[[1, "12.5", "exact"], [1, "7", "unsourced"]]]
    root = exports.project(tmp_path / "project").root
    assert main(["export", "repro", "brook", "-q", "--project", str(root)]) == DONE
    manifest = root / "export" / "brook" / "repro.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(text.replace('"reported": "12.50"', '"reported": "12.60"', 1), "utf-8")
    with (manifest.parent / "prose.md").open("a", encoding="utf-8") as prose:
        prose.write("\n[99] It made 314 more.\n")
    verified, counted = outside.judged([{"verify": str(manifest)}, {"numbers": str(manifest)}])
    assert verified["exit"] == 1
    assert "claim-2" in verified["failed"]
    assert [told.partition(":")[0] for told in counted["unbound"]] == ["12.50", "314"]

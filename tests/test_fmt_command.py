"""The command fmt: what it writes, what it only tells, and that it never writes half of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from site_src.cli import CONTENT, DONE, SURROUNDINGS, main
from site_src.serial import json_text
from tests.records import sound

YAML = "id: heron\n# why four\nconditions: {concurrency: 4, rate: 329.010}   # as sent\ntitle: Heron\n"
LAID_OUT = "id: heron\ntitle: Heron\n# why four\nconditions:   # as sent\n  concurrency: 4\n  rate: 329.010\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    records = tmp_path / "records"
    records.mkdir()
    (records / "heron.yml").write_text(YAML)
    (records / "heron.md").write_text("*  Not  touched\n")
    (records / "brook.json").write_text(json.dumps(json.loads(json_text(sound()))))
    (records / "site.yml").write_text("lexicon: [EXL3]\ntitle: Notes\n")
    return tmp_path


def tree(project: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(project.rglob("*")) if p.is_file()}


def run(project: Path, *words: str) -> int:
    return main(["fmt", *words, "--project", str(project)])


def test_it_lays_out_all_files_and_says_which(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project) == DONE
    *named, last = capsys.readouterr().out.splitlines()
    assert named == [f"laid out  records/{name}" for name in ("brook.json", "heron.yml", "site.yml")]
    assert last.startswith("2 records, 3 files, 3 laid out anew in ")
    assert (project / "records" / "heron.yml").read_text() == LAID_OUT
    assert (project / "records" / "heron.md").read_text() == "*  Not  touched\n"
    assert (project / "records" / "site.yml").read_text() == "title: Notes\nlexicon: [EXL3]\n"
    before = tree(project)
    assert run(project) == DONE
    assert run(project, "--check") == DONE
    assert tree(project) == before
    assert "2 records, 3 files, 0 laid out anew in " in capsys.readouterr().out


def test_an_id_chooses_a_record(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(project)
    assert run(project, "heron", "-q") == DONE
    assert capsys.readouterr().out == ""
    assert {name for name, held in tree(project).items() if held != before[name]} == {"heron.yml"}
    assert run(project, "swan") == SURROUNDINGS
    assert "No record has the id swan. There are: brook, heron." in capsys.readouterr().err


def test_check_lists_every_file_and_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(project)
    assert run(project, "--check") == CONTENT
    assert tree(project) == before
    told = capsys.readouterr().err
    assert "records/heron.yml:2:1  the layout is not the one that fmt writes  [not-laid-out]" in told
    assert told.endswith("3 problems in 3 files. Nothing was written; the last site is as it was.\n")
    assert run(project, "--check", "--format", "json") == CONTENT
    assert len(json.loads(capsys.readouterr().out)) == 3


def test_diff_is_a_patch_that_does_what_fmt_does(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "records" / "site.yml").write_bytes(b"\xef\xbb\xbflexicon: [EXL3]\r\ntitle: Notes")
    other = Path(shutil.copytree(project, project / "other"))
    shutil.rmtree(project / "other" / "other", ignore_errors=True)
    before = tree(project / "records")
    assert run(project, "--diff", "-q") == DONE
    patch = capsys.readouterr().out
    assert tree(project / "records") == before
    subprocess.run(["git", "init", "-q"], cwd=other, check=True)
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=other, check=True)
    assert run(project) == DONE
    assert tree(other / "records") == tree(project / "records")
    capsys.readouterr()
    assert run(project, "--diff", "-q") == DONE
    assert capsys.readouterr().out == ""


def test_diff_with_check_fails(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project, "heron", "--diff", "--check") == CONTENT
    said = capsys.readouterr()
    assert said.out.startswith("--- a/records/heron.yml\n+++ b/records/heron.yml\n")
    assert "[not-laid-out]" in said.err


@pytest.mark.parametrize("option", [(), ("--check",), ("--diff",)])
def test_one_broken_file_and_nothing_is_written(
    option: tuple[str, ...], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "records" / "swan.json").write_text('{"id": "swan",}')
    (project / "records" / "site.yml").write_text("title: [Notes\n")
    before = tree(project)
    assert run(project, *option) == CONTENT
    assert tree(project) == before
    told = capsys.readouterr()
    assert told.out == ""
    assert "records/swan.json:1:15  not JSON" in told.err
    assert "records/site.yml:2:1  not YAML" in told.err
    assert run(project, "heron") == DONE


def test_a_link_stays_one_and_none_leads_out(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "drafts").mkdir()
    held = (project / "records" / "heron.yml").rename(project / "drafts" / "heron.yml")
    (project / "records" / "heron.yml").symlink_to(held)
    assert run(project, "heron") == DONE
    assert (project / "records" / "heron.yml").is_symlink()
    assert held.read_text() == LAID_OUT
    outside = tmp_path_factory.mktemp("outside") / "swan.yml"
    outside.write_text("title: x\nid: swan\n")
    (project / "records" / "swan.yml").symlink_to(outside)
    assert run(project) == CONTENT
    assert "records/swan.yml" in (told := capsys.readouterr().err)
    assert "[outside-project]" in told
    assert outside.read_text() == "title: x\nid: swan\n"


def test_a_file_that_cannot_be_written_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "h" * 250 + ".yml"
    (project / "records" / name).write_text("title: x\nid: h\n")
    assert run(project, "h" * 250) == SURROUNDINGS
    assert f"{name} cannot be written: File name too long" in capsys.readouterr().err
    assert (project / "records" / name).read_text() == "title: x\nid: h\n"

"""A site that was built again and again, each time from what the last build left, equals one built from nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from site_src.options import Options
from site_src.problems import Rejected
from site_src.project import RESOURCES, Project
from site_src.quick import build
from site_src.states import states
from tests.bench import corpus
from tests.edits import RECORDS, Editor, at_a_desk, clean, drawn, site, theirs, tree

__all__ = ["at_a_desk", "drawn", "site"]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hundred_edits_equal_a_clean_build(site: Path, tmp_path: Path, seed: int) -> None:
    editor, told = Editor(site, seed), list[str]()
    for number in range(100):
        told.append(editor.change())
        build(Project(site), site / "_site", Options(offline=True, jobs=1 + number % 2))
        if number % 5 == 4:
            assert theirs(tree(site / "_site")) == clean(site, tmp_path / "clean", offline=True), told
            told.clear()


def test_edits_equal_a_clean_build_with_the_search(site: Path, tmp_path: Path) -> None:
    editor = Editor(site, 3)
    for _ in range(8):
        editor.change()
        build(Project(site), site / "_site")
    assert theirs(tree(site / "_site")) == clean(site, tmp_path / "clean")


def test_what_others_put_into_the_output_stays_until_they_remove_it(site: Path) -> None:
    note = site / "_site" / "notes" / "own.txt"
    for text in ("first", "second"):
        note.parent.mkdir(exist_ok=True)
        note.write_text(text, "utf-8")
        Editor(site, 4).words()
        build(Project(site), site / "_site")
        assert note.read_text("utf-8") == text
    note.unlink()
    for _ in range(3):
        Editor(site, 5).words()
        build(Project(site), site / "_site")
        assert not note.exists()


def test_a_build_of_nothing_new_reads_no_record_and_writes_nothing(site: Path) -> None:
    old = time.time() - 60
    for path in [*site.rglob("*")]:
        os.utime(path, (old, old), follow_symlinks=False)
    build(Project(site), site / "_site")
    before = states(site / "_site"), (site / "_site").stat().st_ino
    summary = build(Project(site), site / "_site")
    assert (states(site / "_site"), (site / "_site").stat().st_ino) == before
    assert (summary.records, summary.drawn, summary.anew) == (RECORDS, (), {})


def test_only_the_record_that_changed_is_made_again(site: Path) -> None:
    build(Project(site), site / "_site")
    body = site / "records" / f"{corpus.identity(1)}.md"
    body.write_text(body.read_text("utf-8") + "\nOne more.\n", "utf-8")
    summary = build(Project(site), site / "_site")
    assert summary.anew == {f"records/{corpus.identity(1)}.yml": f"records/{corpus.identity(1)}.md changed"}
    assert summary.drawn == ()


def test_a_rejected_build_keeps_the_site_and_what_was_made(site: Path) -> None:
    build(Project(site), site / "_site")
    before = tree(site / "_site")
    body = site / "records" / f"{corpus.identity(1)}.md"
    good = body.read_text("utf-8")
    body.write_text(good + "\n[nowhere](/guides/none/)\n", "utf-8")
    with pytest.raises(Rejected) as rejected:
        build(Project(site), site / "_site")
    assert [p.code for p in rejected.value.problems] == ["dead-link"]
    assert tree(site / "_site") == before
    body.write_text(good + "\nMended.\n", "utf-8")
    assert [*build(Project(site), site / "_site").anew] == [f"records/{corpus.identity(1)}.yml"]


def test_strict_refuses_findings_of_records_made_before(site: Path) -> None:
    assert build(Project(site), site / "_site").findings
    with pytest.raises(Rejected):
        build(Project(site), site / "_site", Options(strict=True))


def test_a_build_killed_at_any_moment_leaves_a_whole_site(site: Path, tmp_path: Path) -> None:
    chance = random.Random(6)
    editor = Editor(site, 7)
    command = [sys.executable, str(RESOURCES / "build.py"), "build", "--offline", "--project", str(site), "-q"]
    whole = [clean(site, tmp_path / "clean", offline=True)]
    subprocess.run(command, check=True)
    for _ in range(20):
        editor.words()
        whole.append(clean(site, tmp_path / "clean", offline=True))
        process = subprocess.Popen(command, start_new_session=True)
        try:
            process.wait(chance.uniform(0.1, 1.6))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        assert tree(site / "_site") in whole
    subprocess.run(command, check=True)
    assert tree(site / "_site") == whole[-1]
    assert [p.name for p in site.glob("._site.*")] in ([], ["._site.spare"])

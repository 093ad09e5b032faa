"""A site that was built again and again, each time from what the last build left, equals one built from nothing."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from site_src.options import Options
from site_src.problems import Rejected
from site_src.project import RESOURCES, Project
from site_src.quick import build
from site_src.serial import json_text
from site_src.states import states
from tests.bench import corpus

RECORDS: Final = 4


@pytest.fixture(autouse=True)
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the states of files count, which they do not in CI."""
    monkeypatch.delenv("CI", raising=False)


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was built once, with its figures in its cache."""
    root = corpus.write(RECORDS, tmp_path_factory.mktemp("drawn") / "site")
    build(Project(root), root / "_site")
    return root


@pytest.fixture
def site(drawn: Path, tmp_path: Path) -> Path:
    root = tmp_path / "site"
    shutil.copytree(drawn, root)
    return root


def clean(root: Path, beside: Path, *, offline: bool = False) -> dict[str, bytes]:
    """Return the files of a site built from nothing; drawn figures alone are taken from the project's cache."""
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    (beside / "cache").mkdir()
    (beside / "cache" / "figures").symlink_to(root / ".cache" / "figures")
    build(Project(root), beside / "out", Options(cache=beside / "cache", offline=offline, jobs=1))
    return tree(beside / "out")


class Editor:
    """Makes one random change after the other to a project, its output and its cache."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance, self.made = root, random.Random(seed), RECORDS
        self.changes: tuple[Callable[[], None], ...] = (
            self.words, self.words, self.words, self.value, self.value, self.rename, self.delete, self.add, self.title,
            self.template, self.style, self.output, self.foreign, self.parts, self.history, self.spare,
        )  # fmt: skip

    def change(self) -> str:
        """Make a change and return its name."""
        step = self.chance.choice(self.changes)
        step()
        return step.__name__

    def _records(self) -> list[Path]:
        return sorted(
            p for p in (self.root / "records").iterdir() if p.suffix in {".json", ".yml"} and p.stem != "site"
        )

    def words(self) -> None:
        bodies = sorted((self.root / "records").glob("*.md"))
        if bodies:
            body = self.chance.choice(bodies)
            body.write_text(f"{body.read_text('utf-8')}\nMore words, {self.chance.choice('abcdef')}.\n", "utf-8")

    def value(self) -> None:
        path = self.chance.choice(self._records())
        data = json.loads(path.read_text("utf-8"))
        result = self.chance.choice(data["reported_results"])
        result["statistic"] = self.chance.choice(["median of three", "single observation", "mean"])
        result["conditions"]["host"] = f"host {self.chance.randint(1, 3)}"
        path.write_text(json_text(data) + "\n", "utf-8")

    def rename(self) -> None:
        path = self.chance.choice(self._records())
        data = json.loads(path.read_text("utf-8"))
        old, new = data["id"], f"moved-{self.chance.randint(0, 10**6)}"
        data["id"], data["path"] = new, f"/guides/{new}/"
        if "body_markdown" in data:
            data["body_markdown"] = data["body_markdown"].replace(f"/assets/{old}-", f"/assets/{new}-")
        path.unlink()
        path.with_stem(new).write_text(json_text(data) + "\n", "utf-8")
        body = path.with_name(f"{old}.md")
        if body.is_file():
            body.rename(body.with_stem(new))
        for other in (self.root / "records").iterdir():
            text = other.read_text("utf-8")
            changed = text.replace(f"/guides/{old}/", f"/guides/{new}/").replace(f"/assets/{old}-", f"/assets/{new}-")
            if changed != text:
                other.write_text(changed, "utf-8")

    def delete(self) -> None:
        if len(self._records()) > 2:
            path = self.chance.choice(self._records())
            path.unlink()
            path.with_suffix(".md").unlink(missing_ok=True)
            for other in (self.root / "records").iterdir():
                text = other.read_text("utf-8")
                changed = text.replace(f"/guides/{path.stem}/#results", "/").replace(f"/guides/{path.stem}/", "/")
                if changed != text:
                    other.write_text(changed, "utf-8")

    def add(self) -> None:
        data = corpus.record(0)
        name = f"new-{self.made}"
        self.made += 1
        data |= {"id": name, "path": f"/guides/{name}/", "title": f"Added {self.made}"}
        data["body_markdown"] = f"# Added {self.made}\n\nNothing to see, and {self.chance.randint(1, 9)} to read.\n"
        (self.root / "records" / f"{name}.json").write_text(json_text(data) + "\n", "utf-8")

    def title(self) -> None:
        (self.root / "records" / "site.yml").write_text(f"title: Runs {self.chance.randint(1, 3)}\n", "utf-8")

    def template(self) -> None:
        own = self.root / "templates"
        own.mkdir(exist_ok=True)
        asks = self.chance.choice(["", "{{ site.guides|length }} guides"])
        text = '{% extends "pinpress/guide.html.j2" %}{% block main %}{{ super() }}<p>' + asks + "</p>{% endblock %}"
        (own / "guide.html.j2").write_text(text, "utf-8")

    def style(self) -> None:
        (self.root / "assets").mkdir(exist_ok=True)
        colour = self.chance.choice(["teal", "navy"])
        (self.root / "assets" / "theme.css").write_text(f"h1{{color:{colour}}}\n", "utf-8")

    def output(self) -> None:
        path = self.chance.choice(sorted(p for p in (self.root / "_site").rglob("*") if p.is_file()))
        if self.chance.random() < 0.5:
            path.unlink()
        else:
            path.write_text("edited by hand", "utf-8")

    def foreign(self) -> None:
        place = self.root / "_site" / "theirs" / f"{self.chance.randint(1, 3)}.txt"
        place.parent.mkdir(exist_ok=True)
        if place.exists():
            place.unlink()
        else:
            place.write_text("theirs", "utf-8")

    def parts(self) -> None:
        kept = sorted((self.root / ".cache" / "parts").iterdir())
        path = self.chance.choice(kept)
        if self.chance.random() < 0.5:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-100] + b"x" * 100)

    def history(self) -> None:
        for path in (self.root / ".cache" / "site").iterdir():
            path.write_bytes(path.read_bytes()[: -self.chance.randint(1, 1000)])

    def spare(self) -> None:
        shutil.rmtree(self.root / "._site.spare", ignore_errors=True)


def theirs(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if not path.startswith("theirs/")}


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

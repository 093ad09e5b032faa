"""Harm that comes to a build: the old site or the new one stands there, whole, and the next build mends the rest."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from site_src import aside, crew, last_build, quick
from site_src.exits import CONTENT, DONE, INTERRUPTED, SURROUNDINGS
from site_src.lock import alone
from site_src.options import Options
from site_src.problems import Surroundings
from site_src.project import RESOURCES, Project
from site_src.quick import build
from tests.bench import corpus
from tests.edits import RECORDS, Editor, at_a_desk, clean, drawn, site, theirs, tree

__all__ = ["at_a_desk", "drawn", "site"]


def command(root: Path, *words: str) -> list[str]:
    return [sys.executable, str(RESOURCES / "build.py"), "build", "--project", str(root), *words]


def harmed(root: Path, harm: str, at: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Build with harm done at one of the steps."""
    line = [sys.executable, "-m", "tests.stepping", harm, at, "build", "--project", str(root), *words]
    return subprocess.run(line, cwd=RESOURCES, capture_output=True, text=True, check=False, timeout=120)


def beside(root: Path) -> set[str]:
    """Return what lies beside the output and is not the project's."""
    return {p.name for p in root.iterdir()} - {"records", "assets", "templates", "_site", ".cache", "._site.spare"}


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a build count a file as unchanged by its state at once, not after it had it for a while."""
    monkeypatch.setattr(quick, "SETTLED_NS", -(10**12))
    monkeypatch.setattr(last_build, "_SETTLED_NS", -(10**12))


def swapped(path: Path) -> None:
    """Change a byte of a file in place, and give it its old times back."""
    told = path.stat()
    with path.open("r+b") as file:
        first = file.read(1)
        file.seek(0)
        file.write(bytes([first[0] ^ 1]))
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (told.st_size, told.st_mtime_ns)


@contextmanager
def holding(out: Path) -> Iterator[subprocess.Popen[str]]:
    """Have another process hold the lock of an output."""
    code = (
        "import pathlib, site_src.lock as l\n"
        f"with l.alone(pathlib.Path({str(out)!r})): print('held', flush=True); input()"
    )
    line = [sys.executable, "-c", code]
    with subprocess.Popen(line, cwd=RESOURCES, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        try:
            yield other
        finally:
            other.kill()


def test_a_second_build_into_one_folder_is_told_to_wait(site: Path) -> None:
    before = tree(site / "_site")
    Editor(site, 1).words()
    with holding(site / "_site") as other:
        with pytest.raises(Surroundings, match=r"^Another build is writing .*/_site\. Run this one again"):
            build(Project(site), site / "_site")
        assert tree(site / "_site") == before
        assert beside(site) == {"._site.lock"}
        other.kill()
        other.wait()
        build(Project(site), site / "_site")
    assert tree(site / "_site") != before
    assert beside(site) == set()


def test_an_output_whose_folder_is_a_file_is_told(site: Path) -> None:
    (site / "file").write_text("no folder", "utf-8")
    with (
        pytest.raises(Surroundings, match=r"/file: File exists\. The last site is as it was\.$"),
        alone(site / "file" / "out"),
    ):
        pass


def test_two_builds_of_two_kinds_at_once_leave_one_of_the_two_sites(site: Path, tmp_path: Path) -> None:
    Editor(site, 2).value()
    wholes = [clean(site, tmp_path / "clean", offline=offline) for offline in (True, False)]
    for _ in range(3):
        shutil.rmtree(site / ".cache" / "site", ignore_errors=True)
        builds = [
            subprocess.Popen(command(site, "-q", *words), stderr=subprocess.PIPE, text=True)
            for words in (["--offline"], [])
        ]
        told = [b.communicate(timeout=120)[1] for b in builds]
        for one, said in zip(builds, told, strict=True):
            assert (one.returncode, said.count("\n")) in {(DONE, 0), (SURROUNDINGS, 1)}, said
        assert DONE in {b.returncode for b in builds}
        assert tree(site / "_site") in wholes
        assert beside(site) == set()


def test_two_builds_at_once_share_a_cache(site: Path, tmp_path: Path) -> None:
    Editor(site, 3).words()
    outs = [tmp_path / name / "_site" for name in "ab"]
    builds = [subprocess.Popen(command(site, "-q", "--out", str(out))) for out in outs]
    assert [b.wait(timeout=120) for b in builds] == [DONE, DONE]
    whole = clean(site, tmp_path / "clean")
    assert [tree(out) for out in outs] == [whole, whole]
    assert [*(site / ".cache").rglob(".new-*")] == []


@pytest.mark.usefixtures("settled")
def test_an_output_that_was_edited_and_given_its_time_back_is_mended(site: Path) -> None:
    build(Project(site), site / "_site")
    whole = tree(site / "_site")
    for path in ("index.html", "manifest.json", f"guides/{corpus.identity(1)}/index.html"):
        swapped(site / "_site" / path)
        assert tree(site / "_site") != whole
        build(Project(site), site / "_site")
        assert tree(site / "_site") == whole


@pytest.mark.usefixtures("settled")
def test_an_output_that_others_linked_is_not_made_again(site: Path) -> None:
    build(Project(site), site / "_site")
    shutil.rmtree(site / "._site.spare", ignore_errors=True)
    for path in [p for p in (site / "_site").rglob("*") if p.is_file()]:
        os.link(path, path.with_name(f"{path.name}.copy"))
        path.with_name(f"{path.name}.copy").unlink()
    summary = build(Project(site), site / "_site")
    assert summary.anew == {}


@pytest.mark.usefixtures("settled")
def test_an_input_that_was_edited_and_given_its_time_back_is_read(site: Path, tmp_path: Path) -> None:
    build(Project(site), site / "_site")
    body = site / "records" / f"{corpus.identity(1)}.md"
    told, text = body.stat(), body.read_text("utf-8")
    body.write_text(text.replace("The", "Thy", 1), "utf-8")
    os.utime(body, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert [*build(Project(site), site / "_site").anew] == [f"records/{corpus.identity(1)}.yml"]
    assert tree(site / "_site") == clean(site, tmp_path / "clean")


@pytest.mark.parametrize("days", [-4000, 4000])
def test_a_clock_that_was_set_misleads_no_build(site: Path, tmp_path: Path, days: int) -> None:
    editor = Editor(site, days)
    for _ in range(2):
        moment = time.time() + days * 86_400
        for path in site.rglob("*"):
            os.utime(path, (moment, moment), follow_symlinks=False)
        editor.words()
        editor.value()
        build(Project(site), site / "_site")
        assert tree(site / "_site") == clean(site, tmp_path / "clean")


@pytest.mark.usefixtures("settled")
def test_a_link_that_leads_nowhere_hides_no_change(site: Path, tmp_path: Path) -> None:
    for number in range(8):
        (site / "records" / f".#{number}").symlink_to("editor@host")
    build(Project(site), site / "_site")
    Editor(site, 8).words()
    assert build(Project(site), site / "_site").anew
    assert tree(site / "_site") == clean(site, tmp_path / "clean")


KINDS = ("figures", "parts", "search", "site", "site.last", "site.search")


def kinds(root: Path) -> dict[str, list[Path]]:
    """Return the files of the cache by their kinds, matplotlib's own aside."""
    found: dict[str, list[Path]] = {}
    for path in sorted((root / ".cache").rglob("*")):
        if path.is_file() and "matplotlib" not in path.parts:
            found.setdefault(path.parent.name + path.suffix, []).append(path)
    return found


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("harm", ["cut", "turned"])
def test_a_damaged_entry_of_the_cache_is_noticed_and_made_again(
    site: Path, tmp_path: Path, kind: str, harm: str
) -> None:
    build(Project(site), site / "_site")
    found, chance = kinds(site), random.Random(f"{kind} {harm}")
    assert found.keys() == {*KINDS}
    Editor(site, 6).value()
    whole = clean(site, tmp_path / "clean")
    # The record that was edited has its figures from here, the pages of the site have the parts of the others.
    for path in kinds(site)[kind]:
        data = bytearray(path.read_bytes())
        # Of a file of parts only those are looked at that are read, and which these are is not told: all are turned.
        turned = range(len(data)) if kind == "parts" else [chance.randrange(len(data) // 2, len(data))]
        for at in turned:
            data[at] ^= 255
        path.write_bytes(bytes(data[: len(data) // 2]) if harm == "cut" else bytes(data))
    summary = build(Project(site), site / "_site")
    assert tree(site / "_site") == whole
    assert len(summary.anew) == {"parts": RECORDS, "site": RECORDS}.get(kind, 1)
    assert bool(summary.drawn) == (kind == "figures")


@pytest.mark.usefixtures("settled")
def test_an_edited_memory_of_the_last_line_is_not_believed(site: Path) -> None:
    first = build(Project(site), site / "_site")
    [last] = (site / ".cache" / "site").glob("*.last")
    for number in range(len(last.read_bytes()) - 40, len(last.read_bytes())):
        raw = bytearray(last.read_bytes())
        raw[number] ^= 1
        last.write_bytes(raw)
    again = build(Project(site), site / "_site")
    assert (again.records, again.pages, again.findings) == (first.records, first.pages, first.findings)


def with_everything(root: Path) -> dict[str, Path]:
    """Give a project one input of each kind and return them."""
    editor = Editor(root, 9)
    editor.title()
    editor.style()
    editor.template()
    record, body = (
        (root / "records" / corpus.identity(1)).with_suffix(".yml"),
        root / "records" / f"{corpus.identity(1)}.md",
    )
    shutil.copy(RESOURCES / "assets" / "icon.svg", root / "assets" / "dot.svg")
    body.write_text(body.read_text("utf-8") + "\n![A dot.](/assets/dot.svg)\n", "utf-8")
    audit = record.with_suffix(".audit.yml")
    audit.write_text("[]\n", "utf-8")
    shipped = root / "templates" / "index.html.j2"
    shutil.copy(RESOURCES / "templates" / "index.html.j2", shipped)
    return {
        "record": record, "body": body, "sidecar": audit, "settings": root / "records" / "site.yml",
        "image": root / "assets" / "dot.svg", "style": root / "assets" / "theme.css",
        "template": root / "templates" / "guide.html.j2", "template of a list": shipped,
    }  # fmt: skip


@pytest.mark.parametrize(
    "kind", ["record", "body", "sidecar", "settings", "image", "style", "template", "template of a list"]
)
def test_an_input_that_vanishes_while_it_is_read_is_named(site: Path, tmp_path: Path, kind: str) -> None:
    path = with_everything(site)[kind]
    before, data = tree(site / "_site"), path.read_bytes()
    run = harmed(site, "vanish", str(path), "--jobs", "2")
    assert not path.exists()
    assert run.returncode in {CONTENT, SURROUNDINGS}, run.stdout + run.stderr
    assert path.name in run.stderr
    assert "Traceback" not in run.stderr
    assert tree(site / "_site") == before
    path.write_bytes(data)
    build(Project(site), site / "_site")
    assert tree(site / "_site") == clean(site, tmp_path / "clean")
    assert beside(site) == set()


def steps_of(root: Path, tmp_path: Path) -> int:
    """Return how many steps a build of a project has; the project is left as it was."""
    copy = tmp_path / "counted"
    shutil.copytree(root, copy, symlinks=True)
    assert harmed(copy, "count", str(tmp_path / "steps"), "--jobs", "1").returncode == DONE
    return int((tmp_path / "steps").read_text("utf-8"))


def test_ctrl_c_at_any_step_is_130_and_mixes_nothing(site: Path, tmp_path: Path) -> None:
    whole, editor = [tree(site / "_site")], Editor(site, 10)
    editor.words()
    last = steps_of(site, tmp_path)
    assert last > 50
    for at in ("2", str(last // 3), "+0", "+1", "+3", "+5", "+7"):
        whole.append(clean(site, tmp_path / "clean"))
        run = harmed(site, "interrupt", at, "--jobs", "1")
        published = tree(site / "_site")
        assert "Traceback" not in run.stderr
        assert published in whole[-2:], at
        if run.returncode == INTERRUPTED:
            said = "The site is in its place" if published == whole[-1] else "The last site is as it was"
            assert run.stderr.endswith(f"Stopped. {said}.\n"), at
        build(Project(site), site / "_site")
        assert tree(site / "_site") == whole[-1]
        assert beside(site) == set()
        editor.words()


@pytest.mark.parametrize("limit", [0, 3000, 30_000])
def test_files_that_cannot_grow_end_a_build_in_one_sentence(site: Path, tmp_path: Path, limit: int) -> None:
    before = tree(site / "_site")
    Editor(site, 11).value()
    run = harmed(site, "shrink", str(limit), "-q")
    assert run.returncode == SURROUNDINGS, run.stderr
    assert run.stderr.endswith("File too large. The last site is as it was.\n")
    assert run.stderr.count("\n") == 1
    assert tree(site / "_site") == before
    build(Project(site), site / "_site")
    assert tree(site / "_site") == clean(site, tmp_path / "clean")
    assert beside(site) == set()
    assert [*(site / ".cache").rglob(".new-*")] == []


def test_what_a_killed_process_left_aside_is_removed(site: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    for kind in ("figures", "parts", "search", "site"):
        (site / ".cache" / kind / f".new-{gone.pid}-a").write_bytes(b"half")
        (site / ".cache" / kind / f".new-{gone.pid}-b").mkdir()
        (site / ".cache" / kind / f".new-{os.getpid()}-ours").write_bytes(b"half")
    Editor(site, 12).words()
    build(Project(site), site / "_site")
    left = sorted((site / ".cache").rglob(".new-*"))
    assert {p.name for p in left} == {f".new-{os.getpid()}-ours"}
    assert len(left) == 4


def test_a_file_that_cannot_be_put_leaves_nothing_aside(tmp_path: Path) -> None:
    (tmp_path / "taken" / "by").mkdir(parents=True)
    with pytest.raises(OSError, match="Is a directory"):
        aside.put(tmp_path / "taken", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_a_site_that_was_moved_away_when_its_build_was_killed_is_put_back(site: Path) -> None:
    note = site / "_site" / "own.txt"
    note.write_text("theirs", "utf-8")
    (site / "_site").rename(site / "._site.staging-1-old")
    Editor(site, 13).words()
    build(Project(site), site / "_site")
    assert note.read_text("utf-8") == "theirs"
    assert beside(site) == set()


def during(harm: Callable[[], Any]) -> Options:
    """Return options of a build in the midst of which something happens once."""
    happened = list[int]()

    def hear(*_: int) -> None:
        if not happened:
            happened.append(1)
            harm()

    return Options(jobs=1, progress=hear)


def test_what_others_put_into_the_output_while_a_build_runs_is_kept(site: Path, tmp_path: Path) -> None:
    Editor(site, 14).words()
    place = site / "_site" / "theirs" / "1.txt"

    def put() -> None:
        place.parent.mkdir()
        place.write_text("new", "utf-8")

    build(Project(site), site / "_site", during(put))
    assert place.read_text("utf-8") == "new"
    assert theirs(tree(site / "_site")) == clean(site, tmp_path / "clean")


@pytest.mark.parametrize("harm", ["edit", "remove"])
def test_an_output_that_is_changed_while_a_build_runs_is_never_taken_over(
    site: Path, tmp_path: Path, harm: str
) -> None:
    shutil.rmtree(site / "._site.spare", ignore_errors=True)
    Editor(site, 15).title()
    build(Project(site), site / "_site")
    shutil.rmtree(site / "._site.spare", ignore_errors=True)
    body = site / "records" / f"{corpus.identity(1)}.md"
    body.write_text(body.read_text("utf-8") + "\nMore.\n", "utf-8")
    page = site / "_site" / "guides" / corpus.identity(0) / "index.html"
    changes: dict[str, Callable[[], Any]] = {
        "edit": lambda: page.write_text("edited", "utf-8"),
        "remove": page.unlink,
    }
    with pytest.raises(
        Surroundings, match=r"/index\.html.*\. The last site is as it was\.|/index\.html was changed while"
    ):
        build(Project(site), site / "_site", during(changes[harm]))
    build(Project(site), site / "_site")
    assert tree(site / "_site") == clean(site, tmp_path / "clean")


def test_a_cache_that_is_emptied_again_and_again_ends_a_build_in_a_sentence(site: Path) -> None:
    Editor(site, 16).words()
    parts = site / ".cache" / "parts"

    def emptied(*_: int) -> None:
        for path in parts.iterdir():
            path.unlink()

    with pytest.raises(Surroundings, match=r"was changed by somebody else while the site was made\. Build again"):
        build(Project(site), site / "_site", Options(jobs=1, progress=emptied))


def _end(shared: None, value: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return value


def test_a_worker_that_is_killed_is_told_in_a_sentence() -> None:
    with pytest.raises(Surroundings, match="A process of the build was killed"):
        [*crew.each(_end, None, range(8), 2)]


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, time, site_src.crew as c\n"
        f"def step(shared, n): pathlib.Path({str(tmp_path)!r}, str(os.getpid())).touch(); time.sleep(60)\n"
        "[*c.each(step, None, range(8), 2)]"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=RESOURCES) as parent:
        until(lambda: len([*tmp_path.iterdir()]) == 2)
        parent.kill()
    until(lambda: not any(aside.is_running(int(p.name)) for p in tmp_path.iterdir()))


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; fail after 20 s."""
    ends = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)

"""A build is killed at two hundred moments, and stopped at others: the old site or the new one stands there, whole."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from site_src.exits import DONE, INTERRUPTED
from site_src.project import RESOURCES, Project
from site_src.quick import build
from tests.bench import corpus
from tests.edits import Editor, at_a_desk, clean, tree

__all__ = ["at_a_desk"]
pytestmark = pytest.mark.audit
PARTS, KILLS, STOPS = 4, 50, 6
INPUTS = ("records", "templates", "assets")
OURS = {*INPUTS, "_site", ".cache", "._site.spare"}


@dataclass
class Victim:
    """A project that changes between a few states, each with the site that a clean build makes of it."""

    root: Path
    chance: random.Random
    states: list[tuple[Path, dict[str, bytes]]] = field(default_factory=list)
    now: int = 0

    def add(self, folder: Path) -> None:
        """Note the project as it is as one more state."""
        kept = folder / f"state-{len(self.states)}"
        for name in INPUTS:
            if (self.root / name).is_dir():
                shutil.copytree(self.root / name, kept / name)
        self.states.append((kept, clean(self.root, folder / "clean")))

    def change(self) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """Put the project into another state; return the site before and the one to come."""
        before = self.states[self.now][1]
        self.now = self.chance.choice([n for n in range(len(self.states)) if n != self.now])
        kept, after = self.states[self.now]
        for name in INPUTS:
            shutil.rmtree(self.root / name, ignore_errors=True)
            if (kept / name).is_dir():
                shutil.copytree(kept / name, self.root / name)
        return before, after

    def forget(self) -> None:
        """Take from the cache what the next build would take over: all of it but most figures."""
        for name in ("site", "parts", "search"):
            shutil.rmtree(self.root / ".cache" / name, ignore_errors=True)
        self.chance.choice(sorted((self.root / ".cache" / "figures").iterdir())).unlink()

    def mend(self, after: dict[str, bytes]) -> None:
        """Build, and see that the site equals a clean one and nothing is left over."""
        build(Project(self.root), self.root / "_site")
        assert tree(self.root / "_site") == after
        assert {p.name for p in self.root.iterdir()} <= OURS
        assert [*(self.root / ".cache").rglob(".new-*")] == []


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Victim:
    """A project in four states: words, a value and the title of the site differ."""
    folder = tmp_path_factory.mktemp("victim")
    root = corpus.write(2, folder / "site")
    build(Project(root), root / "_site")
    victim, editor = Victim(root, random.Random(9)), Editor(root, 9)
    victim.add(folder)
    for step in (editor.words, editor.value, editor.title):
        step()
        victim.add(folder)
    victim.now = len(victim.states) - 1
    build(Project(root), root / "_site")
    return victim


def line(root: Path, *harm: str, jobs: int = 2) -> list[str]:
    words = ["build", "-q", "--jobs", str(jobs), "--project", str(root)]
    return [sys.executable, "-m", "tests.stepping", *harm, *words] if harm else [sys.executable, "build.py", *words]


def length(victim: Victim, *, full: bool, jobs: int, folder: Path) -> tuple[int, float]:
    """Return the steps and the seconds of a build that nobody harms."""
    _, after = victim.change()
    if full:
        victim.forget()
    started = time.monotonic()
    subprocess.run(line(victim.root, "count", str(folder / "steps"), jobs=jobs), cwd=RESOURCES, check=True)
    took = time.monotonic() - started
    assert tree(victim.root / "_site") == after
    return int((folder / "steps").read_text("utf-8")), took


def killed_at_a_moment(root: Path, seconds: float, *, alone: bool) -> bool:
    """Kill a build after some seconds, alone or with the processes it started; tell whether it was still running."""
    with subprocess.Popen(line(root), cwd=RESOURCES, start_new_session=True) as run:
        try:
            return run.wait(seconds) != DONE
        except subprocess.TimeoutExpired:
            os.kill(run.pid, signal.SIGKILL) if alone else os.killpg(run.pid, signal.SIGKILL)
    return True


def killed_at_a_step(root: Path, at: str, jobs: int) -> bool:
    """Kill a build at one of its steps; tell whether it came so far."""
    run = subprocess.run(line(root, "kill", at, jobs=jobs), cwd=RESOURCES, check=False, timeout=120)
    assert run.returncode in {DONE, -signal.SIGKILL}
    return run.returncode != DONE


@pytest.mark.parametrize("part", range(PARTS))
def test_a_killed_build_leaves_one_whole_site_and_the_next_one_mends_it(
    prepared: Victim, tmp_path: Path, part: int, record_property: Callable[[str, object], None]
) -> None:
    victim = prepared
    chance = victim.chance = random.Random(f"kills {part}")
    spans = {full: length(victim, full=full, jobs=1 + part % 2, folder=tmp_path) for full in (True, False)}
    old = new = ended = 0
    for number in range(KILLS):
        before, after = victim.change()
        full = number % 3 == 0
        if full:
            victim.forget()
        steps, seconds = spans[full]
        if number % 2:
            harmed = killed_at_a_moment(victim.root, chance.uniform(0.05, 0.9) * seconds, alone=number % 4 == 1)
        else:
            at = f"+{chance.randrange(6)}" if number % 4 == 0 else str(chance.randint(1, steps // 2))
            harmed = killed_at_a_step(victim.root, at, 1 + part % 2)
        there = tree(victim.root / "_site")
        assert there in (before, after), (part, number)
        old, new, ended = old + (there == before), new + (there == after), ended + (not harmed)
        victim.mend(after)
    told = f"part {part}: {KILLS} builds, {ended} of them ended before the kill; {old} old sites, {new} new ones"
    record_property("reported", told)
    assert old > KILLS // 4
    assert new > 2


def test_a_build_that_is_stopped_with_ctrl_c_mixes_nothing(prepared: Victim, tmp_path: Path) -> None:
    victim = prepared
    chance = victim.chance = random.Random("stops")
    for full in (True, False):
        steps, _ = length(victim, full=full, jobs=2, folder=tmp_path)
        for number in range(STOPS):
            before, after = victim.change()
            if full:
                victim.forget()
            at = f"+{chance.randrange(8)}" if number % 2 else str(chance.randint(1, steps))
            words = line(victim.root, "interrupt", at)
            run = subprocess.run(words, cwd=RESOURCES, capture_output=True, text=True, check=False, timeout=120)
            there = tree(victim.root / "_site")
            assert "Traceback" not in run.stderr
            assert run.returncode in {DONE, INTERRUPTED}
            assert there in (before, after)
            if run.returncode == INTERRUPTED:
                assert run.stderr.endswith(
                    "in its place.\n" if there == after else "Stopped. The last site is as it was.\n"
                )
            victim.mend(after)

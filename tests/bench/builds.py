"""How long whole builds take beside other generators, in one run.

    python -m tests.bench.builds N… [FIGURES] [--write]

FIGURES is the folder of a cache of figures, which spares drawing them before the clock runs.

Each case is a process of its own, measured from its start to its end by the operating system: wall time, processor
time, and the memory of its largest process. pinpress and each peer take turns, so that what else the machine does falls
on both; a ratio is of the medians. Every page that was asked for must be there, with the edit where there was one.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from site_src.project import RESOURCES

from . import corpus, peers
from .peers import Peer

TURNS: Final = 3
DOCUMENT: Final = RESOURCES / "docs" / "measured.md"
_START, _END = "<!-- measured: builds -->\n", "<!-- end -->\n"
CASES: Final = ("cold", "again", "edit")


class Cost(NamedTuple):
    """What one process cost: seconds by the clock and of processors, and MB of its largest process."""

    wall: float
    cpu: float
    peak: float


@dataclass
class Subject:
    """A generator with its input: how to call it, what is removed for a cold build, how one guide is edited."""

    name: str
    root: Path
    command: list[str]
    removed: tuple[Path, ...]
    edit: Callable[[str], None]
    check: Callable[[str], None]
    costs: dict[str, list[Cost]] = field(default_factory=lambda: {case: [] for case in CASES})

    def run(self, case: str, word: str) -> None:
        """Build once, and note what it cost."""
        if case == "cold":
            for path in self.removed:
                shutil.rmtree(path, ignore_errors=True)
        if case == "edit":
            self.edit(word)
        self.costs[case].append(measured(self.command, self.root))
        self.check(word if case == "edit" else "")


def measured(command: list[str], root: Path) -> Cost:
    """Run a command and return what it cost. Raises AssertionError where it failed."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, cwd=root, stdout=told, stderr=told, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        told.seek(0)
        assert process.returncode == 0, f"{command[0]}: {told.read()[-2000:].decode(errors='replace')}"
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def ours(count: int, root: Path) -> Iterator[Subject]:
    """Yield pinpress twice: pages alone, as peers make them, and everything."""
    python, name = sys.executable, corpus.identity(1)
    body = root / "records" / f"{name}.md"
    text = body.read_text("utf-8")

    def edit(word: str) -> None:
        body.write_text(f"{text}\n{word}\n", "utf-8")

    for kind, command in (
        ("pinpress, pages", [python, "-m", "tests.bench.pages", str(root), str(root / "_pages")]),
        ("pinpress, all", [python, str(RESOURCES / "build.py"), "build", "--project", str(root), "-q"]),
    ):
        out = root / ("_pages" if "pages" in kind else "_site")
        cache = root / ".cache" / ("pages" if "pages" in kind else "")
        spare, found = out.with_name(f".{out.name}.spare"), root / ".cache" / "search"
        removed = (out, spare, found, cache / "site", cache / "parts")

        def check(word: str, out: Path = out) -> None:
            made = [*(out / "guides").glob("*/index.html")]
            assert len(made) == count, f"{len(made)} of {count} pages"
            assert word in (out / "guides" / name / "index.html").read_text("utf-8")

        yield Subject(kind, RESOURCES, command, removed, edit, check)


def theirs(peer: Peer, count: int, root: Path) -> Subject:
    """Return a peer with its input of as many guides."""
    peer.write(count, root)
    name = corpus.identity(1)
    source = root / peer.source / f"{name}.md"
    text = source.read_text("utf-8")

    def edit(word: str) -> None:
        source.write_text(f"{text}\n{word}\n", "utf-8")

    def check(word: str) -> None:
        out = root / peer.out
        made = [p for p in out.rglob("*.html") if "replies-under-load" in p.as_posix() or "run-" in p.as_posix()]
        assert len(made) >= count, f"{peer.name}: {len(made)} of {count} pages"
        assert not word or any(word in p.read_text("utf-8") for p in made), f"{peer.name}: the edit is missing"

    kept = tuple(root / k for k in (peer.out, *peer.kept))
    return Subject(peer.name, root, peer.command(root), kept, edit, check)


def run(count: int, folder: Path, figures: Path | None) -> list[Subject]:
    """Measure all of them with `count` guides; `figures` is a store of figures that were drawn before."""
    root = corpus.write(count, folder / "ours")
    if figures:
        (root / ".cache").mkdir()
        (root / ".cache" / "figures").symlink_to(figures.resolve())
    subjects = [*ours(count, root), *(theirs(p, count, folder / p.name) for p in peers.found())]
    # Figures are drawn before the clock runs; peers have none. Both of ours read the same store.
    subprocess.run([*subjects[1].command], cwd=RESOURCES, check=True)
    (root / ".cache" / "pages").mkdir(exist_ok=True)
    (root / ".cache" / "pages" / "figures").symlink_to(root / ".cache" / "figures")
    slow = set[str]()
    for turn in range(TURNS):
        for case in CASES:
            for subject in subjects:
                if subject.name not in slow:
                    subject.run(case, f"Edited{turn}{case}")
        # A build of more than 15 s is measured once.
        slow |= {s.name for s in subjects if s.costs["cold"][0].wall > 15}
    return subjects


def table(count: int, subjects: list[Subject]) -> str:
    """Return the medians as a Markdown table, each with its ratio to the build of pages."""
    lines = [
        f"{count:,} guides:\n",
        "| | cold, s | CPU, s | peak, MB | nothing changed, s | one edit, s | cold, ratio |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    first = _median(subjects[0], "cold").wall
    for subject in subjects:
        cold, again, edit = (_median(subject, case) for case in CASES)
        cells = [f"{cold.wall:.2f}", f"{cold.cpu:.1f}", f"{cold.peak:,.0f}", f"{again.wall:.2f}", f"{edit.wall:.2f}"]
        lines.append(f"| {subject.name} | {' | '.join(cells)} | {cold.wall / first:.2f} |")
    return "\n".join(lines) + "\n"


def _median(subject: Subject, case: str) -> Cost:
    return Cost(*(statistics.median(cost[n] for cost in subject.costs[case]) for n in range(3)))


def machine() -> str:
    """Return on what and when this was measured."""
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    where = f"{os.cpu_count()} processors ({platform.machine()}), {platform.system()}"
    return f"{day}, {where}, Python {platform.python_version()}"


def main(counts: list[int], figures: Path | None, *, is_written: bool) -> None:
    """Print the tables, and put them into the documentation if asked to."""
    told = []
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            told.append(table(count, run(count, Path(folder), figures)))
            print(told[-1], flush=True)
    if is_written:
        before, _, rest = DOCUMENT.read_text("utf-8").partition(_START)
        after = rest.partition(_END)[2]
        DOCUMENT.write_text(f"{before}{_START}\n{machine()}.\n\n{chr(10).join(told)}\n{_END}{after}", "utf-8")


if __name__ == "__main__":
    drawn = next((Path(a) for a in sys.argv[1:] if Path(a).is_dir()), None)
    main([int(a) for a in sys.argv[1:] if a.isdecimal()] or [200], drawn, is_written="--write" in sys.argv)

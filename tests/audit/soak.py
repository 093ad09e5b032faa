"""A preview over many edits: `python -m tests.audit.soak EDITS [SEED]` prints what it used and what it served.

A small site is edited at random while the preview runs: words, values, templates, style, records that come, go and are
renamed. After each tenth edit every served file must equal that of a clean build. Memory, open files and threads are
compared after a warm-up and at the end, both times with the records that it began with. Under load, 50 connections of
wrk and a few clients of our own ask while the site changes between known states: each body must be one of theirs.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from site_src.project import RESOURCES
from tests.bench import corpus
from tests.edits import Editor, clean
from tests.test_preview import unmarked

RECORDS: Final = 3
WARM_UP: Final = 50
_INPUTS: Final = ("records", "templates", "assets")
_LONGEST_S: Final = 60
_CLIENTS: Final = 4
_STEADY: Final = ("", "results/", "sources/", "search/", "method/", f"guides/{corpus.identity(1)}/")
_ERRORS: Final = re.compile(r"Socket errors:.*|Non-2xx.*")
# Each connection asks five times a second, so that the rebuilds have time to go on.
_SCRIPT: Final = """
local paths, n = {%s}, 0
request = function() n = n + 1; return wrk.format("GET", "/" .. paths[n %% #paths + 1]) end
delay = function() return 200 end
"""


@dataclass(frozen=True)
class Used:
    """What a process holds: resident memory in kB, open files, threads."""

    memory_kb: int
    files: int
    threads: int

    @staticmethod
    def by(pid: int) -> Used:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
        memory = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.M)
        assert memory is not None
        files, threads = (len([*Path(f"/proc/{pid}/{name}").iterdir()]) for name in ("fd", "task"))
        return Used(int(memory[1]), files, threads)


class Preview:
    """A preview that runs, and what it says."""

    def __init__(self, process: subprocess.Popen[str], root: Path) -> None:
        assert process.stdout is not None
        self.process, self.root, self.said = process, root, list[str]()
        self.base = next(w for s in process.stdout for w in s.split() if w.startswith("http://"))
        self._host = urlsplit(self.base).netloc
        self.reader = threading.Thread(target=lambda: self.said.extend(self._lines()), daemon=True)
        self.reader.start()

    def _lines(self) -> Iterator[str]:
        yield from self.process.stdout or ()

    @staticmethod
    def get(path: str, connection: HTTPConnection) -> tuple[int, bytes]:
        """Ask for a file."""
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        return answer.status, answer.read()

    def connect(self) -> HTTPConnection:
        return HTTPConnection(self._host, timeout=_LONGEST_S)

    def told(self, before: int, seconds: float) -> bool:
        """Wait until it says something more than the lines before; tell whether it did."""
        return _until(lambda: len(self.said) > before, seconds)

    def differing(self, files: Mapping[str, bytes]) -> list[str]:
        """Return the files of a site that are served otherwise."""
        with closing(self.connect()) as here:
            return [path for path, data in files.items() if not _is(self.get(path, here), data)]

    def serves(self, files: Mapping[str, bytes]) -> bool:
        """Wait until every file of a site is served."""
        return _until(lambda: not self.differing(files), _LONGEST_S)


def _is(told: tuple[int, bytes], data: bytes) -> bool:
    return told[0] == 200 and data in {told[1], unmarked(told[1], data)}


def _until(holds: object, seconds: float) -> bool:
    assert callable(holds)
    ends = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > ends:
            return False
        time.sleep(0.05)
    return True


@contextmanager
def running(root: Path) -> Iterator[Preview]:
    """Run a preview of a project until the block ends."""
    line = [sys.executable, "-u", str(RESOURCES / "build.py"), "preview", "--port", "0", "--project", str(root)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        preview = Preview(process, root)
        try:
            assert preview.told(0, _LONGEST_S)
            yield preview
        finally:
            process.terminate()
            process.wait()
            preview.reader.join()


class Edits(Editor):
    """Edits of what a preview reads."""

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed)
        self.changes = (
            self.words, self.words, self.words, self.value, self.value,
            self.rename, self.delete, self.add, self.title, self.template, self.style,
        )  # fmt: skip


@dataclass
class Result:
    """What a soak came to: the differences it found, what was used, in what time."""

    edits: int
    rebuilds: int
    differing: list[str]
    warm: Used
    end: Used
    seconds: float

    @property
    def growth(self) -> float:
        """How much more memory is used at the end than after the warm-up, as a share."""
        return self.end.memory_kb / self.warm.memory_kb - 1

    def __str__(self) -> str:
        """Tell it in one line."""
        return (
            f"{self.edits} edits, {self.rebuilds} rebuilds told, in {self.seconds:.0f} s; "
            f"memory {self.warm.memory_kb / 1024:.0f} MB after the warm-up, "
            f"{self.end.memory_kb / 1024:.0f} MB at the end ({self.growth:+.1%}); "
            f"open files {self.warm.files} and {self.end.files}, "
            f"threads {self.warm.threads} and {self.end.threads}; {len(self.differing)} differences"
        )


def soak(folder: Path, edits: int, seed: int, warm_up: int = WARM_UP) -> Result:
    """Edit a site while a preview serves it; compare after each tenth edit."""
    root, kept = corpus.write(RECORDS, folder / "site"), folder / "kept"
    shutil.copytree(root / "records", kept / "records")
    started, differing, warm = time.monotonic(), list[str](), None
    with running(root) as preview:
        editor = Edits(root, seed)
        for number in range(1, edits + 1):
            before = len(preview.said)
            name = editor.change()
            preview.told(before, 3)
            if number % 10 == 0:
                files = clean(root, folder / "clean")
                if not preview.serves(files):
                    differing.append(f"edit {number} ({name}): {preview.differing(files)[:3]}")
            if number == warm_up:
                warm = _at_rest(preview, kept, folder)
            if number % 50 == 0:
                told = f"{number} edits, {len(differing)} differences, {Used.by(preview.process.pid)}"
                print(told, file=sys.stderr, flush=True)
        end = _at_rest(preview, kept, folder)
        return Result(edits, len(preview.said), differing, warm or end, end, time.monotonic() - started)


def _at_rest(preview: Preview, kept: Path, folder: Path) -> Used:
    """Put the project back to its beginning, wait until it is served, and return what the preview uses then."""
    restore(preview.root, kept)
    assert preview.serves(clean(preview.root, folder / "clean"))
    # What serves a request is given back when nobody asks.
    time.sleep(1)
    return Used.by(preview.process.pid)


def restore(root: Path, kept: Path) -> None:
    """Put the inputs of a project back to what they were."""
    for name in _INPUTS:
        shutil.rmtree(root / name, ignore_errors=True)
        if (kept / name).is_dir():
            shutil.copytree(kept / name, root / name)


@dataclass
class Load:
    """What a site under load came to: bodies that belong to no state, what wrk says, how many bodies were compared."""

    strange: list[str]
    wrk: str
    bodies: int
    changes: int

    @property
    def errors(self) -> list[str]:
        """What wrk counts as errors."""
        return _ERRORS.findall(self.wrk)


def load(folder: Path, changes: int, seed: int) -> Load:
    """Change a site between known states while 50 connections and a few clients ask for its pages."""
    root, chance = corpus.write(RECORDS, folder / "site"), random.Random(seed)
    body = root / "records" / f"{corpus.identity(1)}.md"
    texts = [f"{body.read_text('utf-8')}\nState {n} of the words.\n" for n in range(3)]
    titles = [f"title: State {n} of the site\n" for n in range(3)]
    states = dict[tuple[int, int], dict[str, bytes]]()
    for at in ((t, n) for t in range(3) for n in range(3)):
        _write(body, texts[at[0]])
        _write(root / "records" / "site.yml", titles[at[1]])
        states[at] = clean(root, folder / "clean")
    here, strange, asked = (2, 2), list[str](), list[int]()
    with running(root) as preview, _wrk(preview.base, folder) as wrk, ThreadPoolExecutor(_CLIENTS) as clients:
        ended = threading.Event()
        for client in range(_CLIENTS):
            clients.submit(_ask, preview, [*states.values()], random.Random(client), ended, strange, asked)
        try:
            for _ in range(changes):
                here = chance.choice([at for at in states if (at[0] == here[0]) != (at[1] == here[1])])
                _write(body, texts[here[0]])
                _write(root / "records" / "site.yml", titles[here[1]])
                page = f"guides/{corpus.identity(1)}/index.html"
                assert _until(lambda: not preview.differing({page: states[here][page]}), _LONGEST_S)  # noqa: B023
        finally:
            ended.set()
    return Load(strange, wrk[0], sum(asked), changes)


def _ask(
    preview: Preview, states: Sequence[Mapping[str, bytes]], chance: random.Random, ended: threading.Event,
    strange: list[str], asked: list[int],
) -> None:  # fmt: skip
    """Ask for files that every state has; note each body that is of none."""
    connection, count = preview.connect(), 0
    names = sorted(set.intersection(*({*files} for files in states)))
    try:
        while not ended.is_set():
            name = chance.choice(names)
            told = preview.get(name, connection)
            count += 1
            if not any(_is(told, files[name]) for files in states):
                strange.append(f"{name}: {told[0]}, {len(told[1])} bytes")
    except Exception as error:  # a broken connection is a fault of the preview here
        strange.append(repr(error))
    finally:
        asked.append(count)
        connection.close()


@contextmanager
def _wrk(base: str, folder: Path) -> Iterator[list[str]]:
    """Have 50 connections ask until the block ends; the list then holds what wrk reports."""
    script, told = folder / "steady.lua", list[str]()
    script.write_text(_SCRIPT % ",".join(f'"{path}"' for path in _STEADY), "utf-8")
    line = ["wrk", "-t2", "-c50", "-d600s", "--timeout", "30s", "-s", str(script), base]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield told
        finally:
            # It reports when it is interrupted.
            process.send_signal(2)
            told.append(process.communicate(timeout=_LONGEST_S)[0])


def _write(path: Path, text: str) -> None:
    """Save as an editor does, whole or not at all; what is the same is not written."""
    if not path.is_file() or path.read_text("utf-8") != text:
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(text, "utf-8")
        beside.replace(path)


def main(edits: int, seed: int) -> None:
    """Print what a soak and a load came to."""
    with tempfile.TemporaryDirectory() as name:
        told = soak(Path(name) / "soak", edits, seed)
        print(told, *told.differing, sep="\n", flush=True)
        under = load(Path(name) / "load", max(20, edits // 10), seed)
        print(f"{under.changes} changes under load, {under.bodies} bodies compared")
        print(*under.strange, under.wrk, sep="\n")
    if told.differing or told.growth >= 0.1 or told.end.files > told.warm.files or under.strange or under.errors:
        raise SystemExit("not all of it held")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)

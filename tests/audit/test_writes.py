"""Nothing but the output, its staging beside it and the cache is ever written or removed, as the kernel tells it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from site_src.exits import DONE
from site_src.project import RESOURCES
from tests.audit.traced import traced, written
from tests.bench import corpus
from tests.browser import program

pytestmark = pytest.mark.audit
# Where a write leaves nothing: devices, locks that have no name any more by the time they are used.
NOWHERE = re.compile(r"/dev/(?:null|tty|pts/\d+|shm/[\w.-]+)|/proc/self/.*|(?:pipe|socket|anon_inode):.*|/memfd:.*")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A project, with a folder for its output and others that are to stay empty."""
    program(("strace",), "strace", "apt-get install strace")
    corpus.write(2, tmp_path / "site")
    for name in ("home", "tmp", "out"):
        (tmp_path / name).mkdir()
    return tmp_path


def surroundings(place: Path) -> dict[str, str]:
    """Lead what would go into the home and the temporary folder to places of our own, where it is seen."""
    # What Python compiles lies beside the program and is no output of it.
    return {"HOME": str(place / "home"), "TMPDIR": str(place / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}


def line(place: Path, *words: str) -> list[str]:
    return [sys.executable, "-u", str(RESOURCES / "build.py"), *words, "--project", str(place / "site")]


def foreign(paths: set[str], place: Path) -> list[str]:
    """Return what lies outside the output, its staging and the cache."""
    ours = re.compile(rf"{re.escape(str(place))}/(?:out/(?:_site|\._site\.[\w.-]+)|site/\.cache)(?:/.*)?")
    return sorted(p for p in paths if not ours.fullmatch(p) and not NOWHERE.fullmatch(p))


def run(place: Path, name: str, *words: str) -> set[str]:
    """Run a command to its end and return what it wrote."""
    with traced(line(place, *words), place / name, surroundings(place)) as process:
        _, told = process.communicate(timeout=200)
    assert process.returncode == DONE, told
    return written(place / name)


def test_a_build_writes_its_output_and_its_cache_only(place: Path) -> None:
    out = ["--out", str(place / "out" / "_site")]
    first = run(place, "cold", "build", *out)
    assert foreign(first, place) == []
    assert str(place / "out" / "_site") in first
    body = place / "site" / "records" / f"{corpus.identity(1)}.md"
    body.write_text(body.read_text("utf-8") + "\nMore.\n", "utf-8")
    again = run(place, "edited", "build", *out)
    assert foreign(again, place) == []
    assert str(place / "out" / "._site.spare") in again
    shutil.rmtree(place / "site" / ".cache" / "site")
    assert foreign(run(place, "offline", "build", "--offline", *out), place) == []


def test_a_check_writes_nothing(place: Path) -> None:
    found = run(place, "check", "check")
    assert [p for p in found if not NOWHERE.fullmatch(p)] == []


def test_figures_write_into_the_cache_only(place: Path) -> None:
    assert foreign(run(place, "figures", "figures"), place) == []


def lines(stream: Iterator[str]) -> Iterator[str]:
    """Yield what a preview says, and fail where it says nothing more."""
    yield from stream
    raise AssertionError("the preview ended")


def test_a_preview_writes_into_the_cache_only(place: Path) -> None:
    with traced(line(place, "preview", "--port", "0"), place / "preview", surroundings(place)) as process:
        watch = threading.Timer(150, process.kill)
        watch.start()
        assert process.stdout is not None
        said = lines(process.stdout)
        address = next(w for s in said for w in s.split() if w.startswith("http://"))
        next(s for s in said if s.startswith("start: "))
        with urlopen(address + "search/") as answer:
            assert answer.status == 200
        body = place / "site" / "records" / f"{corpus.identity(1)}.md"
        body.write_text(body.read_text("utf-8") + "\nMore.\n", "utf-8")
        next(s for s in said if s.startswith(f"records/{corpus.identity(1)}.md: "))
        with urlopen(f"{address}guides/{corpus.identity(1)}/") as answer:
            assert b"More." in answer.read()
        # strace keeps Ctrl-C for itself.
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8")
        os.kill(int(children), signal.SIGINT)
        process.communicate(timeout=60)
        watch.cancel()
    assert foreign(written(place / "preview"), place) == []


def test_what_is_written_elsewhere_is_told(place: Path) -> None:
    code = (
        "import os, pathlib as p, subprocess\n"
        "home = p.Path(os.environ['HOME'])\n"
        "os.chdir(home)\n"
        "p.Path('a').write_text('x'); os.rename('a', 'b'); os.mkdir('d'); os.link('b', 'c'); os.symlink('/etc', 'l')\n"
        "subprocess.run(['touch', 'e']); os.unlink('c'); os.open(home / 'b', os.O_RDONLY)\n"
    )
    with traced([sys.executable, "-c", code], place / "other", surroundings(place)) as process:
        process.communicate(timeout=60)
    told = foreign(written(place / "other"), place)
    assert told == [str(place / "home" / name) for name in "abcdel"]

"""Whether a build would change nothing, told by the states of files alone, before anything else of pinpress is loaded.

A state is a hint that spares the reading: it is believed only of files that had not changed for a while when the
build that left it began, and never in CI.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from . import aside
from .lock import alone
from .options import Options, Summary
from .project import RESOURCES, Project
from .states import State, states
from .unpickling import Lost, unpickled

# A file changed within one tick of its file system's clock keeps its times. The coarsest clock in use ticks every 2 s.
SETTLED_NS: Final = 2_500_000_000
_FOLDERS: Final = ("records", "templates", "assets")


class Look:
    """The states of all that a site is made from, taken before it is read."""

    def __init__(self, project: Project, options: tuple[object, ...]) -> None:
        """Look at the files of a project and of this program; `options` are those of the build."""
        self._options = options
        self._newest = 0
        self._began = time.time_ns()
        roots = {Path(__file__).parent, *(project.root / n for n in _FOLDERS), *(RESOURCES / n for n in _FOLDERS[1:])}
        self._inputs = sorted(told for root in sorted(roots) for told in self._states(os.fspath(root)))
        # It changes where a package is installed, updated or removed.
        self._libraries = Path(sysconfig.get_path("purelib")).stat().st_mtime_ns

    def _states(self, folder: str) -> list[tuple[object, ...]]:
        try:
            entries = [*os.scandir(folder)]
        except OSError as error:
            return [(folder, error.errno or 0)]
        found = list[tuple[object, ...]]()
        for entry in entries:
            if entry.name != "__pycache__" and entry.is_dir():
                found += self._states(entry.path)
            else:
                found.append(self._state(entry))
        return found

    def _state(self, entry: os.DirEntry[str]) -> tuple[object, ...]:
        try:
            told = entry.stat()
        except OSError as error:
            # A link that leads nowhere, as some editors leave beside an open file, hides none of the others.
            return entry.path, error.errno or 0
        state = (told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino)
        self._newest = max(self._newest, *state[:2])
        return entry.path, *state

    def digest(self, published: Mapping[str, State]) -> str:
        """Return a hash of it all, with the states of the files of the output."""
        return hashlib.sha256(
            repr((self._options, self._inputs, self._libraries, sorted(published.items()))).encode()
        ).hexdigest()

    @property
    def is_settled(self) -> bool:
        """Tell whether every file had its state for long enough to be known by it."""
        return self._newest + SETTLED_NS < self._began


def build(project: Project, out: Path, options: Options | None = None) -> Summary:
    """Publish the site into `out`, all or nothing. Raises Rejected and Surroundings."""
    wish, out = options or Options(), out.resolve()
    told = repr((os.fspath(out), wish.offline, wish.drafts))
    place = (wish.cache or project.cache) / "site" / hashlib.sha256(told.encode()).hexdigest()[:16]
    look = Look(project, (os.fspath(out), wish.offline, wish.drafts, wish.strict, sys.version))
    number, there = _number(out), states(out)
    if summary := _recalled(place.with_suffix(".last"), look.digest(there)):
        return summary
    from . import building
    from .exchange import IN_PLACE

    summary = None
    try:
        # Before anything is read: of two builds, the one that publishes last has then read last.
        with alone(out), _few_collections():
            if _number(out) != number:
                there = states(out)
            summary, after = building.build(project, out, wish, place, there)
            if look.is_settled:
                again = replace(summary, drawn=(), reused=(*summary.drawn, *summary.reused), anew={})
                _remember(place.with_suffix(".last"), look.digest(after), again)
    except KeyboardInterrupt:
        if summary:
            raise KeyboardInterrupt(IN_PLACE) from None
        raise
    return summary


def _number(out: Path) -> tuple[int, int]:
    """Return what tells the folder of a site from one that was published since."""
    with suppress(OSError):
        told = out.stat()
        return told.st_ino, told.st_ctime_ns
    return 0, 0


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage in cycles more rarely: a build makes much that stays, and looking through it takes longer."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _recalled(place: Path, digest: str) -> Summary | None:
    """Return what the build that left `digest` told of itself."""
    if os.environ.get("CI"):
        return None
    try:
        known, told = unpickled(aside.untagged(place.read_bytes()) or b"")
    except (OSError, Lost, TypeError, ValueError):
        return None
    return told if known == digest and isinstance(told, Summary) else None


def _remember(place: Path, digest: str, summary: Summary) -> None:
    """Keep what a build tells of itself. A cache that cannot be written costs time only."""
    with suppress(OSError):
        aside.put(place, aside.tagged(pickle.dumps((digest, summary), 5)))

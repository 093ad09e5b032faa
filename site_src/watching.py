"""What changed on the disk, in portions fit for one rebuild each.

One saved file is told at once. A burst is told when it has gone quiet, and while git is writing a tree nothing is.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Final

from watchfiles import Change, DefaultFilter, awatch

from .project import RESOURCES, Project

_STEP_MS: Final = 10
# One save by way of a second file touches two names; more than that is a burst.
_FEW: Final = 2
_QUIET_S: Final = 0.12
_LONGEST_WAIT_S: Final = 5.0
_FOLDERS: Final = ("records", "templates", "assets")
_POLLING: Final = "WATCHFILES_FORCE_POLLING"


class _Inputs(DefaultFilter):
    """Lets pass what is neither hidden nor an editor's own: the build reads no such file."""

    def __call__(self, change: Change, path: str) -> bool:
        name = os.path.basename(path)  # noqa: PTH119
        return not name.startswith(".") and not name.endswith("~") and super().__call__(change, path)


def is_polling() -> bool:
    """Tell whether files are looked at in turn, because the environment says that events do not come."""
    asked = os.environ.get(_POLLING)
    if asked:
        return asked.lower() not in {"false", "disable", "disabled"}
    release = os.uname().release.lower() if hasattr(os, "uname") else ""
    return "microsoft-standard" in release


def mode() -> str:
    """Return how changes are noticed, in words."""
    return f"by polling ({_POLLING} or WSL)" if is_polling() else f"by events ({_POLLING}=1 polls instead)"


def folders(project: Project) -> frozenset[Path]:
    """Return the folders with the inputs of a project, as far as they are there."""
    wanted = [project.root / name for name in _FOLDERS]
    wanted += [RESOURCES / "templates", RESOURCES / "assets"]
    return frozenset(folder for folder in wanted if folder.is_dir())


async def changes(project: Project) -> AsyncIterator[frozenset[str]]:
    """Yield the paths that changed, a portion at a time, for ever. A folder that appears is watched from then on.

    The first portion comes when the watch is up and may be empty: what changed before that, no event tells.
    """
    queue: asyncio.Queue[frozenset[str]] = asyncio.Queue()
    watching = asyncio.create_task(_watch(project, queue))
    try:
        while True:
            portion = await _next(queue, watching)
            started = time.monotonic()
            while time.monotonic() - started < _LONGEST_WAIT_S:
                if len(portion) <= _FEW and not _git_writes(project.root) and queue.empty():
                    break
                try:
                    portion |= await asyncio.wait_for(queue.get(), _QUIET_S)
                except TimeoutError:
                    if not _git_writes(project.root):
                        break
            yield portion
    finally:
        watching.cancel()


async def _next(queue: asyncio.Queue[frozenset[str]], watching: asyncio.Task[None]) -> frozenset[str]:
    """Return the next portion; a watch that ended with an error is told, not waited for."""
    upcoming = asyncio.ensure_future(queue.get())
    await asyncio.wait({upcoming, watching}, return_when=asyncio.FIRST_COMPLETED)
    if watching.done():
        upcoming.cancel()
        watching.result()
    return await upcoming


async def _watch(project: Project, queue: asyncio.Queue[frozenset[str]]) -> None:
    """Watch the folders that are there, and the project's own for those that come and go."""
    before = folders(project)
    while True:
        present, stop = folders(project), asyncio.Event()
        of_folders = awatch(*sorted(present), watch_filter=_Inputs(), step=_STEP_MS, stop_event=stop)
        names = asyncio.create_task(_names(project, present, stop))
        upcoming = asyncio.ensure_future(anext(of_folders, None))
        # Both tasks set their watches up before they first wait for anything.
        await asyncio.sleep(0)
        await queue.put(frozenset(str(folder) for folder in before ^ present))
        before = present
        while (found := await upcoming) is not None:
            await queue.put(frozenset(path for _, path in found))
            upcoming = asyncio.ensure_future(anext(of_folders, None))
        await names


async def _names(project: Project, present: Iterable[Path], stop: asyncio.Event) -> None:
    """Stop the watch when a folder of inputs is made, moved or removed."""
    before = _identities(present)
    if _identities(folders(project)) != before:
        stop.set()
        return
    async for _ in awatch(project.root, watch_filter=None, recursive=False, step=_STEP_MS):
        if _identities(folders(project)) != before:
            stop.set()
            return


def _identities(found: Iterable[Path]) -> frozenset[tuple[Path, int]]:
    return frozenset((folder, folder.stat().st_ino) for folder in found if folder.is_dir())


def _git_writes(root: Path) -> bool:
    """Tell whether git holds the index of the tree that the project lies in: a checkout is under way."""
    for folder in (root, *root.parents):
        marker = folder / ".git"
        if marker.is_dir():
            return _is_fresh(marker / "index.lock")
        if marker.is_file():
            place = marker.read_text("utf-8", "replace").partition("gitdir:")[2].strip()
            return _is_fresh(folder / place / "index.lock")
    return False


def _is_fresh(lock: Path) -> bool:
    """Tell whether a lock was just taken: a crash leaves one behind, and an open commit message holds one."""
    try:
        return time.time() - lock.stat().st_mtime < _LONGEST_WAIT_S
    except OSError:
        return False

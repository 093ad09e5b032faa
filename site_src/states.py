"""Files → what tells each from another of its name without reading it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

State: TypeAlias = tuple[int, int, int, int]
"""When a file was modified and when it was changed, in ns, its size and its number: what tells it from another of its
name without reading it.

Anybody can set the first, so other bytes of the same size may have it. Nobody can set the second; but it also moves
where a link to the file is made or removed, as builds do. It is a plain tuple: a history holds tens of thousands, and
these are written and read the fastest.
"""


def states(folder: str | Path) -> dict[str, State]:
    """Return the state of every file below a folder, links not followed, by its path with slashes."""
    found: dict[str, State] = {}
    open_folders = [(os.fspath(folder), "")]
    while open_folders:
        place, below = open_folders.pop()
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    open_folders.append((entry.path, f"{below}{entry.name}/"))
                else:
                    # One that went away meanwhile says nothing of those beside it.
                    with contextlib.suppress(FileNotFoundError):
                        found[below + entry.name] = _state(entry.stat(follow_symlinks=False))
    return found


def state(path: str | Path) -> State:
    """Return the state of one file, a link not followed. Raises OSError."""
    return _state(os.lstat(path))


def _state(told: os.stat_result) -> State:
    return told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino


def is_like(one: State | None, other: State | None) -> bool:
    """Tell whether two states differ by what a link does, if at all."""
    return one is not None and other is not None and (one[0], one[2:]) == (other[0], other[2:])


def unchanged(folder: Path, known: Mapping[str, tuple[str, State]], found: Mapping[str, State]) -> dict[str, str]:
    """Return the SHA-256 of the files that are as they are known, which are read where their state leaves a doubt."""
    same = dict[str, str]()
    for path, (sha256, before) in known.items():
        now = found.get(path)
        if now == before or (is_like(now, before) and _sha256(folder / path) == sha256):
            same[path] = sha256
    return same


def _sha256(path: Path) -> str:
    """Return the SHA-256 of a file, "" if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""

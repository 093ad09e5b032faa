"""Bytes → a file of the cache, written aside and renamed: it is there as a whole or not at all.

What lies aside is named after the process that writes it, so that what a killed one left is known and removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

_ASIDE: Final = ".new-"


def prefix() -> str:
    """Return how the name of anything begins that this process writes aside."""
    return f"{_ASIDE}{os.getpid()}-"


def tagged(data: bytes) -> bytes:
    """Return bytes behind the line of their hash, by which an entry that was cut short or edited is told."""
    return hashlib.sha256(data).hexdigest().encode() + b"\n" + data


def untagged(raw: bytes) -> bytes | None:
    """Return the bytes of a tagged entry, or None where its hash does not fit."""
    tag, _, data = raw.partition(b"\n")
    return data if tag.decode("ascii", "replace") == hashlib.sha256(data).hexdigest() else None


def put(path: Path, data: bytes) -> None:
    """Write a file, in a folder that is made if need be. Raises OSError, with nothing left aside."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sweep(folders: Iterable[Path]) -> None:
    """Remove what processes that have ended left aside. What cannot be removed is left to the next build."""
    for folder in folders:
        for left in folder.glob(f"{_ASIDE}*"):
            pid = left.name.removeprefix(_ASIDE).partition("-")[0]
            if pid.isdecimal() and is_running(int(pid)):
                continue
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                with suppress(OSError):
                    left.unlink(missing_ok=True)


def is_running(pid: int) -> bool:
    """Tell whether there is a process of that number."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True

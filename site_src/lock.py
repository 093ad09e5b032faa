"""One build at a time into one folder, told by a lock that the system gives up when its process ends."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .exchange import remove_leftovers
from .problems import Surroundings


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Let nobody else publish into the folder `out` until the block ends; what killed builds left there is removed.

    Two builds that share the tree they start from would mix their files. Raises Surroundings if somebody is at it.
    """
    path = out.with_name(f".{out.name}.lock")
    handle = _locked(path, out)
    try:
        remove_leftovers(out)
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _locked(path: Path, out: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            if _is_ours(handle, path):
                return handle
            os.close(handle)
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EAGAIN} and error.filename is None:
            told = f"Another build is writing {out}. Run this one again when that one has ended."
            raise Surroundings(told) from None
        raise Surroundings(f"{error.filename or path}: {error.strerror}. The last site is as it was.") from error


def _is_ours(handle: int, path: Path) -> bool:
    """Lock an open file; False where it was removed meanwhile. Raises OSError, of no file, if another holds it."""
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return path.exists() and os.fstat(handle).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False
    except OSError:
        os.close(handle)
        raise

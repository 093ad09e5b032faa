"""Two folders that change places in one step, after the file system was told to write down what is new."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from pathlib import Path
from typing import Final

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_OLD: Final = "-old"
IN_PLACE: Final = "The site is in its place."
"""What is said to Ctrl-C that came after the exchange."""


def flush(folder: Path) -> None:
    """Have the file system write down all that was staged, so that no power cut leaves a site of empty files."""
    try:
        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        os.sync()
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        if syncfs(handle):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(folder))
    finally:
        os.close(handle)


def exchange(staging: Path, out: Path) -> None:
    """Swap the staged tree with the published one; afterwards `staging` holds the old site, if there was one."""
    if not out.exists():
        staging.rename(out)
    elif not _exchange_atomically(staging, out):
        old = staging.with_name(staging.name + _OLD)
        out.rename(old)
        staging.rename(out)
        old.rename(staging)


def remove_leftovers(out: Path) -> None:
    """Remove the staging folders of builds that were killed. Nobody else may be publishing into `out`.

    One that was killed between two renames had moved the site away: it is put back.
    """
    left = sorted(out.parent.glob(f".{out.name}.staging-*"))
    for folder in left:
        if folder.name.endswith(_OLD) and not out.exists():
            folder.rename(out)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _exchange_atomically(staging: Path, out: Path) -> bool:
    """Try renameat2; False where the kernel or the file system has no exchange."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    done = renameat2(_AT_FDCWD, os.fsencode(staging), _AT_FDCWD, os.fsencode(out), _RENAME_EXCHANGE)
    if done == 0:
        return True
    code = ctypes.get_errno()
    if code in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
        return False
    raise OSError(code, os.strerror(code), str(out))

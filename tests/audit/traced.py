"""A command under strace → every path that it or a process it started wrote, made, renamed, linked or removed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from site_src.project import RESOURCES

_CALLS: Final = (
    "open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,"
    "symlinkat,truncate,ftruncate,chmod,fchmodat,fchmod,chown,lchown,fchownat,fchown,utimensat,utime,utimes,mknod,"
    "mknodat,setxattr,lsetxattr,fsetxattr,chdir"
)
_CALL: Final = re.compile(r"^(?P<name>\w+)\((?P<words>.*)\)\s+= (?P<result>\d+)")
_PATH: Final = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<base>[^>]*)>, )?"(?P<path>(?:[^"\\]|\\.)*)"')
_OPEN_FILE: Final = re.compile(r"^\d+<(?P<path>[^>]*)>")
_WRITES: Final = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")


def traced(words: Sequence[str], logs: Path, surroundings: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a command under strace, with a log of each process in the folder `logs`."""
    logs.mkdir(parents=True)
    line = ["strace", "-ff", "-qq", "-y", "-s", "4096", "-e", f"trace={_CALLS}", "-o", str(logs / "log"), *words]
    inherited = {k: v for k, v in os.environ.items() if k not in {"MPLCONFIGDIR", "CI"}}
    return subprocess.Popen(
        line, cwd=RESOURCES, env={**inherited, **surroundings}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def written(logs: Path) -> set[str]:
    """Return the absolute paths that the calls of all processes touched, where the calls succeeded."""
    return {path for log in sorted(logs.iterdir()) for path in _of_process(log.read_text().splitlines())}


def _of_process(lines: Iterable[str]) -> Iterator[str]:
    here = str(RESOURCES)
    for line in lines:
        if (match := _CALL.match(line)) and match["name"] == "chdir":
            here = os.path.join(here, _PATH.match(match["words"])["path"])  # type: ignore[index]  # noqa: PTH118
        else:
            yield from _paths(line, here)


def _paths(line: str, here: str) -> Iterator[str]:
    match = _CALL.match(line)
    if not match or (match["name"] in {"open", "openat", "openat2"} and not _WRITES.search(match["words"])):
        return
    found = [*_PATH.finditer(match["words"])]
    # What a symbolic link says is no path that is written.
    for path in found[-1:] if match["name"].startswith("symlink") else found:
        yield os.path.normpath(os.path.join(path["base"] or here, path["path"]))  # noqa: PTH118
    if not found and (held := _OPEN_FILE.match(match["words"])):
        yield held["path"].removesuffix(" (deleted)")

"""Artifacts → a folder, all or nothing.

The whole tree is staged in a new folder beside the output, on the same file system, and the two folders are then
exchanged in one step: renameat2(RENAME_EXCHANGE) on Linux, two renames elsewhere. Until that step the last good
site is untouched; a crash leaves it, and at most a staging folder that the next build removes. Files in the
output that the last manifest does not list were put there by somebody else and are carried over.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from .problems import Problem, Rejected, Surroundings
from .rendering import Artifact
from .rules import folded

MANIFEST: Final = "manifest.json"
_MAX_NAME: Final = 255
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_FILE_MODE: Final = 0o644
_FOLDER_MODE: Final = 0o755


def collect(artifacts: Iterable[Artifact], inputs: Mapping[str, str], version: str) -> dict[str, bytes]:
    """Return path → bytes with the manifest. Raises Rejected where two outputs share one path."""
    found = list(artifacts)
    refuse_clashes(found)
    content = {artifact.path: artifact.data for artifact in sorted(found, key=lambda a: a.path)}
    return {**content, MANIFEST: manifest(content, inputs, version)}


def refuse_clashes(artifacts: Sequence[Artifact]) -> None:
    """Raise Rejected where two outputs share one path or a name fits no file system."""
    problems = [*_clashes(artifacts), *_long_names(artifacts)]
    if problems:
        raise Rejected(problems)


def _clashes(artifacts: Sequence[Artifact]) -> Iterator[Problem]:
    """Yield one problem for each two origins that want one path, or a file where the other needs a folder."""
    files: dict[str, Artifact] = {folded(MANIFEST): Artifact(MANIFEST, b"", "manifest")}
    shared: dict[tuple[str, str], list[Artifact]] = {}
    for artifact in artifacts:
        other = files.setdefault(folded(artifact.path), artifact)
        if other is not artifact:
            shared.setdefault((other.origin, artifact.origin), []).append(artifact)
    for (first, second), twice in shared.items():
        more = f" and {len(twice) - 1} more" if len(twice) > 1 else ""
        message = f"{_named(first)} and {_named(second)} both write {twice[0].path}{more}"
        yield _clash(twice[0], message, "Rename one of the two.")
    blocked: dict[tuple[str, str], Artifact] = {}
    for artifact in artifacts:
        for parent in filter(None, (files.get(folded(p)) for p in _parents(artifact.path))):
            if blocked.setdefault((parent.path, artifact.origin), artifact) is artifact:
                writer = _named(parent.origin)
                message = f"{artifact.origin} needs {parent.path} as a folder, and {writer} writes it as a file"
                yield _clash(artifact, message, "Give the record another path.")


def _named(origin: str) -> str:
    """Return how a message names an origin: a file by its name, anything else as what pinpress itself makes."""
    return origin if "/" in origin else f"the site's own {origin}"


def _clash(artifact: Artifact, message: str, remedy: str) -> Problem:
    """Locate a clash: a page and its data lie where their record's path says, a figure where its name says."""
    file, _, figure = artifact.origin.partition(", ")
    is_record = file.startswith("records/") and not figure
    return Problem(file, "/path" if is_record else "", None, "output-clash", message, remedy)


def _long_names(artifacts: Iterable[Artifact]) -> Iterator[Problem]:
    """Yield one problem for each origin whose names no file system holds."""
    told: set[str] = set()
    for artifact in artifacts:
        names = artifact.path.split("/")
        if artifact.origin not in told and any(len(name.encode()) > _MAX_NAME for name in names):
            told.add(artifact.origin)
            message = f"{artifact.origin} writes a name of more than {_MAX_NAME} bytes"
            yield Problem(artifact.origin.partition(", ")[0], "", None, "bad-path", message, "Shorten the id or name.")


def _parents(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:n]) for n in range(1, len(parts)))


def manifest(content: Mapping[str, bytes], inputs: Mapping[str, str], version: str) -> bytes:
    """Return the manifest of files in path order: each with size and SHA-256, then what they were made from."""
    outputs = [
        {"path": path, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for path, data in content.items()
    ]
    sources = [{"path": path, "sha256": sha256} for path, sha256 in sorted(inputs.items())]
    listed = {"generator": f"pinpress {version}", "outputs": outputs, "inputs": sources}
    return (json.dumps(listed, indent=1, ensure_ascii=False) + "\n").encode()


def publish(files: Mapping[str, bytes], out: Path) -> None:
    """Put the files in place of the folder `out`. Raises Surroundings where the machine does not let it."""
    out = out.resolve()
    staging = out.with_name(f".{out.name}.staging-{os.getpid()}")
    try:
        listed = _listed(out)
        _remove_leftovers(out)
        _stage(files, staging)
        _carry_over(out, staging, listed)
        _exchange(staging, out)
    except OSError as error:
        raise Surroundings(f"{error.filename or out}: {error.strerror}. The last site is as it was.") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _listed(out: Path) -> frozenset[str]:
    """Return the files that the last build wrote. A folder with other content and no manifest is not ours."""
    manifest = out / MANIFEST
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return frozenset()
    try:
        outputs = json.loads(manifest.read_bytes())["outputs"]
        return frozenset([*(str(entry["path"]) for entry in outputs), MANIFEST])
    except (OSError, ValueError, KeyError, TypeError):
        message = f"{out} holds files and no manifest of pinpress. Name another --out, or empty the folder."
        raise Surroundings(message) from None


def _remove_leftovers(out: Path) -> None:
    """Remove staging folders whose process has ended, left by a build that was killed."""
    for folder in out.parent.glob(f".{out.name}.staging-*"):
        pid = folder.name.rpartition("-")[2]
        if pid.isdecimal() and not _is_running(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _stage(files: Mapping[str, bytes], staging: Path) -> None:
    """Write every file; modes do not depend on the umask."""
    shutil.rmtree(staging, ignore_errors=True)
    folders = sorted({"", *(parent for path in files for parent in _parents(path))})
    for folder in folders:
        place = staging / folder
        place.mkdir(parents=not folder)
        place.chmod(_FOLDER_MODE)
    for path, data in files.items():
        with (staging / path).open("wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), _FILE_MODE)


def _carry_over(out: Path, staging: Path, listed: frozenset[str]) -> None:
    """Copy what others put into the output; a file of ours wins over one of theirs."""
    for path in sorted(out.rglob("*")) if out.is_dir() else []:
        name = path.relative_to(out).as_posix()
        there = staging / name
        if name not in listed and (path.is_symlink() or path.is_file()) and not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, there, follow_symlinks=False)


def _exchange(staging: Path, out: Path) -> None:
    """Swap the staged tree with the published one; afterwards `staging` holds the old site."""
    if not out.exists():
        staging.rename(out)
    elif not _exchange_atomically(staging, out):
        old = staging.with_name(staging.name + "-old")
        out.rename(old)
        staging.rename(out)
        old.rename(staging)


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

"""A folder or an archive → a published site: its manifest, the stamp of each file, what a caller takes of them.

Nothing is unpacked to disk. What no site holds is refused: see `packed` for archives.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..clashes import MANIFEST
from ..problems import Problem, Rejected, Surroundings
from .listing import Listing, Stamp, listing
from .names import shown
from .packed import files_of_archive

Take = Callable[[str, bytes], Any]


@dataclass(frozen=True)
class Published:
    """A site as it lies somewhere: `name` is what reports call it, `taken` what was kept of some files.

    A manifest alone has no files.
    """

    name: str
    listing: Listing
    files: Mapping[str, Stamp]
    taken: Mapping[str, Any] = field(default_factory=dict)
    is_alone: bool = False


def stamp(data: bytes) -> Stamp:
    """Return what identifies these bytes."""
    return Stamp(len(data), hashlib.sha256(data).hexdigest())


def nothing(_path: str, _data: bytes) -> None:
    """Keep nothing of a file."""


def folder_of(path: Path) -> Path:
    """Return the folder of a site that is named by its manifest, any other path as it is."""
    return path.parent if path.name == MANIFEST and path.is_file() else path


def read(path: Path, take: Take = nothing) -> Published:
    """Read a site. `take` sees each file once; what it returns, but None, is kept.

    Raises Rejected for what no site holds, Surroundings where nothing can be read.
    """
    name = path.resolve().name
    try:
        if path.is_dir():
            return _site(name, files_of_folder(path, name), take)
        if path.suffix == ".json":
            return Published(name, listing(path.read_bytes(), name), {}, {}, is_alone=True)
        with path.open("rb") as file:
            return _site(name, files_of_archive(file, name), take)
    except OSError as error:
        raise Surroundings(f"{error.filename or path}: {error.strerror}. Nothing was compared.") from error


def _site(name: str, files: Iterator[tuple[str, bytes]], take: Take) -> Published:
    stamps: dict[str, Stamp] = {}
    taken: dict[str, Any] = {}
    raw = None
    for path, data in files:
        if path == MANIFEST:
            raw = data
            continue
        stamps[path] = stamp(data)
        kept = take(path, data)
        if kept is not None:
            taken[path] = kept
    if raw is None:
        remedy = "Name the folder that build wrote, or an archive of it."
        raise Rejected([Problem(name, "", None, "bad-manifest", f"no {MANIFEST} lies in it", remedy)], {name: None})
    return Published(name, listing(raw, f"{name}/{MANIFEST}"), dict(sorted(stamps.items())), taken)


def files_of_folder(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield every file below a folder by its path. Links and devices are refused and never opened."""
    refused = []
    for path in sorted(_below(folder), key=lambda p: p.relative_to(folder).as_posix()):
        inside = path.relative_to(folder).as_posix()
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            yield inside, path.read_bytes()
        else:
            kind = "a link" if stat.S_ISLNK(mode) else "no regular file"
            message = f"this is {kind}, and a site holds files alone"
            refused.append(
                Problem(f"{name}/{shown(inside)}", "", None, "site-differs", message, "Remove it, or put a file there.")
            )
    if refused:
        raise Rejected(refused, {p.file: None for p in refused})


def _below(folder: Path) -> Iterator[Path]:
    """Yield everything below a folder that is no folder itself; links to folders are not followed."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry.path))
        else:
            yield Path(entry.path)

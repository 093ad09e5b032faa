"""A folder that a site is put together in, beside the one it replaces and on the same file system.

A file is never written in place: it may share its bytes with the published one. So a site that changed little is
made from the one before the last, which was kept for this: only what differs between the two is touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from .rendering import Artifact

_FILE_MODE: Final = 0o644
_FOLDER_MODE: Final = 0o755


class Written(NamedTuple):
    """One file of a site: its path below the output folder, what it was made from, its SHA-256 and size."""

    path: str
    origin: str
    sha256: str
    size: int


def written(artifact: Artifact) -> Written:
    """Return what a file of a site will be once it is written."""
    return Written(artifact.path, artifact.origin, hashlib.sha256(artifact.data).hexdigest(), len(artifact.data))


@dataclass
class Staging:
    """Takes files. `held` are the SHA-256 of those that lie in the folder already, by their paths."""

    folder: Path
    held: Mapping[str, str]
    _folders: set[str] = field(default_factory=set)

    def put(self, artifact: Artifact) -> Written:
        """Write a file, unless it lies there as it should. Raises OSError."""
        file = written(artifact)
        if self.held.get(artifact.path) != file.sha256:
            self._write(artifact.path, artifact.data)
        return file

    def put_all(self, artifacts: Iterable[Artifact]) -> tuple[Written, ...]:
        """Write files. Raises OSError."""
        return tuple(map(self.put, artifacts))

    def _write(self, path: str, data: bytes) -> None:
        place = self._place(path)
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            # Modes do not depend on the umask.
            os.fchmod(handle, _FILE_MODE)

    def link(self, path: str, other: Path) -> None:
        """Take over a file of another folder, its bytes shared where the file system can. Raises OSError."""
        place = self._place(path)
        try:
            os.link(other / path, place)
        except OSError:
            self._write(path, (other / path).read_bytes())

    def remove(self, path: str) -> None:
        """Remove a file, and the folders that are empty without it. Raises OSError."""
        place = self.folder / path
        place.unlink(missing_ok=True)
        for parent in place.parents:
            if parent == self.folder:
                return
            try:
                parent.rmdir()
            except OSError:
                return

    def _place(self, path: str) -> Path:
        """Return where a file is to be made: its folder is there, the name is free.

        What stands there is from a build before, or from another output of this one: that clash is refused later.
        """
        parent = path.rpartition("/")[0]
        if parent not in self._folders:
            self._make(parent)
        place = self.folder / path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        place.unlink(missing_ok=True)
        return place

    def _make(self, folder: str) -> None:
        above = folder.rpartition("/")[0]
        if folder and above not in self._folders:
            self._make(above)
        place = self.folder / folder
        if place.is_file() or place.is_symlink():
            place.unlink()
        with contextlib.suppress(FileExistsError):
            place.mkdir()
            place.chmod(_FOLDER_MODE)
        self._folders.add(folder)

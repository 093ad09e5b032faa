"""A content-addressed store for figures and the index of the prose: key → bytes. Deleting it never changes a site."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


class NoStore:
    """Keeps nothing."""

    def get(self, key: str) -> bytes | None:
        """Return None: nothing is kept."""
        return None

    def put(self, key: str, data: bytes) -> None:
        """Forget the bytes."""


class FolderStore:
    """One file per key. Every entry starts with the hash of its content; a damaged one counts as absent."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, made when something is first kept."""
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """Return what was kept, or None where it is absent or its hash does not fit."""
        try:
            raw = (self.folder / key).read_bytes()
        except OSError:
            return None
        tag, _, data = raw.partition(b"\n")
        return data if tag.decode("ascii", "replace") == hashlib.sha256(data).hexdigest() else None

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes: written aside and renamed, so that a reader never sees half an entry."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
            Path(name).replace(self.folder / key)
        except OSError:
            # A cache that cannot be written costs time only; the figure itself is in hand.
            return

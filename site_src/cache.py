"""A content-addressed store for figures and the index of the prose: key → bytes. Deleting it never changes a site."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from . import aside


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
            return aside.untagged((self.folder / key).read_bytes())
        except OSError:
            return None

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes: written aside and renamed, so that a reader never sees half an entry."""
        # A cache that cannot be written costs time only; the figure itself is in hand.
        with suppress(OSError):
            aside.put(self.folder / key, aside.tagged(data))

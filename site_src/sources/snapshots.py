"""A folder of source documents, laid out OWNER/REPO/REVISION/PATH or by-hash/SHA256 → the bytes of a cited document."""

from __future__ import annotations

from pathlib import Path

from ..model import Source


def path(folder: Path, source: Source) -> Path | None:
    """Return where a folder holds a source's document, or None."""
    names = [f"by-hash/{source.document_sha256}"]
    if source.repository:
        names.insert(0, f"{source.repository}/{source.revision}/{source.document_path}")
    for name in names:
        found = folder / name
        if found.is_file() and found.resolve().is_relative_to(folder.resolve()):
            return found
    return None


def read(folder: Path, source: Source) -> bytes | None:
    """Return the bytes that a folder holds for a source, or None; whether they are the pinned ones is not asked."""
    found = path(folder, source)
    return found.read_bytes() if found else None

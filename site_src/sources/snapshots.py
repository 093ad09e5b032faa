"""A folder of source documents, laid out OWNER/REPO/REVISION/PATH or by-hash/SHA256 → the bytes of a cited document."""

from __future__ import annotations

from pathlib import Path

from ..model import Source


def read(folder: Path, source: Source) -> bytes | None:
    """Return the bytes that a folder holds for a source, or None; whether they are the pinned ones is not asked."""
    names = [f"by-hash/{source.document_sha256}"]
    if source.repository:
        names.insert(0, f"{source.repository}/{source.revision}/{source.document_path}")
    for name in names:
        path = folder / name
        if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
            return path.read_bytes()
    return None

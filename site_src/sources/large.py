"""Git LFS: a repository, and with it a clone or a raw address, may hold a pointer where the document should be."""

from __future__ import annotations

from typing import Final

from .verify import Obtained

_POINTER: Final = b"version https://git-lfs.github.com/spec/"
# The specification of Git LFS: a pointer is smaller than 1,024 bytes.
_MOST: Final = 1024
WHY: Final = "What was read is the pointer of a file in Git LFS, not the file."


def is_pointer(data: bytes) -> bool:
    """Tell whether some bytes only stand for a document."""
    return data.startswith(_POINTER) and len(data) < _MOST


def without_pointer(found: Obtained) -> Obtained:
    """Return what was obtained, and a pointer as what could not be had: its hash says nothing of the document."""
    return Obtained(reason=WHY) if found.data is not None and is_pointer(found.data) else found

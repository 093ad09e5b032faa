"""Documents fetched before: bytes by their hash, and for every address what the server called them.

    FOLDER/by-hash/SHA256        the bytes; FOLDER is a snapshot folder, too
    FOLDER/by-address/SHA256.json    the address, who answered, the validators, the hash of the bytes

An entry whose bytes do not hash to their name counts as absent and is dropped. Files are written aside and renamed,
bytes before the index, so that an interruption at any moment leaves whole entries only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Kept:
    """One document: the address asked, the one that answered after redirects, its validators as told, its bytes."""

    url: str
    answered_by: str
    etag: str | None
    last_modified: str | None
    data: bytes


class SourceCache:
    """A folder of documents. Deleting it costs requests, nothing else."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, made when something is first kept."""
        self.folder = folder

    def get(self, url: str) -> Kept | None:
        """Return what was kept for an address, or None; a damaged entry is dropped."""
        try:
            return self._read(url)
        except (OSError, ValueError):
            _drop(self._index(url))
            return None

    def put(self, kept: Kept) -> None:
        """Keep a document in place of the one before. A cache that cannot be written costs requests only."""
        sha256 = hashlib.sha256(kept.data).hexdigest()
        told = {
            "url": kept.url,
            "answered_by": kept.answered_by,
            "etag": kept.etag,
            "last_modified": kept.last_modified,
            "sha256": sha256,
        }
        try:
            _write(self._bytes(sha256), kept.data)
            _write(self._index(kept.url), json.dumps(told, indent=1).encode())
        except OSError:
            return

    def _read(self, url: str) -> Kept:
        """Return an entry. Raises ValueError for a damaged one, after dropping bytes that are not what they claim."""
        told = json.loads(self._index(url).read_bytes())
        if not _is_sound(told) or told["url"] != url:
            raise ValueError("not the entry of this address")
        stored = self._bytes(told["sha256"])
        data = stored.read_bytes()
        if hashlib.sha256(data).hexdigest() != told["sha256"]:
            _drop(stored)
            raise ValueError("not the bytes of this hash")
        return Kept(url, told["answered_by"], told["etag"], told["last_modified"], data)

    def _index(self, url: str) -> Path:
        return self.folder / "by-address" / f"{hashlib.sha256(url.encode()).hexdigest()}.json"

    def _bytes(self, sha256: str) -> Path:
        return self.folder / "by-hash" / sha256


def _is_sound(told: Any) -> bool:
    if not isinstance(told, dict) or not _SHA256.fullmatch(str(told.get("sha256"))):
        return False
    texts = all(isinstance(told.get(key), str) for key in ("url", "answered_by", "sha256"))
    return texts and all(told.get(key, 0) is None or isinstance(told[key], str) for key in ("etag", "last_modified"))


def _drop(path: Path) -> None:
    # In a folder that cannot be written the entry is found damaged again, that is all.
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    aside = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)

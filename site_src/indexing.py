"""Guides → the files of the search in prose, through the store: a site whose prose is unchanged starts no program."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from .reuse import Store
from .search import pagefind, prose

FOLDER = "/search/pagefind/"


def prose_index(language: str, store: Store, work: Path, pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the index by address; none for a site without guides. Raises Surroundings.

    `pages` are those of the guides, by their paths. What is not in the store is made in the folder `work`.
    """
    if not pages:
        return {}
    key = _key(pages, language)
    files = _unpacked(store.get(key))
    if files is None:
        files = prose.without_fragments(pagefind.index(pages, language, work))
        store.put(key, _packed(files))
    return {FOLDER + path: data for path, data in files.items()}


def _key(pages: Mapping[str, bytes], language: str) -> str:
    """Return the hash of all that the index depends on: every page, the language, the version of Pagefind."""
    told = [[path, hashlib.sha256(pages[path]).hexdigest()] for path in sorted(pages)]
    return hashlib.sha256(json.dumps([pagefind.edition(), language, told]).encode()).hexdigest()


def _packed(files: Mapping[str, bytes]) -> bytes:
    return json.dumps({path: base64.b64encode(data).decode() for path, data in files.items()}).encode()


def _unpacked(kept: bytes | None) -> dict[str, bytes] | None:
    return None if kept is None else {p: base64.b64decode(d) for p, d in json.loads(kept).items()}

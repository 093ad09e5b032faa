"""The cited documents of a record, as far as their bytes are at hand → artifacts and evidence of a repro.yaml."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Final

from .. import citations, words
from ..claims import forms
from ..claims.proof import Bound
from ..model import Record, Source
from ..permalinks import Blob
from ..pointers import at_pointer
from .quotations import Quoted

# What claims-cli reads as it stands, without a program that takes the text out of it.
MEDIA_TYPES: Final = {".md": "text/markdown", ".json": "application/json", ".txt": "text/plain", ".csv": "text/csv"}
# claims-cli takes a commit by its SHA-1 alone.
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Document:
    """A document whose bytes are those of the record's pin; `path` leads to it from the folder of the export."""

    source: Source
    path: str
    raw: bytes

    @cached_property
    def quoted(self) -> Quoted:
        """Its text."""
        return Quoted(self.raw.decode("utf-8", "replace"))

    @cached_property
    def data(self) -> Any:
        """Its data, numbers as written; None if it is no JSON."""
        try:
            return json.loads(self.raw, parse_float=Decimal, parse_int=Decimal)
        except (ValueError, RecursionError):
            return None


Documents = Mapping[int, Document]
"""The documents at hand by the number that the page gives their source."""


def artifact(number: int, document: Document) -> dict[str, Any]:
    """Return a document as an artifact that is pinned by its bytes and, on a forge, by its origin."""
    found: dict[str, Any] = {
        "id": name(number),
        "path": document.path,
        "media_type": MEDIA_TYPES[PurePosixPath(document.path).suffix],
        "digest": {"algorithm": "sha256", "value": hashlib.sha256(document.raw).hexdigest()},
    }
    return found | ({"origin": told} if (told := origin(document.source)) else {})


def name(number: int) -> str:
    """Return what a document is called in the manifest."""
    return f"source-{number}"


def origin(source: Source) -> dict[str, str] | None:
    """Return repository, commit and path of a source; None if it has no commit, or one that claims-cli cannot name."""
    blob = citations.blob_of(source)
    if blob is None or not _COMMIT.fullmatch(blob.revision) or not blob.path:
        return None
    return {"repository": f"https://{host(blob)}/{blob.repository}", "commit": blob.revision,
            "path": blob.path}  # fmt: skip


def host(blob: Blob) -> str:
    """Return the host of a repository; an address of raw bytes has one of its own."""
    return {"github": "github.com", "gist": "gist.github.com"}.get(blob.forge, blob.host)


def evidence(record: Record, documents: Documents, bound: Bound) -> list[dict[str, Any]]:
    """Return what a cited document shows of a claim: the value at its pointer, or the line that prints the number."""
    cited = citations.of_pointer(record, bound.entry.pointer or "")
    document = documents.get(cited.number) if cited else None
    if cited is None or document is None or bound.entry.cls != "claim":
        return []
    if cited.pointer and _prints(document, cited.pointer, bound):
        reported = forms.digits_of(bound.spot.token)
        return [{"kind": "metric", "artifact": name(cited.number), "name": cited.pointer.rpartition("/")[2],
                 "pointer": cited.pointer, "reported": reported}]  # fmt: skip
    lines = document.quoted.lines
    if cited.line is None or not 0 < cited.line <= len(lines):
        return []
    if not any(forms.same(bound.spot.token, other) for other in forms.found_in(lines[cited.line - 1])):
        return []
    return [{"kind": "quote", "artifact": name(cited.number), "text": document.quoted.of_line(cited.line - 1)}]


def _prints(document: Document, pointer: str, bound: Bound) -> bool:
    """Tell whether the value at a pointer of a document, rounded as it is written, is the number of a claim."""
    held, leaf = at_pointer(document.data, pointer), bound.leaf
    if not isinstance(held, Decimal) or leaf is None or leaf.kind != "number" or not held.is_finite():
        return False
    written = Decimal(forms.digits_of(bound.spot.token))
    step = Decimal(1).scaleb(-places(words.literal(written)))
    return held == written or abs(held - written) * 2 < step


def places(reported: str) -> int:
    """Return how many decimals a number is written with."""
    return len(reported.partition(".")[2])

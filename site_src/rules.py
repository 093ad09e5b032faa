"""Rules whose breach stops publication: one small function each, from a checked record to problems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, Final

from . import permalinks
from .load import Document
from .model import Record, Source
from .parse import escape
from .problems import Problem
from .urls import fault_of_url

Rule = Callable[[Document, Record], Iterator[Problem]]


def id_is_file_name(document: Document, record: Record) -> Iterator[Problem]:
    """The id equals the file's name without its ending."""
    if record.id != document.id:
        message = f"the id is {record.id}, the file is named {document.id}"
        yield Problem(document.file, "/id", None, "id-mismatch", message, f"Write {document.id}, or rename the file.")


def path_stays_inside(document: Document, record: Record) -> Iterator[Problem]:
    """The path begins and ends with a slash and names folders inside the site."""
    steps = record.path.split("/")[1:-1]
    if not re.fullmatch(r"/([^/]+/)+", record.path):
        message, remedy = (
            "the path must begin and end with / and name a folder",
            "Write it like /guides/NAME/.",
        )
    elif any(s in {".", ".."} or re.search(r"[\\?#%:*\"<>|\s]|^\.", s) or len(s.encode()) > 200 for s in steps):
        message, remedy = (
            "the path leaves the site or holds a character no address keeps",
            "Use letters, digits and -.",
        )
    else:
        return
    yield Problem(document.file, "/path", None, "bad-path", message, remedy)


def addresses_are_web(document: Document, record: Record) -> Iterator[Problem]:
    """Every address field holds an http(s) address; the image's may be one in this site."""
    for pointer, key, value in _fields(document.data, ""):
        if not key.lower().endswith("url") or not isinstance(value, str):
            continue
        if pointer == "/image/url":
            if not re.fullmatch(r"/assets/[^/?#\\:]+", value) or ".." in value:
                remedy = "Write /assets/NAME."
                yield Problem(document.file, pointer, None, "bad-url", "not an image of this site", remedy)
        elif fault := fault_of_url(value):
            yield Problem(document.file, pointer, None, "bad-url", fault, "Write the whole https address.")


def _fields(value: Any, pointer: str) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            at = f"{pointer}/{escape(key)}"
            yield at, key, item
            yield from _fields(item, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _fields(item, f"{pointer}/{index}")


def pins_are_commits(document: Document, record: Record) -> Iterator[Problem]:
    """A forge's blob, raw or tree address stands at a full commit, the one in `revision`."""
    for pointer, source in _sources(record):
        blob = permalinks.parse_blob(source.pinned_url)
        if blob is None:
            continue
        if not permalinks.is_commit(source.revision):
            message, remedy = (
                "the revision of a document on a forge is its full commit hash",
                "Write all 40 digits.",
            )
            yield Problem(document.file, f"{pointer}/revision", None, "malformed-revision", message, remedy)
        elif not blob.is_pinned:
            message = f"the address stands at {blob.revision!r}, which can move"
            remedy = f"Put the commit {source.revision} in its place."
            yield Problem(document.file, f"{pointer}/pinned_url", None, "moving-pin", message, remedy)
        elif blob.revision != source.revision:
            message = f"the address is at {blob.revision[:12]}, the revision is {source.revision[:12]}"
            remedy = "Write the same commit in both."
            yield Problem(document.file, f"{pointer}/pinned_url", None, "revision-mismatch", message, remedy)


def _sources(record: Record) -> Iterator[tuple[str, Source]]:
    for index, source in enumerate(record.sources):
        yield f"/sources/{index}", source
    for index, source in enumerate(record.supplemental_sources):
        yield f"/supplemental_sources/{index}", source


def lines_agree(document: Document, record: Record) -> Iterator[Problem]:
    """The line in a stored address is the line of its measurement."""
    for index, result in enumerate(record.reported_results):
        stored = permalinks.line_in(result.evidence_url) if result.evidence_url else None
        if stored and result.source_line and stored != result.source_line:
            message = f"evidence_url ends in line {stored}, source_line is {result.source_line}"
            remedy = "Look the value up and write its line in both."
            at = f"/reported_results/{index}/evidence_url"
            offset = (result.evidence_url or "").rfind("#")
            yield Problem(document.file, at, offset, "line-mismatch", message, remedy)


def document_ids_are_distinct(document: Document, record: Record) -> Iterator[Problem]:
    """No two sources share a document_id."""
    seen: dict[str, str] = {}
    for pointer, source in _sources(record):
        if source.document_id and source.document_id in seen:
            message = f"{seen[source.document_id]} has the same document_id"
            at = f"{pointer}/document_id"
            yield Problem(document.file, at, None, "duplicate-document-id", message, "Give each document its own.")
        elif source.document_id:
            seen[source.document_id] = pointer


def one_body(document: Document, record: Record) -> Iterator[Problem]:
    """The body lies in one place."""
    if document.body is not None and record.body_markdown is not None:
        message = f"{document.body_file} holds a body as well"
        yield Problem(document.file, "/body_markdown", 0, "two-bodies", message, "Keep one of the two.")
    elif document.body is None and record.body_markdown is None:
        remedy = f"Write it in {document.id}.md beside the record."
        yield Problem(document.file, "", 0, "missing-body", "the record has no body", remedy)


RULES: Final[tuple[Rule, ...]] = (
    id_is_file_name,
    path_stays_inside,
    addresses_are_web,
    pins_are_commits,
    lines_agree,
    document_ids_are_distinct,
    one_body,
)


def folded(path: str) -> str:
    """Return a path as the least careful file system compares it: NFC and case folded."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def distinct(records: list[tuple[Document, Record]]) -> Iterator[Problem]:
    """Across the site, no two records share a path or an id."""
    paths: dict[str, str] = {}
    ids: dict[str, str] = {}
    for document, record in records:
        for key, seen, value in (("path", paths, folded(record.path)), ("id", ids, folded(record.id))):
            if value in seen:
                message = f"{seen[value]} has the same {key}"
                at = f"/{key}"
                yield Problem(document.file, at, None, f"duplicate-{key}", message, f"Give one of them another {key}.")
            else:
                seen[value] = document.file

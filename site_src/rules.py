"""Rules whose breach stops publication: one small function each, from a checked record to problems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from . import permalinks
from .load import Document
from .model import Record, Source
from .once import once
from .pointers import escape
from .problems import Problem
from .shape import LANGUAGE_REMEDY, is_language
from .urls import fault_of_url, is_blank, runs_or_carries

_MAX_STEP: Final = 200
_MAX_PATH: Final = 1000
# Names that Windows gives to devices, whatever ending follows.
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)
_ADDRESS_KEY: Final = re.compile(r".*urls?", re.I | re.S)
_NEAR_ADDRESS_KEY: Final = re.compile(r".*(ur[li]s?|links?|href|homepage|references?)", re.I | re.S)

UNREAD: Final = "0" * 64
"""What stands for the SHA-256 of bytes that nobody has read yet; allowed in a draft alone."""

Rule = Callable[[Document, Record], Iterator[Problem]]


def id_is_file_name(document: Document, record: Record) -> Iterator[Problem]:
    """The id equals the file's name without its ending."""
    if record.id != document.id:
        message = f"the id is {record.id}, the file is named {document.id}"
        yield Problem(document.file, "/id", None, "id-mismatch", message, f"Write {document.id}, or rename the file.")


def path_stays_inside(document: Document, record: Record) -> Iterator[Problem]:
    """The path begins and ends with a slash and names folders inside the site."""
    for offset, message, remedy in fault_of_path(record.path):
        yield Problem(document.file, "/path", offset, "bad-path", message, remedy)


def fault_of_path(path: str) -> Iterator[tuple[int | None, str, str]]:
    """Yield why a page cannot stand at an address: offset in it, what is wrong, and the remedy."""
    if not re.fullmatch(r"/([^/]+/)+", path):
        yield None, "the path must begin and end with / and name a folder", "Write it like /guides/NAME/."
        return
    if path.split("/")[1] in {"assets", "schema"}:
        message = "the folders /assets/ and /schema/ hold the site's own files"
        yield None, message, "Choose another first folder."
    if len(path.encode()) > _MAX_PATH:
        yield None, f"the path is longer than {_MAX_PATH} bytes", "Shorten it."
    at = 1
    for step in path.split("/")[1:-1]:
        if fault := fault_of_step(step):
            yield at, fault, "Use letters, digits and -."
        at += len(step) + 1


def fault_of_step(step: str) -> str | None:
    """Return why a folder of this name cannot be kept by every server and file system, or None."""
    unkept = next((c for c in step if c in '\\?#%:*"<>|' or unicodedata.category(c)[0] in "CZ"), None)
    if step in {".", ".."}:
        return f"the step {step} leaves its folder"
    if unkept:
        shown = "a blank" if unkept == " " else unkept if unkept.isprintable() else f"U+{ord(unkept):04X}"
        return f"the path holds {shown}, which addresses or file systems do not keep"
    if step.startswith("."):
        return "a folder whose name begins with a dot is hidden, and servers do not serve it"
    if step.endswith("."):
        return "Windows drops the dot at the end of a name"
    if _DEVICE.fullmatch(step):
        return f"{step} is the name of a device on Windows"
    return f"the name of a folder is longer than {_MAX_STEP} bytes" if len(step.encode()) > _MAX_STEP else None


def addresses_are_web(document: Document, record: Record) -> Iterator[Problem]:
    """Every address field, and every text shown as a link, is an http(s) address; the image's may be in this site."""
    for pointer, key, value in _all_texts(document):
        is_shown_as_link = value.startswith(("https://", "http://")) and " " not in value
        if pointer == "/image/url":
            if not re.fullmatch(r"/assets/[^/?#\\:]+", value) or ".." in value:
                remedy = "Write /assets/NAME."
                yield Problem(document.file, pointer, None, "bad-url", "not an image of this site", remedy)
        elif _ADDRESS_KEY.fullmatch(key) or is_shown_as_link:
            if fault := fault_of_url(value):
                yield Problem(document.file, pointer, None, "bad-url", fault, "Write the whole https address.")
        elif _NEAR_ADDRESS_KEY.fullmatch(key) and runs_or_carries(value):
            remedy = "Write an https address, or words."
            yield Problem(document.file, pointer, None, "bad-url", "not an http or https address", remedy)


def texts_say_something(document: Document, record: Record) -> Iterator[Problem]:
    """No text is made of blanks alone; the body has a rule of its own."""
    for pointer, key, value in _all_texts(document):
        if value and is_blank(value) and pointer != "/body_markdown":
            yield Problem(document.file, pointer, None, "empty-text", f"`{key}` holds blanks alone", "Write it out.")


def language_is_a_tag(document: Document, record: Record) -> Iterator[Problem]:
    """The language of the page, where the record names one, is a BCP 47 tag."""
    if record.lang is not None and not is_language(record.lang):
        message = "`lang` is no language tag"
        yield Problem(document.file, "/lang", None, "bad-language", message, LANGUAGE_REMEDY)


@once
def _all_texts(document: Document) -> Iterator[tuple[str, str, str]]:
    """Yield pointer, nearest key and text of every text of a record."""
    yield from _texts(document.data, "", "")


def _texts(value: Any, pointer: str, key: str) -> Iterator[tuple[str, str, str]]:
    """Yield pointer, nearest key and text of every text below a value."""
    if isinstance(value, str):
        yield pointer, key, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _texts(item, f"{pointer}/{escape(name)}", name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, f"{pointer}/{index}", key)


def pins_are_commits(document: Document, record: Record) -> Iterator[Problem]:
    """A forge's blob, raw or tree address stands at a full commit, the one in `revision`."""
    for pointer, source in _sources(record):
        blob = permalinks.parse_blob(source.pinned_url)
        if blob is None:
            continue
        if fault := _fault_of_revision(source.revision):
            yield Problem(document.file, f"{pointer}/revision", None, "malformed-revision", *fault)
        if not blob.is_pinned:
            yield Problem(document.file, f"{pointer}/pinned_url", blob.at, "moving-pin", *_moving(blob, source))
        elif blob.revision != source.revision and not fault:
            message = f"the address is at {blob.revision[:12]}, the revision is {source.revision[:12]}"
            remedy = "Write the same commit in both."
            yield Problem(document.file, f"{pointer}/pinned_url", blob.at, "revision-mismatch", message, remedy)


def _fault_of_revision(revision: str) -> tuple[str, str] | None:
    """Return what keeps a revision from being a full commit hash, and the remedy."""
    if permalinks.is_commit(revision):
        return None
    if permalinks.is_commit(revision.lower()):
        return "a commit hash is written in lower case", f"Write {revision.lower()}."
    if re.fullmatch(r"[0-9a-fA-F]{7,}", revision):
        message = f"the commit hash has {len(revision)} digits, a full one has 40 (or 64)"
        return message, f"Write all of them: git rev-parse {revision}."
    message = f"{revision!r} is no commit: a branch or tag can move"
    return message, "Write the full commit hash that it stood at, 40 digits."


def _moving(blob: permalinks.Blob, source: Source) -> tuple[str, str]:
    """Return what is wrong with the revision in an address, and the remedy."""
    if permalinks.is_commit(blob.revision.lower()):
        return "the address writes its commit in capitals", f"Write {blob.revision.lower()}."
    message, place = f"the address stands at {blob.revision!r}, which can move", "in its place"
    if not blob.revision:
        message, place = "the address names no commit, so what it shows can move", "into it"
    if permalinks.is_commit(source.revision):
        return message, f"Put the commit {source.revision} {place}."
    return message, f"Put the full commit hash {place}. To find it: {permalinks.how_to_find(blob)}."


def pins_name_their_document(document: Document, record: Record) -> Iterator[Problem]:
    """A forge's address names the repository and the path that its source names."""
    for pointer, source in _sources(record):
        blob = permalinks.parse_blob(source.pinned_url)
        if blob is None:
            continue
        for key, said, found in (
            ("document_path", source.document_path, blob.path),
            ("repository", source.repository or blob.repository, blob.repository),
        ):
            if said != found:
                message = f"the address names {found}, `{key}` names {said}"
                remedy = "Write the same in both."
                yield Problem(document.file, f"{pointer}/pinned_url", None, "pin-mismatch", message, remedy)


def dates_are_in_order(document: Document, record: Record) -> Iterator[Problem]:
    """A page is not changed before it is published."""
    if record.modified_on[:10] < record.published_on[:10]:
        message = f"the page is changed on {record.modified_on[:10]}, before it is published"
        yield Problem(document.file, "/modified_on", None, "date-order", message, "Correct one of the two dates.")


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
    """The body lies in one place and says something."""
    inline, beside = record.body_markdown, document.body
    if beside is not None and inline is not None:
        message = f"{document.body_file} holds a body as well"
        yield Problem(document.file, "/body_markdown", 0, "two-bodies", message, "Keep one of the two.")
    elif document.body_file and is_blank(beside or ""):
        yield Problem(document.body_file, "", 0, "missing-body", "the body is empty", "Write it here.")
    elif inline is not None and is_blank(inline):
        yield Problem(document.file, "/body_markdown", None, "missing-body", "the body is empty", "Write it here.")
    elif beside is None and inline is None:
        remedy = f"Write it in {document.id}.md beside the record."
        yield Problem(document.file, "", 0, "missing-body", "the record has no body", remedy)


def hashes_are_of_bytes(document: Document, record: Record) -> Iterator[Problem]:
    """A page that is no draft rests on bytes that were read."""
    for name in ("sources", "supplemental_sources"):
        for index, source in enumerate(getattr(record, name)):
            if source.document_sha256 == UNREAD and not record.draft:
                at, message = f"/{name}/{index}/document_sha256", "the zeros stand for bytes that nobody has read"
                remedy = "Write the SHA-256 of the bytes that were read: sha256sum FILE."
                yield Problem(document.file, at, None, "malformed-sha256", message, remedy)


RULES: Final[tuple[Rule, ...]] = (
    id_is_file_name,
    path_stays_inside,
    addresses_are_web,
    texts_say_something,
    language_is_a_tag,
    pins_are_commits,
    hashes_are_of_bytes,
    pins_name_their_document,
    dates_are_in_order,
    lines_agree,
    document_ids_are_distinct,
    one_body,
)


def folded(path: str) -> str:
    """Return a path as the least careful file system compares it: NFC and case folded."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def distinct(records: Iterable[tuple[str, str, str]]) -> Iterator[Problem]:
    """Across the site, no two records, each given by its file, its path and its id, share a path or an id."""
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for here, path, record_id in records:
        for key, value in (("path", path), ("id", record_id)):
            file, other = seen.setdefault((key, folded(value)), (here, value))
            if file != here:
                aside = "" if other == value else f", {other}: letter case and composed characters aside"
                message, remedy = f"{file} has the same {key}{aside}", f"Give one of them another {key}."
                yield Problem(here, f"/{key}", None, f"duplicate-{key}", message, remedy)

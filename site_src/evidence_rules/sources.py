"""Findings about sources: who cites them, where their addresses lead, whether they can change, when they were read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from .. import citations, permalinks
from ..days import day
from ..interface import ENGLISH
from ..load import Document
from ..model import Record
from ..pointers import escape
from ..problems import Finding
from ..prose import Body
from .parts import free_parts, places_of_sources

_READ_ON: Final = re.compile(r"(check|retriev|access|fetch|snapshot|saved|read)\w*_(on|at|date)", re.I)
_CHANGED_ON: Final = re.compile(r"source_(updated|published|changed|modified|edited)_(on|at)", re.I)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def dangling_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A measurement names a document that no source entry has."""
    for index, result in enumerate(record.reported_results):
        name = result.source_document_id
        if name and citations.by_document(record, name) is None:
            found = citations.of_result(record, result)
            how = f"source {found.number} has its hash" if found else "no source has its hash or address either"
            message = f"no source has the document_id “{name}”; {how}"
            at = f"/reported_results/{index}/source_document_id"
            yield Finding(document.file, at, "dangling-source", message, "Give that source the document_id.")


def uncited_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A source that no measurement, case, observation or link of the body cites."""
    parts = [part for _, part in free_parts(record)]
    cited = {c.number for r in record.reported_results for c in citations.cited_by(record, r)}
    cited |= {c.number for p in parts if (c := citations.of_part(record, p))}
    linked = [link.href for link in body.links] + [url for p in parts for _, url in citations.addresses(p)]
    cited |= {found[0] for url in linked if (found := citations.by_url(record, url))}
    for at, number, source in places_of_sources(record):
        if number not in cited:
            message = f"nothing cites {source.document_id or source.document_path}"
            yield Finding(document.file, at, "uncited-source", message, "Cite it or remove it.")


def ignored_line_anchor(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A stored address whose line anchor the forge does not honour; the page links to one that works."""
    for index, result in enumerate(record.reported_results):
        blob = permalinks.parse_blob(result.evidence_url or "")
        if blob and result.evidence_url and permalinks.anchor_is_ignored(result.evidence_url):
            message = f"{blob.software} ignores #L{permalinks.line_in(result.evidence_url)} on a rendered document"
            at = f"/reported_results/{index}/evidence_url"
            remedy = f"Write {blob.source_view} before the anchor."
            yield Finding(document.file, at, "ignored-line-anchor", message, remedy)


def address_without_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """An address in the record or its body that no source entry covers."""
    known = _known_addresses(record)
    rest = {k: v for k, v in document.data.items() if k not in {"sources", "supplemental_sources", "body_markdown"}}
    found = [*citations.addresses(rest)]
    in_body = document.body_file or document.file
    seen: set[str] = set()
    for pointer, url in [*found, *(("", link.href) for link in body.links if link.href.startswith("http"))]:
        if permalinks.without_line(url) in known or url in seen:
            continue
        seen.add(url)
        file, at = (document.file, pointer) if pointer else (in_body, "" if document.body_file else "/body_markdown")
        message = f"no source entry covers {url}"
        yield Finding(file, at, "address-without-source", message, "Add it to the sources with date and hash.")


def _known_addresses(record: Record) -> set[str]:
    return {u for s in record.all_sources for u in (s.pinned_url, s.url, s.report_url) if u}


def mutable_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A source whose address can serve other bytes tomorrow, and how much leans on it."""
    values = Counter(n for r in record.reported_results for n in {c.number for c in citations.cited_by(record, r)})
    cases = Counter(c.number for _, part in free_parts(record) if (c := citations.of_reading(record, part)))
    for at, number, source in places_of_sources(record):
        if citations.is_mutable(source):
            found = ((values[number], "value"), (cases[number], "case"))
            leaning = ENGLISH.listed([f"{n:,} {noun}{'s' if n > 1 else ''}" for n, noun in found if n]) or "no value"
            verb = "leans" if values[number] + cases[number] < 2 else "lean"
            read = f"the copy read on {source.checked_on[:10]} has a saved hash"
            message = f"{source.pinned_url} can change; {read}; {leaning} {verb} on it"
            remedy = "Keep a copy, and verify it again before relying on it."
            yield Finding(document.file, at, "mutable-source", message, remedy)


def stored_url_differs(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A stored address differs from the one built from repository, revision, path and line.

    An address that no source covers, and a line anchor that the forge ignores, have codes of their own. A raw address
    is another form of the same document and no finding.
    """
    remedy = "Correct it, or leave it out: the page builds its own."
    for at, _, source in places_of_sources(record):
        blob, parts = permalinks.parse_blob(source.pinned_url), urlsplit(source.pinned_url)
        if blob and (parts.query or parts.fragment):
            message = f"pinned_url holds more than the address of the document, {blob.url()}"
            yield Finding(document.file, f"{at}/pinned_url", "stored-url-differs", message, remedy)
    for index, result in enumerate(record.reported_results):
        cited = citations.of_result(record, result)
        if cited and result.evidence_url and (fault := _difference(record, result.evidence_url, cited)):
            at = f"/reported_results/{index}/evidence_url"
            message = f"{fault}; the page links to {cited.url}"
            yield Finding(document.file, at, "stored-url-differs", message, remedy)


def _difference(record: Record, stored: str, cited: citations.Citation) -> str | None:
    """Return how a stored address of a value differs from the address of what it cites, or None."""
    other = citations.by_url(record, stored)
    if permalinks.without_line(stored) not in _known_addresses(record):
        return None
    if other is None or other[0] != cited.number:
        return f"evidence_url does not lead to source {cited.number}, which the value cites"
    line = permalinks.line_in(stored)
    if citations.blob_of(cited.source) is None or line == cited.line:
        return None
    named = f"line {line}" if line else "no line"
    return f"evidence_url names {named}, the record {f'line {cited.line}' if cited.line else 'none'}"


def snapshot_incomplete(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A case or value cites an editable page that no source entry covers, without date and hash of what was read."""
    results = document.data.get("reported_results") or ()
    cited = [citations.of_result(record, r) for r in record.reported_results]
    parts = [(f"/reported_results/{i}", part) for i, part in enumerate(results) if cited[i] is None]
    parts += [(at, part) for at, part in free_parts(record) if citations.of_reading(record, part) is None]
    for at, part in parts:
        urls = [(k, v) for k, v in part.items() if k.lower().endswith("url") and isinstance(v, str)]
        editable = next(((k, v) for k, v in urls if _is_editable(part, v)), None)
        has_hash = any(k.endswith("sha256") and v for k, v in part.items())
        has_date = any(_READ_ON.search(k) and v for k, v in part.items())
        if editable and not (has_hash and has_date):
            lacking = " and no ".join(name for name, has in (("date", has_date), ("hash", has_hash)) if not has)
            message = f"{editable[1]} can change, and the record holds no {lacking} of a copy"
            remedy = "Add a source entry with the date and the SHA-256 of the copy that was read."
            yield Finding(document.file, f"{at}/{escape(editable[0])}", "snapshot-incomplete", message, remedy)


def _is_editable(part: Mapping[str, Any], url: str) -> bool:
    blob = permalinks.parse_blob(url)
    return part.get("public_URL_is_immutable") is not True and not (blob and blob.is_pinned)


def newer_than_checked(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """Something changed after the day on which it was read, or was read after the day the page states."""
    code, page = "newer-than-checked", day(record.source_checked_on)
    for at, _, source in places_of_sources(record):
        read = day(source.checked_on)
        if source.last_commit_at and (changed := day(source.last_commit_at)) > read:
            message = f"the document was changed on {changed}, after it was read on {read}"
            yield Finding(document.file, f"{at}/last_commit_at", code, message, "Read it again, or correct the date.")
        if read > page:
            message = f"the source was read on {read}; the page says that its sources were last read on {page}"
            yield Finding(document.file, f"{at}/checked_on", code, message, "Write the later day in source_checked_on.")
    for at, part in free_parts(record):
        cited = citations.of_part(record, part)
        read = day(cited.source.checked_on) if cited else page
        for key, value in part.items():
            if _CHANGED_ON.fullmatch(key) and isinstance(value, str) and _DAY.match(value) and day(value) > read:
                message = f"{key} is {day(value)}, after the source was read on {read}"
                remedy = "Read it again, or correct the date."
                yield Finding(document.file, f"{at}/{escape(key)}", code, message, remedy)

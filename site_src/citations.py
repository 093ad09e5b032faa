"""Which cited document stands behind a part of a record, and how far it can be trusted not to change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from . import permalinks
from .evidence import Evidence
from .model import Measurement, Record, Source
from .pointers import escape

_PARTS: Final = frozenset({"case_reports", "memory_observations", "long_context_cases"})


@dataclass(frozen=True)
class Citation:
    """A source by its number on the page (from 1), with the line cited in it, if the record has one.

    `pointer` leads to the value in a document that is JSON.
    """

    number: int
    source: Source
    line: int | None
    pointer: str | None = field(default=None, compare=False)

    @property
    def url(self) -> str:
        """The address of the line at its commit or in its archive, of the document there, or of the editable page."""
        place = blob_of(self.source) or archived(self.source)
        return place.url(self.line) if place else self.source.pinned_url


def fixed_at(source: Source) -> tuple[str, str]:
    """Return what fixes a source, and its name as pages print it: the start of a commit hash, any other one whole."""
    is_commit = permalinks.is_commit(source.revision)
    return ("commit", source.revision[:7]) if is_commit else ("version", source.revision)


def blob_of(source: Source) -> permalinks.Blob | None:
    """Return the source as a document at a commit, built from repository, revision and path; None if editable."""
    blob = permalinks.parse_blob(source.pinned_url)
    if blob is None or is_mutable(source):
        return None
    repository = source.repository or blob.repository
    return permalinks.Blob(blob.forge, blob.host, repository, source.revision, source.document_path)


def archived(source: Source) -> permalinks.Archived | permalinks.Deposit | None:
    """Return the source as a document of an archive whose address always serves the same bytes, or None."""
    link = permalinks.parse(source.pinned_url) if source.public_URL_is_immutable else None
    place = link.place if link else None
    return place if isinstance(place, permalinks.Archived | permalinks.Deposit) and place.same_bytes else None


def is_mutable(source: Source) -> bool:
    """Tell whether the address may serve other bytes tomorrow."""
    if archived(source):
        return False
    if source.public_URL_is_immutable is False or not permalinks.is_commit(source.revision):
        return True
    return source.public_URL_is_immutable is None and permalinks.parse_blob(source.pinned_url) is None


def numbered(record: Record) -> Iterator[tuple[int, Source]]:
    """Yield the sources with their numbers on the page."""
    yield from enumerate(record.all_sources, 1)


def by_document(record: Record, document_id: str | None) -> tuple[int, Source] | None:
    """Find a source by its document_id."""
    return next((s for s in numbered(record) if document_id and s[1].document_id == document_id), None)


def by_hash(record: Record, sha256: object) -> tuple[int, Source] | None:
    """Find a source by the SHA-256 of its bytes."""
    return next((s for s in numbered(record) if sha256 and s[1].document_sha256 == sha256), None)


def by_url(record: Record, url: object) -> tuple[int, Source] | None:
    """Find a source by the address of its document."""
    if not isinstance(url, str):
        return None
    bare = permalinks.without_line(url)
    return next((s for s in numbered(record) if bare in {s[1].pinned_url, s[1].report_url}), None)


def of_evidence(record: Record, evidence: Evidence | None) -> Citation | None:
    """Return what an evidence entry of format 1.1 cites."""
    found = by_document(record, evidence.document) if evidence else None
    return Citation(*found, evidence.line, evidence.pointer) if found and evidence else None


def of_result(record: Record, result: Measurement) -> Citation | None:
    """Return what a measurement cites: its evidence entry, else by document_id, by hash, by address."""
    if result.evidence:
        return of_evidence(record, result.evidence)
    found = (
        by_document(record, result.source_document_id)
        or by_hash(record, result.source_document_sha256)
        or by_url(record, result.evidence_url)
    )
    return Citation(*found, result.source_line) if found else None


def of_pointer(record: Record, pointer: str) -> Citation | None:
    """Return what the field at a JSON pointer cites: its own evidence, else that of the part it lies in."""
    steps = pointer.split("/")[1:]
    if len(steps) < 2 or not steps[1].isdecimal():
        return None
    name, index = steps[0], int(steps[1])
    if name == "reported_results":
        result = record.reported_results[index]
        own = result.condition_evidence.get(_unescaped(steps[3])) if steps[2:3] == ["conditions"] else None
        printed = result.also_printed[int(steps[3])].evidence if steps[2:3] == ["also_printed"] else None
        return of_evidence(record, own or printed) or of_result(record, result)
    if name == "campaigns":
        return of_evidence(record, record.campaigns[index].evidence)
    if name == "profiles":
        profile = record.profiles[index]
        return of_evidence(record, profile.deepest.evidence if "deepest" in steps else profile.evidence)
    if name == "relations":
        stated = record.relations[index].stated
        return of_evidence(record, stated.evidence) if stated and "stated" in steps else None
    parts = getattr(record, name, ())
    return of_part(record, parts[index]) if name in _PARTS and index < len(parts) else None


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def of_part(record: Record, part: Mapping[str, Any]) -> Citation | None:
    """Return what a case, observation or run cites: a named document, a hash, or the first address it holds."""
    line = part.get("source_line")
    at = int(line) if line is not None and str(line).isdecimal() else None
    found = by_document(record, part.get("source_document_id"))
    for key in part:
        found = found or (by_hash(record, part[key]) if key.endswith("sha256") else None)
    for key in part:
        found = found or (by_url(record, part[key]) if key.lower().endswith("url") else None)
    return Citation(*found, at) if found else None


def of_reading(record: Record, part: Mapping[str, Any]) -> Citation | None:
    """Return what a memory observation cites; without a source of its own, the case that holds the same reading."""
    found = of_part(record, part)
    for case in record.case_reports:
        same = any(isinstance(v, dict) and _same_reading(v, part) for v in case.values())
        found = found or (of_part(record, case) if same else None)
    return found


def _same_reading(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return a.get("value") is not None and (a.get("value"), a.get("unit")) == (b.get("value"), b.get("unit"))


def cited_by(record: Record, result: Measurement) -> Iterator[Citation]:
    """Yield everything a measurement leans on: its value, its other printings, its conditions."""
    entries = [p.evidence for p in result.also_printed] + list(result.condition_evidence.values())
    campaign = next((c for c in record.campaigns if c.id == result.campaign), None)
    entries += [campaign.evidence] if campaign and campaign.evidence else []
    for citation in (of_result(record, result), *(of_evidence(record, e) for e in entries)):
        if citation:
            yield citation


def addresses(value: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Yield (pointer, address) for every text in a part of a record that is an http(s) address."""
    if isinstance(value, str):
        if value.startswith(("https://", "http://")) and " " not in value:
            yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from addresses(item, f"{pointer}/{escape(key)}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from addresses(item, f"{pointer}/{index}")

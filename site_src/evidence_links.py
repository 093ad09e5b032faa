"""Citations → the links and badges a page prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import citations, words
from .evidence import Evidence
from .model import Measurement, Record, Source
from .view import Editable, Ref


def cite(record: Record, part: Mapping[str, Any] | Measurement | Evidence) -> tuple[Ref, ...]:
    """Return the evidence link of a measurement, a part or an evidence entry; none where it has none."""
    if isinstance(part, Measurement):
        found = citations.of_result(record, part)
    elif isinstance(part, Evidence):
        found = citations.of_evidence(record, part)
    else:
        found = citations.of_reading(record, part)
    return (ref(found),) if found else ()


def ref(citation: citations.Citation) -> Ref:
    """Return the visible link of a citation: the line at its commit, or the editable page by its number."""
    source = citation.source
    if citations.is_mutable(source):
        return Ref(citation.url, f"source {citation.number}", f"{source.publisher}, ", "editable")
    hidden = f"{source.document_path} at {citations.fixed_at(source)[1]}, "
    if citation.line is None:
        return Ref(citation.url, f"source {citation.number}", hidden, "line not recorded")
    return Ref(citation.url, f"line {citation.line}", hidden)


def editable(number: int, source: Source) -> Editable:
    """Return the badge of an address that can change."""
    return Editable(Ref(f"#src-{number}", f"source {number}"), words.date(source.checked_on), source.document_sha256)

"""Citations → the links and badges a page prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import citations
from .evidence import Evidence
from .interface import Words
from .model import Measurement, Record, Source
from .view import Editable, Ref


def cite(say: Words, record: Record, part: Mapping[str, Any] | Measurement | Evidence) -> tuple[Ref, ...]:
    """Return the evidence link of a measurement, a part or an evidence entry; none where it has none."""
    if isinstance(part, Measurement):
        found = citations.of_result(record, part)
    elif isinstance(part, Evidence):
        found = citations.of_evidence(record, part)
    else:
        found = citations.of_reading(record, part)
    return (ref(say, found),) if found else ()


def ref(say: Words, citation: citations.Citation) -> Ref:
    """Return the visible link of a citation: the line at its commit, or the editable page by its number."""
    source = citation.source
    if citations.is_mutable(source):
        return Ref(citation.url, say("word.source", n=citation.number), f"{source.publisher}, ", say("word.editable"))
    version = citations.fixed_at(source)[1]
    hidden = f"{say('word.at', document=source.document_path, version=version)}, "
    if citation.line is None:
        return Ref(citation.url, say("word.source", n=citation.number), hidden, say("word.line_not_recorded"))
    return Ref(citation.url, say("word.line", n=citation.line), hidden)


def editable(say: Words, number: int, source: Source) -> Editable:
    """Return the badge of an address that can change."""
    return Editable(
        Ref(f"#src-{number}", say("word.source", n=number)), say.date(source.checked_on), source.document_sha256
    )

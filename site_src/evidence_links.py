"""Citations → the links and badges a page prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import citations
from .evidence import Evidence
from .interface import Words
from .model import Measurement, Record, Source
from .view import Editable, Ref


def cite(
    say: Words, record: Record, part: Mapping[str, Any] | Measurement | Evidence, *, lists_sources: bool = False
) -> tuple[Ref, ...]:
    """Return the evidence link of a measurement, a part or an evidence entry; none where it has none.

    `lists_sources` tells that the sources stand on the same page, as in `ref`.
    """
    if isinstance(part, Measurement):
        found = citations.of_result(record, part)
    elif isinstance(part, Evidence):
        found = citations.of_evidence(record, part)
    else:
        found = citations.of_reading(record, part)
    return (ref(say, found, lists_sources=lists_sources),) if found else ()


def ref(say: Words, citation: citations.Citation, *, lists_sources: bool = False) -> Ref:
    """Return the visible link of a citation: the line at its commit, or the editable page by its number.

    A screen reader hears the document before the line: its number where the page `lists_sources` under their numbers,
    else its path and commit. A guide has dozens of such links.
    """
    source = citation.source
    if citations.is_mutable(source):
        return Ref(citation.url, say("word.source", n=citation.number), f"{source.publisher}, ", say("word.editable"))
    version = citations.fixed_at(source)[1]
    number = say("word.source", n=citation.number)
    path = f"{say('word.at', document=source.document_path, version=version)}, "
    if citation.line is None:
        return Ref(citation.url, number, "" if lists_sources else path, say("word.line_not_recorded"))
    return Ref(citation.url, say("word.line", n=citation.line), f"{number}, " if lists_sources else path)


def editable(say: Words, number: int, source: Source) -> Editable:
    """Return the badge of an address that can change."""
    return Editable(
        Ref(f"#src-{number}", say("word.source", n=number)), say.date(source.checked_on), source.document_sha256
    )

"""The source line of a figure: which documents, at which commit or with which saved hash, in what state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import citations, words
from ..citations import Citation
from ..model import Measurement, Record


def result_sources(record: Record, results: Sequence[Measurement]) -> str:
    """Return the source line for measurements."""
    return sources(record, [c for r in results if (c := citations.of_result(record, r))])


def sources(record: Record, cited: Iterable[Citation]) -> str:
    """Return the source line for citations: each document once, its lines in order, then the state."""
    lines: dict[int, set[int]] = {}
    documents: dict[int, Citation] = {}
    for citation in cited:
        documents.setdefault(citation.number, citation)
        lines.setdefault(citation.number, set()).update([citation.line] if citation.line else [])
    named = [_document(documents[n], sorted(lines[n])) for n in sorted(documents)]
    head = f"Source: {named[0]}. " if len(named) == 1 else f"Sources: {'; '.join(named)}. " if named else ""
    return head + state(record)


def state(record: Record) -> str:
    """Return the state of the evidence in words: Source-reported; not rerun."""
    return f"{words.state(record.evidence_state)}; {'rerun by this site' if record.site_reproduced else 'not rerun'}."


def _document(citation: Citation, lines: list[int]) -> str:
    source = citation.source
    if citations.is_mutable(source):
        return f"{source.publisher}, editable page, saved SHA-256 {source.document_sha256[:8]}…"
    where = source.repository or source.publisher
    text = f"{where}, {source.document_path} at {' '.join(citations.fixed_at(source))}"
    if not lines:
        return text
    spans = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in _spans(lines))
    return f"{text}, {'line' if spans.isdecimal() else 'lines'} {spans}"


def _spans(lines: list[int]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for line in lines:
        if spans and line == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], line)
        else:
            spans.append((line, line))
    return spans

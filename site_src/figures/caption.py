"""The source line of a figure: which documents, at which commit or with which saved hash, in what state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import citations
from ..citations import Citation
from ..interface import Words
from ..model import Measurement, Record


def result_sources(say: Words, record: Record, results: Sequence[Measurement]) -> str:
    """Return the source line for measurements."""
    return sources(say, record, [c for r in results if (c := citations.of_result(record, r))])


def sources(say: Words, record: Record, cited: Iterable[Citation]) -> str:
    """Return the source line for citations: each document once, its lines in order, then the state."""
    lines: dict[int, set[int]] = {}
    documents: dict[int, Citation] = {}
    for citation in cited:
        documents.setdefault(citation.number, citation)
        lines.setdefault(citation.number, set()).update([citation.line] if citation.line else [])
    named = [_document(say, documents[n], sorted(lines[n])) for n in sorted(documents)]
    if not named:
        return state(say, record)
    told = say("figure.source") if len(named) == 1 else say("figure.sources")
    return f"{told}: {'; '.join(named)}. {state(say, record)}"


def state(say: Words, record: Record) -> str:
    """Return the state of the evidence in words: Source-reported; not rerun."""
    rerun = say("explorer.rerun") if record.site_reproduced else say("explorer.not_rerun")
    return f"{say.state(record.evidence_state)}; {rerun}."


def _document(say: Words, citation: Citation, lines: list[int]) -> str:
    source = citation.source
    if citations.is_mutable(source):
        return say("figure.saved", publisher=source.publisher, hash=source.document_sha256[:8])
    where = source.repository or source.publisher
    kind, version = citations.fixed_at(source)
    text = say(f"figure.at_{kind}", document=f"{where}, {source.document_path}", version=version)
    if not lines:
        return text
    spans = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in _spans(lines))
    return f"{text}, {say('word.line', n=spans) if spans.isdecimal() else say('figure.lines', spans=spans)}"


def _spans(lines: list[int]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for line in lines:
        if spans and line == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], line)
        else:
            spans.append((line, line))
    return spans

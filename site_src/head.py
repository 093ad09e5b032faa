"""The head of a page: title, scope, dates, key figures, contents, counts."""

from __future__ import annotations

from collections.abc import Container

from . import citations, key_figures, markup, subject, tables, words
from .check import Explainer
from .claim_links import ClaimLinks
from .claims import sentences
from .evidence_links import cite
from .figures.select_hero import nulls_in, states
from .model import Record
from .places import Places
from .view import Fact, Head, KeyFigure, Ref

_SECTIONS = {
    "results": "Reported results",
    "derived": "Derived values",
    "capacity": "Capacity and its limits",
    "cases": "Cases",
    "memory": "Memory observations",
    "sustained": "Sustained and long-context runs",
}
_LAST = (
    ("limits", "Limits"),
    ("reading", "How to read these numbers"),
    ("audit", "Audit of this record"),
    ("sources", "Sources"),
    ("cite", "Cite and reuse"),
)


def head(explainer: Explainer, places: Places, claims: ClaimLinks, present: Container[str], language: str) -> Head:
    """Return the head of a page; `present` are the ids of its generated sections, `language` that of the site."""
    record = explainer.record
    return Head(
        route=record.path,
        language=record.lang or language,
        title=record.title,
        summary=record.summary,
        lede=claims.html("/summary", record.summary),
        scope=scope(record),
        crumb=subject.short_model(record) or words.label(record.record_type),
        states=states(record),
        dates=dates(record),
        answer=claims.html("/answer", record.answer),
        decision=decision(record),
        keys=keys(explainer, places, claims),
        contents=contents(explainer, present),
        checked_on=record.source_checked_on,
        counts=counts(record),
        models=subject.models(record),
        hardware=subject.hardware(record),
        short=record.answer[slice(*sentences.bounds(record.answer, 0, 1))],
        questions=own_parts(explainer),
    )


def dates(record: Record) -> tuple[tuple[str, str, str], ...]:
    """Return the dates of a page: name, ISO text, words."""
    named = [("Published", record.published_on), ("Sources checked", record.source_checked_on)]
    if record.modified_on != record.published_on:
        named.insert(1, ("Changed", record.modified_on))
    return tuple((name, iso, words.date(iso)) for name, iso in named)


def keys(explainer: Explainer, places: Places, claims: ClaimLinks) -> tuple[KeyFigure, ...]:
    """Return the key figures: declared ones, or the first result of each metric, four at most."""
    resolved = key_figures.resolved(explainer.record, explainer.derivations)
    return tuple(_key(explainer.record, figure, places, claims, n) for n, figure in enumerate(resolved))


def _key(record: Record, figure: key_figures.Resolved, places: Places, claims: ClaimLinks, index: int) -> KeyFigure:
    result, at = figure.result, f"/key_figures/{index}"
    lines = [claims.html(f"{at}/note", figure.note)] if figure.note else []
    if result:
        lines += [] if figure.note else [markup.text(result.label)]
        lines += [markup.text(f"Denominator: {result.denominator}")] if result.denominator else []
        lines.append(markup.text(tables.n_words(result) or result.statistic))
    refs = cite(record, result) if result else ()
    if figure.relation:
        refs = (Ref(places.relation(record.path, figure.relation), "how it is computed"),)
    elif not result:
        refs = (Ref(places.pointer(record.path, figure.pointer), "where it stands"),)
    said = tuple(_sentence(line) for line in lines)
    name = claims.html(f"{at}/label", figure.label)
    return KeyFigure(
        figure.text, figure.raw, figure.unit, name, said, refs, figure.is_null, figure.relation is not None
    )


def _sentence(line: str) -> str:
    """Return a line as a sentence; the n of a count stays small."""
    start = line if line.startswith("n\u00a0") else line[:1].upper() + line[1:]
    return f"{start.removesuffix('.')}."


def contents(explainer: Explainer, present: Container[str]) -> tuple[tuple[str, str], ...]:
    """Return ids and titles of the page's parts, the body's own first; generated ones where they are `present`."""
    return (*own_parts(explainer), *((i, t) for i, t in _SECTIONS.items() if i in present), *_LAST)


def own_parts(explainer: Explainer) -> tuple[tuple[str, str], ...]:
    """Return ids and titles of the parts of the body: the questions it asks, or the points it makes."""
    return tuple((h.id, h.text) for h in explainer.body.headings if h.level == 2)


def counts(record: Record) -> str:
    """Return how many values, sources and nulls a record holds."""
    values = words.count(len(record.reported_results), "value")
    sources = words.count(len(record.all_sources), "source")
    return f"{values}, {sources}, {words.count(nulls_in(record), 'null')} kept"


def scope(record: Record) -> str:
    """Return how many documents and publishers a page rests on, and how many of them can change."""
    sources = record.all_sources
    publishers = len({s.publisher for s in sources})
    mutable = sum(citations.is_mutable(s) for s in sources)
    fixed = f"{len(sources) - mutable} at a fixed commit, {mutable} editable"
    return f"{words.count(len(sources), 'document')} from {words.count(publishers, 'publisher')}: {fixed}."


def decision(record: Record) -> tuple[Fact, ...]:
    """Return the decision and the scope of a capacity interpretation."""
    named = (("Decision", record.decision), ("Scope", record.scope))
    return tuple(Fact(name, text) for name, text in named if text)

"""The head of a page: title, scope, dates, key figures, contents, counts."""

from __future__ import annotations

from collections.abc import Container

from . import citations, key_figures, markup, subject, tables, words
from .check import Explainer
from .claim_links import ClaimLinks
from .claims import sentences
from .evidence_links import cite
from .figures.select_hero import nulls_in, states
from .interface import Words
from .model import Record
from .places import Places
from .view import Fact, Head, KeyFigure, Ref

# Ids of the parts of a page behind its body; the first ones where the record holds something for them.
_SECTIONS = ("results", "derived", "capacity", "cases", "memory", "sustained")
_LAST = ("limits", "reading", "audit", "changelog", "sources", "cite")


def head(say: Words, explainer: Explainer, places: Places, claims: ClaimLinks, present: Container[str]) -> Head:
    """Return the head of a page in the words of its language; `present` are the ids of its generated sections."""
    record = explainer.record
    return Head(
        route=record.path,
        language=say.asked,
        title=record.title,
        summary=record.summary,
        lede=claims.html("/summary", record.summary),
        scope=scope(say, record),
        crumb=subject.short_model(record) or words.label(record.record_type),
        states=states(say, record),
        dates=dates(say, record),
        answer=claims.html("/answer", record.answer),
        decision=decision(say, record),
        keys=keys(say, explainer, places, claims),
        contents=contents(say, explainer, present),
        checked_on=record.source_checked_on,
        counts=counts(say, record),
        models=subject.models(record),
        hardware=subject.hardware(record),
        short=record.answer[slice(*sentences.bounds(record.answer, 0, 1))],
        questions=own_parts(explainer),
    )


def dates(say: Words, record: Record) -> tuple[tuple[str, str, str], ...]:
    """Return the dates of a page: name, ISO text, words."""
    named = [(say("head.published"), record.published_on), (say("head.checked"), record.source_checked_on)]
    if record.modified_on != record.published_on:
        named.insert(1, (say("head.changed"), record.modified_on))
    return tuple((name, iso, say.date(iso)) for name, iso in named)


def keys(say: Words, explainer: Explainer, places: Places, claims: ClaimLinks) -> tuple[KeyFigure, ...]:
    """Return the key figures: declared ones, or the first result of each metric, four at most."""
    resolved = key_figures.resolved(say, explainer.record, explainer.derivations)
    return tuple(_key(say, explainer.record, figure, places, claims, n) for n, figure in enumerate(resolved))


def _key(
    say: Words, record: Record, figure: key_figures.Resolved, places: Places, claims: ClaimLinks, index: int
) -> KeyFigure:
    result, at = figure.result, f"/key_figures/{index}"
    lines = [claims.html(f"{at}/note", figure.note)] if figure.note else []
    if result:
        lines += [] if figure.note else [markup.text(result.label)]
        lines += [markup.text(say("word.denominator", text=result.denominator))] if result.denominator else []
        lines.append(markup.text(tables.n_words(say, result) or result.statistic))
    refs = cite(say, record, result, lists_sources=True) if result else ()
    if figure.relation:
        refs = (Ref(places.relation(record.path, figure.relation), say("head.how_computed")),)
    elif not result:
        refs = (Ref(places.pointer(record.path, figure.pointer), say("head.where")),)
    said = tuple(_sentence(line) for line in lines)
    name = claims.html(f"{at}/label", figure.label)
    return KeyFigure(
        figure.text, figure.raw, figure.unit, name, said, refs, figure.is_null, figure.relation is not None
    )


def _sentence(line: str) -> str:
    """Return a line as a sentence; the n of a count stays small."""
    start = line if line.startswith("n\u00a0") else line[:1].upper() + line[1:]
    return f"{start.removesuffix('.')}."


def contents(say: Words, explainer: Explainer, present: Container[str]) -> tuple[tuple[str, str], ...]:
    """Return ids and titles of the page's parts, the body's own first; generated ones where they are `present`."""
    last = (i for i in _LAST if i != "changelog" or explainer.record.changelog)
    shown = (*(i for i in _SECTIONS if i in present), *last)
    return (*own_parts(explainer), *((i, say(f"guide.{i}")) for i in shown))


def own_parts(explainer: Explainer) -> tuple[tuple[str, str], ...]:
    """Return ids and titles of the parts of the body: the questions it asks, or the points it makes."""
    return tuple((h.id, h.text) for h in explainer.body.headings if h.level == 2)


def counts(say: Words, record: Record) -> str:
    """Return how many values, sources and nulls a record holds."""
    values = say.count(len(record.reported_results), "value")
    sources = say.count(len(record.all_sources), "source")
    return say("head.counts", values=values, sources=sources, nulls=say.count(nulls_in(record), "null"))


def scope(say: Words, record: Record) -> str:
    """Return how many documents and publishers a page rests on, and how many of them can change."""
    sources = record.all_sources
    publishers = len({s.publisher for s in sources})
    mutable = sum(citations.is_mutable(s) for s in sources)
    documents, named = say.count(len(sources), "document"), say.count(publishers, "publisher")
    fixed = len(sources) - mutable
    return say("head.scope", documents=documents, publishers=named, fixed=fixed, editable=mutable)


def decision(say: Words, record: Record) -> tuple[Fact, ...]:
    """Return the decision and the scope of a capacity interpretation."""
    named = ((say("head.decision"), record.decision), (say("head.decision_scope"), record.scope))
    return tuple(Fact(name, text) for name, text in named if text)

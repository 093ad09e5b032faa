"""Explainers → what the search page lists without a script: guides, models, hardware, metrics and sources, A to Z.

A kind of more than PER_PAGE lines moves to pages of its own, so that no page grows with the site.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from .. import citations, subject, words
from ..check import Explainer
from ..interface import Words
from .route import ROUTE

PER_PAGE: Final = 100


@dataclass(frozen=True)
class Line:
    """A name, what stands with it, and where it leads: the title, route and anchor of a guide."""

    name: str
    note: str
    title: str
    route: str
    anchor: str = ""


@dataclass(frozen=True)
class Chunk:
    """A page of a listing, with its first and last name."""

    route: str
    lines: tuple[Line, ...]

    @property
    def first(self) -> str:
        """The name it begins with."""
        return self.lines[0].name

    @property
    def last(self) -> str:
        """The name it ends with."""
        return self.lines[-1].name


@dataclass(frozen=True)
class Listing:
    """All names of one kind: on the search page itself, or on `pages` of their own. `link` leads to those."""

    id: str
    title: str
    total: str
    link: str
    lines: tuple[Line, ...]
    pages: tuple[Chunk, ...]


def listings(say: Words, explainers: Sequence[Explainer], rows: Mapping[str, Mapping[int, str]]) -> tuple[Listing, ...]:
    """Return the listings that hold anything, each sorted by name.

    `rows` are the routes of the rows of each record, by its id.
    """
    kinds = (
        ("guides", say("nav.guides"), "guide", _guides),
        ("models", say("facets.model"), "model", _models),
        ("hardware", say("facet.hardware"), "entry", _hardware),
        ("metrics", say("facets.metric"), "metric", partial(_metrics, rows)),
        ("sources", say("nav.sources"), "document", _sources),
    )
    found = (
        (name, title, noun, sorted({line for e in explainers for line in of(e)}, key=_order))
        for name, title, noun, of in kinds
    )
    return tuple(_listing(say, *kind) for kind in found if kind[-1])


def _listing(say: Words, name: str, title: str, noun: str, lines: Sequence[Line]) -> Listing:
    count = len({(line.name, line.note) for line in lines})
    total, link = say.count(count, noun), say(f"search.all_{name}")
    if len(lines) <= PER_PAGE:
        return Listing(name, title, total, link, tuple(lines), ())
    chunks = [tuple(lines[i : i + PER_PAGE]) for i in range(0, len(lines), PER_PAGE)]
    routes = [f"{ROUTE}{name}/", *(f"{ROUTE}{name}/{n}/" for n in range(2, len(chunks) + 1))]
    return Listing(name, title, total, link, (), tuple(map(Chunk, routes, chunks)))


def _order(line: Line) -> tuple[str, ...]:
    """Sort names as a reader looks them up: case and accents last; the same in every locale."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", line.name) if not unicodedata.combining(c))
    return bare.casefold(), line.name, line.note, line.title, line.route, line.anchor


def _guides(explainer: Explainer) -> Iterator[Line]:
    record = explainer.record
    yield Line(record.title, "", record.title, record.path)


def _named(explainer: Explainer, names: Iterable[str]) -> Iterator[Line]:
    record = explainer.record
    yield from (Line(name, "", record.title, record.path) for name in names)


def _models(explainer: Explainer) -> Iterator[Line]:
    yield from _named(explainer, subject.models(explainer.record))


def _hardware(explainer: Explainer) -> Iterator[Line]:
    yield from _named(explainer, subject.hardware(explainer.record))


def _metrics(found: Mapping[str, Mapping[int, str]], explainer: Explainer) -> Iterator[Line]:
    """Yield each metric and unit once a guide, with the row of its first result."""
    record, seen = explainer.record, set[tuple[str, str]]()
    rows = found[record.id]
    for number, result in enumerate(record.reported_results, 1):
        if (result.metric, result.unit) not in seen:
            seen.add((result.metric, result.unit))
            name = words.label(result.metric)
            yield Line(name, result.unit, record.title, rows[number], f"result-{number}")


def _sources(explainer: Explainer) -> Iterator[Line]:
    record = explainer.record
    for number, source in citations.numbered(record):
        note = f"{source.publisher}, {' '.join(citations.fixed_at(source))}"
        yield Line(source.document_path, note, record.title, record.path, f"src-{number}")

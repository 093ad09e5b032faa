"""The head and the foot of a page: dates, key figures, contents, citation, downloads, counts."""

from __future__ import annotations

from collections.abc import Mapping

from . import key_figures, tables, words
from .check import Explainer
from .evidence_links import cite
from .figures.select_hero import nulls_in
from .hrefs import Hrefs
from .links import SCHEMA_ROUTE, guide_files
from .model import Record
from .places import Places
from .view import KeyFigure, Ref

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
    ("about", "About this record"),
    ("sources", "Sources"),
    ("cite", "Cite and reuse"),
)


def dates(record: Record) -> tuple[tuple[str, str, str], ...]:
    """Return the dates of a page: name, ISO text, words."""
    named = [("Published", record.published_on), ("Sources checked", record.source_checked_on)]
    if record.modified_on != record.published_on:
        named.insert(1, ("Changed", record.modified_on))
    return tuple((name, iso, words.date(iso)) for name, iso in named)


def keys(explainer: Explainer, places: Places) -> tuple[KeyFigure, ...]:
    """Return the key figures: declared ones, or the first result of each metric, four at most."""
    resolved = key_figures.resolved(explainer.record, explainer.derivations)
    return tuple(_key(explainer.record, figure, places) for figure in resolved)


def _key(record: Record, figure: key_figures.Resolved, places: Places) -> KeyFigure:
    result = figure.result
    lines = [figure.note] if figure.note else []
    if result:
        lines += [] if figure.note else [result.label]
        lines += [f"Denominator: {result.denominator}"] if result.denominator else []
        lines.append(tables.n_words(result) or result.statistic)
    refs = cite(record, result) if result else ()
    if figure.relation:
        refs = (Ref(places.relation(record.path, figure.relation), "how it is computed"),)
    elif not result:
        refs = (Ref(places.pointer(record.path, figure.pointer), "where it stands"),)
    said = tuple(f"{line[:1].upper()}{line[1:].removesuffix('.')}." for line in lines)
    is_derived = figure.relation is not None
    return KeyFigure(figure.text, figure.raw, figure.unit, figure.label, said, refs, figure.is_null, is_derived)


def contents(explainer: Explainer, present: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return ids and titles of the page's parts, the body's own first; generated ones where they are `present`."""
    own = [(h.id, h.text) for h in explainer.body.headings if h.level == 2]
    return (*own, *((i, t) for i, t in _SECTIONS.items() if present[i]), *_LAST)


def citation(record: Record, site: str, hrefs: Hrefs) -> str:
    """Return how to cite the page."""
    checked = words.date(record.source_checked_on)
    address = hrefs.absolute(record.path) or record.path
    return f"{site} ({record.published_on[:4]}). {record.title}. Sources checked {checked}. {address}"


def downloads(record: Record, hrefs: Hrefs) -> tuple[Ref, ...]:
    """Return the data files of a guide and of the site."""
    record_file, *results = guide_files(record)
    named = [(record_file, "This record, JSON")]
    named += [(file, "Reported results with their conditions, CSV") for file in results]
    named += [(SCHEMA_ROUTE, "JSON Schema of the record"), ("/manifest.json", "SHA-256 of every file of this site")]
    return tuple(Ref(hrefs.to(record.path, file), text) for file, text in named)


def counts(record: Record) -> str:
    """Return how many values, sources and nulls a record holds."""
    values = words.count(len(record.reported_results), "value")
    sources = words.count(len(record.all_sources), "source")
    return f"{values}, {sources}, {words.count(nulls_in(record), 'null')} kept"

"""Arranged results → pages that list: the overview with all tables, and the names of each facet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .. import words
from ..view import Ref
from . import downloads
from .arrange import PER_PAGE, ROUTE, Arranged, part, part_of
from .cohorts import Cohort, Row
from .facets import FACETS, METRIC, Facet
from .headings import headings
from .tables import found_by
from .view import Entry, EntryList, ResultsPage

ON_OVERVIEW: Final = 24
"""Most names of a facet on the overview; the rest stands in a list of its own."""

ORDER: Final = (
    "Rows of one table agree in metric, unit, denominator, kind of statistic, workload and number of machines."
    " They stand in the order of their records, not by value."
)


def overview(results: Arranged) -> Iterator[ResultsPage]:
    """Yield the first page: names of each facet, files, and all tables; further tables on further pages."""
    titled = list(zip(results.cohorts, headings(results.cohorts), strict=True))
    chunks = [titled[i : i + PER_PAGE] for i in range(0, len(titled), PER_PAGE)] or [[]]
    routes = [ROUTE if n == 1 else f"{ROUTE}tables/{n}/" for n in range(1, len(chunks) + 1)]
    for number, (here, chunk) in enumerate(zip(routes, chunks, strict=True), 1):
        is_first = number == 1
        tables = EntryList("tables", "All tables", tuple(_table(results, here, c, heading) for c, heading in chunk))
        names = [_names(results, here, f) for f in FACETS] if is_first else []
        yield ResultsPage(
            route=here,
            title="Results" if is_first else f"All tables of results{part_of(number, len(chunks))}",
            lede=_counted(results),
            noun="entry",
            crumbs=() if is_first else (results.ref(here, ROUTE, "Results"),),
            lists=tuple(found for found in (*names, tables) if found.entries),
            downloads=_files(results, here) if is_first else (),
            turns=results.turns(here, routes, number),
        )


def _counted(results: Arranged) -> str:
    rows = sum(len(c.rows) for c in results.cohorts)
    if not rows:
        return "No result is published yet."
    guides = words.count(sum(bool(e.record.reported_results) for e in results.explainers), "guide")
    tables = words.count(len(results.cohorts), "table")
    return f"{words.count(rows, 'reported result')} of {guides}, in {tables}. {ORDER}"


def _table(results: Arranged, here: str, cohort: Cohort, heading: str) -> Entry:
    """Return the entry of a table; the filter finds it by the values, runs and versions of its rows, too."""
    found = (v for row in cohort.rows[:PER_PAGE] for v in (_printed(row), row.result.label, *found_by(row)))
    ref = Ref(results.hrefs.to(here, *results.starts[cohort.id]), heading)
    return Entry(ref, words.count(len(cohort.rows), "row"), " ".join(dict.fromkeys(found)))


def _printed(row: Row) -> str:
    value = row.result.value
    return row.result.value_text or ("" if value is None else words.literal(value))


def _names(results: Arranged, here: str, facet: Facet) -> EntryList:
    found = results.named[facet.folder]
    entries = tuple(_name(results, here, facet, name) for name in list(found)[:ON_OVERVIEW])
    listed = results.ref(here, f"{ROUTE}{facet.folder}/", f"All {len(found):,} {facet.many}")
    more = listed if len(found) > ON_OVERVIEW else None
    return EntryList(facet.folder, f"By {facet.one.lower()}", entries, more, _unnamed(results, facet))


def _name(results: Arranged, here: str, facet: Facet, name: str) -> Entry:
    found = results.named[facet.folder][name]
    counted = words.count(sum(len(c.rows) for c in found), "row")
    ref = results.ref(here, results.route(facet.folder, name), shown(facet, name))
    return Entry(ref, f"{counted} in {words.count(len(found), 'table')}")


def shown(facet: Facet, name: str) -> str:
    """Return a name as a page prints it: a metric in words, any other as its record has it."""
    return words.label(name) if facet is METRIC else name


def _unnamed(results: Arranged, facet: Facet) -> str:
    """Say how many results a facet does not list, because they do not name what it lists by."""
    lacking = sum(facet.folder not in row.facets for c in results.cohorts for row in c.rows)
    verb = "names" if lacking == 1 else "name"
    return f"{words.count(lacking, 'result')} {verb} none; see by metric." if lacking else ""


def _files(results: Arranged, here: str) -> tuple[Ref, ...]:
    rows = words.count(sum(len(c.rows) for c in results.cohorts), "row")
    return (
        results.ref(here, downloads.ALL_CSV, f"All results, CSV, {rows}"),
        results.ref(here, downloads.ALL_JSON, f"All results, JSON, {rows}"),
        results.ref(here, downloads.CATALOGUE, "Catalogue of guides, tables and files, JSON"),
    )


def names(results: Arranged, facet: Facet) -> Iterator[ResultsPage]:
    """Yield the list of all names of a facet, in parts."""
    found = list(results.named[facet.folder])
    chunks = [found[i : i + PER_PAGE] for i in range(0, len(found), PER_PAGE)]
    routes = [part(f"{ROUTE}{facet.folder}/", n) for n in range(1, len(chunks) + 1)]
    for number, (here, chunk) in enumerate(zip(routes, chunks, strict=True), 1):
        entries = tuple(_name(results, here, facet, name) for name in chunk)
        yield ResultsPage(
            route=here,
            title=f"Results by {facet.one.lower()}{part_of(number, len(chunks))}",
            lede=f"{facet.many.capitalize()} that results name: {len(found):,}, by name.",
            noun="entry",
            crumbs=(results.ref(here, ROUTE, "Results"),),
            lists=(EntryList("names", facet.many.capitalize(), entries, None, _unnamed(results, facet)),),
            turns=results.turns(here, routes, number),
        )

"""Arranged results → pages that list: the overview with all tables, and the names of each facet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .. import words
from ..view import Ref
from . import downloads
from .arrange import PER_PAGE, ROUTE, Arranged, part
from .cohorts import Cohort, Row
from .facets import FACETS, METRIC, Facet
from .headings import headings
from .tables import found_by
from .view import Entry, EntryList, ResultsPage

ON_OVERVIEW: Final = 24
"""Most names of a facet on the overview; the rest stands in a list of its own."""


def overview(results: Arranged) -> Iterator[ResultsPage]:
    """Yield the first page: names of each facet, files, and all tables; further tables on further pages."""
    say = results.say
    titled = list(zip(results.cohorts, headings(say, results.cohorts), strict=True))
    chunks = [titled[i : i + PER_PAGE] for i in range(0, len(titled), PER_PAGE)] or [[]]
    routes = [ROUTE if n == 1 else f"{ROUTE}tables/{n}/" for n in range(1, len(chunks) + 1)]
    for number, (here, chunk) in enumerate(zip(routes, chunks, strict=True), 1):
        is_first = number == 1
        entries = tuple(_table(results, here, c, heading) for c, heading in chunk)
        tables = EntryList("tables", say("explorer.tables"), entries)
        rest = f"{say('explorer.tables_title')}{results.part_of(number, len(chunks))}"
        names = [_names(results, here, f) for f in FACETS] if is_first else []
        yield ResultsPage(
            route=here,
            title=say("nav.results") if is_first else rest,
            lede=_counted(results),
            noun="entry",
            crumbs=() if is_first else (results.ref(here, ROUTE, say("nav.results")),),
            lists=tuple(found for found in (*names, tables) if found.entries),
            downloads=_files(results, here) if is_first else (),
            turns=results.turns(here, routes, number),
        )


def _counted(results: Arranged) -> str:
    say, rows = results.say, sum(len(c.rows) for c in results.cohorts)
    if not rows:
        return say("explorer.none")
    guides = say.count(sum(bool(e.record.reported_results) for e in results.explainers), "guide")
    told = {"results": say.count(rows, "reported"), "tables": say.count(len(results.cohorts), "table")}
    return say("explorer.counted", guides=guides, order=say("explorer.order"), **told)


def _table(results: Arranged, here: str, cohort: Cohort, heading: str) -> Entry:
    """Return the entry of a table; the filter finds it by the values, runs and versions of its rows, too."""
    found = (v for row in cohort.rows[:PER_PAGE] for v in (_printed(row), row.result.label, *found_by(row)))
    ref = Ref(results.hrefs.to(here, *results.starts[cohort.id]), heading)
    return Entry(ref, results.say.count(len(cohort.rows), "row"), " ".join(dict.fromkeys(found)))


def _printed(row: Row) -> str:
    value = row.result.value
    return row.result.value_text or ("" if value is None else words.literal(value))


def _names(results: Arranged, here: str, facet: Facet) -> EntryList:
    found, say = results.named[facet.folder], results.say
    entries = tuple(_name(results, here, facet, name) for name in list(found)[:ON_OVERVIEW])
    listed = results.ref(here, f"{ROUTE}{facet.folder}/", say.count(len(found), f"all_{facet.noun}", "index"))
    more = listed if len(found) > ON_OVERVIEW else None
    return EntryList(facet.folder, say(f"index.{facet.noun}"), entries, more, _unnamed(results, facet))


def _name(results: Arranged, here: str, facet: Facet, name: str) -> Entry:
    found, say = results.named[facet.folder][name], results.say
    rows, tables = say.count(sum(len(c.rows) for c in found), "row"), say.count(len(found), "table")
    ref = results.ref(here, results.route(facet.folder, name), shown(facet, name))
    return Entry(ref, say("explorer.in_tables", rows=rows, tables=tables))


def shown(facet: Facet, name: str) -> str:
    """Return a name as a page prints it: a metric in words, any other as its record has it."""
    return words.label(name) if facet is METRIC else name


def _unnamed(results: Arranged, facet: Facet) -> str:
    """Say how many results a facet does not list, because they do not name what it lists by."""
    lacking = sum(facet.folder not in row.facets for c in results.cohorts for row in c.rows)
    return results.say.count(lacking, "unnamed", "explorer") if lacking else ""


def _files(results: Arranged, here: str) -> tuple[Ref, ...]:
    say = results.say
    rows = say.count(sum(len(c.rows) for c in results.cohorts), "row")
    return (
        results.ref(here, downloads.ALL_CSV, say("explorer.all_csv", rows=rows)),
        results.ref(here, downloads.ALL_JSON, say("explorer.all_json", rows=rows)),
        results.ref(here, downloads.CATALOGUE, say("explorer.catalogue")),
    )


def names(results: Arranged, facet: Facet) -> Iterator[ResultsPage]:
    """Yield the list of all names of a facet, in parts."""
    found, say = list(results.named[facet.folder]), results.say
    chunks = [found[i : i + PER_PAGE] for i in range(0, len(found), PER_PAGE)]
    routes = [part(f"{ROUTE}{facet.folder}/", n) for n in range(1, len(chunks) + 1)]
    for number, (here, chunk) in enumerate(zip(routes, chunks, strict=True), 1):
        entries = tuple(_name(results, here, facet, name) for name in chunk)
        yield ResultsPage(
            route=here,
            title=f"{say(f'explorer.by_{facet.noun}')}{results.part_of(number, len(chunks))}",
            lede=say("explorer.named", names=facet.many(say), n=say.integer(len(found))),
            noun="entry",
            crumbs=(results.ref(here, ROUTE, say("nav.results")),),
            lists=(EntryList("names", facet.many(say), entries, None, _unnamed(results, facet)),),
            turns=results.turns(here, routes, number),
        )

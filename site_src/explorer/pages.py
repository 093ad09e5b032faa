"""Explainers → the pages and files of the explorer. No page grows with the site: each holds PER_PAGE rows at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import downloads, lists
from .arrange import ROUTE, Arranged, on_pages, part
from .cohorts import Cohort
from .facets import FACETS, Facet
from .headings import differences, headings
from .view import ResultsPage


def pages(results: Arranged) -> Iterator[ResultsPage]:
    """Yield the overview, the lists of names, and the pages of each name."""
    yield from lists.overview(results)
    for facet in FACETS:
        yield from lists.names(results, facet)
        for name, found in results.named[facet.folder].items():
            yield from _tables(results, facet, name, found)


def _tables(results: Arranged, facet: Facet, name: str, found: Sequence[Cohort]) -> Iterator[ResultsPage]:
    """Yield the pages of one name with its tables."""
    chunks = list(on_pages(found))
    routes = [part(results.route(facet.folder, name), n) for n in range(1, len(chunks) + 1)]
    say = results.say
    rows, tables = say.count(sum(len(c.rows) for c in found), "reported"), say.count(len(found), "table")
    told = say("explorer.of_facet", facet=facet.one(say), rows=rows, tables=tables, order=say("explorer.order"))
    by, parts = say(f"index.{facet.noun}"), len(chunks)
    for number, (here, chunk) in enumerate(zip(routes, chunks, strict=True), 1):
        texts = zip(chunk, headings(say, chunk), differences(say, chunk), strict=True)
        listed = results.ref(here, f"{ROUTE}{facet.folder}/", by)
        yield ResultsPage(
            route=here,
            title=f"{lists.shown(facet, name)}{results.part_of(number, parts)}",
            lede=told,
            noun="row",
            crumbs=(results.ref(here, ROUTE, say("nav.results")), listed),
            tables=tuple(results.tables.table(here, *each) for each in texts),
            turns=results.turns(here, routes, number),
        )


def files(results: Arranged, title: str) -> Iterator[tuple[str, bytes]]:
    """Yield address and bytes of every download, the catalogue of the site `title` last."""
    yield from downloads.files(results.cohorts, results.places)
    yield (
        downloads.CATALOGUE,
        downloads.catalogue(title, results.explainers, results.cohorts, results.starts, results.locked),
    )

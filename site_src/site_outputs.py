"""Rendering → the files of the whole site: its lists, its explanations, its data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from . import cited, corrections, feed, interface, listings, method, navigation, source_pages
from .explorer import pages as explorer
from .explorer.arrange import Arranged
from .hrefs import NOT_FOUND
from .links import SCHEMA_ROUTE, SOURCES_FILE
from .rendering import Artifact, Rendering, file_of
from .schema import record_schema
from .search import pages as search_pages
from .search.prose import path_of


class _Placed(Protocol):
    """A page that knows its address."""

    @property
    def route(self) -> str: ...


def _listed(rendering: Rendering, template: str, page: _Placed, **parts: object) -> Artifact:
    """Render one page of a list."""
    return rendering.page(template, page.route, f"list at {page.route}", page=page, **parts)


def index(rendering: Rendering) -> Iterator[Artifact]:
    """The list of guides, the most recently checked first, and the same guides by model, hardware and question."""
    site, say = rendering.site, interface.of(rendering.site.language)
    found = listings.facets(say, site.guides)
    published = [e.record for e in rendering.checked.explainers if not e.record.draft]
    address = feed.ROUTE if feed.is_written(published, rendering.hrefs) else ""
    for page in listings.newest(say, site.guides, site.title, site.description):
        shown = found if page.route == navigation.INDEX and site.guides else ()
        feed_route = address if page.route == navigation.INDEX else ""
        yield _listed(rendering, "index.html.j2", page, facets=shown, feed=feed_route)
    for facet in found if site.guides else ():
        for listing in listings.named(say, facet):
            yield _listed(rendering, "index.html.j2", listing, facets=(), feed="")
        for names in listings.name_lists(facet):
            yield _listed(rendering, "names.html.j2", names)
    for asked in listings.questions(say, site.guides):
        yield _listed(rendering, "questions.html.j2", asked)


def sources(rendering: Rendering) -> Iterator[Artifact]:
    """Every cited document of the site, as pages and as data."""
    documents, found = rendering.documents, rendering.cites
    newest = cited.newest_date(found)
    say = interface.of(rendering.site.language)
    shown = documents if say.tag == interface.ENGLISH.tag else cited.cited(found, say)
    for page in source_pages.pages(say, shown, newest):
        yield _listed(rendering, "documents.html.j2", page)
    yield Artifact(file_of(SOURCES_FILE), cited.as_json(documents, newest, rendering.keep), "list of sources")


def results(rendering: Rendering) -> Iterator[Artifact]:
    """The results explorer: its pages, a CSV and a JSON file of each table and of all, and a catalogue."""
    explainers = sorted(rendering.checked.explainers, key=lambda e: e.record.path)
    say = interface.of(rendering.site.language)
    # Not from the claims themselves, which are others with every edit of a text.
    locked = frozenset(e.record.id for g, e in rendering.pairs if g.counted.locked is not None)
    arranged = Arranged(tuple(explainers), rendering.hrefs, rendering.places, locked, say)
    for page in explorer.pages(arranged):
        yield rendering.page("results.html.j2", page.route, "results", page=page)
    for address, data in explorer.files(arranged, rendering.site.title):
        yield Artifact(file_of(address), data, "results")


def method_page(rendering: Rendering) -> Iterator[Artifact]:
    """The page that tells how numbers are proved, and the log of corrections."""
    guides = rendering.site.guides
    log, say = corrections.corrections(g.changes for g in guides), interface.of(rendering.site.language)
    counted = [g.counted for g in guides]
    told = method.method(say, counted)
    yield rendering.page(
        "method.html.j2",
        method.ROUTE,
        "method",
        before=method.before_slips(say, counted, told.locked),
        slips=told.slips,
        after=method.after_slips(say),
        newest=log[: corrections.NEWEST],
        total=say.count(len(log), "change"),
    )
    for page in corrections.pages(say, log):
        yield _listed(rendering, "corrections.html.j2", page)


def search(rendering: Rendering) -> Iterator[Artifact]:
    """The search page, its lists and its two indexes."""
    r, found = rendering, rendering.searched
    prose = r.prose({path_of(guide): s.page for guide, s in zip(r.site.guides, found, strict=True)})
    for address, data in search_pages.files(
        r.site, r.checked, r.places, found, r.units, prose, r.hrefs, r.templates.render
    ):
        yield Artifact(file_of(address), data, "search")


def not_found(rendering: Rendering) -> Iterator[Artifact]:
    """The page for addresses that are not in the site."""
    newest = tuple(listings.newest_first(rendering.site.guides)[:5])
    yield rendering.page("404.html.j2", NOT_FOUND, "404", guides=newest)


def assets(rendering: Rendering) -> Iterator[Artifact]:
    """Style, fonts and the project's own images."""
    for asset in (*rendering.assets.values(), *rendering.own.values()):
        yield Artifact(file_of(asset.address), asset.data, asset.origin)


def schema(rendering: Rendering) -> Iterator[Artifact]:
    """The JSON Schema of a record."""
    yield rendering.keep(_schema)


def _schema() -> Artifact:
    return Artifact(file_of(SCHEMA_ROUTE), record_schema().encode(), "schema")

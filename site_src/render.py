"""Site → Artifacts: one function per kind of output, listed in one tuple. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

from . import audit, cited, corrections, ledger, listings, method, navigation, pictures, serial, source_pages, words
from .assets import Asset
from .check import Checked, Explainer
from .cited import Cited
from .explorer import pages as explorer
from .explorer.arrange import Arranged
from .figures.spec import Drawn
from .hrefs import NOT_FOUND, Hrefs
from .links import SCHEMA_ROUTE, SOURCES_FILE, guide_files
from .schema import record_schema
from .templating import Templates
from .view import Site


@dataclass(frozen=True)
class Artifact:
    """One file of the site: its path below the output folder, its bytes, and what it was made from."""

    path: str
    data: bytes
    origin: str


@dataclass(frozen=True)
class Rendering:
    """Everything the outputs are made from."""

    site: Site
    checked: Checked
    drawings: Mapping[tuple[str, str], Drawn]
    assets: Mapping[str, Asset]
    own: Mapping[str, Asset]
    hrefs: Hrefs
    templates: Templates

    @cached_property
    def documents(self) -> tuple[Cited, ...]:
        """Every cited document of the site, in the order of its list."""
        return cited.cited(self.checked.explainers)


Output = Callable[[Rendering], Iterator[Artifact]]


def file_of(route: str) -> str:
    """Return the file that answers an address: /guides/x/ → guides/x/index.html."""
    return route.lstrip("/") + ("index.html" if route.endswith("/") else "")


def guides(rendering: Rendering) -> Iterator[Artifact]:
    """The guide pages and the pages below them."""
    origins = {e.record.path: e.document.file for e in rendering.checked.explainers}
    for guide in rendering.site.guides:
        html = rendering.templates.render("guide.html.j2", site=rendering.site, guide=guide, here=guide.head.route)
        yield Artifact(file_of(guide.head.route), html, origins[guide.head.route])
        for page in guide.subpages:
            html = rendering.templates.render(
                "subpage.html.j2", site=rendering.site, guide=guide, page=page, here=page.route
            )
            yield Artifact(file_of(page.route), html, origins[guide.head.route])


def audits(rendering: Rendering) -> Iterator[Artifact]:
    """The page of each record with its findings, its changes and what else it holds."""
    guides, listed = {g.head.route: g for g in rendering.site.guides}, source_pages.places(rendering.documents)
    for explainer in rendering.checked.explainers:
        record = explainer.record
        route, anchors = audit.route(record), [cited.anchor(s) for s in record.all_sources]
        html = rendering.templates.render(
            "record.html.j2",
            site=rendering.site,
            guide=guides[record.path],
            here=route,
            listed=[rendering.hrefs.to(route, listed[a], a) for a in anchors],
        )
        yield Artifact(file_of(route), html, explainer.document.file)


def index(rendering: Rendering) -> Iterator[Artifact]:
    """The list of guides, the most recently checked first, and the same guides by model, hardware and question."""
    site, found = rendering.site, listings.facets(rendering.site.guides)
    for page in listings.newest(site.guides, site.title, site.description):
        shown = found if page.route == navigation.INDEX and site.guides else ()
        yield _page(rendering, "index.html.j2", page, facets=shown)
    for facet in found if site.guides else ():
        for listing in listings.named(facet):
            yield _page(rendering, "index.html.j2", listing, facets=())
        for names in listings.name_lists(facet):
            yield _page(rendering, "names.html.j2", names)
    for asked in listings.questions(site.guides):
        yield _page(rendering, "questions.html.j2", asked)


def sources(rendering: Rendering) -> Iterator[Artifact]:
    """Every cited document of the site, as pages and as data."""
    explainers = rendering.checked.explainers
    documents, newest = rendering.documents, cited.newest_date(explainers)
    for page in source_pages.pages(documents, newest):
        yield _page(rendering, "documents.html.j2", page, not_reported=words.NOT_REPORTED)
    yield Artifact(file_of(SOURCES_FILE), cited.as_json(documents, newest), "list of sources")


class _Placed(Protocol):
    """A page that knows its address."""

    @property
    def route(self) -> str: ...


def _page(rendering: Rendering, template: str, page: _Placed, **more: Any) -> Artifact:
    """Render one page of a list."""
    html = rendering.templates.render(template, site=rendering.site, page=page, here=page.route, **more)
    return Artifact(file_of(page.route), html, f"list at {page.route}")


def results(rendering: Rendering) -> Iterator[Artifact]:
    """The results explorer: its pages, a CSV and a JSON file of each table and of all, and a catalogue."""
    site, explainers = rendering.site, sorted(rendering.checked.explainers, key=lambda e: e.record.path)
    arranged = Arranged(tuple(explainers), rendering.hrefs)
    for page in explorer.pages(arranged):
        html = rendering.templates.render("results.html.j2", site=site, page=page, here=page.route)
        yield Artifact(file_of(page.route), html, "results")
    for address, data in explorer.files(arranged, site.title):
        yield Artifact(file_of(address), data, "results")


def method_page(rendering: Rendering) -> Iterator[Artifact]:
    """The page that tells how numbers are proved, and the log of corrections."""
    explainers, site = rendering.checked.explainers, rendering.site
    log = corrections.corrections(explainers)
    html = rendering.templates.render(
        "method.html.j2",
        site=site,
        here=method.ROUTE,
        before=method.before_slips(explainers, site.method.locked),
        after=method.after_slips(),
        newest=log[: corrections.NEWEST],
        total=words.count(len(log), "change"),
    )
    yield Artifact(file_of(method.ROUTE), html, "method")
    for page in corrections.pages(log):
        yield _page(rendering, "corrections.html.j2", page)


def not_found(rendering: Rendering) -> Iterator[Artifact]:
    """The page for addresses that are not in the site."""
    newest = listings.newest_first(rendering.site.guides)[:5]
    html = rendering.templates.render("404.html.j2", site=rendering.site, guides=newest, here=NOT_FOUND)
    yield Artifact(file_of(NOT_FOUND), html, "404")


_DATA: Final[dict[str, Callable[[Explainer], bytes]]] = {
    "record.json": lambda e: (serial.json_text(e.document.data) + "\n").encode(),
    "results.csv": lambda e: serial.results_csv(e.record),
    "claims.json": ledger.claims_json,
}


def data_files(rendering: Rendering) -> Iterator[Artifact]:
    """The record, its results and its claims beside each guide."""
    for explainer in rendering.checked.explainers:
        for file in guide_files(explainer.record, is_locked=explainer.claims.is_locked):
            content = _DATA[file.rpartition("/")[2]](explainer)
            yield Artifact(file_of(file), content, explainer.document.file)


def figures(rendering: Rendering) -> Iterator[Artifact]:
    """The files of every figure: two SVG cuts, WebP, PNG and the plotted values."""
    for explainer in rendering.checked.explainers:
        for name, spec in explainer.placed.figures.items():
            drawn = rendering.drawings[explainer.record.id, name]
            address = pictures.addresses(name)
            files = {
                address["wide"]: drawn.wide,
                address["narrow"]: drawn.narrow,
                address["webp"]: drawn.webp,
                address["png"]: drawn.png,
                address["csv"]: serial.figure_csv(spec),
            }
            files |= {address["thumb"]: drawn.thumb} if drawn.thumb else {}
            files.setdefault(address["promised"], drawn.wide)
            for path, data in files.items():
                yield Artifact(file_of(path), data, f"{explainer.document.file}, figure {name}")


def assets(rendering: Rendering) -> Iterator[Artifact]:
    """Style, fonts and the project's own images."""
    for asset in (*rendering.assets.values(), *rendering.own.values()):
        yield Artifact(file_of(asset.address), asset.data, asset.origin)


def schema(rendering: Rendering) -> Iterator[Artifact]:
    """The JSON Schema of a record."""
    yield Artifact(file_of(SCHEMA_ROUTE), record_schema().encode(), "schema")


OUTPUTS: Final[tuple[Output, ...]] = (
    guides,
    audits,
    index,
    results,
    sources,
    method_page,
    not_found,
    data_files,
    figures,
    assets,
    schema,
)


def render(rendering: Rendering) -> Iterator[Artifact]:
    """Yield every file of the site."""
    for output in OUTPUTS:
        yield from output(rendering)

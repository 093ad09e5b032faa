"""Site → Artifacts: one function per kind of output, listed in one tuple. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from . import audit, feed, ledger, machine_files, method, navigation, pictures, robots, serial
from .assets import Asset
from .check import Checked, Explainer
from .figures.spec import Drawn
from .hrefs import NOT_FOUND, Hrefs
from .links import SCHEMA_ROUTE, guide_files
from .schema import record_schema
from .templating import Templates
from .view import Guide, Site


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


Output = Callable[[Rendering], Iterator[Artifact]]


def file_of(route: str) -> str:
    """Return the file that answers an address: /guides/x/ → guides/x/index.html."""
    return route.lstrip("/") + ("index.html" if route.endswith("/") else "")


def route_of(file: str) -> str:
    """Return the address that a file answers: guides/x/index.html → /guides/x/."""
    return "/" + (file.removesuffix("index.html") if f"/{file}".endswith("/index.html") else file)


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
    origins = {e.record.path: (e.document.file, audit.route(e.record)) for e in rendering.checked.explainers}
    for guide in rendering.site.guides:
        origin, route = origins[guide.head.route]
        html = rendering.templates.render("record.html.j2", site=rendering.site, guide=guide, here=route)
        yield Artifact(file_of(route), html, origin)


def index(rendering: Rendering) -> Iterator[Artifact]:
    """The list of guides, the most recently checked first."""
    newest = sorted(rendering.site.guides, key=lambda g: (g.head.checked_on, g.head.route), reverse=True)
    groups = [("By model", _grouped(newest, "models")), ("By hardware", _grouped(newest, "hardware"))]
    published = [e.record for e in rendering.checked.explainers if not e.record.draft]
    address = feed.ROUTE if feed.is_written(published, rendering.hrefs) else ""
    html = rendering.templates.render(
        "index.html.j2", site=rendering.site, guides=newest, groups=groups, feed=address, here=navigation.INDEX
    )
    yield Artifact(file_of(navigation.INDEX), html, "index")


def _grouped(guides: Sequence[Guide], name: str) -> list[tuple[str, list[Guide]]]:
    """Return guides under what they are about, by name; those that do not say it come last."""
    found: dict[str, list[Guide]] = {}
    for guide in guides:
        for subject in getattr(guide.head, name) or ("",):
            found.setdefault(subject, []).append(guide)
    named = sorted(((n, g) for n, g in found.items() if n), key=lambda entry: entry[0].casefold())
    return named + [("Not named in the record", g) for n, g in found.items() if not n]


def method_page(rendering: Rendering) -> Iterator[Artifact]:
    """The page that tells how numbers are proved."""
    html = rendering.templates.render("method.html.j2", site=rendering.site, here=method.ROUTE)
    yield Artifact(file_of(method.ROUTE), html, "method")


def not_found(rendering: Rendering) -> Iterator[Artifact]:
    """The page for addresses that are not in the site."""
    newest = sorted(rendering.site.guides, key=lambda g: (g.head.checked_on, g.head.route), reverse=True)[:5]
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
            make = _DATA.get(file.rpartition("/")[2])
            if make:
                yield Artifact(file_of(file), make(explainer), explainer.document.file)


def machine(rendering: Rendering) -> Iterator[Artifact]:
    """The forms of each guide for programs, and the page that lists them."""
    for path, data, origin in machine_files.of_guides(rendering, [*data_files(rendering)]):
        yield Artifact(file_of(path), data, origin)
    for path, data, origin in machine_files.reuse_pages(rendering):
        yield Artifact(file_of(path), data, origin)


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
    method_page,
    not_found,
    data_files,
    machine,
    figures,
    assets,
    schema,
)


def render(rendering: Rendering) -> Iterator[Artifact]:
    """Yield every file of the site."""
    made = [artifact for output in OUTPUTS for artifact in output(rendering)]
    yield from made
    html = [a for a in made if a.path.endswith(".html")]
    pages = [robots.page(route_of(a.path), a.data.decode()) for a in html]
    for path, data, origin in machine_files.of_site(rendering, pages):
        yield Artifact(file_of(path), data, origin)

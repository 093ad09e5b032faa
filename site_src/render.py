"""Site → Artifacts: one function per kind of output, listed in one tuple. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from . import audit, ledger, method, navigation, pictures, serial
from .assets import Asset
from .check import Checked, Explainer
from .figures.spec import Drawn
from .hrefs import NOT_FOUND, Hrefs
from .links import SCHEMA_ROUTE, guide_files
from .reuse import FRESH, Keep
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
    keep: Keep = FRESH

    def page(self, template: str, here: str, **parts: object) -> bytes:
        """Render the page at `here`; beside the site its template sees `parts`, which are frozen."""
        return self.keep.reading(_page, self.site, self.templates, template, here, tuple(parts.items()))


def _page(site: Any, templates: Templates, template: str, here: str, parts: tuple[tuple[str, object], ...]) -> bytes:
    return templates.render(template, site=site, here=here, **dict(parts))


Output = Callable[[Rendering], Iterator[Artifact]]


def file_of(route: str) -> str:
    """Return the file that answers an address: /guides/x/ → guides/x/index.html."""
    return route.lstrip("/") + ("index.html" if route.endswith("/") else "")


def guides(rendering: Rendering) -> Iterator[Artifact]:
    """The guide pages and the pages below them."""
    yield from _of_each_guide(rendering, _guide_pages)


def audits(rendering: Rendering) -> Iterator[Artifact]:
    """The page of each record with its findings, its changes and what else it holds."""
    yield from _of_each_guide(rendering, _audit_page)


def _of_each_guide(
    rendering: Rendering, pages: Callable[[Any, Templates, Guide, str], tuple[Artifact, ...]]
) -> Iterator[Artifact]:
    origins = {e.record.path: e.document.file for e in rendering.checked.explainers}
    for guide in rendering.site.guides:
        origin = origins[guide.head.route]
        yield from rendering.keep.reading(pages, rendering.site, rendering.templates, guide, origin)


def _guide_pages(site: Any, templates: Templates, guide: Guide, origin: str) -> tuple[Artifact, ...]:
    here = guide.head.route
    pages = [Artifact(file_of(here), templates.render("guide.html.j2", site=site, guide=guide, here=here), origin)]
    for page in guide.subpages:
        html = templates.render("subpage.html.j2", site=site, guide=guide, page=page, here=page.route)
        pages.append(Artifact(file_of(page.route), html, origin))
    return tuple(pages)


def _audit_page(site: Any, templates: Templates, guide: Guide, origin: str) -> tuple[Artifact, ...]:
    here = audit.route(guide.head.route)
    html = templates.render("record.html.j2", site=site, guide=guide, here=here)
    return (Artifact(file_of(here), html, origin),)


def index(rendering: Rendering) -> Iterator[Artifact]:
    """The list of guides, the most recently checked first."""
    newest = sorted(rendering.site.guides, key=lambda g: (g.head.checked_on, g.head.route), reverse=True)
    groups = (("By model", _grouped(newest, "models")), ("By hardware", _grouped(newest, "hardware")))
    html = rendering.page("index.html.j2", navigation.INDEX, guides=tuple(newest), groups=groups)
    yield Artifact(file_of(navigation.INDEX), html, "index")


def _grouped(guides: Sequence[Guide], name: str) -> tuple[tuple[str, tuple[Guide, ...]], ...]:
    """Return guides under what they are about, by name; those that do not say it come last."""
    found: dict[str, list[Guide]] = {}
    for guide in guides:
        for subject in getattr(guide.head, name) or ("",):
            found.setdefault(subject, []).append(guide)
    named = sorted(((n, tuple(g)) for n, g in found.items() if n), key=lambda entry: entry[0].casefold())
    return (*named, *(("Not named in the record", tuple(g)) for n, g in found.items() if not n))


def method_page(rendering: Rendering) -> Iterator[Artifact]:
    """The page that tells how numbers are proved."""
    html = rendering.page("method.html.j2", method.ROUTE)
    yield Artifact(file_of(method.ROUTE), html, "method")


def not_found(rendering: Rendering) -> Iterator[Artifact]:
    """The page for addresses that are not in the site."""
    newest = sorted(rendering.site.guides, key=lambda g: (g.head.checked_on, g.head.route), reverse=True)[:5]
    html = rendering.page("404.html.j2", NOT_FOUND, guides=tuple(newest))
    yield Artifact(file_of(NOT_FOUND), html, "404")


_DATA: Final[dict[str, Callable[[Explainer], bytes]]] = {
    "record.json": lambda e: (serial.json_text(e.document.data) + "\n").encode(),
    "results.csv": lambda e: serial.results_csv(e.record),
    "claims.json": ledger.claims_json,
}


def data_files(rendering: Rendering) -> Iterator[Artifact]:
    """The record, its results and its claims beside each guide."""
    for explainer in rendering.checked.explainers:
        yield from rendering.keep(_data_files, explainer)


def _data_files(explainer: Explainer) -> tuple[Artifact, ...]:
    files = guide_files(explainer.record, is_locked=explainer.claims.is_locked)
    contents = ((file, _DATA[file.rpartition("/")[2]](explainer)) for file in files)
    return tuple(Artifact(file_of(file), content, explainer.document.file) for file, content in contents)


def figures(rendering: Rendering) -> Iterator[Artifact]:
    """The files of every figure: two SVG cuts, WebP, PNG and the plotted values."""
    for explainer in rendering.checked.explainers:
        drawn = tuple(rendering.drawings[explainer.record.id, name] for name in explainer.placed.figures)
        yield from rendering.keep(_figure_files, explainer, drawn)


def _figure_files(explainer: Explainer, drawings: tuple[Drawn, ...]) -> tuple[Artifact, ...]:
    found = []
    for (name, spec), drawn in zip(explainer.placed.figures.items(), drawings, strict=True):
        address = pictures.addresses(name)
        files = {
            address["wide"]: drawn.wide,
            address["narrow"]: drawn.narrow,
            address["webp"]: drawn.webp,
            address["png"]: drawn.png,
            address["csv"]: serial.figure_csv(spec),
        }
        files.setdefault(address["promised"], drawn.wide)
        origin = f"{explainer.document.file}, figure {name}"
        found += [Artifact(file_of(path), data, origin) for path, data in files.items()]
    return tuple(found)


def assets(rendering: Rendering) -> Iterator[Artifact]:
    """Style, fonts and the project's own images."""
    for asset in (*rendering.assets.values(), *rendering.own.values()):
        yield Artifact(file_of(asset.address), asset.data, asset.origin)


def schema(rendering: Rendering) -> Iterator[Artifact]:
    """The JSON Schema of a record."""
    yield rendering.keep(_schema)


def _schema() -> Artifact:
    return Artifact(file_of(SCHEMA_ROUTE), record_schema().encode(), "schema")


OUTPUTS: Final[tuple[Output, ...]] = (
    guides,
    audits,
    index,
    method_page,
    not_found,
    data_files,
    figures,
    assets,
    schema,
)


# What one record alone gives: a preview serves it before the rest.
OF_ONE_RECORD: Final = frozenset((guides, audits, data_files, figures))


def render(rendering: Rendering, outputs: Iterable[Output] = OUTPUTS) -> Iterator[Artifact]:
    """Yield every file of the site, or those of some outputs."""
    for output in outputs:
        yield from output(rendering)

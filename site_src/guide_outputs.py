"""Rendering → the files of each guide; each depends on its own record alone, so a preview keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from . import audit, bibliography, citing, interface, ledger, linked_data, pictures, serial, twin
from .check import Explainer
from .figures.spec import Drawn
from .hrefs import Hrefs
from .links import BIBTEX, CSL, DATASET, guide_files
from .rendering import Artifact, Rendering, file_of
from .templating import Templates
from .view import Guide


def guides(rendering: Rendering) -> Iterator[Artifact]:
    """The guide pages and the pages below them."""
    for guide, explainer in rendering.pairs:
        origin = explainer.document.file
        yield from rendering.keep.reading(guide_pages, rendering.site, rendering.templates, guide, origin)


def guide_pages(site: Any, templates: Templates, guide: Guide, origin: str) -> tuple[Artifact, ...]:
    """Return one guide and the pages below it."""
    here = guide.head.route
    pages = [Artifact(file_of(here), templates.render("guide.html.j2", site=site, guide=guide, here=here), origin)]
    for page in guide.subpages:
        html = templates.render("subpage.html.j2", site=site, guide=guide, page=page, here=page.route)
        pages.append(Artifact(file_of(page.route), html, origin))
    return tuple(pages)


def audits(rendering: Rendering) -> Iterator[Artifact]:
    """The page of each record with its findings, its changes and what else it holds."""
    for guide, explainer in rendering.pairs:
        listed = listed_at(rendering, guide, (use.anchor for use in guide.cites.uses))
        yield rendering.keep.reading(
            audit_page, rendering.site, rendering.templates, guide, explainer.document.file, listed
        )


def listed_at(rendering: Rendering, guide: Guide, anchors: Iterable[str]) -> tuple[str, ...]:
    """Return the links from the audit page of a guide to the entries of its sources in the list of the site."""
    here = audit.route(guide.head.route)
    return tuple(rendering.hrefs.to(here, rendering.document_places[a], a) for a in anchors)


def audit_page(site: Any, templates: Templates, guide: Guide, origin: str, listed: tuple[str, ...]) -> Artifact:
    """Return the page of one record."""
    here = audit.route(guide.head.route)
    html = templates.render("record.html.j2", site=site, guide=guide, here=here, listed=listed)
    return Artifact(file_of(here), html, origin)


def citings(rendering: Rendering) -> Iterator[Artifact]:
    """The page of each guide that lists its files and how to cite it and its sources."""
    for guide, explainer in rendering.pairs:
        yield rendering.keep.reading(
            citing_page, rendering.site, rendering.templates, guide, explainer, rendering.site.title, rendering.hrefs
        )


def citing_page(
    site: Any, templates: Templates, guide: Guide, explainer: Explainer, title: str, hrefs: Hrefs
) -> Artifact:
    """Return the page of one guide with its files and citations; `title` is that of the site."""
    here = citing.route(guide.head.route)
    page = citing.page(interface.of(guide.head.language), explainer, title, hrefs)
    html = templates.render("citing.html.j2", site=site, guide=guide, page=page, here=here)
    return Artifact(file_of(here), html, explainer.document.file)


def own_pages(
    site: Any, templates: Templates, guide: Guide, explainer: Explainer, hrefs: Hrefs
) -> tuple[Artifact, ...]:
    """Return every page of one guide that depends on no other."""
    pages = guide_pages(site, templates, guide, explainer.document.file)
    return (*pages, citing_page(site, templates, guide, explainer, site.title, hrefs))


_DATA: Final[dict[str, Callable[[Explainer], bytes]]] = {
    "record.json": lambda e: (serial.json_text(e.document.data) + "\n").encode(),
    "results.csv": lambda e: serial.results_csv(e.record),
    "claims.json": ledger.claims_json,
}


def data_files(rendering: Rendering) -> Iterator[Artifact]:
    """The record, its results and its claims beside each guide, and what is made of it for programs."""
    for guide, explainer in rendering.pairs:
        yield from rendering.keep(beside, guide, explainer, rendering.site.title, rendering.hrefs)


def beside(guide: Guide, explainer: Explainer, site: str, hrefs: Hrefs) -> tuple[Artifact, ...]:
    """Return the data files of one guide of the site of that title."""
    record = explainer.record
    files = guide_files(record, is_locked=explainer.claims.is_locked)
    made = {f: _DATA[name](explainer) for f in files if (name := f.rpartition("/")[2]) in _DATA}
    dataset = linked_data.dataset(record, site, hrefs, made)
    entries = bibliography.entries(record, site, hrefs)
    made[twin.route(record.path)] = twin.twin(explainer, guide.plain, hrefs)
    made[record.path + BIBTEX] = bibliography.bibtex(entries)
    made[record.path + CSL] = bibliography.csl(entries)
    made[record.path + DATASET] = dataset
    return tuple(Artifact(file_of(file), made[file], explainer.document.file) for file in files)


def figures(rendering: Rendering) -> Iterator[Artifact]:
    """The files of every figure: two SVG cuts, WebP, PNG and the plotted values."""
    for explainer in rendering.checked.explainers:
        drawn = tuple(rendering.drawings[explainer.record.id, name] for name in explainer.placed.figures)
        yield from rendering.keep(figure_files, explainer, drawn)


def figure_files(explainer: Explainer, drawings: tuple[Drawn, ...]) -> tuple[Artifact, ...]:
    """Return the files of the figures of one guide; `drawings` are in their order."""
    found = []
    for name, drawn in zip(explainer.placed.figures, drawings, strict=True):
        address = pictures.addresses(name)
        files = {
            address["wide"]: drawn.wide,
            address["narrow"]: drawn.narrow,
            address["webp"]: drawn.webp,
            address["png"]: drawn.png,
            address["csv"]: serial.figure_csv(explainer.placed.english[name]),
        }
        files |= {address["thumb"]: drawn.thumb} if drawn.thumb else {}
        files.setdefault(address["promised"], drawn.wide)
        origin = f"{explainer.document.file}, figure {name}"
        found += [Artifact(file_of(path), data, origin) for path, data in files.items()]
    return tuple(found)

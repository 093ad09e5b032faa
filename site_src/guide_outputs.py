"""Rendering → the files of each guide; each depends on its own record alone, so a preview keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from . import audit, bibliography, cited, citing, interface, ledger, linked_data, pictures, serial, source_pages, twin
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
        yield from rendering.keep.reading(_guide_pages, rendering.site, rendering.templates, guide, origin)


def _guide_pages(site: Any, templates: Templates, guide: Guide, origin: str) -> tuple[Artifact, ...]:
    here = guide.head.route
    pages = [Artifact(file_of(here), templates.render("guide.html.j2", site=site, guide=guide, here=here), origin)]
    for page in guide.subpages:
        html = templates.render("subpage.html.j2", site=site, guide=guide, page=page, here=page.route)
        pages.append(Artifact(file_of(page.route), html, origin))
    return tuple(pages)


def audits(rendering: Rendering) -> Iterator[Artifact]:
    """The page of each record with its findings, its changes and what else it holds."""
    places = source_pages.places(rendering.documents)
    for guide, explainer in rendering.pairs:
        here, anchors = audit.route(guide.head.route), [cited.anchor(s) for s in explainer.record.all_sources]
        listed = tuple(rendering.hrefs.to(here, places[a], a) for a in anchors)
        yield rendering.page("record.html.j2", here, explainer.document.file, guide=guide, listed=listed)


def citings(rendering: Rendering) -> Iterator[Artifact]:
    """The page of each guide that lists its files and how to cite it and its sources."""
    for guide, explainer in rendering.pairs:
        here = citing.route(guide.head.route)
        page = rendering.keep(
            citing.page, interface.of(guide.head.language), explainer, rendering.site.title, rendering.hrefs
        )
        yield rendering.page("citing.html.j2", here, explainer.document.file, guide=guide, page=page)


_DATA: Final[dict[str, Callable[[Explainer], bytes]]] = {
    "record.json": lambda e: (serial.json_text(e.document.data) + "\n").encode(),
    "results.csv": lambda e: serial.results_csv(e.record),
    "claims.json": ledger.claims_json,
}


def data_files(rendering: Rendering) -> Iterator[Artifact]:
    """The record, its results and its claims beside each guide, and what is made of it for programs."""
    for guide, explainer in rendering.pairs:
        yield from rendering.keep(_data_files, guide, explainer, rendering.site.title, rendering.hrefs)


def _data_files(guide: Guide, explainer: Explainer, site: str, hrefs: Hrefs) -> tuple[Artifact, ...]:
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
        files |= {address["thumb"]: drawn.thumb} if drawn.thumb else {}
        files.setdefault(address["promised"], drawn.wide)
        origin = f"{explainer.document.file}, figure {name}"
        found += [Artifact(file_of(path), data, origin) for path, data in files.items()]
    return tuple(found)

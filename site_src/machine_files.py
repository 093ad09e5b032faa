"""Site → the files that programs read: one function per group, as in `render`. Drafts are in no list of guides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from . import bibliography, feed, linked_data, reuse, robots, twin
from .links import BIBTEX, CSL, DATASET, guide_files
from .model import Record

if TYPE_CHECKING:
    from .render import Artifact, Rendering

File = tuple[str, bytes, str]
"""Address, bytes, and what the file was made from."""


def of_guides(rendering: Rendering, data: Sequence[Artifact]) -> Iterator[File]:
    """Yield the Markdown twin, the bibliography and the dataset of each guide; `data` are the files beside them."""
    written = {f"/{a.path}": a.data for a in data}
    explainers = {e.record.path: e for e in rendering.checked.explainers}
    site, hrefs = rendering.site.title, rendering.hrefs
    for guide in rendering.site.guides:
        explainer = explainers[guide.head.route]
        record, origin = explainer.record, explainer.document.file
        cited = bibliography.entries(record, site, hrefs)
        yield twin.route(record.path), twin.twin(explainer, guide, hrefs), origin
        yield record.path + BIBTEX, bibliography.bibtex(cited), origin
        yield record.path + CSL, bibliography.csl(cited), origin
        beside = {f: written[f] for f in guide_files(record, is_locked=explainer.claims.is_locked) if f in written}
        yield record.path + DATASET, linked_data.dataset(record, site, hrefs, beside), origin


def reuse_pages(rendering: Rendering) -> Iterator[File]:
    """Yield the page of each guide that lists its files and how to cite it and its sources."""
    explainers = {e.record.path: e for e in rendering.checked.explainers}
    for guide in rendering.site.guides:
        explainer = explainers[guide.head.route]
        here = reuse.route(explainer.record.path)
        page = reuse.page(explainer, rendering.site.title, rendering.hrefs)
        html = rendering.templates.render("reuse.html.j2", site=rendering.site, guide=guide, page=page, here=here)
        yield here, html, explainer.document.file


def of_site(rendering: Rendering, pages: Sequence[robots.Page]) -> Iterator[File]:
    """Yield the lists of the site; those with absolute addresses alone need `site_url`."""
    hrefs, settings = rendering.hrefs, rendering.checked.settings
    published, drafts = _by_draft(rendering)
    yield robots.ROBOTS, robots.robots(hrefs), "robots"
    yield robots.LLMS, robots.llms(published, settings, hrefs), "llms"
    yield robots.HEADERS, robots.headers(pages, hrefs), "headers"
    if hrefs.site_url:
        yield robots.SITEMAP, robots.sitemap(pages, published, drafts, hrefs), "sitemap"
    if feed.is_written(published, hrefs):
        yield feed.ROUTE, feed.feed(published, settings, hrefs), "feed"


def _by_draft(rendering: Rendering) -> tuple[list[Record], list[Record]]:
    records = [e.record for e in rendering.checked.explainers]
    return [r for r in records if not r.draft], [r for r in records if r.draft]

"""The finished pages of a site → the lists of them for programs. Drafts are in no list of guides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from . import feed, robots
from .model import Record
from .rendering import Artifact, Rendering, file_of, route_of

NAMES: Final = frozenset(map(file_of, (robots.ROBOTS, robots.LLMS, robots.HEADERS, robots.SITEMAP, feed.ROUTE)))


def pages(files: Mapping[str, bytes]) -> list[robots.Page]:
    """Return what the lists tell of each page among files."""
    return [robots.page(route_of(path), data) for path, data in files.items() if path.endswith(".html")]


def lists(rendering: Rendering, found: Iterable[robots.Page]) -> Iterator[Artifact]:
    """Yield the lists for programs; those with absolute addresses alone need `site_url`. `found` are all pages."""
    hrefs, settings = rendering.hrefs, rendering.checked.settings
    published, drafts = _by_draft(rendering)
    known = sorted(found, key=lambda page: file_of(page.route))
    made = {
        robots.ROBOTS: robots.robots(hrefs),
        robots.LLMS: robots.llms(published, settings, hrefs),
        robots.HEADERS: robots.headers(known, hrefs),
    }
    if hrefs.site_url:
        made[robots.SITEMAP] = robots.sitemap(known, published, drafts, hrefs)
    if feed.is_written(published, hrefs):
        made[feed.ROUTE] = feed.feed(published, settings, hrefs)
    for route, data in made.items():
        yield Artifact(file_of(route), data, route.lstrip("/"))


def _by_draft(rendering: Rendering) -> tuple[list[Record], list[Record]]:
    records = [e.record for e in rendering.checked.explainers]
    return [r for r in records if not r.draft], [r for r in records if r.draft]

"""The finished pages of a site → the lists of them for programs. Drafts are in no list of guides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from . import feed, moved, robots
from .caching import is_named_by_content
from .model import Record
from .rendering import Artifact, Rendering, file_of, route_of

NAMES: Final = frozenset(
    map(file_of, (robots.ROBOTS, robots.LLMS, robots.HEADERS, robots.SITEMAP, feed.ROUTE, moved.REDIRECTS))
)


def lists(rendering: Rendering, files: Mapping[str, bytes]) -> Iterator[Artifact]:
    """Yield the lists for programs; those with absolute addresses alone need `site_url`. `files` are all others."""
    hrefs, settings = rendering.hrefs, rendering.checked.settings
    published, drafts = _by_draft(rendering)
    pages = [robots.page(route_of(path), data) for path, data in sorted(files.items()) if path.endswith(".html")]
    kept = [route_of(path) for path, data in sorted(files.items()) if is_named_by_content(path, data)]
    made = {
        robots.ROBOTS: robots.robots(hrefs),
        robots.LLMS: robots.llms(published, settings, hrefs),
        robots.HEADERS: robots.headers(pages, kept, hrefs),
    }
    if hrefs.site_url:
        made[robots.SITEMAP] = robots.sitemap(pages, published, drafts, hrefs)
    if feed.is_written(published, hrefs):
        made[feed.ROUTE] = feed.feed(published, settings, hrefs)
    if rules := moved.redirects([*published, *drafts], hrefs):
        made[moved.REDIRECTS] = rules
    for route, data in made.items():
        yield Artifact(file_of(route), data, route.lstrip("/"))


def _by_draft(rendering: Rendering) -> tuple[list[Record], list[Record]]:
    records = [e.record for e in rendering.checked.explainers]
    return [r for r in records if not r.draft], [r for r in records if r.draft]

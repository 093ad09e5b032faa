"""The finished pages of a site → the lists of them for programs. Drafts are in no list of guides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from . import feed, moved, robots
from .caching import is_named_by_content
from .model import Record
from .rendering import Artifact, Rendering, file_of, route_of

NAMES: Final = frozenset(
    map(file_of, (robots.ROBOTS, robots.LLMS, robots.HEADERS, robots.SITEMAP, feed.ROUTE, moved.REDIRECTS))
)


def pages(files: Mapping[str, bytes]) -> list[robots.Page]:
    """Return what the lists tell of each page among files."""
    return [robots.page(route_of(path), data) for path, data in files.items() if path.endswith(".html")]


def lasting(files: Iterable[tuple[str, str]]) -> list[str]:
    """Return the addresses of files that are named by their content; each is given by its path and SHA-256."""
    return [route_of(path) for path, sha256 in files if is_named_by_content(path, sha256)]


def lists(rendering: Rendering, found: Iterable[robots.Page], lasting: Iterable[str]) -> Iterator[Artifact]:
    """Yield the lists for programs; those with absolute addresses alone need `site_url`.

    `found` are all pages, `lasting` the addresses of files that never change.
    """
    hrefs, settings = rendering.hrefs, rendering.checked.settings
    published, drafts = _by_draft(rendering)
    known = sorted(found, key=lambda page: file_of(page.route))
    made = {
        robots.ROBOTS: robots.robots(hrefs),
        robots.LLMS: robots.llms(published, settings, hrefs),
        robots.HEADERS: robots.headers(known, sorted(lasting), hrefs),
    }
    if hrefs.site_url:
        made[robots.SITEMAP] = robots.sitemap(known, published, drafts, hrefs)
    if feed.is_written(published, hrefs):
        made[feed.ROUTE] = feed.feed(published, settings, hrefs)
    if rules := moved.redirects([*published, *drafts], hrefs):
        made[moved.REDIRECTS] = rules
    for route, data in made.items():
        yield Artifact(file_of(route), data, route.lstrip("/"))


def _by_draft(rendering: Rendering) -> tuple[list[Record], list[Record]]:
    records = [e.record for e in rendering.checked.explainers]
    return [r for r in records if not r.draft], [r for r in records if r.draft]

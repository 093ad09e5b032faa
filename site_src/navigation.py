"""The links at the head of every page. Their number does not grow with the site."""

from __future__ import annotations

from typing import Final

from . import method, source_pages
from .explorer import downloads
from .hrefs import NOT_FOUND
from .paging import NavLink
from .search import route as search

INDEX: Final = "/"
ENTRIES: Final = (
    (INDEX, "nav.guides"),
    (downloads.ROUTE, "nav.results"),
    (source_pages.ROUTE, "nav.sources"),
    (method.ROUTE, "nav.method"),
    (search.ROUTE, "nav.search"),
)
"""Route of a part of the site and the key of its name, in the order of the page."""


def links(here: str) -> tuple[NavLink, ...]:
    """Return the links as a page shows them: its own is `page`, that of the part it belongs to `true`."""
    return tuple(NavLink(route, text, _current(route, here)) for route, text in ENTRIES)


def _current(route: str, here: str) -> str:
    if here == route:
        return "page"
    parts = [r for r, _ in ENTRIES if r != INDEX and here.startswith(r)]
    part = parts[0] if parts else INDEX
    return "true" if part == route and here != NOT_FOUND else ""

"""Addresses between pages. Links inside the site are relative, so one `_site/` works below any base path."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from . import links
from .urls import is_external

# Served for any address, at any depth: its links start from the site's base. A folder on disk serves it for none.
NOT_FOUND = "/404.html"


def relative_path(name: str, folder: str) -> str:
    """Return what `posixpath.relpath` does for absolute paths without empty or dotted steps, in a third of its time."""
    there, here = [s for s in name.split("/") if s], [s for s in folder.split("/") if s]
    shared = 0
    for one, other in zip(there, here, strict=False):
        if one != other:
            break
        shared += 1
    return "/".join([*[".."] * (len(here) - shared), *there[shared:]]) or "."


@dataclass(frozen=True)
class Hrefs:
    """Makes addresses; `offline` ones name index.html, for a folder opened from disk."""

    offline: bool = False
    site_url: str = ""

    def to(self, here: str, there: str, anchor: str = "") -> str:
        """Return the link from the page or file at `here` to `there`; both begin with a slash."""
        if here == NOT_FOUND and not self.offline:
            return quote(self.base.rstrip("/") + there) + (f"#{quote(anchor)}" if anchor else "")
        folder = here if here.endswith("/") else posixpath.dirname(here)
        name = there + "index.html" if self.offline and there.endswith("/") else there
        relative = relative_path(name, folder) + ("/" if name.endswith("/") and name != folder else "")
        if name == folder:
            relative = "./"
        return quote(relative) + (f"#{quote(anchor)}" if anchor else "")

    def of_link(self, here: str, href: str) -> str:
        """Return the address that a link written in the body of the page at `here` has on the page."""
        if is_external(href):
            return href
        if href.startswith("#"):
            return "#" + quote(links.target(here, href)[1])
        path, anchor = links.target(here, href)
        return self.to(here, path, anchor)

    @property
    def base(self) -> str:
        """The path below which the site lies; for pages served at any depth, as the 404 page is."""
        return urlsplit(self.site_url).path or "/"

    def absolute(self, there: str) -> str:
        """Return the public address, or "" where the site's own is not set."""
        return self.site_url.rstrip("/") + quote(there) if self.site_url else ""

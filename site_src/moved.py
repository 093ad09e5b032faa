"""Guides → a page at each address they had before, and the list of those addresses for hosts that read one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

from .hrefs import Hrefs
from .model import Record
from .rendering import Artifact, Rendering

REDIRECTS: Final = "/_redirects"


def moved(rendering: Rendering) -> Iterator[Artifact]:
    """The pages at old addresses: each leads to its guide by itself, and by a link."""
    for guide, explainer in rendering.pairs:
        for alias in explainer.record.aliases:
            origin = f"{explainer.document.file}, alias {alias}"
            yield rendering.page("moved.html.j2", alias, origin, head=guide.head)


def redirects(records: Iterable[Record], hrefs: Hrefs) -> bytes:
    """Return the rules for hosts that read such a file: one for each old address; b"" where there is none.

    Cloudflare follows them. Netlify and GitLab serve the page that stands there, which leads on as well.
    """
    base = hrefs.base.rstrip("/")
    rules = sorted((quote(base + alias), quote(base + r.path)) for r in records for alias in r.aliases)
    return "".join(f"{old} {new} 301\n" for old, new in rules).encode()

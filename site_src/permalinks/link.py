"""Any address or identifier that somebody pasted → the place it names, and the lines of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .archives import Archived, Article, Deposit, parse_archived, parse_article, parse_deposit
from .forges import Blob
from .lines import Lines, lines_in
from .pages import Page, parse_page
from .reading import parse_blob, parse_gist_page, split

Place = Blob | Archived | Article | Deposit | Page
"""Where a document is. Every place has `platform`; `is_fixed`, whether it names one version; `same_bytes`, whether its
address always serves the same bytes; `raw`, the address of the bytes; `url(line)`, the address for a person."""


@dataclass(frozen=True)
class Permalink:
    """A place and the lines that are meant. `slug` is how the anchor of a gist names a file whose path it hides."""

    place: Place
    lines: Lines | None = None
    slug: str = ""

    @property
    def url(self) -> str:
        """The address for a person, with the lines."""
        return self.place.url(self.lines)


def parse(text: str) -> Permalink | None:
    """Return what an address, a SWHID or an arXiv identifier names; None where it is no such thing."""
    if archived := parse_archived(text):
        return Permalink(*archived)
    if blob := parse_blob(text):
        return Permalink(blob, lines_in(text))
    if gist := parse_gist_page(text):
        return Permalink(gist[0], lines_in(text), gist[1])
    if found := parse_article(text) or parse_deposit(text):
        return Permalink(found)
    parts = split(text)
    is_web = parts is not None and re.fullmatch("https?", parts.scheme) and parts.hostname
    return Permalink(parse_page(text)) if is_web else None

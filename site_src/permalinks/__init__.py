"""Addresses of documents, both ways: an address → the place it names, and a place → the address of one of its lines.

forges.py    documents in repositories: GitHub, Gist, GitLab, Forgejo, Bitbucket, Hugging Face
reading.py   addresses on forges → Blob
archives.py  Software Heritage, arXiv, Zenodo; the identifier of bytes
pages.py     any other page, with an exact quote as its anchor
link.py      any address → the place and the lines it names
commits.py   how to find the commit that a branch or tag stands at
"""

from __future__ import annotations

from .archives import Archived, Article, Deposit, parse_archived, swhid
from .commits import how_to_find
from .forges import Blob, gist_slug, is_commit
from .lines import Lines, line_in, lines_in
from .link import Permalink, Place, parse
from .pages import Page, Quote
from .reading import anchor_is_ignored, parse_blob, without_line

__all__ = [
    "Archived",
    "Article",
    "Blob",
    "Deposit",
    "Lines",
    "Page",
    "Permalink",
    "Place",
    "Quote",
    "anchor_is_ignored",
    "gist_slug",
    "how_to_find",
    "is_commit",
    "line_in",
    "lines_in",
    "parse",
    "parse_archived",
    "parse_blob",
    "swhid",
    "without_line",
]

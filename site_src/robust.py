"""A source → the attributes of its link by which a program finds what it led to: Robust Links, robustlinks.org/spec."""

from __future__ import annotations

from . import citations
from .model import Source


def attributes(source: Source) -> tuple[tuple[str, str], ...]:
    """Return names, without `data-`, and values: what was cited, when it was read, and where an archive keeps it.

    An archived version is named only where the record itself cites one that always serves the same bytes. A commit
    on a forge is none: it goes when its repository goes.
    """
    archived = citations.archived(source)
    original = (source.report_url or source.url or source.pinned_url) if archived else source.pinned_url
    found = [("originalurl", original), ("versiondate", source.checked_on)]
    if archived:
        found.append(("versionurl", archived.url(None)))
    return tuple(found)

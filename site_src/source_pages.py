"""Every cited document of the site → the pages of `/sources/`: pinned ones, then editable ones, stale ones named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from . import paging, words
from .cited import STALE_AFTER, Cited
from .links import SOURCES_ROUTE
from .places import PER_PAGE
from .view import NavLink

ROUTE: Final = SOURCES_ROUTE
_MOST_STALE: Final = 20
# Whether a document can change: anchor, heading and what that means.
_KINDS: Final = {
    False: ("pinned", "Pinned", "The address names a fixed revision and serves the same bytes tomorrow."),
    True: ("editable", "Editable", "The address can serve other bytes tomorrow. The hash is that of the copy read."),
}


@dataclass(frozen=True)
class Group:
    """The documents of one kind that stand on a page, under their heading."""

    id: str
    title: str
    lede: str
    documents: tuple[Cited, ...]


@dataclass(frozen=True)
class SourcesPage:
    """One page of the list. `stale` are page, anchor and document of stale ones, on the first page alone."""

    route: str
    lede: str
    stale_rule: str
    stale: tuple[tuple[str, Cited], ...]
    more_stale: int
    groups: tuple[Group, ...]
    parts: tuple[NavLink, ...]


def pages(documents: Sequence[Cited], newest: str) -> Iterator[SourcesPage]:
    """Yield the pages of the list, of PER_PAGE documents each."""
    stale = [(page, d) for page, rows, _ in paging.pages(ROUTE, documents, PER_PAGE) for d in rows if d.stale]
    for route, rows, parts in paging.pages(ROUTE, documents, PER_PAGE):
        shown = stale[:_MOST_STALE] if route == ROUTE else []
        hidden = len(stale) - len(shown) if route == ROUTE else 0
        yield SourcesPage(
            route, _lede(documents), _rule(newest), tuple(shown), hidden, tuple(_groups(rows, documents)), parts
        )


def places(documents: Sequence[Cited]) -> dict[str, str]:
    """Return anchor → the page on which the document stands."""
    return {d.id: page for page, rows, _ in paging.pages(ROUTE, documents, PER_PAGE) for d in rows}


def _lede(documents: Sequence[Cited]) -> str:
    publishers = len({p for d in documents for p in d.publishers})
    editable = sum(d.mutable for d in documents)
    told = f"{words.count(len(documents), 'document')} from {words.count(publishers, 'publisher')}: "
    told += f"{len(documents) - editable:,} at a fixed revision, {editable:,} editable"
    return f"{told}, {sum(bool(d.stale) for d in documents):,} stale."


def _rule(newest: str) -> str:
    """Return when a document counts as stale."""
    if not newest:
        return ""
    return (
        f"Stale is a document that was last read {words.count(STALE_AFTER, 'day')} or more before the newest date of "
        f"this site, {words.date(newest)}; one that changed after it was read; and one whose address gave other bytes."
    )


def _groups(rows: Sequence[Cited], documents: Sequence[Cited]) -> Iterator[Group]:
    kinds = (
        ("pinned", "Pinned", "The address names a fixed revision and serves the same bytes tomorrow.", False),
        (
            "editable",
            "Editable",
            "The address can serve other bytes tomorrow; the hash is that of the copy read.",
            True,
        ),
    )
    for slug, title, lede, mutable in kinds:
        found = tuple(d for d in rows if d.mutable == mutable)
        if found:
            every = sum(d.mutable == mutable for d in documents)
            yield Group(slug, f"{title} ({every:,})", lede, found)

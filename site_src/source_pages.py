"""Every cited document of the site → the pages of `/sources/`: pinned ones, then editable ones, stale ones named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from . import paging
from .cited import STALE_AFTER, Cited
from .interface import Words
from .links import SOURCES_ROUTE
from .paging import NavLink
from .places import PER_PAGE

ROUTE: Final = SOURCES_ROUTE
_MOST_STALE: Final = 20


class Group(NamedTuple):
    """The documents of one kind that stand on a page, under their heading."""

    id: str
    title: str
    lede: str
    documents: tuple[Cited, ...]


class SourcesPage(NamedTuple):
    """One page of the list. `stale` are page, anchor and document of stale ones, on the first page alone."""

    route: str
    lede: str
    stale_rule: str
    stale: tuple[tuple[str, Cited], ...]
    more_stale: int
    groups: tuple[Group, ...]
    parts: tuple[NavLink, ...]


def pages(say: Words, documents: Sequence[Cited], newest: str) -> Iterator[SourcesPage]:
    """Yield the pages of the list, of PER_PAGE documents each."""
    stale = [(page, d) for page, rows, _ in paging.pages(ROUTE, documents, PER_PAGE) for d in rows if d.stale]
    for route, rows, parts in paging.pages(ROUTE, documents, PER_PAGE):
        shown = stale[:_MOST_STALE] if route == ROUTE else []
        hidden = len(stale) - len(shown) if route == ROUTE else 0
        yield SourcesPage(
            route,
            _lede(say, documents),
            _rule(say, newest),
            tuple(shown),
            hidden,
            tuple(_groups(say, rows, documents)),
            parts,
        )


def places(documents: Sequence[Cited]) -> dict[str, str]:
    """Return anchor → the page on which the document stands."""
    return {d.id: page for page, rows, _ in paging.pages(ROUTE, documents, PER_PAGE) for d in rows}


def _lede(say: Words, documents: Sequence[Cited]) -> str:
    publishers = len({p for d in documents for p in d.publishers})
    editable = sum(d.mutable for d in documents)
    return say(
        "documents.lede",
        documents=say.count(len(documents), "document"),
        publishers=say.count(publishers, "publisher"),
        fixed=say.integer(len(documents) - editable),
        editable=say.integer(editable),
        stale=say.integer(sum(bool(d.stale) for d in documents)),
    )


def _rule(say: Words, newest: str) -> str:
    """Return when a document counts as stale."""
    if not newest:
        return ""
    return say("documents.rule", days=say.count(STALE_AFTER, "day"), newest=say.date(newest))


def _groups(say: Words, rows: Sequence[Cited], documents: Sequence[Cited]) -> Iterator[Group]:
    for slug, mutable in (("pinned", False), ("editable", True)):
        found = tuple(d for d in rows if d.mutable == mutable)
        if found:
            every = sum(d.mutable == mutable for d in documents)
            title = say(f"documents.{slug}", n=say.integer(every))
            yield Group(slug, title, say(f"documents.{slug}_lede"), found)

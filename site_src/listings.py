"""Guides → lists of them: the newest first, and by model, hardware and question, on pages of a bounded size.

No list ranks: guides stand by the day their sources were checked, names by letter. Every list is a page of its own,
so a reader filters by following a link.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from . import paging
from .interface import Words
from .links import QUESTIONS_ROUTE
from .paging import NavLink
from .places import PER_PAGE
from .prose import slug
from .rules import fault_of_step
from .view import Guide

INDEX: Final = "/"
NEWER: Final = "/by/date/"
QUESTIONS: Final = QUESTIONS_ROUTE
GUIDES_PER_PAGE: Final = 12
MOST_NAMES: Final = 12
"""Names of one kind that the index links to by themselves; more have a page that lists them."""
_LONGEST_SLUG: Final = 60


class Name(NamedTuple):
    """One model or machine, its page, the guides about it, and `told` how many they are."""

    text: str
    route: str
    guides: tuple[Guide, ...]
    told: str


class Facet(NamedTuple):
    """One way to group guides; `shown` are the names that the index links to, all of them or none.

    `all` says how many names there are; they stand on the page of the facet.
    """

    title: str
    route: str
    names: tuple[Name, ...]
    all: str

    @property
    def shown(self) -> tuple[Name, ...]:
        """The names, if they are few enough to stand on the index."""
        return self.names if len(self.names) <= MOST_NAMES else ()


class Listing(NamedTuple):
    """One page of guides in full rows."""

    route: str
    title: str
    lede: str
    guides: tuple[Guide, ...]
    parts: tuple[NavLink, ...]


class NameList(NamedTuple):
    """One page of the names of a facet."""

    route: str
    title: str
    names: tuple[Name, ...]
    parts: tuple[NavLink, ...]


def newest_first(guides: Sequence[Guide]) -> list[Guide]:
    """Return guides by the day their sources were checked, the last one first."""
    return sorted(guides, key=lambda g: (g.head.checked_on, g.head.route), reverse=True)


def facets(say: Words, guides: Sequence[Guide]) -> tuple[Facet, ...]:
    """Return the models and the hardware of the guides, each name with its guides, the newest first."""
    ordered = newest_first(guides)
    models = _names(say, "model", lambda g: g.head.models, ordered)
    hardware = _names(say, "hardware", lambda g: g.head.hardware, ordered)
    return (
        Facet(say("index.model"), "/by/model/", models, say.count(len(models), "all_model", "index")),
        Facet(say("index.hardware"), "/by/hardware/", hardware, say.count(len(hardware), "all_hardware", "index")),
    )


def _names(say: Words, kind: str, of: Callable[[Guide], tuple[str, ...]], guides: Sequence[Guide]) -> tuple[Name, ...]:
    """Return names by letter; guides that name none come last."""
    found: dict[str, list[Guide]] = {}
    for guide in guides:
        for name in dict.fromkeys(of(guide)) or ("",):
            found.setdefault(name, []).append(guide)
    ordered = sorted(found, key=lambda n: (not n, n.casefold(), n))
    found_steps = zip(ordered, steps(ordered), strict=True)
    return tuple(
        Name(n or say("index.unnamed"), f"/with/{kind}/{step}/", tuple(found[n]), say.count(len(found[n]), "guide"))
        for n, step in found_steps
    )


def steps(names: Sequence[str]) -> list[str]:
    """Return a folder name for each name: its slug, with a hash where that is no whole or no single name."""
    slugs = {n: slug(n) if n else "unnamed" for n in names}
    often = Counter(slugs.values())
    return [
        s if _is_whole(s) and often[s] == 1 else f"{s[:20].strip('-') or 'name'}-{_tag(n)}" for n, s in slugs.items()
    ]


def _is_whole(step: str) -> bool:
    return bool(step) and len(step.encode()) <= _LONGEST_SLUG and fault_of_step(step) is None and not step.isdecimal()


def _tag(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def newest(say: Words, guides: Sequence[Guide], title: str, description: str) -> Iterator[Listing]:
    """Yield the index and the pages of older guides after it."""
    for route, rows, parts in paging.pages(NEWER, newest_first(guides), GUIDES_PER_PAGE):
        first = route == NEWER
        at = tuple(NavLink(INDEX if p.route == NEWER else p.route, p.text, p.current) for p in parts)
        lede = description if first else say("index.newest", guides=say.count(len(guides), "guide"))
        yield Listing(INDEX if first else route, title if first else say("index.date"), lede, rows, at)


def named(say: Words, facet: Facet) -> Iterator[Listing]:
    """Yield the pages of every name of a facet."""
    for name in facet.names:
        lede = say("index.named", facet=facet.title, guides=name.told)
        for route, rows, parts in paging.pages(name.route, name.guides, GUIDES_PER_PAGE):
            yield Listing(route, name.text, lede, rows, parts)


def name_lists(facet: Facet) -> Iterator[NameList]:
    """Yield the pages that list the names of a facet."""
    for route, rows, parts in paging.pages(facet.route, facet.names, PER_PAGE):
        yield NameList(route, facet.title, rows, parts)


def questions(say: Words, guides: Sequence[Guide]) -> Iterator[Listing]:
    """Yield the pages that list the parts of every guide: the questions it asks, or the points it makes."""
    asking = [g for g in newest_first(guides) if g.head.questions]
    lede = say("index.questions")
    for route, rows, parts in paging.pages(QUESTIONS, asking, GUIDES_PER_PAGE):
        yield Listing(route, say("index.question"), lede, rows, parts)

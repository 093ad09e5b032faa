"""The changelogs of all records → one log of corrections, the newest first, on pages of a bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from . import paging
from .check import Explainer
from .days import day
from .interface import Words
from .view import NavLink

ROUTE: Final = "/method/corrections/"
NEWEST: Final = 5
"""Corrections that the method page shows itself."""
_PER_PAGE: Final = 50


@dataclass(frozen=True)
class Correction:
    """One change of a guide: its date, the guide, what was changed and why."""

    date: str
    route: str
    title: str
    what: str
    why: str


@dataclass(frozen=True)
class Log:
    """One page of the log."""

    route: str
    lede: str
    entries: tuple[Correction, ...]
    parts: tuple[NavLink, ...]


def corrections(explainers: Iterable[Explainer]) -> tuple[Correction, ...]:
    """Return every change that a record lists, by day, the newest first; those of one day in record order."""
    found = [
        Correction(c.date, e.record.path, e.record.title, c.what, c.why) for e in explainers for c in e.record.changelog
    ]
    return tuple(sorted(found, key=lambda c: day(c.date), reverse=True))


def pages(say: Words, entries: Sequence[Correction]) -> Iterator[Log]:
    """Yield the pages of the log."""
    guides = len({c.route for c in entries})
    changes, of = say.count(len(entries), "change"), say.count(guides, "guide")
    told = say("corrections.lede", changes=changes, guides=of)
    for route, rows, parts in paging.pages(ROUTE, entries, _PER_PAGE):
        yield Log(route, told, rows, parts)

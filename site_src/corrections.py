"""The changelogs of all records → one log of corrections, the newest first, on pages of a bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from . import paging
from .days import day
from .interface import Words
from .model import Record
from .paging import NavLink

ROUTE: Final = "/method/corrections/"
NEWEST: Final = 5
"""Corrections that the method page shows itself."""
_PER_PAGE: Final = 50


class Correction(NamedTuple):
    """One change of a guide: its date, the guide, what was changed and why."""

    date: str
    route: str
    title: str
    what: str
    why: str


class Log(NamedTuple):
    """One page of the log."""

    route: str
    lede: str
    entries: tuple[Correction, ...]
    parts: tuple[NavLink, ...]


def changes(record: Record) -> tuple[Correction, ...]:
    """Return every change that a record lists, in its order."""
    return tuple(Correction(c.date, record.path, record.title, c.what, c.why) for c in record.changelog)


def corrections(found: Iterable[Sequence[Correction]]) -> tuple[Correction, ...]:
    """Return the changes of all records by day, the newest first; those of one day in record order."""
    return tuple(sorted((c for changed in found for c in changed), key=lambda c: day(c.date), reverse=True))


def pages(say: Words, entries: Sequence[Correction]) -> Iterator[Log]:
    """Yield the pages of the log."""
    guides = len({c.route for c in entries})
    changes, of = say.count(len(entries), "change"), say.count(guides, "guide")
    told = say("corrections.lede", changes=changes, guides=of)
    for route, rows, parts in paging.pages(ROUTE, entries, _PER_PAGE):
        yield Log(route, told, rows, parts)

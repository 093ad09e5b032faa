"""The changelog of a record → its dates with what was changed on them, each with an id that links may name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .days import day
from .evidence import Change
from .interface import Words
from .prose import slug

# Changes that a guide shows itself; its page of the audit has all of them.
_NEWEST: Final = 3


@dataclass(frozen=True)
class Changes:
    """What was changed on a page on one date: its id on the page, the date in ISO form and in words."""

    id: str
    iso: str
    words: str
    told: tuple[str, ...]


def changes(say: Words, changelog: Iterable[Change]) -> tuple[Changes, ...]:
    """Return a changelog by date, the newest first; what was changed on one date stays in its order."""
    found: dict[str, list[str]] = {}
    for change in sorted(changelog, key=lambda c: day(c.date), reverse=True):
        found.setdefault(change.date, []).append(f"{change.what} {change.why}")
    # A time may name its zone with a plus, which no id of a heading keeps.
    return tuple(
        Changes(slug(f"change-{on.replace('+', 'p')}"), on, say.date(on), tuple(told)) for on, told in found.items()
    )


def newest(changelog: Iterable[Change]) -> list[Change]:
    """Return the changes that a guide shows itself."""
    return sorted(changelog, key=lambda c: day(c.date), reverse=True)[:_NEWEST]

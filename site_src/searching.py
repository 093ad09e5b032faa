"""What guides give to the search, kept between builds: what one gives is made again only where it is another."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .crew import each
from .last_build import folded, unfolded
from .making import Entry, Made
from .rendering import Rendering
from .search.pages import READ, Searched, searched
from .search.terms import Units
from .unpickling import Lost


@dataclass(frozen=True)
class Searching:
    """Where it is kept, and a hash of all that it depends on beside guides and units."""

    place: Path
    context: str
    jobs: int

    def of(self, rendering: Rendering, made: Sequence[tuple[Entry, Made]]) -> tuple[Searched, ...]:
        """Return what each guide gives, in the order of the site; `made` are the records behind them."""
        known = rendering.units
        told = (self.context, sorted(known.canonical.items()))
        common = hashlib.sha256(repr(told).encode()).hexdigest()
        keys = [_key(common, entry) for entry, _ in made]
        before = self._kept()
        found = {n: old[1] for n, (e, _) in enumerate(made) if (old := before.get(e.seat.file)) and old[0] == keys[n]}
        todo = [n for n in range(len(made)) if n not in found]
        found.update(zip(todo, each(_searched, (rendering, known), todo, self.jobs), strict=True))
        if todo or len(before) != len(made):
            folded(self.place, {e.seat.file: (keys[n], found[n]) for n, (e, _) in enumerate(made)})
        return tuple(found[n] for n in range(len(made)))

    def _kept(self) -> Mapping[str, Any]:
        try:
            found = unfolded(self.place)
        except (OSError, Lost):
            return {}
        return found if isinstance(found, dict) else {}


def _key(common: str, entry: Entry) -> str:
    told = (common, [entry.parts[name].mark for name in sorted(READ)])
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _searched(shared: tuple[Rendering, Units], number: int) -> Searched:
    rendering, known = shared
    with rendering.trace.reading() as fields:
        found = searched(rendering.site.guides[number], known, rendering.site.language)
    assert fields <= READ, f"the search reads {sorted(fields - READ)}, which its key does not hold"
    return found

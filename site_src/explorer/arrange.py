"""All results of a site, arranged once: in cohorts, under their names, on their pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from .. import places
from ..check import Explainer
from ..hrefs import Hrefs
from ..interface import ENGLISH, Words
from ..view import Ref
from . import downloads, facets
from .cohorts import Cohort, Row, cohorts, rows_of
from .facets import FACETS, METRIC
from .tables import Tables

ROUTE: Final = downloads.ROUTE
PER_PAGE: Final = places.PER_PAGE
"""Most rows of a page, and most entries of a list."""


@dataclass(frozen=True)
class Arranged:
    """The results of all explainers, which come in the order of their paths.

    `places` say where the rows of each record stand on its guide, by its id; `locked` are the ids of those whose claims
    are proved by a lock.
    """

    explainers: tuple[Explainer, ...]
    hrefs: Hrefs
    places: Mapping[str, places.Places]
    locked: frozenset[str] = frozenset()
    say: Words = ENGLISH

    @cached_property
    def cohorts(self) -> tuple[Cohort, ...]:
        """Every cohort, in the order of guides and of their records."""
        return cohorts([row for e in self.explainers for row in rows_of(e)])

    @cached_property
    def tables(self) -> Tables:
        """What makes tables of cohorts."""
        return Tables(self.say, self.hrefs, self.places, {c.id: len(c.rows) for c in self.cohorts})

    @cached_property
    def named(self) -> Mapping[str, Mapping[str, Sequence[Cohort]]]:
        """Folder of a facet → name, in alphabetical order → its cohorts, each with the rows of that name alone."""
        found: dict[str, dict[str, list[Cohort]]] = {f.folder: {} for f in FACETS}
        for cohort in self.cohorts:
            parts: dict[tuple[str, str], list[Row]] = {}
            for row in cohort.rows:
                for folder, name in row.facets.items():
                    parts.setdefault((folder, name), []).append(row)
            for (folder, name), rows in parts.items():
                found[folder].setdefault(name, []).append(replace(cohort, rows=tuple(rows)))
        return {folder: {n: names[n] for n in sorted(names, key=_alphabetical)} for folder, names in found.items()}

    @cached_property
    def _slugs(self) -> Mapping[str, Mapping[str, str]]:
        return {folder: facets.slugs(names) for folder, names in self.named.items()}

    def route(self, folder: str, name: str) -> str:
        """Return the address of the first page of a name."""
        return f"{ROUTE}{folder}/{self._slugs[folder][name]}/"

    @cached_property
    def starts(self) -> Mapping[str, tuple[str, str]]:
        """Cohort → page and anchor where its table begins, among all of its metric."""
        found: dict[str, tuple[str, str]] = {}
        for name, group in self.named[METRIC.folder].items():
            for number, chunk in enumerate(on_pages(group), 1):
                for cohort in chunk:
                    found.setdefault(cohort.id, (part(self.route(METRIC.folder, name), number), f"table-{cohort.id}"))
        return found

    def ref(self, here: str, there: str, text: str) -> Ref:
        """Return a link from the page at `here`."""
        return Ref(self.hrefs.to(here, there), text)

    def turns(self, here: str, routes: Sequence[str], number: int) -> tuple[Ref, ...]:
        """Return the links to other parts of a page: first, previous, next and last, however many there are."""
        last = len(routes)
        wanted = {1: "first", last: "last", number - 1: "previous", number + 1: "next"}
        found = {n: word for n, word in wanted.items() if 1 <= n <= last and n != number}
        named = {n: self.say(f"turn.{word}", n=self.say.integer(n)) for n, word in found.items()}
        return tuple(self.ref(here, routes[n - 1], text) for n, text in sorted(named.items()))

    def part_of(self, number: int, parts: int) -> str:
        """Return what a title says of a part, "" where there is one only."""
        told = {"n": self.say.integer(number), "all": self.say.integer(parts)}
        return self.say("explorer.part_of", **told) if parts > 1 else ""


def part(base: str, number: int) -> str:
    """Return the address of a part of a page; the first has the page's own."""
    return base if number == 1 else f"{base}{number}/"


def on_pages(found: Sequence[Cohort]) -> Iterator[list[Cohort]]:
    """Yield the tables of each page: whole ones while they fit, a table of more than PER_PAGE rows in pieces."""
    page: list[Cohort] = []
    held = 0
    for cohort in found:
        for start in range(0, len(cohort.rows), PER_PAGE):
            piece = replace(cohort, rows=cohort.rows[start : start + PER_PAGE])
            if page and held + len(piece.rows) > PER_PAGE:
                yield page
                page, held = [], 0
            page.append(piece)
            held += len(piece.rows)
    if page:
        yield page


def _alphabetical(name: str) -> tuple[str, str]:
    return name.casefold(), name

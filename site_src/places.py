"""Which page of a guide shows what: the guide itself, or a sub-page where a record is too large for one page.

A guide keeps up to MOST_RESULTS results and MOST_RELATIONS relations that its body does not place; more of either
move to sub-pages of PER_PAGE rows, so that the first page stays light and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from . import prose
from .check import Explainer
from .fences import ResultsBlock, placed, shown_results
from .hrefs import Hrefs

MOST_RESULTS: Final = 40
MOST_RELATIONS: Final = 4
PER_PAGE: Final = 100


@dataclass(frozen=True)
class Places:
    """Routes by result number and by relation id; `pages` lists the sub-pages of results with their numbers."""

    route: str
    results: Mapping[int, str]
    relations: Mapping[str, str]
    pages: tuple[tuple[str, tuple[int, ...]], ...]
    hrefs: Hrefs

    def result(self, here: str, number: int) -> str:
        """Return the link from the page at `here` to the row of a result."""
        return self._to(here, self.results[number], f"result-{number}")

    def relation(self, here: str, name: str) -> str:
        """Return the link from the page at `here` to the row of a relation."""
        return self._to(here, self.relations[name], relation_id(name))

    def pointer(self, here: str, pointer: str) -> str:
        """Return the link to the row that shows what a JSON pointer names; else to the part about the record."""
        steps = pointer.split("/")[1:]
        number = int(steps[1]) + 1 if len(steps) > 1 and steps[1].isdecimal() else 0
        if steps[0] == "reported_results" and number in self.results:
            return self.result(here, number)
        rows = {"case_reports": "case", "long_context_cases": "sustained", "profiles": "profile"}
        if number and steps[0] in rows:
            return self._to(here, self.route, f"{rows[steps[0]]}-{number}")
        return self._to(here, f"{self.route}audit/", "about")

    def _to(self, here: str, route: str, anchor: str) -> str:
        return f"#{anchor}" if route == here else self.hrefs.to(here, route, anchor)


def relation_id(name: str) -> str:
    """Return the id of a relation's row."""
    return f"derived-{prose.slug(name)}"


def placed_relations(explainer: Explainer) -> frozenset[str]:
    """Return the relations that tables of the body show."""
    blocks = [b for _, b in placed(explainer.body) if isinstance(b, ResultsBlock)]
    return frozenset(r for b in blocks for r in b.relations)


def places(explainer: Explainer, hrefs: Hrefs) -> Places:
    """Decide for each result and relation of a record on which page its row stands."""
    record, route = explainer.record, explainer.record.path
    shown = shown_results(explainer.body, record)
    rest = [n for n in range(1, len(record.reported_results) + 1) if n - 1 not in shown]
    pages = _pages(route, rest) if len(rest) > MOST_RESULTS else ()
    results = dict.fromkeys(range(1, len(record.reported_results) + 1), route)
    results |= {n: page for page, numbers in pages for n in numbers}
    own = placed_relations(explainer)
    left = [r.id for r in record.relations if r.id not in own]
    elsewhere = f"{route}derived/" if len(left) > MOST_RELATIONS else route
    relations = {r.id: route if r.id in own else elsewhere for r in record.relations}
    return Places(route, results, relations, pages, hrefs)


def _pages(route: str, numbers: Sequence[int]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    chunks = [tuple(numbers[i : i + PER_PAGE]) for i in range(0, len(numbers), PER_PAGE)]
    names = ["results/"] + [f"results/{n}/" for n in range(2, len(chunks) + 1)]
    return tuple((route + name, chunk) for name, chunk in zip(names, chunks, strict=True))

"""Which page of a guide shows what: the guide itself, or a sub-page where a record is too large for one page.

A guide keeps up to MOST_RESULTS results and MOST_RELATIONS relations that its body does not place; more of either
move to sub-pages of PER_PAGE rows, so that the first page stays light and nothing is lost. Results move as well where
their conditions weigh too much, and a sub-page ends where it would.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from . import citations, prose, tables, words
from .check import Explainer
from .fences import ResultsBlock, placed, shown_results
from .figures.select_rates import cohort
from .hrefs import Hrefs
from .interface import ENGLISH
from .model import Measurement, Record

MOST_RESULTS: Final = 40
MOST_RELATIONS: Final = 4
PER_PAGE: Final = 100
GUIDE_WEIGHT: Final = 5_000
PAGE_WEIGHT: Final = 8_000
"""Bytes that the rows of a guide and of a sub-page may have after packing; a page bears 15,000 with all else on it."""


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
    told = _told(record, rest)
    is_light = len(rest) <= MOST_RESULTS and len(_chunks(told, GUIDE_WEIGHT)) <= 1
    pages = () if is_light else _pages(route, told)
    results = dict.fromkeys(range(1, len(record.reported_results) + 1), route)
    results |= {n: page for page, numbers in pages for n in numbers}
    own = placed_relations(explainer)
    left = [r.id for r in record.relations if r.id not in own]
    elsewhere = f"{route}derived/" if len(left) > MOST_RELATIONS else route
    relations = {r.id: route if r.id in own else elsewhere for r in record.relations}
    return Places(route, results, relations, pages, hrefs)


def _pages(route: str, told: Mapping[int, str]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    chunks = _chunks(told, PAGE_WEIGHT)
    names = ["results/"] + [f"results/{n}/" for n in range(2, len(chunks) + 1)]
    return tuple((route + name, chunk) for name, chunk in zip(names, chunks, strict=True))


def _chunks(told: Mapping[int, str], most: int) -> list[tuple[int, ...]]:
    """Cut results into runs of PER_PAGE at most, whose words weigh `most` at most, unless one alone weighs more."""
    chunks: list[list[int]] = []
    weight, packer = 0, zlib.compressobj(6)
    for number, row in told.items():
        added = _packed(packer, row)
        if not chunks or len(chunks[-1]) == PER_PAGE or weight + added > most:
            chunks.append([])
            weight, packer = 0, zlib.compressobj(6)
            added = _packed(packer, row)
        chunks[-1].append(number)
        weight += added
    return [tuple(chunk) for chunk in chunks]


def _packed(packer: zlib._Compress, text: str) -> int:
    """Return how many bytes a text adds behind those that were packed before it."""
    return len(packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH))


def _told(record: Record, numbers: Sequence[int]) -> dict[int, str]:
    """Return what the row of each result says, about as its page marks it up.

    What all results share stands once a page, and is left out; so is what all of one table share.
    """
    rows = {n: record.reported_results[n - 1] for n in numbers}
    groups: dict[tuple[str, str, str | None, str], list[Measurement]] = {}
    for result in rows.values():
        groups.setdefault(cohort(result), []).append(result)
    common = {key: tables.shared([r.conditions for r in group]) for key, group in groups.items()}
    return {n: _row(record, r, common[cohort(r)] if len(groups[cohort(r)]) > 1 else {}) for n, r in rows.items()}


def _row(record: Record, result: Measurement, common: Mapping[str, object]) -> str:
    """Return the words of one row: its label, value and address, and what only it says."""
    own = {k: v for k, v in result.conditions.items() if k not in common} | result.unknown
    facts = [f"<span>{words.label(k)}: <data value={v}>{ENGLISH.plain(v, k)}</span>" for k, v in own.items()]
    facts += [f'<a href="{entry.document}#L{entry.line}">' for entry in result.condition_evidence.values()]
    facts += [f"{p.value} {p.evidence.document} {p.evidence.line}" for p in result.also_printed]
    cited = citations.of_result(record, result)
    value = f"{result.value} {result.unit} {ENGLISH.plain(result.uncertainty)} {cited.url if cited else ''}"
    return f"<tr><th>{result.label}</th>{value}{''.join(facts)}"

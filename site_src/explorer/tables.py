"""Cohorts → tables as pages show them: record order, every value with n, state, guide row and evidence line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from .. import citations, facts, tables, words
from ..hrefs import Hrefs
from ..interface import Words
from ..places import Places
from ..view import Cell, Fact, Facts, Ref
from . import downloads
from .cohorts import Cohort, Row, printed
from .facets import ENGINE, HARDWARE, MODEL
from .headings import agreed, shared
from .view import ResultRow, ResultTable

_IN_ROW: Final = 6
_LONGEST_NAME: Final = 100
_NAMES: Final = (MODEL, HARDWARE, ENGINE)


@dataclass(frozen=True)
class _Common:
    """What all rows of a table have in common, "" where they do not agree, and the conditions that differ."""

    statistic: str
    uncertainty: str
    names: Mapping[str, str]
    differing: tuple[str, ...]
    several: bool


def _common(say: Words, cohort: Cohort) -> _Common:
    results = [r.result for r in cohort.rows]
    keys = dict.fromkeys(k for r in results for k in r.conditions if k not in cohort.binding)
    shown = {key: {printed(r.conditions[key]) if key in r.conditions else "" for r in results} for key in keys}
    return _Common(
        statistic=agreed(r.statistic for r in results),
        uncertainty=agreed(tables.uncertainty(say, r) for r in results),
        names={f.folder: agreed(r.facets.get(f.folder, "") for r in cohort.rows) for f in _NAMES},
        differing=tuple(key for key, values in shown.items() if len(values) > 1),
        several=len(cohort.explainers) > 1,
    )


@dataclass(frozen=True)
class Tables:
    """Makes tables for any page. `places` are those of each record by its id, `sizes` the rows of each whole cohort."""

    say: Words
    hrefs: Hrefs
    places: Mapping[str, Places]
    sizes: Mapping[str, int]

    def table(self, here: str, cohort: Cohort, heading: str, differs: str) -> ResultTable:
        """Return the table of a cohort, or of those of its rows that the page at `here` shows."""
        say, held, common = self.say, shared(self.say, cohort), _common(self.say, cohort)
        size, whole = len(cohort.rows), self.sizes[cohort.id]
        some = say("explorer.rows_of", n=say.integer(size), all=say.integer(whole))
        counted, rows = say.count(size, "row") if size == whole else some, say.count(whole, "row")
        files = {"CSV": downloads.csv_route(cohort), "JSON": downloads.json_route(cohort)}
        return ResultTable(
            id=f"table-{cohort.id}",
            heading=heading,
            differs=differs,
            guides=tuple(Ref(self.hrefs.to(here, e.record.path), e.record.title) for e in cohort.explainers),
            caption=f"{words.label(cohort.first.metric)}, {counted}",
            notes=tuple(_notes(say, cohort, common)),
            unit=cohort.first.unit,
            rows=tuple(self._row(here, row, common) for row in cohort.rows),
            shared=Facts(say("explorer.shared", count=len(held)), held) if held else None,
            downloads=tuple(Ref(self.hrefs.to(here, file), f"{name}, {rows}") for name, file in files.items()),
        )

    def _row(self, here: str, row: Row, common: _Common) -> ResultRow:
        say, record, result = self.say, row.explainer.record, row.result
        own = [*_own_names(say, row, common), *_own_conditions(say, row, common)]
        told = () if common.uncertainty else (tables.uncertainty(say, result),)
        left = len(own) - _IN_ROW
        return ResultRow(
            run=Ref(self.places[record.id].result(here, row.number), result.label),
            guide=record.title if common.several else "",
            value=tables.result_cell(say, result, small=told),
            n=_n(say, result.repetitions),
            state=say.state(result.evidence_state),
            rerun=say("explorer.rerun" if result.site_reproduced else "explorer.not_rerun"),
            refs=row.refs(say),
            facts=tuple(own[:_IN_ROW]),
            more=say("explorer.on_guide", conditions=say.count(left, "condition")) if left > 0 else "",
            find=" ".join(dict.fromkeys(found_by(row))),
        )


def _n(say: Words, repetitions: Decimal | None) -> Cell:
    """Return how many runs stand behind a value; where the record has no count, that is said."""
    if repetitions is None:
        return Cell(say("explorer.no_count"), null=True, numeric=True)
    return Cell(say.number(repetitions), raw=words.literal(repetitions), numeric=True)


def _notes(say: Words, cohort: Cohort, common: _Common) -> Iterator[str]:
    """Say what holds for every row: statistic, denominator, uncertainty, and what is run on what."""
    first = cohort.first
    if common.statistic:
        yield f"{common.statistic[:1].upper()}{common.statistic[1:]}."
    if first.denominator or "/" in first.unit:
        yield f"{say('word.denominator', text=first.denominator or say('word.not_reported'))}."
    if common.uncertainty:
        yield f"{common.uncertainty}."
    if names := [f"{f.one(say)}: {common.names[f.folder]}" for f in _NAMES if common.names[f.folder]]:
        yield f"{'; '.join(names)}."


def _own_names(say: Words, row: Row, common: _Common) -> Iterator[Fact]:
    """Yield the names in which the rows of a table differ."""
    for facet in _NAMES:
        if not common.names[facet.folder] and (name := row.facets.get(facet.folder)):
            yield Fact(facet.one(say), name)


def _own_conditions(say: Words, row: Row, common: _Common) -> tuple[Fact, ...]:
    """Return the conditions in which the rows differ; what a row is named by is told already."""
    held = row.result.conditions
    own = {k: held[k] for k in common.differing if k in held and not _is_name(held[k], row)}
    told = facts.facts(say, own, told=facts.Told(reasons=row.result.null_reasons))
    return told if common.statistic else (Fact(say("explorer.statistic"), row.result.statistic), *told)


def _is_name(value: Any, row: Row) -> bool:
    return isinstance(value, str) and value in row.facets.values()


def found_by(row: Row) -> Iterator[str]:
    """Yield by what a row is found beside what it shows: record, metric, names, commits, versions."""
    yield from (row.explainer.record.id, *row.facets.values())
    cited = citations.of_result(row.explainer.record, row.result)
    yield from (cited.source.revision, cited.source.publisher) if cited else ()
    yield from _named_with_digits(row.result.conditions)


def _named_with_digits(conditions: Mapping[str, Any]) -> Sequence[str]:
    """Return the texts of conditions that hold a digit and can be a name: a version, a commit, an image."""
    texts = [v for v in conditions.values() if isinstance(v, str) and len(v) <= _LONGEST_NAME]
    return [text for text in texts if any(c.isdigit() for c in text)]

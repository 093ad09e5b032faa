"""Measurements, cells and observations → tables of at most four columns, all conditions folded beneath.

What differs between rows stands in the rows; what all rows share is said once. Rows keep the record's order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from . import facts, words
from .evidence import Evidence
from .figures.select_rates import cohort
from .interface import ENGLISH, Words
from .model import Measurement, Record
from .view import Cell, Column, Fact, Facts, Ref, Row, Table

# Shown in the caption, not again among the conditions.
_IN_CAPTION: Final = frozenset({"metric_denominator"})
_IN_CELL: Final = 6
Cite = Callable[[Mapping[str, Any] | Measurement | Evidence], tuple[Ref, ...]]


@dataclass(frozen=True)
class _Shown:
    """What the rows of one table show of themselves: conditions that differ, units, dispersion, evidence."""

    differing: list[str]
    units_differ: bool
    uncertainty_once: bool
    cite: Cite
    say: Words


def shared_by_all(record: Record) -> dict[str, Any]:
    """Return the conditions that every result of a record shares, if there are two results or more."""
    sets = [r.conditions for r in record.reported_results]
    return shared(sets) if len(sets) > 1 else {}


def shared(sets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the conditions that all of several runs have in common."""
    first = sets[0]
    return {k: v for k, v in first.items() if k not in _IN_CAPTION and all(k in s and _same(s[k], v) for s in sets)}


def _same(a: Any, b: Any) -> bool:
    """Equal as printed: 3.1 and 3.10 differ, as do 1 and true."""
    return ENGLISH.plain(a) == ENGLISH.plain(b) and type(a) is type(b)


def result_tables(say: Words, record: Record, cite: Cite, numbers: Container[int]) -> tuple[Table, ...]:
    """Return one table per metric, denominator and statistic of the results with these numbers, in record order."""
    groups: dict[tuple[str, str | None, str], list[tuple[int, Measurement]]] = {}
    for index, result in enumerate(record.reported_results, 1):
        if index not in numbers:
            continue
        metric, _, denominator, statistic = cohort(result)
        groups.setdefault((metric, denominator, statistic), []).append((index, result))
    known = shared_by_all(record)
    return tuple(_result_table(say, n, group, known, cite) for n, group in enumerate(groups.values(), 1))


def _result_table(
    say: Words, number: int, group: list[tuple[int, Measurement]], known: dict[str, Any], cite: Cite
) -> Table:
    results = [r for _, r in group]
    first = results[0]
    sets = [r.conditions for r in results]
    common = shared(sets)
    differing = list(dict.fromkeys(k for s in sets for k in s if k not in common and k not in _IN_CAPTION))
    units = {r.unit for r in results}
    head = say("table.value_in", unit=first.unit) if len(units) == 1 else say("table.value")
    alone = [Column(words.label(differing[0]))] if len(differing) == 1 else []
    columns = [Column(say("table.run")), *alone, Column(head, numeric=True)]
    own = {k: v for k, v in common.items() if k not in known}
    told = told_of(first, cite)
    folded = [Facts(of_these(say, len(results), len(own)), facts.facts(say, own, told=told))] * bool(own)
    folded += [*_rest_of_rows(say, results, differing), *other_printings(say, results, cite)]
    shown = _Shown(differing, len(units) > 1, _agree_on_uncertainty(results), cite, say)
    return Table(
        id=f"table-{number}",
        caption=words.label(first.metric),
        notes=tuple(_notes(say, results)),
        columns=tuple(columns),
        rows=tuple(_result_row(i, r, shown) for i, r in group),
        folded=tuple(folded),
    )


def of_these(say: Words, rows: int, count: int) -> str:
    """Return what a fold of conditions is called that so many rows share."""
    if rows == 1:
        return say("table.of_this", count=count)
    return say("table.of_these", rows=rows, count=count)


def _notes(say: Words, results: Sequence[Measurement]) -> list[str]:
    """Say what holds for every row: statistic, denominator and, if it is the same for all, the uncertainty."""
    first = results[0]
    notes = [f"{first.statistic[:1].upper()}{first.statistic[1:]}."]
    if first.denominator:
        notes.append(f"{say('word.denominator', text=first.denominator)}.")
    elif "/" in first.unit:
        notes.append(f"{say('word.denominator', text=say('word.not_reported'))}.")
    return [*notes, f"{uncertainty(say, first)}."] if _agree_on_uncertainty(results) else notes


def uncertainty(say: Words, result: Measurement) -> str:
    """Return the dispersion as reported; a null means none was published."""
    said = say.none_published if result.uncertainty is None else say.plain(result.uncertainty)
    return say("word.uncertainty", text=said)


def _agree_on_uncertainty(results: Sequence[Measurement]) -> bool:
    return len({ENGLISH.plain(r.uncertainty) for r in results}) == 1


def n_words(say: Words, result: Measurement) -> str:
    """Return how many runs stand behind a value (n = 3); "" where the record has no count of them."""
    return f"n\u00a0=\u00a0{say.number(result.repetitions)}" if result.repetitions is not None else ""


def _result_row(index: int, result: Measurement, shown: _Shown) -> Row:
    """One condition that differs is a column; several stand under the run's name, the first of them."""
    say = shown.say
    small = [n_words(say, result), "" if shown.uncertainty_once else uncertainty(say, result)]
    unit = result.unit if shown.units_differ else ""
    value = result_cell(say, result, unit, tuple(filter(None, small)))
    here = [k for k in shown.differing if k in result.conditions]
    extra = facts.facts(say, result.unknown)
    told = told_of(result, shown.cite)
    if len(shown.differing) == 1:
        listed = facts.fact(say, here[0], result.conditions[here[0]], told=told) if here else ()
        cell = Cell(listed[0].text, raw=listed[0].raw, null=listed[0].null) if len(listed) == 1 else Cell(facts=listed)
        return Row(f"result-{index}", Cell(result.label, facts=extra), (cell, value), shown.cite(result))
    under = tuple(f for k in here[:_IN_CELL] for f in facts.fact(say, k, result.conditions[k], told=told))
    return Row(f"result-{index}", Cell(result.label), (value,), shown.cite(result), extra + under)


def result_cell(say: Words, result: Measurement, unit: str = "", small: tuple[str, ...] = ()) -> Cell:
    """Return the cell of a measurement: its value as printed, or the reason why there is none."""
    if result.value is None:
        return Cell(say.status(result.null_reason), null=True, numeric=True, small=small)
    text = say.digits(result.value_text) if result.value_text else say.number(result.value)
    return Cell(text, raw=words.literal(result.value), unit=unit, numeric=True, small=small)


def value_cell(say: Words, value: Any, unit: str = "", small: tuple[str, ...] = ()) -> Cell:
    """Return the cell of one value; a null is written out."""
    if value is None:
        return Cell(say("word.not_reported"), null=True, numeric=True, small=small)
    raw = words.literal(value) if isinstance(value, Decimal) else ""
    return Cell(say.plain(value), raw=raw, unit=unit, numeric=True, small=small)


def told_of(result: Measurement, cite: Cite) -> facts.Told:
    """Return the evidence of each condition that has its own, and the reasons of its nulls."""
    found = {key: cite(evidence) for key, evidence in result.condition_evidence.items()}
    return facts.Told({key: refs[0].href for key, refs in found.items() if refs}, result.null_reasons)


def other_printings(say: Words, results: Sequence[Measurement], cite: Cite) -> list[Facts]:
    """Fold the same values as other documents print them, each with its line."""
    listed = tuple(_printings(say, results, cite))
    return [Facts(say("table.elsewhere", count=len(listed)), listed)] if listed else []


def _printings(say: Words, results: Sequence[Measurement], cite: Cite) -> Iterator[Fact]:
    for result in results:
        for printing in result.also_printed:
            href = "".join(ref.href for ref in cite(printing.evidence))
            where = printing.evidence.line or printing.evidence.pointer or ""
            name = f"{words.label(result.metric)}, {result.label}, {printing.evidence.document} {where}".rstrip()
            raw = words.literal(printing.value)
            yield Fact(name, f"{say.number(printing.value)} {printing.unit}", raw, numeric=True, href=href)


def _rest_of_rows(say: Words, results: list[Measurement], differing: list[str]) -> list[Facts]:
    """Fold what differs beyond the lines a cell holds, row by row."""
    folded = []
    for result in results:
        rest = [k for k in differing if k in result.conditions][_IN_CELL:]
        listed = tuple(f for k in rest for f in facts.fact(say, k, result.conditions[k]))
        if listed:
            folded.append(Facts(say("table.more_differs", label=result.label, count=len(listed)), listed))
    return folded

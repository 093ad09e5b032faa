"""Declared relations and comparisons → derived values, recomputed inside the rounding of every input.

A stated value *agrees* where its own rounding interval meets the computed one, *disagrees* where it does not,
and is *not comparable* where the record says, with a reason, that the two are different quantities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from . import matched, words
from .evidence import Input, Relation
from .expression import ExpressionError, UnitError, computed, evaluate, names_in
from .interface import ENGLISH
from .intervals import Interval
from .model import Measurement, Record
from .pointers import at_pointer, escape, leads_somewhere
from .problems import Finding, Problem

Verdict = Literal["agrees", "disagrees", "not comparable", "computed here"]


@dataclass(frozen=True)
class Derived:
    """A relation with its result: the printed digits, the interval behind them, the verdict on what was stated."""

    relation: Relation
    text: str
    interval: Interval
    verdict: Verdict


@dataclass(frozen=True)
class Derivations:
    """What a record's relations and comparisons come to, by id."""

    values: Mapping[str, Derived]
    pairs: Mapping[str, tuple[matched.Pair, ...]]


def derive(file: str, data: Any, record: Record) -> tuple[Derivations, list[Problem], list[Finding]]:
    """Recompute a record's relations and comparisons over its `data`, campaigns merged in."""
    problems: list[Problem] = []
    findings: list[Finding] = []
    values: dict[str, Derived] = {}
    for index, relation in enumerate(record.relations):
        at = f"/relations/{index}"
        faults = [*_faults(file, at, relation, data, record, values)]
        problems += faults
        if not faults:
            values[relation.id] = _derived(relation, data)
            if values[relation.id].verdict == "disagrees":
                _blame(file, at, values[relation.id], problems, findings)
    pairs: dict[str, tuple[matched.Pair, ...]] = {}
    for index, comparison in enumerate(record.comparisons):
        pairs[comparison.id] = tuple(matched.pairs(record, comparison))
        problems += matched.faults(file, f"/comparisons/{index}", record, comparison, pairs[comparison.id])
    problems += _dangling_ids(file, data, record, values)
    return Derivations(values, pairs), problems, findings


def half_step(value: Decimal, resolution: Decimal | None = None, *, exact_if_whole: bool = True) -> Fraction:
    """Return half the smallest step of a printed number; a whole number is exact unless told otherwise."""
    if resolution is not None:
        return Fraction(resolution) / 2
    exponent = value.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    return Fraction(0) if places == 0 and exact_if_whole else Fraction(1, 2 * 10**places)


def _number(entry: Input, data: Any) -> Decimal | None:
    value = entry.literal if entry.pointer is None else at_pointer(data, entry.pointer)
    return value if isinstance(value, Decimal) else None


def _resolution(entry: Input, data: Any) -> Decimal | None:
    """Return the declared step of an input: its own, or the `resolution` beside the value it points to."""
    if entry.resolution is None and entry.pointer and entry.pointer.endswith("/value"):
        beside = at_pointer(data, entry.pointer.removesuffix("/value") + "/resolution")
        return beside if isinstance(beside, Decimal) else None
    return entry.resolution


def _interval(entry: Input, data: Any) -> Interval:
    value = _number(entry, data) or Decimal(0)
    around = Interval.around(Fraction(value), half_step(value, _resolution(entry, data)))
    return replace(around, unit=_unit(entry, data))


def _unit(entry: Input, data: Any) -> str | None:
    """Return the unit that stands beside the number an input points to."""
    beside = at_pointer(data, entry.pointer.rpartition("/")[0] + "/unit") if entry.pointer else None
    return beside if isinstance(beside, str) else None


def _faults(
    file: str, at: str, relation: Relation, data: Any, record: Record, known: Mapping[str, Derived]
) -> Iterator[Problem]:
    if relation.id in known:
        message = "an earlier relation has the same id"
        yield Problem(file, f"{at}/id", None, "duplicate-id", message, "Give it another.")
    values = {r.value for r in record.reported_results if r.value is not None and "." in words.literal(r.value)}
    for name, entry in relation.inputs.items():
        if entry.literal in values and not record.performance_ranking_allowed:
            where = f"{at}/inputs/{escape(name)}/literal"
            message = f"{words.number(entry.literal)} is the value of a result"
            yield Problem(file, where, None, "relation-input", message, "Point to the result instead.")
        if (entry.pointer or "").startswith("/relations/"):
            where = f"{at}/inputs/{escape(name)}/pointer"
            message = "an input may not be part of a relation"
            yield Problem(file, where, None, "relation-pointer", message, "Point to a reported value.")
        if _number(entry, data) is None:
            where = f"{at}/inputs/{escape(name)}"
            message = f"{entry.pointer} leads to no number"
            yield Problem(file, where, None, "relation-pointer", message, "Point to a number of this record.")
    unused = sorted(relation.inputs.keys() - names_in(relation.expr))
    if unused:
        message = f"the expression does not use {ENGLISH.listed(unused)}"
        yield Problem(file, f"{at}/inputs", None, "relation-expr", message, "Remove the input.")
    try:
        result, compared = computed(relation.expr, _intervals(relation, data))
        unit = result.unit
        if unit not in {None, relation.unit}:
            message = f"the inputs are in {unit}, and so is the result"
            yield Problem(file, f"{at}/unit", None, "relation-unit", message, f"Write {unit}, or convert in expr.")
        if fault := _unmatched(relation, compared, record):
            remedy = "Compare matched cells, or drop it."
            yield Problem(file, f"{at}/inputs", None, "unmatched-comparison", fault, remedy)
    except UnitError as error:
        remedy = "Convert one of them by a factor."
        yield Problem(file, f"{at}/expr", error.offset, "relation-unit", str(error), remedy)
    except ExpressionError as error:
        remedy = "Write it over the names of the inputs."
        yield Problem(file, f"{at}/expr", error.offset, "relation-expr", str(error), remedy)
    stated = relation.stated
    if stated and stated.pointer and at_pointer(data, stated.pointer) != stated.value:
        message = f"{stated.pointer} does not hold {words.number(stated.value)}"
        yield Problem(file, f"{at}/stated/pointer", None, "relation-pointer", message, "Point to the field that does.")


def _intervals(relation: Relation, data: Any) -> dict[str, Interval]:
    return {name: _interval(entry, data) for name, entry in relation.inputs.items()}


def _derived(relation: Relation, data: Any) -> Derived:
    interval = evaluate(relation.expr, _intervals(relation, data))
    stated = relation.stated
    text = words.fraction(interval.mid, _places(relation, interval))
    if stated is None:
        return Derived(relation, text, interval, "computed here")
    if not relation.comparable:
        return Derived(relation, text, interval, "not comparable")
    around = Interval.around(Fraction(stated.value), half_step(stated.value, exact_if_whole=False))
    return Derived(relation, text, interval, "agrees" if interval.meets(around) else "disagrees")


def _places(relation: Relation, interval: Interval) -> int:
    if relation.places is not None:
        return relation.places
    if relation.stated is not None:
        exponent = relation.stated.value.as_tuple().exponent
        return -exponent if isinstance(exponent, int) and exponent < 0 else 0
    return 0 if interval.low == interval.high and interval.mid.denominator == 1 else 2


def _blame(file: str, at: str, found: Derived, problems: list[Problem], findings: list[Finding]) -> None:
    """A number that does not follow: our own is a problem, the source's is a finding."""
    stated = found.relation.stated
    if stated is None:
        return
    message = f"{found.relation.label}: {words.number(stated.value)} is stated, {found.text} follows from the inputs"
    if stated.by == "site":
        remedy = "Correct the number or its inputs."
        problems.append(Problem(file, f"{at}/stated", None, "relation-contradicts", message, remedy))
    else:
        findings.append(Finding(file, at, "relation-disagrees", message, "Show both, and say which is whose."))


def _unmatched(relation: Relation, compared: Sequence[frozenset[str]], record: Record) -> str | None:
    """Where ranking is off, two results of one metric meet only in a matrix, and in one condition."""
    if record.performance_ranking_allowed:
        return None
    for names in compared:
        by_metric: dict[str, list[Measurement]] = {}
        for name in sorted(names):
            result = _result_of(record, relation.inputs[name].pointer)
            if result and result not in by_metric.setdefault(result.metric, []):
                by_metric[result.metric].append(result)
        for metric, group in by_metric.items():
            if len(group) > 2 or (len(group) == 2 and not matched.is_matched(record, group[0], group[1])):
                return f"results of {metric} are compared that are no matched pair of a matrix"
    return None


def _result_of(record: Record, pointer: str | None) -> Measurement | None:
    """Return the result whose value, in one printing or another, a pointer names."""
    return record.result_at(pointer) if pointer and "value" in pointer.rpartition("/")[2] else None


def _dangling_ids(file: str, data: Any, record: Record, values: Mapping[str, Derived]) -> Iterator[Problem]:
    """Yield a problem for each place that names a relation, or a field, which is not there."""
    for index, figure in enumerate(record.key_figures):
        if figure.pointer and not leads_somewhere(data, figure.pointer):
            message = f"{figure.pointer} leads to no field of this record"
            yield Problem(file, f"/key_figures/{index}/pointer", None, "relation-pointer", message, "Point to one.")
    named = [(f"/key_figures/{i}/relation", k.relation) for i, k in enumerate(record.key_figures) if k.relation]
    named += [(f"/profiles/{i}/windows", p.windows) for i, p in enumerate(record.profiles)]
    for index, row in enumerate(record.envelope):
        named += [(f"/envelope/{index}/combined", row.combined), (f"/envelope/{index}/remaining", row.remaining)]
    declared = {r.id for r in record.relations}
    for pointer, name in named:
        if name not in values and name not in declared:
            message = f"no relation has the id {name}"
            yield Problem(file, pointer, None, "dangling-relation", message, "Declare it under relations.")

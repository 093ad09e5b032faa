"""Comparisons: pairs of results inside one declared matrix that differ in one factor only, in record order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from . import words
from .evidence import Comparison
from .interface import ENGLISH
from .model import Measurement, Record
from .problems import Problem


@dataclass(frozen=True)
class Pair:
    """One matched pair of a comparison: the two results by their numbers on the page, and the derived value."""

    first: int
    second: int
    text: str


def is_matched(record: Record, a: Measurement, b: Measurement, factor: str | None = None) -> bool:
    """Tell whether two results stand in one matrix and differ in exactly one condition, a factor of it."""
    matrix = next((c for c in record.campaigns if c.id == a.campaign == b.campaign and c.factors), None)
    keys = a.conditions.keys() | b.conditions.keys()
    differing = {k for k in keys if ENGLISH.plain(a.conditions.get(k)) != ENGLISH.plain(b.conditions.get(k))}
    wanted = {factor} if factor else set(matrix.factors if matrix else ())
    return matrix is not None and len(differing) == 1 and differing <= wanted


def pairs(record: Record, comparison: Comparison) -> Iterator[Pair]:
    """Yield matched pairs in record order; results without a value make none."""
    numbered = [
        (n, r)
        for n, r in enumerate(record.reported_results, 1)
        if r.campaign == comparison.campaign and r.metric == comparison.metric and r.value is not None
    ]
    for n, first in numbered:
        if ENGLISH.plain(first.conditions.get(comparison.factor)) != ENGLISH.plain(comparison.first):
            continue
        for m, second in numbered:
            is_second = ENGLISH.plain(second.conditions.get(comparison.factor)) == ENGLISH.plain(comparison.second)
            if is_second and is_matched(record, first, second, comparison.factor):
                yield Pair(n, m, _compared(comparison, first, second))


def _finest(result: Measurement) -> Fraction:
    """Return a result's value from the printing with the most digits; milliseconds serve a value in seconds."""
    printings = [(Fraction(result.value or 0), result.value or Decimal(0), 0)]
    for other in result.also_printed:
        if (other.unit, result.unit) == ("ms", "s"):
            printings.append((Fraction(other.value) / 1000, other.value, 3))
        elif other.unit == result.unit:
            printings.append((Fraction(other.value), other.value, 0))
    return max(printings, key=lambda p: p[2] + len(words.literal(p[1]).partition(".")[2]))[0]


def _compared(comparison: Comparison, first: Measurement, second: Measurement) -> str:
    a, b = _finest(first), _finest(second)
    shown = {"difference": b - a, "ratio": b / a if a else Fraction(0), "percent_change": (b / a - 1) * 100 if a else a}
    return words.fraction(shown[comparison.show], comparison.places)


def faults(file: str, at: str, record: Record, comparison: Comparison, found: Sequence[Pair]) -> Iterator[Problem]:
    """Yield what is wrong with a comparison and the pairs `found` for it."""
    matrix = next((c for c in record.campaigns if c.id == comparison.campaign), None)
    if matrix is None or comparison.factor not in matrix.factors:
        message = f"{comparison.factor} is no factor of a matrix {comparison.campaign}"
        yield Problem(file, f"{at}/factor", None, "unmatched-comparison", message, "Declare it in the campaign.")
    elif comparison.show != "difference" and any(not record.reported_results[p.first - 1].value for p in found):
        message = f"a first value of {comparison.metric} is zero, and nothing can be divided by it"
        yield Problem(file, f"{at}/show", None, "unmatched-comparison", message, "Show the difference.")
    elif unknown := [k for k in comparison.moves_with if k not in matrix.conditions]:
        message = f"{unknown[0]} is no condition of the campaign {comparison.campaign}"
        yield Problem(file, f"{at}/moves_with", None, "unmatched-comparison", message, "Name what really changes.")
    elif any(record.reported_results[p.first - 1].unit != record.reported_results[p.second - 1].unit for p in found):
        message = f"results of {comparison.metric} that are compared have two units"
        yield Problem(file, at, None, "relation-unit", message, "Record both in one unit.")
    elif not found:
        message = f"no two results of {comparison.metric} differ in {comparison.factor} alone"
        yield Problem(file, at, None, "unmatched-comparison", message, "Mend the values first and second.")

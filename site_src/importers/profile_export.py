"""What GenAI-Perf and AIPerf share: metrics that state their unit, each with some statistics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .result_file import Part
from .served import POPULATION, distribution, place
from .shape import Quantity
from .tabular import Row

_STATISTIC: Final = re.compile(r"avg|min|max|std|p\d+(\.\d+)?")
_NAMED: Final = re.compile(r"(?P<name>.+?)(?: \((?P<unit>[^()]+)\))?")
_SUMMED: Final = frozenset({"tokens", "requests", "ms", "sec", "count", "KB"})
INSTANTS: Final = frozenset({"min_request_timestamp", "max_response_timestamp"})
"""Points in time, which measure nothing."""


def metrics(part: Part, divisors: Mapping[str, str], requests: int | None = None) -> Iterator[Quantity]:
    """Yield every statistic of every metric of a JSON export; the file states the units.

    A metric counts its observations itself; `requests` is their number where the tool takes all over requests and
    counts none. A metric without either is taken over time.
    """
    for key, held in part.data.items():
        if not isinstance(held, dict) or not isinstance(held.get("unit"), str) or key in INSTANTS:
            continue
        one = part.part(key)
        told: dict[str, Any] = {"metric": key, "unit": held["unit"], "divided_by": divisors.get(key), "n": 1}
        names = {name: name for name in held if _STATISTIC.fullmatch(name)}
        if {*names} <= {"avg"}:
            found = one.quantity("avg", statistic="one run", **told)
            if found:
                yield found
            continue
        count = one.count("count") if requests is None else requests
        over = "over requests" if requests is not None else "over observations" if count is not None else "over the run"
        deviation = POPULATION if count is not None else "standard_deviation"
        yield from distribution(one, names, deviation, over, count, **told)
        if held["unit"] in _SUMMED and (total := one.quantity("sum", statistic=f"sum {over}", **told)):
            yield total


def row_quantities(row: Row, count: int | None, divisors: Mapping[str, str], bare: str) -> Iterator[Quantity]:
    """Yield the statistics of one CSV row; its first cell names metric and unit, `bare` is the unit of one without."""
    match = _NAMED.fullmatch(row.cells[0] if row.cells else "")
    if match is None:
        return
    metric = re.sub(r"[^a-z0-9]+", "_", match["name"].lower()).strip("_")
    told: dict[str, Any] = {"metric": metric, "unit": match["unit"] or bare, "divided_by": divisors.get(metric), "n": 1}
    if "Value" in row.heads:
        found = row.quantity("Value", statistic="one run", **told)
        if found and not metric.endswith("timestamp"):
            yield found
        return
    deviation = row.number("std") if count is not None and count > 1 else None
    # What is taken over time has no sum.
    kind = POPULATION if row.has("sum") else "standard_deviation"
    for head in row.heads[1:]:
        if head == "sum" and told["unit"] in _SUMMED:
            found = row.quantity(head, statistic="sum", **told)
        elif head not in {"sum", "std"} and _STATISTIC.fullmatch(head):
            words = {"avg": "mean", "min": "minimum", "max": "maximum"}.get(head, head)
            known = {kind: deviation, **place(row.spot("std"))} if head == "avg" and deviation is not None else None
            found = row.quantity(head, statistic=words, uncertainty=known, **told)
        else:
            found = None
        if found:
            yield found

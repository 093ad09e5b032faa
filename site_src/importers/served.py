"""What load generators of a server share: distributions over requests, counts of requests, observed concurrency."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import Any, Final

from .result_file import Part
from .shape import Quantity, Spot

POPULATION: Final = "population_standard_deviation"
SAMPLE: Final = "sample_standard_deviation"
DURATION: Final = "benchmark duration"
BOTH_KINDS: Final = f"{DURATION}; input and output tokens counted"
_REQUESTS: Final = "over completed requests"
LATENCIES: Final = {
    "ttft": ("time_to_first_token", _REQUESTS),
    "tpot": ("time_per_output_token_after_first", _REQUESTS),
    "itl": ("inter_token_latency", "over token gaps"),
    "e2el": ("end_to_end_latency", _REQUESTS),
    "e2e_latency": ("end_to_end_latency", _REQUESTS),
}
"""Short names of latencies in keys, the metric of each, and what its statistics are taken over."""
Split = Callable[[str], tuple[str, str] | None]
"""A key → its statistic and the short name of what it is of, or None for any other key."""
_STATISTICS: Final = {"mean": "mean", "avg": "mean", "median": "median", "min": "minimum", "max": "maximum"}
_PERCENTILE: Final = re.compile(r"p\d+(\.\d+)?")
_PLACES: Final = Decimal("0.01")


def statistic(name: str, over: str) -> str | None:
    """Return a statistic in words, p99 over completed requests; None for a name that is none."""
    known = _STATISTICS.get(name) or (name if _PERCENTILE.fullmatch(name) else None)
    return f"{known} {over}" if known else None


def distribution(
    part: Part, names: Mapping[str, str], deviation: str | None, over: str, samples: int | None, **told: Any
) -> Iterator[Quantity]:
    """Yield the statistics of one metric. `names` gives the key of each statistic, "std" that of its deviation.

    `deviation` tells which deviation the tool computes, `samples` over how many values: over one there is none.
    The deviation is the uncertainty of the mean; where the file has no mean it is a quantity of its own.
    """
    spread = _spread(part, names.get("std"), deviation, samples)
    for name, key in names.items():
        if (words := statistic(name, over)) is None or (found := part.quantity(key, statistic=words, **told)) is None:
            continue
        is_mean = words.startswith("mean ")
        yield replace(found, uncertainty=spread) if is_mean and found.value is not None else found
    if spread and not any(part.has(names[n]) for n in ("mean", "avg") if n in names):
        found = part.quantity(names["std"], statistic=f"{(deviation or '').replace('_', ' ')} {over}", **told)
        if found:
            yield found


def rates(part: Part, table: Sequence[tuple[str, str, str, str | None]]) -> Iterator[Quantity]:
    """Yield the values of one run: key, metric, unit and divisor of each, where the file has the key."""
    for key, metric, unit, divisor in table:
        found = part.quantity(key, metric=metric, unit=unit, statistic="one run", divided_by=divisor, n=1)
        if found:
            yield found


def latencies(part: Part, split: Split, unit: str, completed: int) -> Iterator[Quantity]:
    """Yield the statistics of every latency whose key `split` takes apart into statistic and short name.

    numpy computes the deviation, which divides by the count; over the gaps between tokens the count is not told.
    """
    for short, keys in by_name(part, split).items():
        if short not in LATENCIES:
            continue
        metric, over = LATENCIES[short]
        samples = None if short == "itl" else completed
        yield from distribution(part, keys, POPULATION, over, samples, metric=metric, unit=unit, n=1)


def by_name(part: Part, split: Split) -> dict[str, dict[str, str]]:
    """Return the keys of an object by short name and statistic; the ones that `split` takes apart alone."""
    found: dict[str, dict[str, str]] = {}
    for key in part.data:
        if parts := split(key):
            found.setdefault(parts[1], {})[parts[0]] = key
    return found


def _spread(part: Part, key: str | None, deviation: str | None, samples: int | None) -> dict[str, Any] | None:
    """Return a deviation with its place; None where the file has none, or only one value stands behind it."""
    if key is None or deviation is None or (samples is not None and samples < 2):
        return None
    value = part.number(key)
    return None if value is None else {deviation: value, **place(part.spot(key))}


def place(spot: Spot) -> dict[str, Any]:
    """Return a place in the words of evidence, without its document."""
    held = {"line": Decimal(spot.line), "pointer": spot.pointer, "column": spot.column, "exact": spot.exact}
    return {key: value for key, value in held.items() if value is not None}


def given(part: Part, keys: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Spot]]:
    """Return the conditions that a file has under some keys, by their names in a record, with their places.

    Null stays null: the tool was told nothing, or did not tell. What is no scalar is left out.
    """
    conditions: dict[str, Any] = {}
    spots: dict[str, Spot] = {}
    for key, name in keys.items():
        value = part.get(key)
        if part.has(key) and not isinstance(value, dict | list):
            conditions[name] = None if value == "" else value
            spots[name] = part.spot(key, exact=value if isinstance(value, str) and value else None)
    return conditions, spots


def require_completed(part: Part, *steps: object) -> int:
    """Return how many requests completed. Raises Rejected where none did: its zeros are no measurements."""
    completed = part.count(*steps)
    if completed is None:
        message = f"{part.pointer(*steps)} does not tell how many requests completed"
        raise part.refuse(steps, "import-shape", message, "Check that the format is right: --from FORMAT.")
    if completed <= 0:
        message = f"{part.pointer(*steps)} is {completed}: no request completed, so that nothing was measured"
        raise part.refuse(steps, "import-empty", message, "Tell of the failure in words, or import another run.")
    return completed


def observed(part: Part) -> dict[str, str]:
    """Return the concurrency that per-request times show, in words that say it was computed here; {} without times."""
    first, gaps = part.get("ttfts"), part.get("itls")
    duration = part.number("duration")
    if not _numbers(first) or not isinstance(gaps, list) or len(gaps) != len(first) or not duration:
        return {}
    if not all(_numbers(gap) for gap in gaps):
        return {}
    lasting = [head + sum(gap, Decimal(0)) for head, gap in zip(first, gaps, strict=True)]
    mean = (sum(lasting, Decimal(0)) / duration).quantize(_PLACES)
    told = {"concurrency_observed_mean": f"{mean}, computed at import: sum of ttfts and itls divided by duration"}
    starts = part.get("start_times")
    if _numbers(starts) and len(starts) == len(lasting):
        peak = _peak([(s, s + t) for s, t in zip(starts, lasting, strict=True) if t])
        told["concurrency_observed_peak"] = f"{peak}, computed at import from start_times, ttfts and itls"
    return told


def _numbers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, Decimal) for v in value)


def _peak(spans: list[tuple[Decimal, Decimal]]) -> int:
    """Return how many spans overlap at most; one that ends where another starts does not."""
    events = sorted(chain.from_iterable(((start, 1), (end, -1)) for start, end in spans))
    running = most = 0
    for _, step in events:
        running += step
        most = max(most, running)
    return most

"""MLPerf loadgen: mlperf_log_summary.txt, one run.

Source: loadgen/results.cc of mlcommons/inference. Latencies are in nanoseconds, of queries; Server counts completed
samples, Offline all samples. "Result is : INVALID" marks the run. An accuracy run prints no performance. What the
settings call target_qps was asked for, not reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from .aiperf import marked
from .result_file import ResultFile
from .shape import Format, Imported, Quantity, Run, Spot
from .tabular import number_of

_PAIR: Final = re.compile(r"([^:]+?)\s*:\s*(.*?)\s*")
_HEAD: Final = "MLPerf Results Summary"
_RATES: Final = {
    "Samples per second": ("sample_throughput", "samples/s"),
    "Completed samples per second": ("completed_sample_throughput", "samples/s"),
    "Tokens per second": ("output_token_throughput", "tokens/s"),
    "Completed tokens per second": ("completed_output_token_throughput", "tokens/s"),
    "Scheduled samples per second": ("scheduled_sample_throughput", "samples/s"),
}
_LATENCY: Final = re.compile(
    r"(?P<stat>Min|Max|Mean|[\d.]+(?:th)? percentile) (?P<of>latency|first token latency|time to output token) \(ns\)",
    re.I,
)
_OF: Final = {
    "latency": "query_latency",
    "first token latency": "time_to_first_token",
    "time to output token": "time_per_output_token",
}
_STATISTICS: Final = {"min": "minimum", "max": "maximum", "mean": "mean"}
_TEXTS: Final = {"SUT name": "system_under_test", "Scenario": "scenario", "Mode": "mode", "Result is": "validity"}
_SETTING: Final = re.compile(r"[a-z_]+(?: \((?:ns|ms)\))?")


@dataclass(frozen=True)
class Entry:
    """One `name : value` of the file with its line."""

    name: str
    value: str
    line: int


def recognise(file: ResultFile) -> bool:
    """Tell whether the text has the heading of a summary, or is what an accuracy run leaves."""
    return _HEAD in file.text or "errors encountered during test" in file.text


def read_file(file: ResultFile) -> Imported:
    """Return the run. Raises Rejected where the file holds no performance, or says two things of one."""
    entries = dict[str, Entry]()
    for entry in _entries(file):
        known = entries.setdefault(entry.name, entry)
        if known.value != entry.value and entry.name in _RATES:
            message = f"{entry.name} is {known.value} on line {known.line} and {entry.value} here"
            raise file.refuse(file.offset_of_line(entry.line), "duplicate-key", message, "Write the summary anew.")
    found = tuple(_quantities(file, entries))
    if not any(q.metric.endswith("throughput") for q in found) and not any("latency" in q.metric for q in found):
        message = "the file holds no performance result; the summary of an accuracy run has none"
        raise file.refuse(0, "import-empty", message, "Give the mlperf_log_summary.txt of the performance run.")
    conditions, spots = _conditions(entries)
    label = f"{conditions.get('scenario')} scenario"
    return Imported((Run(marked(label, conditions.get("validity") != "VALID"), found, conditions, spots),))


def _entries(file: ResultFile) -> Iterator[Entry]:
    for line, text in enumerate(file.lines, 1):
        if match := _PAIR.fullmatch(text.strip()):
            yield Entry(match[1].strip(), match[2], line)


def _quantities(file: ResultFile, entries: dict[str, Entry]) -> Iterator[Quantity]:
    for entry in entries.values():
        told: dict[str, Any]
        if entry.name in _RATES:
            metric, unit = _RATES[entry.name]
            told = {"metric": metric, "unit": unit, "statistic": "one run", "divided_by": "test duration"}
        elif match := _LATENCY.fullmatch(entry.name):
            statistic = _STATISTICS.get(match["stat"].lower()) or f"p{_percent(match['stat'])}"
            metric = _OF[match["of"].lower()]
            told = {"metric": metric, "unit": "ns", "statistic": f"{statistic} over queries", "divided_by": None}
        else:
            continue
        value = number_of(entry.value)
        if value is None:
            message = f"{entry.name} is {entry.value[:40]!r}, where a number belongs"
            raise file.refuse(file.offset_of_line(entry.line), "import-shape", message, "Give the file as written.")
        yield Quantity(value=value, spot=Spot(entry.line, exact=entry.value), n=1, **told)


def _percent(text: str) -> str:
    """Return a percentile as statistics write it: 99.90 percentile is p99.9."""
    digits = text.partition(" ")[0].removesuffix("th")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _conditions(entries: dict[str, Entry]) -> tuple[dict[str, Any], dict[str, Spot]]:
    conditions: dict[str, Any] = {}
    spots: dict[str, Spot] = {}
    for entry in entries.values():
        value: Decimal | str | None = entry.value or None
        if entry.name in _TEXTS:
            name = _TEXTS[entry.name]
        elif _SETTING.fullmatch(entry.name):
            name = re.sub(r" \((\w+)\)", r"_\1", entry.name) + ("_asked_for" if entry.name == "target_qps" else "")
            number = number_of(entry.value)
            value = number if number is not None else value
        elif entry.name.endswith("satisfied"):
            name = entry.name.lower().replace(" ", "_")
        else:
            continue
        conditions[name] = value
        spots[name] = Spot(entry.line, exact=entry.value or None)
    return conditions, spots


FORMAT: Final = Format("mlperf-loadgen", "MLPerf loadgen summary", recognise, read_file, is_json=False)

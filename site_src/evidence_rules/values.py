"""Findings about values: what they were divided by, their units, zeros that were never measured, values twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from .. import quantities as q
from .. import words
from ..interface import ENGLISH
from ..load import Document
from ..model import Record
from ..once import once
from ..pointers import escape
from ..problems import Finding
from ..prose import Body
from .parts import own_objects, quantities

# What a word of a metric's name may be called in a denominator.
_SAME: Final = {"ttft": {"ttft", "first"}, "first": {"ttft", "first"}}
_NOT_RUN: Final = re.compile(r"not[ _-](?:run|measured|tested|executed|started)(?![a-z])|unmeasured", re.I)
_ABSENT: Final = re.compile(r"not[ _-](?:reported|recorded|available|applicable)(?![a-z])|unavailable|n/?a\b", re.I)
_STATUS: Final = ("status", "state", "null_reason", "statistic", "note", "notes", "reason")
_NEVER_ZERO: Final = q.vocabulary("ttft tpot itl tbt e2e makespan")
# A time or a memory beside one of these words may well be zero.
_MAY_BE_ZERO: Final = q.vocabulary(
    "queue queued wait waiting added extra overhead network difference delta change growth increase leak swap offload"
    " offloaded host cpu cache cached disk shared pinned free available remaining headroom left std stdev spread"
)
_WORK_DONE: Final = re.compile(r"complet|succe|output_tokens|generated", re.I)


def denominator_contradicts_metric(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A denominator excludes the very thing its metric measures."""
    for index, result in enumerate(record.reported_results):
        excluded = re.findall(r"exclud\w*\s+([\w/ ]+)", result.denominator or "", re.I)
        names = {w for part in excluded for w in re.split(r"\W+", part.lower())}
        parts = {same for w in result.metric.lower().split("_") for same in _SAME.get(w, {w})}
        if clash := sorted(parts & names):
            message = f"the metric is {result.metric}, its denominator says “{result.denominator}” ({clash[0]})"
            at = f"/reported_results/{index}/conditions/metric_denominator"
            yield Finding(document.file, at, "denominator-contradicts-metric", message, "Write what it was divided by.")


def duplicated_observation(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A memory observation that repeats a value held elsewhere, and may drift from it."""
    held = [(r.value, r.unit, f"reported_results/{i}") for i, r in enumerate(record.reported_results)]
    for case_index, case in enumerate(record.case_reports):
        for key, part in case.items():
            if isinstance(part, dict):
                held.append((part.get("value"), part.get("unit", ""), f"case_reports/{case_index}/{key}"))
    for index, seen in enumerate(record.memory_observations):
        for value, unit, where in held:
            if isinstance(seen.get("value"), Decimal) and (seen["value"], seen.get("unit")) == (value, unit):
                message = f"{words.number(seen['value'])} {unit} is held in {where} as well"
                at = f"/memory_observations/{index}"
                yield Finding(document.file, at, "duplicated-observation", message, "Keep the value in one place.")
                break


def unit_contradicts_kind(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A unit that its metric, its kind or the rest of its key cannot have. Silent where a word is not known."""
    code, remedy = "unit-contradicts-kind", "Look up which of the two the source prints."
    for at, name, _, unit in quantities(record):
        if clash := q.contradiction(name, unit):
            message = f"{name} is given in {unit}, which does not go with “{clash}”"
            yield Finding(document.file, f"{at}/unit", code, message, remedy)
    for at, held in own_objects(document.data, record):
        for key, value in held.items():
            if value is not None and (clash := q.key_contradiction(key)):
                message = f"{key} ends in {words.split_unit(key)[1]}, which does not go with “{clash}”"
                yield Finding(document.file, f"{at}/{escape(key)}", code, message, remedy)


def two_units(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """One quantity in two units of one kind, which nobody should read as one column. Two spellings are one unit."""
    first: dict[tuple[str, str, tuple[str, ...]], tuple[str, str, str]] = {}
    told: set[tuple[str, str]] = set()
    for at, name, value, text in quantities(record):
        unit = q.unit_of(text)
        if unit is None or value is None:
            continue
        key = (name.lower(), unit.kind, unit.each)
        known, where, spelt = first.setdefault(key, (unit.name, at, text))
        if known != unit.name and (name, unit.name) not in told:
            told.add((name, unit.name))
            message = f"{name} is in {text} here and in {spelt} at {where}"
            remedy = "Nothing is converted. Keep each unit beside its value, and never compare the bare numbers."
            yield Finding(document.file, f"{at}/unit", "two-units", message, remedy)


def zero_not_measured(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A zero that stands for something nobody measured, or that no run can yield."""
    remedy = "Write null, with the reason for it."
    for at, name, held, why in _judged(document, record):
        if held[name] == 0 and why:
            message = f"{name} is 0, yet {why}"
            yield Finding(document.file, f"{at}/{escape(name)}", "zero-not-measured", message, remedy)


def value_despite_not_run(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A value beside a status that says it was never run."""
    remedy = "Remove the value, or correct the status."
    for at, name, held, why in _judged(document, record):
        if held[name] != 0 and _is_not_run(at, held):
            message = f"{name} is {words.number(held[name])}, yet {why}"
            yield Finding(document.file, f"{at}/{escape(name)}", "value-despite-not-run", message, remedy)


@once
def _judged(document: Document, record: Record) -> Iterator[tuple[str, str, Mapping[str, Any], str | None]]:
    """Yield pointer, key, object and what speaks against it, for every number that a run yields, and every zero."""
    rows = document.data.get("reported_results") or ()
    for index, (row, result) in enumerate(zip(rows, record.reported_results, strict=True)):
        if result.value is not None:
            why = _said("", row) or _impossible(result.metric, {**result.conditions, **row})
            yield f"/reported_results/{index}", "value", row, why
    for at, held in own_objects(document.data, record):
        for key, value in held.items():
            if isinstance(value, Decimal) and (q.is_outcome(key) or value == 0):
                said = _said(at, held) if q.is_outcome(key) else None
                yield at, key, held, said or _impossible(_name(key, held), held)


def _name(key: str, held: Mapping[str, Any]) -> str:
    """Return what a number is of: the kind of a reading, or its key with a word for the unit it ends in."""
    stem, ending = words.split_unit(key)
    kind = held.get("kind") or held.get("metric") or ""
    return str(kind) if key == "value" else f"{stem} rate" if ending.endswith("/s") else stem


def _is_not_run(at: str, held: Mapping[str, Any]) -> bool:
    """Tell whether an object says that it was not run; an omitted cell says it by its name."""
    status = held.get("status") or held.get("state")
    texts = [t for k in _STATUS if isinstance(t := held.get(k), str)]
    return (status is None and "/omitted_cell" in at) or any(_NOT_RUN.match(t) for t in texts)


def _said(at: str, held: Mapping[str, Any]) -> str | None:
    """Return what an object says of itself that leaves no value to give."""
    for key in _STATUS:
        text = held.get(key)
        # A statistic that is not reported says nothing about the value.
        if isinstance(text, str) and (_NOT_RUN.match(text) or (key != "statistic" and _ABSENT.match(text))):
            return f"{key} says “{ENGLISH.status(text)}”"
    return "the cell was omitted" if _is_not_run(at, held) else None


def _impossible(name: str, beside: Mapping[str, Any]) -> str | None:
    """Return why no run can yield a zero of this name, or None if one can."""
    parts = {*q.split(name)}
    if parts & _MAY_BE_ZERO or q.is_setting(name):
        return None
    if parts & _NEVER_ZERO or {"first", "token"} <= parts:
        return "no request is answered in no time"
    if parts & {"memory", "vram", "ram", "hbm"} and parts & {"used", "peak", "allocated"}:
        return "a running server uses memory"
    done = next((k for k, v in beside.items() if _WORK_DONE.search(k) and isinstance(v, Decimal) and v > 0), None)
    rate = parts & {"rate", "throughput", "goodput"} and parts & {"decode", "prefill", "output", "generation", "token"}
    return f"{done} is {words.number(beside[done])}" if rate and done else None

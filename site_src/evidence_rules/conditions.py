"""Findings about conditions that cannot belong to their row: the row's own label, unit or campaign says otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, Final

from .. import quantities as q
from ..interface import ENGLISH
from ..load import Document
from ..model import Measurement, Record
from ..pointers import escape
from ..problems import Finding
from ..prose import Body
from .parts import free_parts, objects

# Keys that name a row, and those that describe the machine it ran on.
_NAMES: Final = ("label", "workload", "name", "run")
_MACHINE: Final = ("system", "hardware")
# How labels abbreviate a condition, and the keys that hold it.
_NOTATIONS: Final = (
    (
        "C",
        re.compile(r"(?:(?:submitted|max|configured|client|effective)_)?concurrency|requests_submitted", re.I),
    ),
    ("TP", re.compile(r"tp|tp_size|tensor_parallel(?:ism|_size|_degree)?|parallelism", re.I)),
    ("PP", re.compile(r"pp|pp_size|pipeline_parallel(?:ism|_size|_degree)?|parallelism", re.I)),
    ("DP", re.compile(r"dp|dp_size|data_parallel(?:ism|_size|_degree)?|parallelism", re.I)),
    ("EP", re.compile(r"ep|ep_size|expert_parallel(?:ism|_size|_degree)?|parallelism", re.I)),
)
_ABBREVIATED: Final = {
    notation: re.compile(rf"(?<![\w.-]){notation}{'' if notation == 'C' else '[ =-]?'}(\d+)(?![\w.]*\w)")
    for notation, _ in _NOTATIONS
}
_SHORT: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?([KkMm])(?![\w])")
_WINDOW: Final = re.compile(r"window|context|pool|setting|limit|profile", re.I)
_LENGTH_LABEL: Final = re.compile(r"(?=.*(?:input|prompt))(?=.*(?:label|nominal|approximate)).*", re.I)
# C4 is also the name of a corpus of text.
_CORPUS: Final = re.compile(r"perplexity|ppl|loss|accuracy|corpus|dataset|data set", re.I)
_OUTPUT: Final = re.compile(r"generat|output|decod|prefill|token", re.I)
_RELEASE: Final = re.compile(r"release|version|campaign|series", re.I)
_LEAST: Final = 3

Fault = tuple[str, str]


def condition_on_wrong_row(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A condition that contradicts its row: what the label abbreviates, what the metric is, which campaign it is of."""
    remedy = "Look up which row of the source it belongs to."
    spelt = _spelt(record)
    for index, result in enumerate(record.reported_results):
        faults = [*_against_names({**result.conditions, "label": result.label}, result.metric)]
        faults += _option_of_another(result, spelt)
        faults += _of_another_campaign(result, record)
        if result.denominator and q.is_memory(result.metric, result.unit) and _OUTPUT.search(result.denominator):
            key = "divided_by" if result.divided_by else "metric_denominator"
            faults.append((key, f"{result.metric} is a reading in {result.unit}, divided by nothing"))
        for key, message in dict(faults).items():
            step = "" if key == "divided_by" else "conditions/"
            at = f"/reported_results/{index}/{step}{escape(key)}"
            yield Finding(document.file, at, "condition-on-wrong-row", message, remedy)
    for pointer, part in free_parts(record):
        for at, held in objects(pointer, part):
            for key, message in dict(_against_names(held, "")).items():
                yield Finding(document.file, f"{at}/{escape(key)}", "condition-on-wrong-row", message, remedy)


def _named(held: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return " · ".join(str(held[k]) for k in keys if isinstance(held.get(k), str))


def _against_names(held: Mapping[str, Any], metric: str) -> Iterator[Fault]:
    """Yield each condition that contradicts what the names of its row abbreviate: C4, TP2, 128K."""
    for notation, keys in _NOTATIONS:
        named = _named(held, _NAMES if notation == "C" else (*_NAMES, *_MACHINE))
        said = _numbers(notation, named)
        if not said or (notation == "C" and _CORPUS.search(f"{metric} {named}")):
            continue
        numbers = {k: has for k, v in held.items() if keys.fullmatch(k) and (has := _held_number(notation, v))}
        if not any(said & has for has in numbers.values()):
            for key in numbers:
                yield key, f"{key} is {ENGLISH.plain(held[key])}, the row is named {notation}{min(said)}"
        yield from _against_label(held, partial(_numbers, notation))
    yield from _against_label(held, _shorts)
    yield from _lengths(held)


def _shorts(text: str) -> set[str]:
    """Return the lengths that a text abbreviates: 128K, 1M."""
    return {n + u.upper() for n, u in _SHORT.findall(text)}


def _against_label(held: Mapping[str, Any], read: Callable[[str], set[str]]) -> Iterator[Fault]:
    """Yield each other name of a row that abbreviates one number where the label abbreviates another one."""
    label = str(held.get("label", ""))
    said = read(label)
    for key in _NAMES[1:] if len(said) == 1 else ():
        other = read(held[key]) if isinstance(held.get(key), str) else set[str]()
        if len(other) != 1 or said == other:
            continue
        others = {k: v for k, v in held.items() if not _LENGTH_LABEL.fullmatch(k)}
        known = any(_explained(length, others, key) for length in said) or any(_explained(n, held, key) for n in other)
        if not known:
            yield key, f"{key} is “{held[key]}”, the row is named “{label}”"


def _lengths(held: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield each label of a prompt's length that is not the one length in the names of its row."""
    named = _named(held, _NAMES)
    said = _shorts(named)
    if len(said) != 1 or _WINDOW.search(named):
        return
    for key, value in held.items():
        if isinstance(value, str) and _LENGTH_LABEL.fullmatch(key):
            own = _shorts(value)
            if own and not own & said and not _explained(min(said), held, key):
                yield key, f"{key} is “{value}”, the row is named {min(said)}"


def _numbers(notation: str, text: str) -> set[str]:
    return {*_ABBREVIATED[notation].findall(text)} if notation in text else set()


def _held_number(notation: str, value: Any) -> set[str]:
    """Return what a condition says of a notation: a number, or a text such as TP2 or TP2, PP1."""
    if isinstance(value, Decimal):
        return {str(int(value))}
    return _numbers(notation, value) if isinstance(value, str) else set()


def _explained(length: str, held: Mapping[str, Any], key: str) -> bool:
    """Tell whether another condition explains a length in the name of a row, as a window or a setting does."""
    if not length.endswith(("K", "M")):
        return False
    size = Decimal(length[:-1]) * (1000 if length.endswith("K") else 1_000_000)
    for other, value in held.items():
        if isinstance(value, Decimal) and _WINDOW.search(other) and size <= value < size * Decimal("1.049"):
            return True
        if other not in {key, *_NAMES} and length in _shorts(str(value)):
            return True
    return False


def _spelt(record: Record) -> dict[str, set[str]]:
    """Return, per condition, its values that stand in the label of their own row."""
    found: dict[str, set[str]] = {}
    for result in record.reported_results:
        for key, value in result.conditions.items():
            if isinstance(value, str) and key not in _NAMES and _stands(value, result.label):
                found.setdefault(key, set()).add(value)
    return found


def _option_of_another(result: Measurement, spelt: Mapping[str, set[str]]) -> Iterator[Fault]:
    """Yield each condition whose value on another row stands in this row's label, while its own does not."""
    for key, value in result.conditions.items():
        # Only where labels name this condition as a rule does a label that names another value contradict it.
        if not isinstance(value, str) or value not in spelt.get(key, ()) or _stands(value, result.label):
            continue
        rest = [str(v) for k, v in result.conditions.items() if k not in {key, *_NAMES}]
        found = [s for s in sorted(spelt[key]) if _stands(s, result.label) and not _stands(s, value)]
        if found and not any(_stands(found[0], text) for text in rest):
            yield key, f"{key} is “{value}”, the row is named “{found[0]}”"


def _stands(part: str, text: str) -> bool:
    """Tell whether a text of some length stands in another as whole words."""
    if len(part) < _LEAST or part.lower() not in text.lower():
        return False
    return re.search(rf"(?<![\w-]){re.escape(part)}(?![\w-])", text, re.I) is not None


def _of_another_campaign(result: Measurement, record: Record) -> Iterator[Fault]:
    """Yield each release or series that is the name of another campaign than the row's."""
    for key, value in result.conditions.items():
        if result.campaign and isinstance(value, str) and _RELEASE.search(key):
            named = [c.id for c in record.campaigns if c.id == value or c.id.startswith(f"{value}-")]
            if named and result.campaign not in named:
                yield key, f"{key} is “{value}”, the row is of the campaign {result.campaign}"

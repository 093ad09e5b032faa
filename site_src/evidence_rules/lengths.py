"""Findings about lengths and counts: labels that are no counts, requests sent that are not known to run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from .. import words
from ..load import Document
from ..model import Record
from ..pointers import escape
from ..problems import Finding
from ..prose import Body
from .parts import condition_sets, free_parts, objects
from .spoken import sentences

_LENGTH: Final = re.compile(r"input|prompt|context", re.I)
_LABEL: Final = re.compile(r"label|nominal|approximate", re.I)
_RUNNING: Final = re.compile(r"running|simultaneous|observed|overlap|decoding", re.I)
# A number of tokens under such a key was set or wanted, not counted.
_NO_COUNT: Final = re.compile(r"cap|limit|max|pool|window|configured|requested|target|planned|budget|chunk|label", re.I)
_SHORT: Final = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) ?([KkMm])(?![a-zA-Z0-9])")
_IN_PROSE: Final = re.compile(
    r"(?<![\w.,])(?:(?P<number>\d+(?:\.\d+)?) ?(?P<unit>[KkMm])|(?P<long>\d[\d,]*\d))[ -]"
    r"(?:(?:input|prompt|context|counted|actual) )?tokens?\b",
    re.I,
)
_SAYS_LABEL: Final = re.compile(
    r"label|nominal|approximat|about|around|roughly|some |up to|~|≈|configured|setting|window|limit|pool|cache"
    r"|cap(?:acity)?\b|maximum|reads? it as",
    re.I,
)


def nominal_length(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A prompt length that is only a label, while the counted tokens are not reported."""
    for pointer, part in condition_sets(record):
        labels, counts = _labels(part), _open_counts(part)
        if labels and counts:
            message = f"“{part[labels[0]]}” is a label; {counts[0]} is not reported"
            yield Finding(document.file, pointer, "nominal-length", message, "Never show the label as a token count.")


def _labels(part: Mapping[str, Any]) -> list[str]:
    """Return the keys that hold the label of a length; one of the prompt before one of the whole context."""
    found = [k for k, v in part.items() if _LENGTH.search(k) and _LABEL.search(k) and v is not None]
    return sorted(found, key=lambda k: not re.search(r"input|prompt", k, re.I))


def _open_counts(part: Mapping[str, Any]) -> list[str]:
    counts = [k for k, v in part.items() if "token" in k.lower() and _LENGTH.search(k) and v is None]
    return [k for k in counts if not re.search(r"cap|limit|max|pool", k, re.I)]


def _counted(part: Mapping[str, Any]) -> dict[str, Decimal]:
    """Return the token counts of prompts that an object gives."""
    named = {k: v for k, v in part.items() if isinstance(v, Decimal) and "token" in k.lower() and _LENGTH.search(k)}
    return {k: v for k, v in named.items() if not _NO_COUNT.search(k)}


def submitted_not_running(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """Requests were submitted together, and nobody reports how many ran together."""
    for pointer, part in condition_sets(record):
        submitted, running = _submitted(part), _open_running(part)
        if submitted and running:
            message = f"{words.number(part[submitted[0]])} were submitted; {running[0]} is not reported"
            yield Finding(document.file, pointer, "submitted-not-running", message, "Never call them concurrent.")


def _submitted(part: Mapping[str, Any]) -> list[str]:
    return [k for k, v in part.items() if "submitted" in k.lower() and isinstance(v, Decimal)]


def _open_running(part: Mapping[str, Any]) -> list[str]:
    return [k for k, v in part.items() if _RUNNING.search(k) and v is None]


def only_submitted(record: Record) -> frozenset[int]:
    """Return the counts of requests that were submitted together and are nowhere reported to have run together."""
    counts: set[int] = set()
    most = 1
    for _, part in condition_sets(record):
        submitted = _submitted(part)
        if submitted and _open_running(part):
            counts.add(int(part[submitted[0]]))
        for key, value in part.items():
            is_time = words.split_unit(key)[1] != ""
            if _RUNNING.search(key) and isinstance(value, Decimal) and "submitted" not in key.lower():
                # An overlap is a time: what overlapped is the concurrency beside it.
                told = part.get("concurrency") if is_time else value
                most = max(most, int(told) if isinstance(told, Decimal) else most)
    return frozenset(n for n in counts if n > most)


def label_as_length(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """The label of a length stands where a count of tokens should: in a field, or in the prose."""
    code = "label-as-length"
    for pointer, name, value, label in _labelled(record):
        if any(_is_magnitude(value, *short) for short in _SHORT.findall(label)):
            message = f"{name} is {words.number(value)}, which is the label “{label}” written out"
            remedy = "Write the counted tokens, or null if nobody counted them."
            yield Finding(document.file, pointer, code, message, remedy)
    uncounted, held = _uncounted(record), frozenset(_numbers(document.data))
    for sentence in sentences(document, body) if uncounted else ():
        for match in () if _SAYS_LABEL.search(sentence.text) else _IN_PROSE.finditer(sentence.text):
            if _is_label(match, uncounted, held):
                message = f"“{match[0]}” is a label of the source; the counted tokens are not reported"
                yield sentence.finding(code, message, "Call it a label, or leave out the word tokens.")


def _labelled(record: Record) -> Iterator[tuple[str, str, Decimal, str]]:
    """Yield pointer, name, value and label of every count of a prompt's tokens that has a label beside or above it."""
    for index, result in enumerate(record.reported_results):
        labels, at = _labels(result.conditions), f"/reported_results/{index}"
        value = {} if result.value is None else _counted({result.metric: result.value})
        for name, count in value.items() if labels else ():
            yield f"{at}/value", name, count, str(result.conditions[labels[0]])
    sets = [(at, part) for at, part in condition_sets(record) if at.startswith("/reported_results/")]
    for pointer, part in [*sets, *free_parts(record)]:
        for at, held in objects(pointer, part):
            nearest = held if _labels(held) else part
            for key, count in _counted(held).items() if _labels(nearest) else ():
                yield f"{at}/{escape(key)}", key, count, str(nearest[_labels(nearest)[0]])


def _uncounted(record: Record) -> set[tuple[str, str]]:
    """Return the labels (number, unit) of prompts that are counted nowhere in the record."""
    open_labels, counted = set[tuple[str, str]](), set[tuple[str, str]]()
    for _, part in condition_sets(record):
        shorts = {(n, u.upper()) for key in _labels(part)[:1] for n, u in _SHORT.findall(str(part[key]))}
        (open_labels if _open_counts(part) and not _counted(part) else counted).update(shorts)
    return open_labels - counted


def _is_label(match: re.Match[str], labels: set[tuple[str, str]], held: frozenset[Decimal]) -> bool:
    """Tell whether a number of tokens in prose is a label, and no other number of the record."""
    if match["number"]:
        return (match["number"], match["unit"].upper()) in labels
    value = Decimal(match["long"].replace(",", ""))
    return value not in held and any(_is_magnitude(value, *label) for label in labels)


def _is_magnitude(value: Decimal, number: str, unit: str) -> bool:
    """Tell whether a count is a label written out: 128,000 or 131,072 for 128K, 262,144 for 262K."""
    size = Decimal(number)
    factors = (1000, 1024) if unit.upper() == "K" else (1_000_000, 1024_000, 1024 * 1024)
    return any(value == size * f for f in factors) or (value % 1024 == 0 and value // factors[0] == size)


def _numbers(value: Any) -> Iterator[Decimal]:
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)

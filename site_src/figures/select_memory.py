"""Memory readings → a scope matrix that shows, fact by fact, why they cannot share an axis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

from .. import citations, words
from ..citations import Citation
from ..figure_entries import selected
from ..interface import Words
from ..model import Measurement, Record
from .asked import Asked, CannotSelectError
from .caption import sources
from .spec import FigureSpec, Memory, Reading

MOST_READINGS: Final = 12
_FREE: Final = re.compile(r"free|available|headroom|unused|remaining", re.I)
_USED: Final = re.compile(r"used|usage|allocated|resident|occupied|consumed|peak", re.I)
_NEGATED: Final = re.compile(r"(^|[_\s])not[_\s].*", re.I)


@dataclass(frozen=True)
class _Found:
    """One reading with where it stands."""

    value: Decimal
    unit: str
    kind: str
    conditions: str
    statistic: str
    citation: Citation | None
    quantity: Literal["free", "used", ""]


def select(asked: Asked) -> FigureSpec | None:
    """Return the memory figure of a record, or None where it holds no reading in a byte unit."""
    record, say = asked.record, asked.say
    chosen = _selected(asked) if asked.is_selecting else None
    found = [f for f in _readings(say, record) if chosen is None or (f.value, f.unit) in chosen]
    if len(found) > MOST_READINGS:
        message = f"{len(found)} readings are more than the {MOST_READINGS} a figure can show"
        raise CannotSelectError("crowded-figure", message)
    if not found:
        return None
    missing = tuple(dict.fromkeys(_missing(record)))
    content = Memory(_facets(say), tuple(_reading(say, f) for f in found), missing)
    return FigureSpec(
        stem=asked.stem,
        kind="memory",
        title=asked.title or say("figure.memory_title", readings=say.count(len(found), "reading")),
        subtitle=say("figure.read_across") if len(found) > 1 else say("figure.one_reading"),
        source=sources(say, record, [f.citation for f in found if f.citation]),
        desc=_describe(say, content),
        content=content,
        say=asked.drawn_words,
    )


def _selected(asked: Asked) -> set[tuple[Decimal | None, str]]:
    """Return value and unit of the declared results; a scope matrix is made to hold unlike readings."""
    return {(r.value, r.unit) for r in selected(asked.record, asked.entry.select)} if asked.entry else set()


def is_reading(part: Any) -> bool:
    """Tell whether a part of a record is a memory reading: a value in a byte unit."""
    return (
        isinstance(part, Mapping)
        and isinstance(part.get("value"), Decimal)
        and isinstance(part.get("unit"), str)
        and words.is_bytes(part["unit"])
    )


def _readings(say: Words, record: Record) -> Iterator[_Found]:
    seen: set[tuple[Decimal, str]] = set()
    for result in record.reported_results:
        if result.value is not None and words.is_bytes(result.unit):
            seen.add((result.value, result.unit))
            yield _of_result(say, record, result)
    parts = [*record.memory_observations, *(p for case in record.case_reports for p in case.values())]
    for part in parts:
        if is_reading(part) and (part["value"], part["unit"]) not in seen:
            seen.add((part["value"], part["unit"]))
            yield _of_part(say, part, citations.of_reading(record, part))


def _of_result(say: Words, record: Record, result: Measurement) -> _Found:
    others = [r for r in record.reported_results if not words.is_bytes(r.unit)]
    own = {k: v for k, v in result.conditions.items() if not any(k in r.conditions for r in others)}
    kind = next((v for k, v in own.items() if k.lower().endswith("kind") and isinstance(v, str)), None)
    rest = [say.plain(v) for v in own.values() if isinstance(v, str) and v != kind]
    return _Found(
        value=result.value or Decimal(0),
        unit=result.unit,
        kind=words.label(kind) if kind else result.label,
        conditions="; ".join(rest) or say("figure.none_of_own"),
        statistic=result.statistic,
        citation=citations.of_result(record, result),
        quantity=quantity(result.metric) or quantity(kind or result.label),
    )


def _of_part(say: Words, part: Mapping[str, Any], citation: Citation | None) -> _Found:
    kind = str(part.get("kind") or "")
    told = {"kind", "value", "unit", "statistic"}
    rest = [say.field(k, v) for k, v in part.items() if k not in told and v is not None and _is_fact(k)]
    return _Found(
        value=part["value"],
        unit=part["unit"],
        kind=words.label(kind) or say("word.not_reported"),
        conditions="; ".join(f"{k}: {v}" for k, v in rest) or say("figure.none_of_own"),
        statistic=str(part.get("statistic") or say("figure.as_kind")),
        citation=citation,
        quantity=quantity(kind),
    )


def _is_fact(key: str) -> bool:
    return not key.lower().endswith(("url", "sha256", "document_id", "line"))


def quantity(name: str) -> Literal["free", "used", ""]:
    """Tell free from used memory by the words of a name, what follows "not" left out; "" where it does not say."""
    said = _NEGATED.sub("", name)
    return "free" if _FREE.search(said) else "used" if _USED.search(said) else ""


def _facets(say: Words) -> tuple[str, ...]:
    own = say("figure.quantity"), say("figure.kind"), say("figure.conditions")
    return *own, say("explorer.statistic"), say("explorer.unit"), say("source.column")


def _reading(say: Words, found: _Found) -> Reading:
    quantity_words = {"free": "figure.free", "used": "figure.used", "": "word.not_stated"}
    facets = (
        say(quantity_words[found.quantity]),
        found.kind,
        found.conditions,
        found.statistic,
        say.unit(found.unit),
        _source(say, found.citation),
    )
    return Reading(say.number(found.value), say.unit(found.unit), found.quantity, facets)


def _source(say: Words, citation: Citation | None) -> str:
    if citation is None:
        return say("word.not_reported")
    if citations.is_mutable(citation.source):
        return f"{citation.source.publisher}, {say('word.editable')}"
    line = say("word.line", n=citation.line) if citation.line else say("word.line_not_recorded")
    return f"{citation.source.publisher}, {line}"


def _missing(record: Record) -> Iterator[str]:
    """Yield what the readings themselves leave open: their null fields."""
    parts = [*record.memory_observations]
    parts += [p for case in record.case_reports for p in case.values() if is_reading(p)]
    for part in parts:
        yield from (words.label(k) for k, v in part.items() if v is None)


def _describe(say: Words, content: Memory) -> str:
    cards = []
    for reading in content.readings:
        facts = [
            f"{n} {t}" for n, t in zip(content.facet_names, reading.facets, strict=True) if n != say("explorer.unit")
        ]
        cards.append(f"{reading.value} {reading.unit}: {'; '.join(facts)}")
    missing = [say("figure.missing", names=", ".join(content.missing))] if content.missing else []
    return " ".join([say("figure.memory_desc", rows=". ".join(cards)), *missing])

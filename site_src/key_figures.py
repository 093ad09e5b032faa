"""The key figures of a page: declared ones, or the first result of each metric."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from . import words
from .derive import Derivations
from .evidence import KeyFigure
from .interface import Words
from .model import Measurement, Record
from .pointers import at_pointer

MOST: Final = 4


@dataclass(frozen=True)
class Resolved:
    """One key figure in words. `result` is the measurement behind it, if it is one; `relation` the derived value."""

    text: str
    raw: str
    unit: str
    label: str
    note: str
    result: Measurement | None = None
    relation: str | None = None
    pointer: str = ""
    is_null: bool = False


def resolved(say: Words, record: Record, derivations: Derivations) -> list[Resolved]:
    """Return the key figures, four at most, in the order of the record."""
    if record.key_figures:
        return [_declared(say, record, figure, derivations) for figure in record.key_figures[:MOST]]
    first: dict[str, Measurement] = {}
    for result in record.reported_results:
        first.setdefault(result.metric, result)
    return [_of_result(say, result, words.label(result.metric), "") for result in list(first.values())[:MOST]]


def _of_result(say: Words, result: Measurement, label: str, note: str) -> Resolved:
    text = say("word.not_reported") if result.value is None else words.number(result.value)
    text = say.digits(result.value_text or text)
    raw = "" if result.value is None else words.literal(result.value)
    return Resolved(text, raw, result.unit, label, note, result, is_null=result.value is None)


def _declared(say: Words, record: Record, figure: KeyFigure, derivations: Derivations) -> Resolved:
    if figure.relation:
        derived = derivations.values.get(figure.relation)
        unit = figure.unit or (derived.relation.unit if derived and derived.relation.unit != "1" else "")
        text = say.digits(derived.text) if derived else say("word.not_reported")
        return Resolved(text, "", unit, figure.label, figure.note or "", relation=figure.relation, is_null=not derived)
    result = pointed_result(record, figure.pointer or "")
    if result:
        return _of_result(say, result, figure.label, figure.note or "")
    value = at_pointer(record.model_dump(), figure.pointer or "")
    raw = words.literal(value) if isinstance(value, Decimal) else ""
    text = say.plain(value)
    where, note = figure.pointer or "", figure.note or ""
    return Resolved(text, raw, figure.unit or "", figure.label, note, pointer=where, is_null=value is None)


def pointed_result(record: Record, pointer: str) -> Measurement | None:
    """Return the result a pointer names, itself or its value."""
    names_one = pointer.removesuffix("/value").count("/") == 2
    return record.result_at(pointer) if names_one else None

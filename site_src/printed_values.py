"""What a record says a document prints, against the value it gives: `value_text` and the `exact` cell of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from . import words
from .claims.conversion import converted
from .claims.units import canonical, of_key
from .load import Document
from .model import Record
from .pointers import escape
from .problems import Problem
from .rules import Rule

# A minus after a digit is a dash: 93-107 holds two positive numbers.
# An exponent is part of a number only where nothing else follows: 1e-05 is one number, a hash such as 3e4b is none.
_NUMBER: Final = re.compile(r"(?:(?<![\d.])[-−])?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?![\w.]))?")


def numbers_in(text: str) -> list[Decimal]:
    """Return every number that a printed text holds, thousands commas and emphasis aside."""
    return [Decimal(n.replace(",", "").replace("−", "-")) for n in _NUMBER.findall(text)]


def texts_begin_with_their_value(document: Document, record: Record) -> Iterator[Problem]:
    """A printed text that begins with a number begins with the value: 2/2 is 2."""
    for index, result in enumerate(record.reported_results):
        found = numbers_in(result.value_text or "")
        if result.value is not None and found and found[0] != result.value:
            message = f"value_text {result.value_text!r} does not begin with the value {result.value}"
            at = f"/reported_results/{index}/value_text"
            yield Problem(document.file, at, None, "exact-mismatch", message, "Write what the source prints.")


def cells_hold_their_value(document: Document, record: Record) -> Iterator[Problem]:
    """The exact cell of an evidence entry, where it holds numbers, holds the one it is evidence for."""
    for at, value, unit, evidence in _evidence(document.data):
        held, exact = _in_unit(value, unit, evidence), evidence.get("exact")
        if held is not None and isinstance(exact, str) and held not in (numbers_in(exact) or [held]):
            message = f"the exact cell {exact!r} does not hold {held:f}"
            remedy = "Copy the cell and the value from the same line."
            yield Problem(document.file, f"{at}/exact", None, "exact-mismatch", message, remedy)


def units_are_of_one_kind(document: Document, record: Record) -> Iterator[Problem]:
    """The unit of a document can be turned into that of its value, and no digit is lost on the way."""
    for at, value, unit, evidence in _evidence(document.data):
        if isinstance(value, Decimal) and evidence.get("unit") and _in_unit(value, unit, evidence) is None:
            message = f"{words.number(value)} {unit or ''}".rstrip() + f" is no exact number of {evidence['unit']}"
            remedy = "Name the unit of the document, or take it out and keep the document's number in also_printed."
            yield Problem(document.file, f"{at}/unit", None, "evidence-unit", message, remedy)


def _in_unit(value: Any, unit: Any, evidence: Mapping[str, Any]) -> Decimal | None:
    """Return a value in the unit in which its document holds it."""
    if not isinstance(value, Decimal):
        return None
    told = evidence.get("unit")
    return converted(value, canonical(unit), canonical(told)) if isinstance(told, str) else value


def _evidence(data: Any) -> Iterator[tuple[str, Any, Any, Mapping[str, Any]]]:
    """Yield pointer, value, unit and evidence of results, their conditions, their other printings, and relations."""
    for index, result in enumerate(data.get("reported_results", [])):
        at = f"/reported_results/{index}"
        yield f"{at}/evidence", result.get("value"), result.get("unit"), result.get("evidence") or {}
        for key, evidence in (result.get("condition_evidence") or {}).items():
            value = (result.get("conditions") or {}).get(key)
            yield f"{at}/condition_evidence/{escape(key)}", value, of_key(key), evidence
        for number, printing in enumerate(result.get("also_printed") or []):
            where = f"{at}/also_printed/{number}/evidence"
            yield where, printing.get("value"), printing.get("unit"), printing.get("evidence") or {}
    for index, relation in enumerate(data.get("relations", [])):
        stated = relation.get("stated") or {}
        where = f"/relations/{index}/stated/evidence"
        yield where, stated.get("value"), relation.get("unit"), stated.get("evidence") or {}


RULES: Final[tuple[Rule, ...]] = (texts_begin_with_their_value, cells_hold_their_value, units_are_of_one_kind)

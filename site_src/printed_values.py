"""What a record says a document prints, against the value it gives: `value_text` and the `exact` cell of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

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
    for pointer, value, exact in _cells(document.data):
        if isinstance(value, Decimal) and isinstance(exact, str) and value not in (numbers_in(exact) or [value]):
            message = f"the exact cell {exact!r} does not hold {value:f}"
            remedy = "Copy the cell and the value from the same line."
            yield Problem(document.file, pointer, None, "exact-mismatch", message, remedy)


def _cells(data: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield pointer, value and exact cell of results, their conditions and their other printings."""
    for index, result in enumerate(data.get("reported_results", [])):
        at = f"/reported_results/{index}"
        yield f"{at}/evidence/exact", result.get("value"), (result.get("evidence") or {}).get("exact")
        for key, evidence in (result.get("condition_evidence") or {}).items():
            where = f"{at}/condition_evidence/{escape(key)}/exact"
            yield where, (result.get("conditions") or {}).get(key), evidence.get("exact")
        for number, printing in enumerate(result.get("also_printed") or []):
            where = f"{at}/also_printed/{number}/evidence/exact"
            yield where, printing.get("value"), (printing.get("evidence") or {}).get("exact")
    for index, relation in enumerate(data.get("relations", [])):
        stated = relation.get("stated") or {}
        where = f"/relations/{index}/stated/evidence/exact"
        yield where, stated.get("value"), (stated.get("evidence") or {}).get("exact")


RULES: Final[tuple[Rule, ...]] = (texts_begin_with_their_value, cells_hold_their_value)

"""Numeric conditions that name no line → those whose number stands nowhere in the section of their value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from ..pointers import escape
from .find import Wanted
from .slots import slots

SECTION: Final = re.compile(r"#{1,2}\s")
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")


def unlined(data: Any, merged: Any, values: Mapping[str, Wanted], texts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the pointers of such conditions, once each: in their campaign where it holds them, else in their row.

    `values` are the values of results by the pointer of their row, `texts` the lines of the documents at hand.
    """
    sections: dict[tuple[str, int], frozenset[Decimal]] = {}
    told: set[str] = set()
    campaigns = {c.get("id"): (i, c.get("conditions") or {}) for i, c in enumerate(data.get("campaigns") or ())}
    for index, row in enumerate(merged.get("reported_results") or ()):
        value = values.get(f"/reported_results/{index}")
        lines = texts.get(value.document) if value else None
        if value is None or lines is None or not 0 < value.line <= len(lines):
            continue
        key = (value.document, _start(lines, value.line - 1))
        if key not in sections:
            sections[key] = _numbers(lines, key[1])
        held = sections[key]
        number, shared = campaigns.get(row.get("campaign"), (0, {}))
        for name, condition in (row.get("conditions") or {}).items():
            if name in (row.get("condition_evidence") or {}) or not isinstance(condition, Decimal) or condition in held:
                continue
            where = f"/campaigns/{number}" if name in shared else f"/reported_results/{index}"
            pointer = f"{where}/conditions/{escape(name)}"
            if pointer not in told:
                told.add(pointer)
                yield pointer


def _start(lines: Sequence[str], index: int) -> int:
    """Return where the section of a line begins: its heading of the first or second level, or the document."""
    while index > 0 and not SECTION.match(lines[index]):
        index -= 1
    return index


def _numbers(lines: Sequence[str], start: int) -> frozenset[Decimal]:
    """Return every number that a section prints, in digits, in words and inside names."""
    found: set[Decimal] = set()
    for index in range(start, len(lines)):
        if index > start and SECTION.match(lines[index]):
            break
        found |= {slot.number for slot in slots(lines, index)}
        found |= {Decimal(n.replace(",", "")) for n in _NUMBER.findall(lines[index])}
    return frozenset(found)

"""A record and the bytes of its documents → the receipt: does each document still print what the record says?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .. import citations, words
from ..campaigns import merged_data
from ..model import Record, Source
from ..permalinks import swhid
from .asked import questions
from .cells import csv_cell, in_csv, in_json
from .find import Place, Wanted, find
from .receipt import FORMAT, Checked, Found, How, Outcome, Receipt
from .unlined import SECTION, unlined

_OF_ROW: Final = 3


@dataclass(frozen=True)
class Obtained:
    """What was had of one source: its bytes and where from, or why not. Neither: nobody asked for it."""

    data: bytes | None = None
    how: How | None = None
    reason: str | None = None


Obtain = Callable[[Source], Obtained]


def verify(data: Any, record: Record, obtain: Obtain, today: str) -> Receipt:
    """Return the receipt of one record; `data` is the record as it was read."""
    checked, texts = list[Checked](), dict[str, str]()
    outcomes: dict[str, Outcome] = {}
    for source in record.all_sources:
        found = obtain(source)
        entry = _checked(source, found, today)
        checked.append(entry)
        for name in (source.document_id, source.pinned_url):
            if name:
                outcomes[name] = entry.outcome
                if found.data is not None:
                    texts[name] = found.data.decode("utf-8", "replace")
    asked = [*questions(data, record)]
    values = tuple(_found(one, digest, texts, outcomes) for one, digest in asked)
    rows = {one.pointer.removesuffix("/evidence"): one for one, _ in asked if one.pointer.count("/") == _OF_ROW}
    sound = {name: text.splitlines() for name, text in texts.items() if outcomes[name] == "verified"}
    without = tuple(unlined(data, merged_data(data, record), rows, sound))
    return Receipt(format=FORMAT, sources=tuple(checked), values=values, unlined=without)


def _checked(source: Source, found: Obtained, today: str) -> Checked:
    told: dict[str, Any] = {"source": source.pinned_url, "pin": source.document_sha256}
    if found.data is None:
        return Checked(**told, outcome="unreachable" if found.reason else "not-checked", reason=found.reason)
    sha256 = hashlib.sha256(found.data).hexdigest()
    differs: Outcome = "drifted" if citations.is_mutable(source) else "hash-differs"
    outcome: Outcome = "verified" if sha256 == source.document_sha256 else differs
    told |= {"obtained": found.how, "on": today, "sha256": sha256, "size": len(found.data)}
    return Checked(**told, outcome=outcome, swhid=swhid(found.data))


def _found(one: Wanted, digest: str, texts: Mapping[str, str], outcomes: Mapping[str, Outcome]) -> Found:
    value = words.literal(one.value) if one.value is not None else None
    told: dict[str, Any] = {"pointer": one.pointer, "asked": digest, "value": value}
    of_source = outcomes.get(one.document, "not-checked")
    if of_source != "verified":
        return Found(**told, outcome=of_source)
    text = texts[one.document]
    place = placed(one, text)
    if place is None:
        return Found(**told, outcome="value-absent")
    outcome: Outcome = "verified" if place.line == one.line or not one.line else "line-moved"
    section = sum(SECTION.match(line) is not None for line in text.splitlines()[: place.line])
    return Found(**told, outcome=outcome, line=place.line, cell=place.cell[:80], section=section)


def placed(one: Wanted, text: str) -> Place | None:
    """Return where a document prints a value: at its JSON pointer, in its CSV column, or on the line that fits best."""
    if one.at:
        return in_json(one, text)
    rows = text.splitlines()
    cell = csv_cell(one, rows)
    return find(rows, one) if cell is None else in_csv(one, cell)

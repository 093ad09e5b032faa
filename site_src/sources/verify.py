"""A record and the bytes of its documents → the receipt: does each document still print what the record says?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from .. import citations, words
from ..campaigns import merged_data
from ..claims.units import is_hard, of_key
from ..locate import offset_of
from ..model import Record, Source
from ..parse import json_data
from ..permalinks import swhid
from ..pointers import at_pointer
from ..problems import Rejected
from .asked import questions
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
    """Return where a document prints a value: at its JSON pointer, if it names one, else on the line that fits best."""
    return _in_json(one, text) if one.at else find(text.splitlines(), one)


def _in_json(one: Wanted, text: str) -> Place | None:
    """Return the place of a value that a JSON pointer names, if the document holds it there."""
    try:
        held = at_pointer(json_data(text, ""), one.at or "")
    except Rejected:
        return None
    if held is None:
        return None
    written = words.literal(held) if isinstance(held, Decimal) else held if isinstance(held, str) else ""
    line = text.count("\n", 0, offset_of(text, "json", one.at or "", None)) + 1
    if one.value is not None and isinstance(held, Decimal):
        unit = of_key(_named(one.at))
        is_of_unit = not one.unit or not is_hard(unit) or unit == one.unit
        return Place(line, written) if held == one.value and is_of_unit else None
    if isinstance(held, dict | list):
        # The words are the key of a part: that it is there is all they say.
        return Place(line, one.exact or "") if one.exact is None or _key(one.at) in one.exact else None
    wanted_text = one.exact if one.exact is not None else ""
    return Place(line, written) if wanted_text in {written, json.dumps(held, default=str)} else None


def _named(pointer: str | None) -> str:
    """Return the last key of a pointer that names something: of /runs/0/ttft_ms/3 that is ttft_ms."""
    return next((step for step in reversed((pointer or "").split("/")) if not step.isdecimal()), "")


def _key(pointer: str | None) -> str:
    return (pointer or "").rpartition("/")[2]

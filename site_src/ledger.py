"""Proved claims → the ledger of a page: each number with its sentence, field, conditions and source line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from . import citations, serial, words
from .check import Explainer
from .claim_links import href, raw
from .claims.anchors import Spot
from .claims.leaves import Leaf
from .claims.lock import CLASSES
from .claims.proof import Bound
from .evidence_links import ref
from .interface import ENGLISH, Words
from .model import Record
from .places import PER_PAGE, Places
from .view import Cell, Column, Fact, Ref, Row, SubPage, Table

# What a claim is called beside its number.
_KINDS: Final = {"claim": "claims.bound", "derived": "word.derived", "count": "claims.count"}
_MOST_CONDITIONS: Final = 4
_SHORT: Final = 60


def route(record: Record) -> str:
    """Return the address of the first page of a ledger."""
    return below(record.path)


def below(guide: str) -> str:
    """Return the address of the first page of the ledger of the guide at that address."""
    return f"{guide}claims/"


def file(record: Record) -> str:
    """Return the address of the claims as data."""
    return f"{record.path}claims.json"


def coverage(say: Words, explainer: Explainer) -> str:
    """Return how many numbers of the prose have which class, open ones too; "" without a lock."""
    if not explainer.claims.is_locked:
        return ""
    counts = explainer.claims.counts()
    told = [say.count(counts[c], c, "class") for c in CLASSES if counts.get(c) or c == "open"]
    numbers = say.count(len(explainer.claims.spots), "number")
    return say("audit.coverage", numbers=numbers, classes=", ".join(told))


def pages(say: Words, explainer: Explainer, places: Places) -> Iterator[SubPage]:
    """Yield the pages of the ledger: the claims that state a field, in the order of the prose."""
    stated = explainer.claims.stated
    telling = _telling(explainer.record)
    chunks = [stated[i : i + PER_PAGE] for i in range(0, len(stated), PER_PAGE)]
    for number, chunk in enumerate(chunks, 1):
        start = (number - 1) * PER_PAGE + 1
        at = route(explainer.record) + (f"{number}/" if number > 1 else "")
        rows = tuple(_row(say, explainer, places, at, n, b, telling) for n, b in enumerate(chunk, start))
        told, first, last = coverage(say, explainer), say.integer(start), say.integer(start + len(chunk) - 1)
        lede = say("claims.lede", coverage=told, first=first, last=last, all=say.integer(len(stated)))
        caption, title = (_part(say, say(f"claims.{key}"), number, len(chunks)) for key in ("caption", "title"))
        table = Table("table-claims", caption, (), _columns(say), rows)
        more = tuple(
            Ref(places.hrefs.to(at, route(explainer.record) + (f"{n}/" if n > 1 else "")), say("page.other_part", n=n))
            for n in range(1, len(chunks) + 1)
            if n != number
        )
        yield SubPage(at, title, lede, (table,), (), more)


def _part(say: Words, title: str, number: int, count: int) -> str:
    return say("page.part_of", title=title, n=number, all=count) if count > 1 else title


def _columns(say: Words) -> tuple[Column, ...]:
    return Column(say("claims.number")), Column(say("claims.sentence")), Column(say("claims.field"))


def _row(
    say: Words, explainer: Explainer, places: Places, here: str, number: int, bound: Bound, telling: Sequence[str]
) -> Row:
    spot, leaf = bound.spot, bound.leaf
    assert leaf is not None
    record = explainer.record
    head = Cell(
        f"{spot.token.written} {spot.token.unit}".rstrip(), raw=raw(leaf), small=(say(_KINDS[bound.entry.cls]),)
    )
    cell = (say("claims.cell", cell=spot.passage.cell),) if spot.passage.cell else ()
    said = Cell(sentence(spot), small=(*cell, spot.anchor.section or spot.anchor.field))
    row = Fact(say("claims.row"), leaf.row or words.label(leaf.key), href=href(record, places, leaf.pointer, here))
    held = Cell(_shown(say, leaf), small=(leaf.pointer,), facts=(row, *_conditions(say, record, leaf, telling)))
    cited = citations.of_pointer(record, leaf.pointer)
    refs = (ref(say, cited),) if cited else ()
    return Row(f"claim-{number}", head, (said, replace(held, derived=leaf.kind == "relation")), refs)


def _shown(say: Words, leaf: Leaf) -> str:
    """Return what a field holds, as this language prints it."""
    if leaf.kind == "number" and leaf.value is not None:
        return f"{say.number(leaf.value)} {leaf.unit}".rstrip()
    if leaf.kind == "list":
        return say.count(int(leaf.value or 0), "item")
    return f"{say.digits(leaf.text)} {leaf.unit}".rstrip() if leaf.kind == "relation" else leaf.text


def sentence(spot: Spot) -> str:
    """Return the sentence a number stands in."""
    return spot.passage.text[slice(*spot.bounds)]


def _telling(record: Record) -> tuple[str, ...]:
    """Return the conditions in which the results of a record differ, in the order of the record."""
    keys = dict.fromkeys(k for r in record.reported_results for k in r.conditions)
    first = record.reported_results[0].conditions if record.reported_results else {}
    return tuple(k for k in keys if any(r.conditions.get(k) != first.get(k) for r in record.reported_results))


def _conditions(say: Words, record: Record, leaf: Leaf, telling: Sequence[str]) -> Iterator[Fact]:
    """Yield the conditions of a claim's row that tell it from others; four short ones at most."""
    result = record.result_at(leaf.pointer)
    held = [(k, result.conditions.get(k)) for k in telling] if result else []
    short = [(k, v) for k, v in held if v is not None and len(ENGLISH.plain(v, k)) <= _SHORT]
    for key, value in short[:_MOST_CONDITIONS]:
        yield Fact(*say.field(key, value))


def claims_json(explainer: Explainer) -> bytes:
    """Return the claims of a guide as data: sentence, written form, field, its value, its source line."""
    claims = [_as_data(explainer.record, bound) for bound in explainer.claims.bound]
    counts = explainer.claims.counts()
    whole = {"record": explainer.record.id, "coverage": dict(sorted(counts.items())), "claims": claims}
    return (serial.json_text(whole) + "\n").encode()


def _as_data(record: Record, bound: Bound) -> dict[str, Any]:
    spot, entry, leaf = bound.spot, bound.entry, bound.leaf
    cited = citations.of_pointer(record, leaf.pointer) if leaf else None
    told: dict[str, Any] = {"field": entry.field, "section": entry.section or None, "sentence": sentence(spot)}
    told |= {"cell": spot.passage.cell} if spot.passage.cell else {}
    told |= {"written": entry.written, "unit": entry.unit or None, "class": entry.cls, "reason": entry.reason or None}
    told["pointer"] = entry.pointer
    if leaf is not None:
        held = leaf.value if leaf.kind in {"number", "list"} else leaf.text
        told |= {"value": held, "value_unit": leaf.unit or None, "row": entry.row or None}
        told["source"] = {"url": cited.url, "line": cited.line} if cited else None
    return told

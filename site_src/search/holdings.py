"""A guide as its pages show it → the places a search can lead to, with what each of them holds.

A place is an anchor on the guide or on a page below it: a section of the body, a row, a case, a source. What stands
nowhere under an anchor of its own belongs to the section or table around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from ..interface import Words
from ..view import Block, Case, Cell, Column, Document, Fact, Figure, Guide, Html, Listing, Row, Table

_TAG: Final = re.compile(r"<[^>]*>")
_BLANK_TAG: Final = re.compile(r"</?(?:p|li|h\d|t[dhr]|div|dd|dt|pre|br|blockquote)\b[^>]*>")
_HEADING: Final = re.compile(r"(?=<h[2-6][^>]*\sid=\")")
_ID: Final = re.compile(r"<h[2-6][^>]*\sid=\"([^\"]*)\"[^>]*>(.*?)</h[2-6]>", re.S)
_PULL: Final = re.compile(r"/(?:pull|pulls|merge_requests|pull-requests)/(\d+)")
_HREF: Final = re.compile(r"href=\"([^\"]*)\"")


@dataclass
class Place:
    """An anchor with its label, its values as (literal, unit), its running texts, and names that are no numbers.

    `is_source` marks a cited document.
    """

    route: str
    anchor: str
    label: str
    values: list[tuple[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    is_source: bool = False


def places(say: Words, guide: Guide, *, ledger: str) -> list[Place]:
    """Return the places of a guide, the guide as a whole first; `say` names its generated parts.

    Key figures and the pages below the route `ledger` only repeat what other places hold.
    """
    route, head = guide.head.route, guide.head
    whole = Place(route, "", head.title, names=[head.title, *head.models, *head.hardware], texts=[head.title])
    whole.texts += [*head.models, *head.hardware]
    found = [whole, _answer(say, guide)]
    for passage in guide.body:
        found += _passage(say, route, passage.heading, passage.blocks)
    found += _sections(say, guide)
    found += [Place(route, "limits", say("guide.limits"), texts=list(guide.foot.limits))]
    found += [_source(say, route, document) for document in guide.foot.documents]
    for page in guide.subpages:
        if not page.route.startswith(ledger):
            start = Place(page.route, "", page.title, texts=[f.text for facts in page.folded for f in facts.facts])
            found += [start, *(p for table in page.tables for p in _table(page.route, table))]
    return found


def text_of(html: str) -> str:
    """Return the words of finished HTML; tags that end a line become blanks."""
    return unescape(_TAG.sub("", _BLANK_TAG.sub(" ", html)))


def _answer(say: Words, guide: Guide) -> Place:
    head = guide.head
    texts = [text_of(head.answer), text_of(head.lede), *map(_fact, head.decision)]
    return Place(head.route, "short-answer", say("guide.short_answer"), texts=texts)


def _passage(say: Words, route: str, heading: str, blocks: Iterable[Block]) -> Iterator[Place]:
    """Yield the places of one part of the body; what comes before its first heading is the introduction."""
    match = _ID.search(heading)
    here = (
        Place(route, match[1], text_of(match[2]).strip()) if match else Place(route, "main", say("search.introduction"))
    )
    here.texts.append(text_of(heading))
    found = [here]
    for block in blocks:
        if isinstance(block, Html):
            for piece in filter(None, _HEADING.split(block.html)):
                if match := _ID.match(piece):
                    here = Place(route, match[1], text_of(match[2]).strip())
                    found.append(here)
                here.texts += [
                    text_of(piece),
                    *(f"PR {n}" for href in _HREF.findall(piece) for n in _PULL.findall(href)),
                ]
        elif isinstance(block, Table):
            found += _table(route, block)
        elif isinstance(block, Listing):
            here.texts += map(_fact, block.facts)
        elif isinstance(block, Figure):
            found.append(Place(route, block.id, _figure_label(say, block), texts=[text_of(block.caption)]))
        else:
            here.texts.append(text_of(block.caption))
    yield from found


def _figure_label(say: Words, figure: Figure) -> str:
    return say("search.figure", n=figure.number) if figure.number else say("search.title_card")


def _sections(say: Words, guide: Guide) -> Iterator[Place]:
    """Yield the places of what is generated after the body."""
    route, parts = guide.head.route, guide.sections
    if parts.shared:
        yield Place(route, "results", say("guide.results"), texts=[*map(_fact, parts.shared.facts)])
    for figure in (*parts.result_figures, *parts.memory_figures):
        yield Place(route, figure.id, _figure_label(say, figure), texts=[text_of(figure.caption)])
    capacity = Place(route, "capacity", say("guide.capacity"))
    for block in parts.capacity:
        if isinstance(block, Listing):
            capacity.texts += map(_fact, block.facts)
        else:
            yield from _table(route, block)
    if capacity.texts:
        yield capacity
    for table in (*parts.results, *parts.derived, *filter(None, [parts.memory])):
        yield from _table(route, table)
    for case in (*parts.cases, *parts.sustained):
        yield from _case(say, route, case)


def _case(say: Words, route: str, case: Case) -> Iterator[Place]:
    setup = case.setup.facts if case.setup else ()
    found = Place(
        route, case.id, case.title, texts=[case.title, *map(_fact, (*case.facts, *setup))], names=[case.title]
    )
    found.values = [*_readings(case.facts, setup)]
    yield found
    for figure in case.figures:
        yield Place(route, figure.id, _figure_label(say, figure), texts=[text_of(figure.caption)])
    for table in case.tables:
        yield from _table(route, table)


def _readings(facts: Sequence[Fact], setup: Sequence[Fact]) -> Iterator[tuple[str, str]]:
    """Yield the numbers that a case reports; the unit of `… value` may be told by a fact named `… unit`."""
    told = {fact.label.lower(): fact.text for fact in (*facts, *setup)}
    for fact in facts:
        if fact.numeric and not fact.null:
            stem, is_value, _ = fact.label.lower().rpartition("value")
            yield fact.text, told.get(f"{stem}unit", "") if is_value else ""


def _table(route: str, table: Table) -> Iterator[Place]:
    """Yield the table, then each of its rows and cells that has an anchor of its own."""
    folded = [_fact(f) for facts in table.folded for f in facts.facts]
    whole = Place(route, table.id, table.caption, texts=[table.caption, *table.notes, *folded], names=[table.caption])
    whole.names += [c.text for c in table.columns[1:]]
    yield whole
    for row in table.rows:
        label = f"{table.caption}: {row.head.text}"
        here = Place(route, row.id, label, names=[row.head.text]) if row.id else whole
        _hold(here, row.head, Column(""))
        here.texts += map(_fact, row.below)
        for cell, column in zip(row.cells, _columns(table, row), strict=True):
            place = Place(route, cell.id, label, names=[row.head.text]) if cell.id else here
            _hold(place, cell, column)
            if place is not here:
                yield place
        if here is not whole:
            yield here


def _columns(table: Table, row: Row) -> list[Column]:
    """Return the head of each cell; a cell across several columns has none."""
    own = list(table.columns[1:])
    return own if len(own) == len(row.cells) else [Column("")] * len(row.cells)


def _hold(place: Place, cell: Cell, column: Column) -> None:
    """Put what a cell shows into a place; a number's unit stands beside it or in the head of its column."""
    place.texts += [*cell.small, *map(_fact, cell.facts)]
    unit = cell.unit or (column.text.rpartition(", ")[2] if column.numeric and ", " in column.text else "")
    if cell.numeric and not cell.null and not cell.gap:
        place.values += [(text, unit) for text in dict.fromkeys(filter(None, (cell.raw, cell.text)))]
    else:
        place.texts.append(f"{cell.text} {cell.unit}")


def _fact(fact: Fact) -> str:
    return f"{fact.label}: {fact.text}"


def _source(say: Words, route: str, document: Document) -> Place:
    """Return a cited document: found by publisher, repository, path, revision, hash, number of its pull request."""
    facts = [f.text for f in document.facts if not f.null]
    named = [document.title, document.publisher]
    label = f"{say('record.source', n=document.number)} {document.title}, {document.publisher}"
    codes = [text for text in facts if " " not in text]
    found = Place(route, document.id, label, names=[*named, *codes], is_source=True)
    found.texts = [*named, document.revision, document.sha256, document.href, *facts]
    found.texts += [f"PR {n}" for text in (document.href, *facts) for n in _PULL.findall(text)]
    return found

"""Proved claims → the links that lead from a number in prose to the row that holds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

from markdown_it.token import Token

from . import markup, words
from .check import Explainer
from .claims.leaves import Leaf
from .claims.proof import Bound
from .model import Record
from .places import Places
from .prose import CLAIM, Body, Picture, Text


@dataclass(frozen=True)
class ClaimLinks:
    """The claims of one page, ready to be put into its prose."""

    explainer: Explainer
    places: Places

    @cached_property
    def by_passage(self) -> Mapping[tuple[str, tuple[int, int] | None], list[Bound]]:
        """The claims that state a field, by prose field and, in a body, by where their words stand."""
        found: dict[tuple[str, tuple[int, int] | None], list[Bound]] = {}
        for bound in self.explainer.claims.bound:
            if bound.leaf is not None and bound.entry.cls in {"claim", "derived", "count"}:
                passage = bound.spot.passage
                found.setdefault((passage.field, passage.at), []).append(bound)
        return found

    def href(self, bound: Bound) -> str:
        """Return the link from the guide to the row of the field that a claim states."""
        record = self.explainer.record
        return href(record, self.places, bound.entry.pointer or "", record.path)

    def html(self, field: str, text: str) -> str:
        """Return the text of a prose field as HTML, its claims linked."""
        found = self.by_passage.get((field, None), [])
        return "".join(self._pieces(text, found))

    def _pieces(self, text: str, found: Sequence[Bound]) -> Iterator[str]:
        at = 0
        for bound in found:
            token = bound.spot.token
            yield escape(text[at : token.start], quote=False)
            yield markup.number(token.written, raw(bound.leaf), self.href(bound))
            at = token.end
        yield escape(text[at:], quote=False)

    def marked(self, body: Body) -> Body:
        """Return the body with its claims as tokens of their own; inside a link only the value is marked."""
        blocks = tuple(self._block(number, block) for number, block in enumerate(body.blocks))
        return replace(body, blocks=blocks)

    def _block(self, number: int, block: Text | Picture) -> Text | Picture:
        if isinstance(block, Picture):
            found = self.by_passage.get(("body caption", (number, -1)))
            return replace(block, caption=tuple(self._split(block.caption, found))) if found else block
        tokens = []
        for index, token in enumerate(block.tokens):
            found = self.by_passage.get(("body", (number, index)))
            is_heading = index > 0 and block.tokens[index - 1].type == "heading_open"
            is_split = found and not is_heading
            tokens.append(token.copy(children=[*self._split(token.children or [], found or [])]) if is_split else token)
        return Text(tuple(tokens))

    def _split(self, children: Sequence[Token], found: Sequence[Bound]) -> Iterator[Token]:
        """Yield inline tokens with each claim cut out of the text it stands in."""
        at, links = 0, 0
        for child in children:
            links += {"link_open": 1, "link_close": -1}.get(child.type, 0)
            if child.type == "text" and child.content:
                yield from self._cut(child, at, found, is_linked=links > 0)
            else:
                yield child
            if child.type in {"softbreak", "hardbreak"}:
                at += 1
            elif child.type in {"text", "code_inline"}:
                at += len(child.content)

    def _cut(self, child: Token, start: int, found: Sequence[Bound], *, is_linked: bool) -> Iterator[Token]:
        text, at = child.content, 0
        for bound in found:
            first, last = bound.spot.token.start - start, bound.spot.token.end - start
            if first < at or last > len(text):
                continue
            if text[at:first]:
                yield child.copy(content=text[at:first])
            href = "" if is_linked else self.href(bound)
            yield Token(CLAIM, "", 0, content=text[first:last], meta={"raw": raw(bound.leaf), "href": href})
            at = last
        if text[at:]:
            yield child.copy(content=text[at:])


def raw(leaf: Leaf | None) -> str:
    """Return the number that a field holds, for programs; "" for a text."""
    if leaf is None:
        return ""
    if leaf.kind == "relation":
        return leaf.text.replace(",", "").replace("−", "-")
    return words.literal(leaf.value) if leaf.value is not None else ""


def href(record: Record, places: Places, pointer: str, here: str) -> str:
    """Return the link from the page at `here` to the row that holds a field: of a campaign, its first result."""
    steps = pointer.split("/")
    number = int(steps[2]) if len(steps) > 2 and steps[2].isdecimal() else 0
    if steps[1] == "relations":
        return places.relation(here, record.relations[number].id)
    if steps[1] == "campaigns":
        rows = (n for n, r in enumerate(record.reported_results, 1) if r.campaign == record.campaigns[number].id)
        first = next(rows, None)
        return places.result(here, first) if first else places.pointer(here, pointer)
    return places.pointer(here, pointer)

"""A parsed body → passages of a page: one per second-level heading, images and fenced blocks in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from markdown_it.token import Token

from . import citations, evidence_links, fences, markup, renaming
from .check import Explainer
from .hrefs import Hrefs
from .interface import Words
from .pictures import Gallery
from .prose import Picture, Text
from .view import Block, Editable, Html, Passage

Part = tuple[Token, ...] | Picture
Place = Callable[[fences.ResultsBlock], Block]


def passages(say: Words, explainer: Explainer, gallery: Gallery, hrefs: Hrefs, place: Place) -> tuple[Passage, ...]:
    """Render the body; `place` makes a generated table. A passage carries the badge of editable documents it links."""
    here = explainer.record.path

    def link(href: str) -> str:
        return hrefs.of_link(here, href)

    found = []
    for heading, parts in _split(renaming.with_old_ids(explainer.body.blocks, explainer.record.anchors)):
        blocks = [*_blocks(parts, gallery, link, place)]
        badges = tuple(_editable(say, explainer, parts))
        if heading or blocks:
            found.append(Passage(markup.html(heading, link), tuple(blocks), badges))
    return tuple(found)


def _split(blocks: Sequence[Text | Picture]) -> list[tuple[tuple[Token, ...], list[Part]]]:
    """Cut the blocks at second-level headings and at fenced blocks; the heading's own tokens come first."""
    found: list[tuple[tuple[Token, ...], list[Part]]] = [((), [])]
    for block in blocks:
        if isinstance(block, Picture):
            found[-1][1].append(block)
            continue
        start, tokens = 0, block.tokens
        for at, token in enumerate(tokens):
            is_heading = token.type == "heading_open" and token.tag == "h2" and token.level == 0
            if not is_heading and not fences.is_fence(token):
                continue
            if tokens[start:at]:
                found[-1][1].append(tokens[start:at])
            if is_heading:
                found.append((tokens[at : at + 3], []))
            else:
                found[-1][1].append((token,))
            start = at + (3 if is_heading else 1)
        if tokens[start:]:
            found[-1][1].append(tokens[start:])
    return found


def _blocks(parts: list[Part], gallery: Gallery, link: markup.Linker, place: Place) -> Iterator[Block]:
    for part in parts:
        if isinstance(part, Picture):
            if not gallery.is_opening(part):
                yield gallery.picture(part)
        elif fences.is_fence(part[0]):
            block = fences.read(part[0])
            if isinstance(block, fences.FigureBlock):
                yield gallery.block(block)
            elif isinstance(block, fences.ResultsBlock):
                yield place(block)
        else:
            yield Html(markup.html(part, link))


def _editable(say: Words, explainer: Explainer, parts: list[Part]) -> Iterator[Editable]:
    hrefs = [
        str(child.attrGet("href") or "")
        for part in parts
        if not isinstance(part, Picture)
        for token in part
        for child in token.children or ()
        if child.type == "link_open"
    ]
    for number, source in citations.numbered(explainer.record):
        if citations.is_mutable(source) and source.pinned_url in hrefs:
            yield evidence_links.editable(say, number, source)

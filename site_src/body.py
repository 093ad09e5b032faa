"""A parsed body → passages of a page: one per second-level heading, images in their place."""

from __future__ import annotations

from collections.abc import Iterator

from markdown_it.token import Token

from . import citations, markup
from .check import Explainer
from .hrefs import Hrefs
from .pictures import Gallery
from .prose import Picture, Text
from .view import Block, Editable, Html, Passage, Ref
from .words import date


def passages(explainer: Explainer, gallery: Gallery, hrefs: Hrefs) -> tuple[Passage, ...]:
    """Render the body; a passage that links to an editable document carries that document's badge."""
    here = explainer.record.path

    def link(href: str) -> str:
        return hrefs.of_link(here, href)

    found = []
    for heading, parts in _split(explainer.body.blocks):
        blocks = [*_blocks(parts, gallery, link)]
        badges = tuple(_editable(explainer, parts))
        if heading or blocks:
            found.append(Passage(markup.html(heading, link), tuple(blocks), badges))
    return tuple(found)


Part = tuple[Token, ...] | Picture


def _split(blocks: tuple[Text | Picture, ...]) -> list[tuple[tuple[Token, ...], list[Part]]]:
    """Cut the blocks at second-level headings; the heading's own tokens come first."""
    found: list[tuple[tuple[Token, ...], list[Part]]] = [((), [])]
    for block in blocks:
        if isinstance(block, Picture):
            found[-1][1].append(block)
            continue
        start = 0
        tokens = block.tokens
        for at, token in enumerate(tokens):
            if token.type == "heading_open" and token.tag == "h2" and token.level == 0:
                if tokens[start:at]:
                    found[-1][1].append(tokens[start:at])
                found.append((tokens[at : at + 3], []))
                start = at + 3
        if tokens[start:]:
            found[-1][1].append(tokens[start:])
    return found


def _blocks(parts: list[Part], gallery: Gallery, link: markup.Linker) -> Iterator[Block]:
    for part in parts:
        if not isinstance(part, Picture):
            yield Html(markup.html(part, link))
        elif not gallery.is_opening(part):
            yield gallery.picture(part)


def _editable(explainer: Explainer, parts: list[Part]) -> Iterator[Editable]:
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
            ref = Ref(f"#src-{number}", f"source {number}")
            yield Editable(ref, date(source.checked_on), source.document_sha256)

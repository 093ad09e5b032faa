"""A Markdown body → Body: its blocks, links, pictures and headings, and the faults that Markdown would hide.

CommonMark with tables, strikethrough and footnotes; raw HTML is off (the preset turns it on) and shows as text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from .urls import fault_of_link

# Ids that a page gives its own parts: a heading of the body never takes one of them.
PAGE_IDS: Final = frozenset(
    [
        "main",
        "short-answer",
        "key-figures",
        "contents",
        "results",
        "cases",
        "derived",
        "capacity",
        "memory",
        "sustained",
        "reading",
        "about",
        "limits",
        "audit",
        "changelog",
        "sources",
        "cite",
    ]
)
# An inline token that stands for a number of the text which states a field of the record.
CLAIM: Final = "claim"
# Where the token of a heading keeps the ids that it had before.
OLD_IDS: Final = "old_ids"
_PART_ID: Final = re.compile(r"(result|case|observation|sustained|src|fig|table|fn|fnref|finding)-?\d+|change-\d{4}-.+")


@dataclass(frozen=True)
class Fault:
    """What is wrong at a place of the body; becomes a Problem with the record's address."""

    offset: int
    code: str
    message: str
    remedy: str


@dataclass(frozen=True)
class Link:
    """A link of the body, as written."""

    href: str
    offset: int


@dataclass(frozen=True)
class Heading:
    """A heading with the id it has on the page."""

    level: int
    id: str
    text: str


@dataclass(frozen=True)
class Text:
    """A run of block tokens that become HTML."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Picture:
    """An image that stands alone, with the emphasised line under it as its caption."""

    src: str
    alt: str
    caption: tuple[Token, ...]
    offset: int


Block: TypeAlias = Text | Picture


@dataclass(frozen=True)
class Body:
    """A parsed body; what the page shows of `source` begins at `start`, behind a title that repeats the page's."""

    source: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    headings: tuple[Heading, ...]
    faults: tuple[Fault, ...]
    start: int = 0

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The images in order."""
        return tuple(b for b in self.blocks if isinstance(b, Picture))


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).use(footnote_plugin)
    # Links are judged by `fault_of_link`; the built-in check would turn a bad one into text without a word.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


_MARKDOWN: Final = _parser()


def parse(source: str, title: str) -> Body:
    """Parse a body. A first H1 equal to `title` is dropped, the page prints it already."""
    tokens = _MARKDOWN.parse(source)
    lines, start = _Lines(source), 0
    if _is_title(tokens, title):
        start, tokens = lines.end(tokens[0]), tokens[3:]
    headings = _identify(tokens)
    faults = [*_ragged_rows(tokens, lines)]
    links: list[Link] = []
    for link in _links(tokens, lines):
        links.append(link)
        if fault := fault_of_link(link.href):
            faults.append(Fault(link.offset, "unsafe-link", fault, "Link to an http or https address."))
    blocks = tuple(_blocks(tokens, lines, faults))
    return Body(source, blocks, tuple(links), headings, tuple(faults), start)


class _Lines:
    """Offsets of source lines, and searches that start at a token's first line."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.starts = [0, *(m.end() for m in re.finditer("\n", source))]

    def start(self, token: Token) -> int:
        return self.starts[token.map[0]] if token.map else 0

    def find(self, token: Token, text: str) -> int:
        found = self.source.find(text, self.start(token)) if text else -1
        return found if found >= 0 else self.start(token)

    def end(self, token: Token) -> int:
        return self.starts[token.map[1]] if token.map and token.map[1] < len(self.starts) else len(self.source)

    def past(self, text: str, at: int, end: int) -> int:
        """Return the offset behind the next `text`, or `at` where it is written otherwise (escapes, entities)."""
        found = self.source.find(text, at, end)
        return found + len(text) if text and found >= 0 else at

    def destination(self, href: str, at: int) -> int:
        """Return where the address of a link stands whose words end at `at`: behind them, or in a definition."""
        inline = re.compile(r"[^\]\n]*\]\(\s*<?").match(self.source, at)
        if inline:
            return inline.end()
        defined = re.search(rf"^[ >]*\[[^\]]+\]:\s*<?(?={re.escape(href)})", self.source, re.M) if href else None
        return defined.end() if defined else at


def _links(tokens: Sequence[Token], lines: _Lines) -> Iterator[Link]:
    """Yield the links in order. The source is walked along with the words, so that each link finds its own address."""
    at = 0
    for token in tokens:
        start, end = lines.start(token), lines.end(token)
        # Cells of one row share its line; notes are moved behind the body, and the walk begins again there.
        at = at if start <= at < end else start
        href, opened = "", at
        for child in token.children or ():
            if child.type == "link_open":
                href, opened = str(child.attrGet("href") or ""), at
            elif child.type == "link_close":
                is_bare = child.markup == "autolink"
                place = lines.past("<", opened, end) if is_bare else lines.destination(href, at)
                yield Link(href, place)
                at = place if at < place < end else at
            else:
                at = lines.past(child.content, at, end)
                at = lines.past(")", at, end) if child.type == "image" else at


def _is_title(tokens: Sequence[Token], title: str) -> bool:
    return len(tokens) > 2 and tokens[0].tag == "h1" and plain_text(tokens[1]).strip() == title.strip()


def plain_text(inline: Token) -> str:
    """Return the words of an inline token without its markup."""
    return "".join(
        c.content if c.type in {"text", "code_inline", CLAIM} else " " if c.type in {"softbreak", "hardbreak"} else ""
        for c in inline.children or ()
    )


def _identify(tokens: Sequence[Token]) -> tuple[Heading, ...]:
    """Give every heading its id, and levels from 2 that never skip one, as the page's outline needs."""
    taken: set[str] = set()
    found: list[Heading] = []
    open_levels: list[int] = []
    for at, token in enumerate(tokens):
        if token.type != "heading_open" or token.level != 0:
            continue
        written = int(token.tag[1])
        open_levels = [level for level in open_levels if level < written] + [written]
        level = min(len(open_levels) + 1, 6)
        token.tag = tokens[at + 2].tag = f"h{level}"
        text = plain_text(tokens[at + 1])
        heading = Heading(level, unique_slug(text, taken), text)
        token.attrSet("id", heading.id)
        found.append(heading)
    return tuple(found)


def slug(text: str) -> str:
    """Return an id made of the letters, marks and digits of any script (NFC, case folded)."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    kept = "".join(c if unicodedata.category(c)[0] in "LMN" else "-" for c in folded)
    return re.sub("-+", "-", kept).strip("-")


def is_own_id(name: str) -> bool:
    """Tell whether an id is one that a page gives its own parts."""
    return name in PAGE_IDS or _PART_ID.fullmatch(name) is not None


def unique_slug(text: str, taken: set[str]) -> str:
    """Return a slug no earlier heading and no part of the page has; never empty. Adds it to `taken`."""
    base = slug(text) or "section"
    candidate, n = base, 1
    while candidate in taken or is_own_id(candidate):
        n += 1
        candidate = f"{base}-{n}" if not _PART_ID.fullmatch(f"{base}-{n}") else f"{base}-s{n}"
    taken.add(candidate)
    return candidate


def _ragged_rows(tokens: Sequence[Token], lines: _Lines) -> Iterator[Fault]:
    """Yield a fault for each table row with more cells than its header: Markdown drops them silently."""
    for at, token in enumerate(tokens):
        if token.type != "table_open" or token.map is None:
            continue
        close = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
        columns = sum(t.type == "th_open" for t in tokens[at:close])
        for row in tokens[at:close]:
            if row.type != "tr_open" or row.map is None or row.map[0] == token.map[0]:
                continue
            line = lines.source[lines.starts[row.map[0]] :].partition("\n")[0]
            # In a quotation or a list the marks of the container stand before the row.
            start = lines.starts[row.map[0]] + len(line) - len(line.lstrip(" \t>"))
            cells = _cells(line.lstrip(" \t>"))
            if cells > columns:
                message = f"the row has {cells} cells, its table has {columns} columns"
                yield Fault(start, "ragged-row", message, "Add a header cell, or escape a | inside a cell as \\|.")


def _cells(line: str) -> int:
    cells = escapedSplit(line.strip())
    return len(cells) - (cells[0] == "") - (len(cells) > 1 and cells[-1] == "")


def _blocks(tokens: Sequence[Token], lines: _Lines, faults: list[Fault]) -> Iterator[Block]:
    """Split the body at images that stand alone; a following paragraph of one emphasis is the caption."""
    run: list[Token] = []
    at = 0
    while at < len(tokens):
        picture = _lone_image(tokens, at)
        if picture is None:
            run.append(tokens[at])
            _refuse_inline_images(tokens[at], lines, faults)
            at += 1
            continue
        if run:
            yield Text(tuple(run))
            run = []
        caption = _caption(tokens, at + 3)
        src, alt = str(picture.attrGet("src") or ""), picture.content.strip()
        offset = lines.find(tokens[at], src)
        if not alt:
            remedy = "Say between the brackets what the image shows."
            faults.append(Fault(offset, "image-without-alt", f"the image {src} has no alternative text", remedy))
        yield Picture(src, alt, caption, offset)
        at += 6 if caption else 3
    if run:
        yield Text(tuple(run))


def _paragraph(tokens: Sequence[Token], at: int) -> Sequence[Token] | None:
    """Return the inline children of a top-level paragraph that starts at `at`."""
    if at + 2 < len(tokens) and tokens[at].type == "paragraph_open" and tokens[at].level == 0:
        return tokens[at + 1].children or ()
    return None


def _lone_image(tokens: Sequence[Token], at: int) -> Token | None:
    children = _paragraph(tokens, at)
    return children[0] if children and len(children) == 1 and children[0].type == "image" else None


def _caption(tokens: Sequence[Token], at: int) -> tuple[Token, ...]:
    children = _paragraph(tokens, at) or ()
    if len(children) > 2 and children[0].type == "em_open" and children[-1].type == "em_close":
        inner = tuple(children[1:-1])
        return inner if not any(c.type in {"em_open", "em_close", "image"} for c in inner) else ()
    return ()


def _refuse_inline_images(token: Token, lines: _Lines, faults: list[Fault]) -> None:
    for child in token.children or ():
        if child.type == "image":
            src = str(child.attrGet("src") or "")
            message = f"the image {src} stands inside a text"
            remedy = "Put it in a paragraph of its own, with an emphasised caption line under it."
            faults.append(Fault(lines.find(token, src), "image-in-text", message, remedy))

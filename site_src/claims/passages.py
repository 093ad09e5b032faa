"""A record with its sidecars → every passage of prose that a reader sees, each with its section and its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from markdown_it.token import Token

from .. import fences, interface
from ..load import Document
from ..placing import place_of_body
from ..pointers import escape
from ..prose import Body, Picture, Text

BODY: Final = "body"
_WORD: Final = re.compile(r"\w+(?:[.,]\w+)*")
# How many characters one may take in Markdown: &thinsp; has the longest name that stands beside numbers.
_ESCAPED: Final = 8
# Prose fields of a record as patterns of JSON pointers; * is one step.
PROSE: Final = (
    "/title",
    "/summary",
    "/answer",
    "/decision",
    "/scope",
    "/image/alt",
    "/image/caption",
    "/key_figures/*/label",
    "/key_figures/*/unit",
    "/key_figures/*/note",
    "/result_card/*",
    "/claims/*/title",
    "/claims/*/text",
    "/profiles/*/label",
    "/profiles/*/short_evidence",
    "/profiles/*/deepest/note",
    "/envelope/*/label",
    "/envelope/*/allowance",
    "/envelope/*/status",
    "/envelope_note",
    "/evidence_boundary/*",
    "/named_sources/*/why",
    "/campaigns/*/label",
    "/reported_results/*/label",
    "/relations/*/label",
    "/comparisons/*/label",
    "/changelog/*/what",
    "/changelog/*/why",
)


@dataclass(frozen=True)
class Passage:
    """One run of words: a field of the record, a paragraph, a list item, a cell, a caption, an alternative text.

    `field` is the JSON pointer of a field, or `body`, `body alt`, `body caption`, `figure NAME`, `audit CODE POINTER`;
    `section` the id of the heading
    above; `context` the words around that tell of its scope (heading, column and row heads); `row` what passages of
    one table row share, `cell` the heads of its row and column; `starts` pairs offsets in `text` with offsets in the
    text at `file` and `pointer`; `at` is where its inline tokens stand in the body: block, token (-1: the caption of a
    picture). `decimal_comma` tells that the language of the record has one.
    """

    field: str
    section: str
    text: str
    file: str
    pointer: str
    starts: tuple[tuple[int, int], ...] = ((0, 0),)
    context: str = ""
    row: str = ""
    cell: str = ""
    at: tuple[int, int] | None = None
    decimal_comma: bool = False

    def offset(self, at: int) -> int:
        """Return where the character `at` of the passage stands in the text at `pointer`."""
        index = bisect_right([plain for plain, _ in self.starts], at) - 1
        plain, source = self.starts[max(index, 0)]
        return source + at - plain


def passages(document: Document, data: Any, body: Body) -> tuple[Passage, ...]:
    """Return every passage of a record's `data` and body, fields first, in the order of the files."""
    found = (*_fields(document.file, data), *_body(document, body), *_sidecars(document))
    with_comma = interface.of(str(data.get("lang") or "")).decimal == ","
    return tuple(replace(p, decimal_comma=True) for p in found) if with_comma else found


def _sidecars(document: Document) -> Iterator[Passage]:
    """Yield the drawn titles of figures, and the reasons of accepted findings."""
    figures = document.figures if isinstance(document.figures, dict) else {}
    for name, entry in figures.items():
        if isinstance(entry, dict) and isinstance(entry.get("title"), str):
            file, pointer = document.figures_file or "", f"/{escape(name)}/title"
            yield Passage(f"figure {name}", "", entry["title"], file, pointer)
    for index, entry in enumerate(document.audit if isinstance(document.audit, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("reason"), str):
            field = f"audit {entry.get('code')} {entry.get('pointer')}"
            yield Passage(field, "", entry["reason"], document.audit_file or "", f"/{index}/reason")


def _fields(file: str, data: Any) -> Iterator[Passage]:
    for pattern in PROSE:
        for pointer, text in _matches(data, pattern.split("/")[1:], ""):
            if isinstance(text, str):
                yield Passage(pointer, "", text, file, pointer)


def _matches(value: Any, steps: Sequence[str], pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield pointer and value of everything that a pattern leads to."""
    if not steps:
        yield pointer, value
        return
    entries: Sequence[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        entries = [*value.items()] if steps[0] == "*" else [(steps[0], value[steps[0]])] if steps[0] in value else []
    elif isinstance(value, list) and steps[0] == "*":
        entries = [*enumerate(value)]
    for key, item in entries:
        yield from _matches(item, steps[1:], f"{pointer}/{escape(key)}")


def is_prose(pointer: str) -> bool:
    """Tell whether a pointer leads to a prose field, which is no evidence for other prose."""
    return _PROSE.fullmatch(pointer) is not None


_PROSE: Final = re.compile("|".join(pattern.replace("*", "[^/]+") for pattern in PROSE))


@dataclass
class _Scope:
    """Where the walk over a body stands: its section, the heads of the table it is in, and its row."""

    section: str = ""
    heading: str = ""
    placed: str = ""
    heads: tuple[str, ...] = ()
    first: str = ""
    column: int = 0
    row: str = ""
    in_head: bool = False


def _body(document: Document, body: Body) -> Iterator[Passage]:
    """Yield the passages of a body in order; its own title is dropped with the heading that repeats it."""
    file, pointer = place_of_body(document)
    lines = [0, *(m.end() for m in re.finditer("\n", body.source))]
    scope = _Scope()
    for number, block in enumerate(body.blocks):
        if isinstance(block, Picture):
            at = max(body.source.find(block.alt, body.source.rfind("\n", 0, block.offset) + 1), 0)
            yield Passage("body alt", scope.section, block.alt, file, pointer, ((0, at),), scope.heading)
            if block.caption:
                below = max(body.source.find("\n", block.offset), block.offset)
                text, starts = _words(block.caption, body.source, below)
                yield Passage(
                    "body caption", scope.section, text, file, pointer, starts, scope.heading, at=(number, -1)
                )
        else:
            for found in _run(block, number, scope, body.source, lines):
                yield Passage(file=file, pointer=pointer, **found)


def _run(block: Text, number: int, scope: _Scope, source: str, lines: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield what makes the passages of a run of block tokens."""
    walked = 0
    for index, token in enumerate(block.tokens):
        line = lines[token.map[0]] if token.map else 0
        _step(scope, token, number, index)
        if token.type == "inline":
            previous = block.tokens[index - 1]
            # Cells of one row share its line, so that the walk goes on where the last cell ended.
            text, starts = _words(token.children or (), source, max(line, walked if scope.row else 0))
            walked = starts[-1][1] + len(text) - starts[-1][0] if starts else walked
            if previous.type == "heading_open":
                scope.section, scope.heading = str(previous.attrGet("id") or scope.section), text
                scope.placed = ""
            if previous.type == "th_open":
                scope.heads = (*scope.heads, text)
            head = scope.heads[scope.column] if scope.column < len(scope.heads) and not scope.in_head else ""
            context = " ".join(filter(None, (scope.heading, scope.placed, head, scope.first)))
            yield {"field": BODY, "section": scope.section, "text": text, "starts": starts or ((0, line),),
                   "context": context, "row": scope.row, "at": (number, index),
                   "cell": ", ".join(filter(None, (scope.first, head)))}  # fmt: skip
            scope.first = scope.first or (text if previous.type == "td_open" else "")
        elif fences.is_fence(token):
            yield from _fenced(token, scope, source, line)
            # What a generated table shows is what the sentences around it speak of.
            scope.placed = token.content


def _step(scope: _Scope, token: Token, number: int, index: int) -> None:
    """Follow a token into or out of tables, rows and cells."""
    if token.type == "thead_open":
        scope.heads, scope.in_head = (), True
    elif token.type == "thead_close":
        scope.in_head = False
    elif token.type == "tr_open":
        scope.row, scope.first, scope.column = f"{number}.{index}", "", -1
    elif token.type in {"td_open", "th_open"}:
        scope.column += 1
    elif token.type == "table_close":
        scope.row, scope.first, scope.heads, scope.column = "", "", (), 0


def _fenced(token: Token, scope: _Scope, source: str, line: int) -> Iterator[dict[str, Any]]:
    """Yield caption and alternative text of a fenced block that places a table or a figure."""
    block = fences.read(token)
    found = {} if isinstance(block, str) else {"caption": block.caption, "alt": getattr(block, "alt", None)}
    for name, text in found.items():
        if text:
            at = max(source.find(text, line), line)
            yield {"field": f"{BODY} {name}", "section": scope.section, "text": text, "starts": ((0, at),),
                   "context": scope.heading}  # fmt: skip


def _words(children: Sequence[Token], source: str, start: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the words of inline tokens, and where each piece of them stands in the source."""
    text, starts, at = "", list[tuple[int, int]](), start
    for child in children:
        if child.type in {"softbreak", "hardbreak"}:
            text += " "
        elif child.type in {"text", "code_inline"} and child.content:
            pieces, at = _places(child.content, source, at)
            starts += [(len(text) + plain, found) for plain, found in pieces]
            text += child.content
    return text, tuple(starts)


def _places(content: str, source: str, at: int) -> tuple[list[tuple[int, int]], int]:
    """Return where the pieces of a text stand in the source, and where it ends: each word of what is escaped there."""
    found = source.find(content, at)
    if found >= 0:
        return [(0, found)], found + len(content)
    pieces, end = [(0, at)], at + _ESCAPED * len(content)
    for word in _WORD.finditer(content):
        found = source.find(word[0], at, end)
        if found >= 0:
            pieces.append((word.start(), found))
            at = found + len(word[0])
    return pieces, at

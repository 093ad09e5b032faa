"""Cells, facts, figures and tables of a page → Markdown that reads back as the same words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape

from .interface import ENGLISH
from .view import Cell, Fact, Facts, Figure, Listing, Photo, Ref, Row, Table

Linker = Callable[[str], str]
"""Turns an address as the page has it into the one that the Markdown file has."""

# An underscore inside a word, as identifiers have it, marks nothing up.
_MARKS = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
# What would begin a heading, a list or a quotation at the start of a line.
_STARTS = re.compile(r"^(#{1,6}(?=\s|$)|[-+](?=[\s-]|$)|=+$|\d{1,9}(?=[.)](?:\s|$)))")


def text(plain: str) -> str:
    """Return plain text as Markdown of one line that shows it as it is."""
    line = re.sub(r"\s*\n\s*", " ", plain.strip())
    escaped = _MARKS.sub(lambda m: f"\\{m[0]}", line)
    return _STARTS.sub(lambda m: f"{m[0]}\\" if m[0].isdecimal() else f"\\{m[0]}", escaped)


def words(html: str) -> str:
    """Return the words of finished HTML as Markdown; it holds text, links and values, and nothing else."""
    return text(unescape(re.sub(r"<[^>]*>", "", html)))


def link(label: str, href: str) -> str:
    """Return a link; its label is plain text, its address one that a page carries."""
    address = re.sub(r"[\s<>]", lambda m: f"%{ord(m[0]):02X}", href)
    return f"[{text(label)}](<{address}>)" if re.search(r"[()]", address) else f"[{text(label)}]({address})"


def refs(found: Iterable[Ref], to: Linker) -> str:
    """Return evidence links with their notes, separated by blanks."""
    return " ".join(link(r.text, to(r.href)) + (f", {text(r.note)}" if r.note else "") for r in found)


def fact(one: Fact, to: Linker) -> str:
    """Return a labelled value: Label: value, a link where it has one."""
    return f"{text(one.label)}: {link(one.text, to(one.href)) if one.href else text(one.text)}"


def facts(found: Iterable[Fact], to: Linker) -> Iterator[str]:
    """Yield the lines of a list of facts."""
    yield from (f"- {fact(f, to)}" for f in found)


def folded(found: Facts, to: Linker) -> Iterator[str]:
    """Yield what a page folds, under its summary line."""
    yield from (f"{text(found.summary)}:", "", *facts(found.facts, to), "")


def table(of: Table, to: Linker) -> Iterator[str]:
    """Yield a table under its caption, then what is folded behind it.

    What a page prints below a row across its whole width becomes a column of its own.
    """
    yield f"**{text(of.caption)}** {' '.join(text(n) for n in of.notes)}".rstrip()
    yield ""
    has_below = any(row.below for row in of.rows)
    heads = [text(c.text) for c in of.columns] + ["Conditions"] * has_below + ["Source"] * of.sourced
    aligned = ["---:" if c.numeric else "---" for c in of.columns] + ["---"] * (has_below + of.sourced)
    yield _row(heads)
    yield _row(aligned)
    for row in of.rows:
        cells = [_cell(row.head, to), *(cell for c in row.cells for cell in [_cell(c, to)] * max(c.gap, 1))]
        cells += ["; ".join(fact(f, to) for f in row.below)] * has_below
        yield _row(cells + [_source(row, to)] * of.sourced)
    yield ""
    for more in of.folded:
        yield from folded(more, to)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _source(row: Row, to: Linker) -> str:
    return refs(row.refs, to) if row.refs else text(ENGLISH("source.computed" if row.is_derived else "source.none"))


def _cell(cell: Cell, to: Linker) -> str:
    """Return the main text of a cell with its unit, then the lines a page prints small."""
    shown = " ".join(filter(None, (text(cell.text), text(cell.unit))))
    small = ["derived"] * cell.derived + [text(s) for s in cell.small]
    small += [refs(cell.refs, to)] * bool(cell.refs) + [fact(f, to) for f in cell.facts]
    return "; ".join(filter(None, (shown, *small)))


def picture(of: Figure | Photo, to: Linker) -> Iterator[str]:
    """Yield an image with its caption, and where its data lie."""
    address = of.wide if isinstance(of, Figure) else of.src
    yield from (f"!{link(of.alt, to(address))}", "")
    number = f"Figure {of.number}. " if isinstance(of, Figure) and of.number else ""
    caption = f"{number}{words(of.caption)}".strip()
    more = ", ".join(link(d.text, to(d.href)) for d in of.downloads) if isinstance(of, Figure) else ""
    if caption or more:
        yield from (" ".join(filter(None, (caption, more))), "")


def block(of: Table | Listing | Figure | Photo, to: Linker) -> Iterator[str]:
    """Yield what a fenced block of a body asks for."""
    if isinstance(of, Table):
        yield from table(of, to)
    elif isinstance(of, Listing):
        yield from (*facts(of.facts, to), "")
    else:
        yield from picture(of, to)

"""YAML entries → lines in canonical layout: two blanks a level, keys in the order of the schema, scalars as written.

What stands in brackets stays in them where it fits on one line and its keys are the schema's; the editor's own keys,
conditions above all, get a line each. Brackets that hold a comment or a text of several lines are moved as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import Final

import yaml

from .order import Order
from .yaml_parts import Entry, Whole, as_entries, is_flow, raw, raw_key

WIDTH: Final = 120
_STEP: Final = 2
_HEADER: Final = re.compile(r"(?P<style>[|>])(?P<marks>[+\-\d]*)(?P<rest>[^\n]*)")


class _Blank(str):
    """A blank line that parts entries, and is no part of a text."""


class _Kept(str):
    """The last line of a text that keeps all blank lines below it: one there would be added to the text."""


def lines(whole: Whole, order: Order) -> list[str]:
    """Return the lines of a text in canonical layout."""
    body = _Writing(whole).block(whole.entries, order, 0)
    # A blank line keeps what opens the file apart from what is said of the first entry.
    gap = [_Blank()] if whole.head and body[0].lstrip().startswith("#") else []
    found = list[str]()
    for line in [*_at(0, whole.head), *gap, *body, *_at(0, whole.rest)]:
        if not isinstance(line, _Blank) or (found and not isinstance(found[-1], _Blank | _Kept)):
            found.append(line)
    return found


def _at(column: int, given: Sequence[str]) -> list[str]:
    """Return comments and blank lines at a column."""
    return [" " * column + line if line else _Blank() for line in given]


class _Writing:
    """Writes the entries of one text."""

    def __init__(self, whole: Whole) -> None:
        self.whole = whole

    def block(self, entries: Sequence[Entry], order: Order, column: int) -> list[str]:
        """Return the lines of the entries of one collection."""
        is_mapping = bool(entries[0].key)
        places = order.arranged([e.name for e in entries]) if is_mapping else range(len(entries))
        found: list[str] = []
        for place in places:
            entry = entries[place]
            own = self.entry(entry, order.below(entry.name) if is_mapping else order.item(), column)
            lead = entry.lead if found else list(dropwhile(lambda line: not line, entry.lead))
            found += [*_at(column, lead), *own, *_at(column, entry.foot)]
        return found

    def entry(self, entry: Entry, order: Order, column: int) -> list[str]:
        """Return the lines of one entry without those above and below it."""
        inside = entry.inside or self.opened(entry, order, column)
        if not inside:
            return self.closed(entry, order, column)
        held = self.block(inside, order, column + _STEP)
        if entry.key:
            return [f"{' ' * column}{entry.key}:{entry.tail}", *held]
        first = next(n for n, line in enumerate(held) if line and not line.lstrip().startswith("#"))
        above = [" " * column + entry.tail.lstrip()] if entry.tail else []
        above += [line[_STEP:] if line else line for line in held[:first]]
        return [*above, f"{' ' * column}- {held[first][column + _STEP :]}", *held[first + 1 :]]

    def opened(self, entry: Entry, order: Order, column: int) -> list[Entry]:
        """Return what stands in brackets as entries, where it is to have a line each; else nothing."""
        node = entry.node
        if not isinstance(node, yaml.CollectionNode) or not node.value or not self.whole.is_plain(node):
            return []
        is_own = isinstance(node, yaml.MappingNode) and order.is_free
        width = column + len(entry.key) + _STEP + len(self.flow(node, order))
        return as_entries(self.whole.text, node) if is_own or width > WIDTH else []

    def flow(self, node: yaml.Node, order: Order) -> str:
        """Return a node on one line."""
        text = self.whole.text
        if not is_flow(node):
            return raw(text, node)
        if isinstance(node, yaml.SequenceNode):
            return f"[{', '.join(self.flow(value, order.item()) for value in node.value)}]"
        names = [str(key.value) for key, _ in node.value]
        pairs = [(*node.value[n], order.below(names[n])) for n in order.arranged(names)]
        return "{" + ", ".join(f"{raw_key(text, key)}: {self.flow(value, below)}" for key, value, below in pairs) + "}"

    def closed(self, entry: Entry, order: Order, column: int) -> list[str]:
        """Return an entry whose value is a scalar or stays in brackets."""
        node = entry.node
        if is_flow(node) and self.whole.is_plain(node):
            first, *others = [self.flow(node, order)]
        else:
            first, *others = raw(self.whole.text, node).split("\n")
        if isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"}:
            first, others = _block(first, others, node, entry.column, column)
        elif is_flow(node):
            others = [_moved(line, column - entry.column, column) for line in others]
        else:
            others = [_moved(line, 0, column + _STEP, column + _STEP) for line in others]
        mark = f"{' ' * column}{entry.key}:" if entry.key else f"{' ' * column}-"
        *held, last = [f"{mark} {first}" if first else mark, *others]
        return [*held, last + entry.tail if entry.tail else last]


def _moved(line: str, by: int, least: int, most: int | None = None) -> str:
    """Return a line whose blanks at its start mean nothing with so many more of them."""
    told = line.lstrip(" \t")
    width = max(least, len(line) - len(told) + by)
    return " " * (width if most is None else min(most, width)) + told if told else ""


def _block(first: str, others: list[str], node: yaml.ScalarNode, column: int, wanted: int) -> tuple[str, list[str]]:
    """Return header and lines of a block of text whose entry moves from one column to another."""
    header = _HEADER.match(first)
    marks, rest = (header["marks"], header["rest"]) if header else ("", "")
    digit = marks.strip("+-")
    # The end of the file took the last line feed; the one that the layout adds is not part of the text.
    if node.value and not node.value.endswith("\n") and "-" not in marks:
        first = f"{node.style}{digit}-{rest}"
    written = [line for line in others if line.strip()]
    indent = (
        column + int(digit) if digit else min((len(line) - len(line.lstrip(" ")) for line in written[:1]), default=0)
    )
    margin = " " * (wanted + (int(digit) if digit else _STEP))
    if others and not others[-1] and first[:2] != f"{node.style}-":
        others = others[:-1]
    moved = [margin + line[indent:] if line.strip() or len(line) > indent > 0 else "" for line in others]
    return first, [*moved[:-1], *map(_Kept, moved[-1:])] if "+" in marks else moved

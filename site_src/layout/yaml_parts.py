"""YAML text → its block entries as a tree, each with the comments and blank lines that belong to it.

A comment on the line of an entry stays on it; one on a line of its own belongs to the entry below it, or, where it is
indented further than that, to the end of the part above. Comments inside brackets stay there, see yaml_lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import yaml

from ..locate import YAML_LOADER

_COMMENT: Final = re.compile(r"#[^\n]*")
_KEPT: Final = re.compile(r"[|>]\d?\+")


class Unsuited(Exception):
    """The text says something for which the canonical layout has no form: what it is, and where."""

    def __init__(self, offset: int, message: str, remedy: str) -> None:
        """Keep the place, the fact and what to do."""
        super().__init__(message)
        self.offset, self.message, self.remedy = offset, message, remedy


@dataclass
class Entry:
    """One key or list item in block layout. `key` is raw, "" for an item; `column` is that of the key or dash.

    `lead` are comment lines above it and "" for blank ones, `tail` what stands behind it on its line with the blanks
    before it, `foot` the lines at the end of what lies in it.
    """

    key: str
    name: str
    node: yaml.Node
    column: int
    start: int
    inside: list[Entry] = field(default_factory=list)
    lead: list[str] = field(default_factory=list)
    tail: str = ""
    foot: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Whole:
    """A YAML text: the lines above its first entry, the entries, and the lines below the last."""

    text: str
    head: tuple[str, ...]
    entries: list[Entry]
    rest: tuple[str, ...]
    remarks: tuple[int, ...]

    def is_plain(self, node: yaml.Node) -> bool:
        """Tell whether a node in brackets, or a scalar, holds no comment and no text of several lines."""
        if not is_flow(node):
            return "\n" not in raw(self.text, node)
        first = bisect_left(self.remarks, node.start_mark.index)
        has_remark = first < len(self.remarks) and self.remarks[first] < node.end_mark.index
        return not has_remark and all(self.is_plain(n) for pair in children(node) for n in pair if n is not None)


@dataclass(frozen=True)
class _Remark:
    """One comment: where it starts, whether it has its line for itself, whether a blank line stands above it."""

    start: int
    text: str
    gap: str
    is_alone: bool
    is_apart: bool


def whole(text: str) -> Whole | None:
    """Return the entries of a text that parses, or None where it has none to lay out. Raises Unsuited."""
    root = yaml.compose(text, Loader=YAML_LOADER)
    if not isinstance(root, yaml.CollectionNode) or not root.value:
        return None
    reading = _Reading(text)
    first = text.rfind("\n", 0, root.start_mark.index) + 1
    head, lead = _head(text[:first])
    entries = as_entries(text, root) if root.flow_style else reading.entries(root)
    below = [] if root.flow_style else reading.attach(entries, first)
    entries[0].lead[:0] = lead
    below += [line.rstrip() for line in text[reading.end :].split("\n") if line.strip()]
    found = Whole(text, head, entries, tuple(below), tuple(remark.start for remark in reading.remarks))
    return None if root.flow_style and not found.is_plain(root) else found


def remarks(text: str) -> list[str]:
    """Return the comments of a text that parses, in their order. Raises Unsuited."""
    return [remark.text for remark in _Reading(text).remarks]


def as_entries(text: str, node: yaml.CollectionNode) -> list[Entry]:
    """Return what stands in brackets as entries of a block; they hold neither comments nor texts of several lines."""
    at = int(node.start_mark.index)
    return [
        Entry(raw_key(text, key) if key else "", str(key.value) if key else "", value, 0, at)
        for key, value in children(node)
    ]


def _head(text: str) -> tuple[tuple[str, ...], list[str]]:
    """Part the lines above the first entry: those that open the file, and those of the entry behind a blank line."""
    lines = [line.strip() for line in text.lstrip("\n").split("\n")[:-1]]
    fixed = next((n + 1 for n in reversed(range(len(lines))) if lines[n].startswith("---")), 0)
    blank = next((n for n in reversed(range(fixed, len(lines))) if not lines[n]), len(lines))
    head = lines[: blank + 1] if any(lines[:blank]) else []
    return tuple(head), lines[blank + 1 :]


class _Reading:
    """The tokens of one text: where its dashes, comments and blank lines are."""

    def __init__(self, text: str) -> None:
        self.text, self.end = text, len(text)
        self.dashes: list[int] = []
        self.remarks: list[_Remark] = []
        self.apart: set[int] = set()
        at = 0
        for token in yaml.scan(text, Loader=YAML_LOADER):
            start = token.start_mark.index
            self._take(token)
            if token.end_mark.index > start:
                self._gap(at, start)
                at = scalar_end(text, token) if isinstance(token, yaml.ScalarToken) else token.end_mark.index
        self._gap(at, self.end)

    def _take(self, token: yaml.Token) -> None:
        start, is_written = token.start_mark.index, token.end_mark.index > token.start_mark.index
        if isinstance(token, yaml.BlockEntryToken):
            self.dashes.append(start)
        elif isinstance(token, yaml.AnchorToken):
            raise Unsuited(start, f"the anchor &{token.value} is read by nothing", "Take it out.")
        elif isinstance(token, yaml.KeyToken) and is_written:
            raise Unsuited(start, "a key is marked with ?", "Write KEY: VALUE.")
        elif isinstance(token, yaml.DocumentEndToken) and is_written:
            self.end = start

    def _gap(self, start: int, end: int) -> None:
        """Note what stands between two tokens."""
        at = start
        for match in _COMMENT.finditer(self.text, start, end):
            before = self.text[at : match.start()]
            is_alone = not self.text[self.text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
            remark = _Remark(match.start(), match[0].rstrip(), before, is_alone, before.count("\n") > 1)
            self.remarks.append(remark)
            at = match.end()
        if self.text.count("\n", at, end) > 1:
            self.apart.add(end)

    def column(self, at: int) -> int:
        """Return how far a place is from the start of its line."""
        return at - self.text.rfind("\n", 0, at) - 1

    def entries(self, node: yaml.Node) -> list[Entry]:
        """Return the entries of a block collection, with all that lies in them; none of anything else."""
        if not isinstance(node, yaml.CollectionNode) or node.flow_style:
            return []
        found = []
        for key, value in children(node):
            start = key.start_mark.index if key else self.dashes[bisect_left(self.dashes, value.start_mark.index) - 1]
            raw, name = (raw_key(self.text, key), str(key.value)) if key else ("", "")
            found.append(Entry(raw, name, value, self.column(start), start, self.entries(value)))
        return found

    def attach(self, entries: Sequence[Entry], first: int) -> list[str]:
        """Give each comment to its entry, and return the lines below the last one."""
        chains = list(_chains(entries, ()))
        starts = [chain[-1].start for chain in chains]
        brackets = [(e.node.start_mark.index, e.node.end_mark.index) for *_, e in chains if is_flow(e.node)]
        for chain in chains:
            if chain[-1].start in self.apart:
                chain[-1].lead.append("")
        below: list[str] = []
        for remark in self.remarks:
            inside = bisect_left(brackets, (remark.start,)) - 1
            if remark.start < first or (inside >= 0 and remark.start < brackets[inside][1]):
                continue
            at = bisect_left(starts, remark.start)
            self._give(remark, chains[at - 1], chains[at][-1] if at < len(chains) else None, below)
        return below

    def _give(self, remark: _Remark, above: Sequence[Entry], following: Entry | None, below: list[str]) -> None:
        last, lines = above[-1], ["", remark.text] if remark.is_apart else [remark.text]
        column = self.column(remark.start)
        if not remark.is_alone:
            last.tail = remark.gap.rpartition("\n")[2] + remark.text
            return
        if not last.inside and remark.start < last.node.start_mark.index:
            _above(last.lead, lines)
            return
        floor = following.column if following else 0
        deeper = next((e for e in reversed(above) if floor < e.column <= column), None)
        if deeper:
            deeper.foot += lines
        elif following:
            _above(following.lead, lines)
        else:
            below += lines


def _above(lead: list[str], lines: Sequence[str]) -> None:
    """Add lines to those above an entry; the blank one that parts the entry from them stays the last."""
    at = len(lead) - 1 if lead and not lead[-1] else len(lead)
    lead[at:at] = lines


def _chains(entries: Iterable[Entry], above: tuple[Entry, ...]) -> Iterator[tuple[Entry, ...]]:
    """Yield each entry in the order of the text, behind those that it lies in."""
    for entry in entries:
        chain = (*above, entry)
        yield chain
        yield from _chains(entry.inside, chain)


def children(node: yaml.Node) -> Iterator[tuple[yaml.ScalarNode | None, yaml.Node]]:
    """Yield key and value of each entry of a collection; an item of a list has no key."""
    if isinstance(node, yaml.MappingNode):
        yield from node.value
    elif isinstance(node, yaml.SequenceNode):
        yield from ((None, item) for item in node.value)


def is_flow(node: yaml.Node) -> bool:
    """Tell whether a node stands in brackets."""
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def raw(text: str, node: yaml.Node) -> str:
    """Return a node that is no block collection as it is written."""
    end = scalar_end(text, node) if isinstance(node, yaml.ScalarNode) else int(node.end_mark.index)
    return text[node.start_mark.index : end]


def raw_key(text: str, key: yaml.Node) -> str:
    """Return a key as it is written; one that is not written at all in quotes."""
    return raw(text, key) or '""'


def scalar_end(text: str, scalar: yaml.ScalarNode | yaml.ScalarToken) -> int:
    """Return where a scalar ends: a block without the blank lines below it, unless it keeps them."""
    start, stop = int(scalar.start_mark.index), int(scalar.end_mark.index)
    if scalar.style not in {"|", ">"} or _KEPT.match(text, start):
        return stop
    header, *lines = text[start:stop].split("\n")
    indent = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), stop)
    while lines and not lines[-1].strip() and len(lines[-1]) <= indent:
        lines.pop()
    return start + len("\n".join([header, *lines]))

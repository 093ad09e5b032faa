"""A pointer into a file's text → where a person finds it: line, column and an excerpt. Called only to report.

JSON is scanned here because the standard decoder keeps no positions; YAML keeps marks of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final

import yaml

from .pointers import escape
from .problems import AT_KEY

# libyaml where the wheel has it: about ten times as fast. Parser and locator read with the same one, because the
# two do not accept the same files (a tab after a colon, for instance).
YAML_LOADER: Final[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_ATOM: Final = re.compile(r"[^\s,\]}]+")
# No alternative inside the repetition: it would be remembered for each character of a text of ten megabytes.
_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.S)
_ESCAPE: Final = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|.", re.S)
_AROUND: Final = 48


@dataclass(frozen=True)
class Place:
    """A position in a file: 1-based line and column, and one line of text with a caret line under it."""

    line: int
    column: int
    excerpt: str
    caret: str


@dataclass(frozen=True)
class Token:
    """One JSON value or key: its pointer, the offset it starts at and the raw text of an atom."""

    pointer: str
    start: int
    raw: str
    is_key: bool


def printable(text: str) -> str:
    """Return text for a report: what no terminal shows is written as an escape."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def first_deeper(text: str, levels: int) -> int | None:
    """Return the offset of the first bracket of a JSON text that stands inside `levels` others."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += (match.group() in "{[") - (match.group() in "}]")
        if depth > levels:
            return match.start()
    return None


def json_tokens(text: str) -> list[Token]:
    """Return every key and value of a well-formed JSON text in order. Its depth is bounded by the loader."""
    scan = _Scan(text)
    scan.value("")
    return scan.tokens


class _Scan:
    """One walk over a JSON text, noting where each key and value starts."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.tokens = text, 0, list[Token]()

    def peek(self) -> str:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def note(self, pointer: str, end: int, is_key: bool = False) -> None:
        self.tokens.append(Token(pointer, self.at, self.text[self.at : end], is_key))
        self.at = end

    def value(self, pointer: str) -> None:
        first = self.peek()
        if first == "{":
            self.note(pointer, self.at + 1)
            self.members(pointer)
        elif first == "[":
            self.note(pointer, self.at + 1)
            self.items(pointer)
        elif first == '"':
            self.note(pointer, scanstring(self.text, self.at + 1, False)[1])
        else:
            match = _ATOM.match(self.text, self.at)
            self.note(pointer, match.end() if match else self.at + 1)

    def members(self, pointer: str) -> None:
        while self.peek() != "}":
            key, end = scanstring(self.text, self.at + 1, False)
            self.note(f"{pointer}/{escape(key)}", end, is_key=True)
            self.peek()
            self.at += 1  # the colon
            self.value(f"{pointer}/{escape(key)}")
            self.comma()
        self.at += 1

    def comma(self) -> None:
        # Not in one statement with the step: peek moves over the blanks before a comma.
        if self.peek() == ",":
            self.at += 1

    def items(self, pointer: str) -> None:
        index = 0
        while self.peek() != "]":
            self.value(f"{pointer}/{index}")
            index += 1
            self.comma()
        self.at += 1


def offset_of(text: str, kind: str, pointer: str, inside: int | None) -> int:
    """Return the offset in `text` of the value at `pointer`, or of its nearest parent that exists.

    `inside` counts characters in the decoded string value; escapes before it are stepped over. AT_KEY asks for the
    key of the value instead.
    """
    if pointer == "":
        return inside or 0
    if kind != "json":
        return _yaml_offset(text, pointer, inside)
    found = _json_offset(text, pointer, at_key=inside == AT_KEY)
    if inside not in {None, AT_KEY} and text[found : found + 1] == '"':
        return _inside_string(text, found + 1, inside or 0)
    return found


@lru_cache(maxsize=1)
def _json_starts(text: str) -> dict[tuple[str, bool], int]:
    """Return where each value and key of a JSON text starts, a thousand problems in one file scanned for once."""
    starts: dict[tuple[str, bool], int] = {}
    for token in json_tokens(text):
        starts.setdefault((token.pointer, token.is_key), token.start)
    return starts


def _json_offset(text: str, pointer: str, *, at_key: bool) -> int:
    starts = _json_starts(text)
    if (pointer, at_key) in starts:
        return starts[pointer, at_key]
    while pointer:
        pointer = pointer.rpartition("/")[0]
        if (pointer, False) in starts:
            return starts[pointer, False]
    return 0


@lru_cache(maxsize=1)
def _yaml_tree(text: str) -> Any:
    return yaml.compose(text, Loader=YAML_LOADER)


def _inside_string(text: str, start: int, inside: int) -> int:
    at = start
    for _ in range(inside):
        match = _ESCAPE.match(text, at)
        if match is None or match.group() == '"':
            break
        at = match.end()
        low = text[at : at + 6]
        if re.fullmatch(r"\\u[dD][89abAB][0-9a-fA-F]{2}", match.group()) and low.lower().startswith("\\ud"):
            at += 6
    return at


def _yaml_offset(text: str, pointer: str, inside: int | None) -> int:
    root = _yaml_tree(text)
    if root is None:
        return 0
    key = node = root
    for step in pointer.split("/")[1:]:
        pair = next((p for p in _yaml_children(node) if p[0] == step), None)
        if pair is None:
            return int(node.start_mark.index)
        _, key, node = pair
    start = int((key if inside == AT_KEY else node).start_mark.index)
    if inside is None or inside == AT_KEY or not isinstance(node, yaml.ScalarNode):
        return start
    if node.style == "|":
        return _inside_block(text, start, str(node.value), inside)
    if node.style == '"':
        return min(_inside_string(text, start + 1, inside), int(node.end_mark.index))
    # In single quotes a quote is written twice.
    doubled = str(node.value)[:inside].count("'") if node.style == "'" else 0
    return min(start + (node.style == "'") + inside + doubled, int(node.end_mark.index))


def _yaml_children(node: yaml.Node) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Yield the pointer step, the key and the value of each child; an item of a list is its own key."""
    if isinstance(node, yaml.MappingNode):
        yield from ((escape(key.value), key, value) for key, value in node.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from ((str(index), item, item) for index, item in enumerate(node.value))


def _inside_block(text: str, start: int, value: str, inside: int) -> int:
    """Map an offset in a literal block scalar to the file: same line below its header, same place in the line."""
    before = value[:inside]
    row, column = before.count("\n"), inside - (before.rfind("\n") + 1)
    at = start
    for _ in range(row + 1):
        at = text.find("\n", at) + 1
    line = text[at : (text.find("\n", at) + 1) or len(text)]
    return at + len(line) - len(line.lstrip(" ")) + column


def place(text: str, offset: int) -> Place:
    """Return the line, column and excerpt of an offset; the excerpt shows some characters around the column."""
    offset = max(0, min(offset, len(text)))
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    column = offset - start
    left, right = max(0, column - _AROUND), min(len(line), column + _AROUND)
    prefix, suffix = "…" if left else "", "…" if right < len(line) else ""
    shown = prefix + "".join(c if c.isprintable() else "�" for c in line[left:right]) + suffix
    return Place(text.count("\n", 0, offset) + 1, column + 1, shown, " " * (len(prefix) + column - left) + "^")

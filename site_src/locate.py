"""A pointer into a file's text → where a person finds it: line, column and an excerpt. Called only to report.

JSON is scanned here because the standard decoder keeps no positions; YAML keeps marks of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Final

import yaml

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_ATOM: Final = re.compile(r"[^\s,\]}]+")
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


def escape(key: object) -> str:
    """Return one step of a JSON pointer (RFC 6901)."""
    return str(key).replace("~", "~0").replace("/", "~1")


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
            self.at += self.peek() == ","
        self.at += 1

    def items(self, pointer: str) -> None:
        index = 0
        while self.peek() != "]":
            self.value(f"{pointer}/{index}")
            index += 1
            self.at += self.peek() == ","
        self.at += 1


def offset_of(text: str, kind: str, pointer: str, inside: int | None) -> int:
    """Return the offset in `text` of the value at `pointer`, or of its nearest parent that exists.

    `inside` counts characters in the decoded string value; escapes before it are stepped over.
    """
    if pointer == "":
        return inside or 0
    found = _json_offset(text, pointer) if kind == "json" else _yaml_offset(text, pointer, inside)
    if kind == "json" and inside is not None and text[found : found + 1] == '"':
        return _inside_string(text, found + 1, inside)
    return found


def _json_offset(text: str, pointer: str) -> int:
    best, depth = 0, -1
    for token in json_tokens(text):
        if token.pointer == pointer and not token.is_key:
            return token.start
        if pointer.startswith(token.pointer + "/") and token.pointer.count("/") > depth and not token.is_key:
            best, depth = token.start, token.pointer.count("/")
    return best


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
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    if node is None:
        return 0
    for step in pointer.split("/")[1:]:
        child = _yaml_child(node, step)
        if child is None:
            return int(node.start_mark.index)
        node = child
    start = int(node.start_mark.index)
    if inside is None or not isinstance(node, yaml.ScalarNode):
        return start
    if node.style == "|":
        return _inside_block(text, start, str(node.value), inside)
    return min(start + inside, int(node.end_mark.index))


def _yaml_child(node: yaml.Node, step: str) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((v for k, v in node.value if escape(k.value) == step), None)
    if isinstance(node, yaml.SequenceNode) and step.isdigit() and int(step) < len(node.value):
        child: yaml.Node = node.value[int(step)]
        return child
    return None


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

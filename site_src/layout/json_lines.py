"""JSON text → the same tokens on other lines: strings and numbers are moved, never read and written again."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Final

from ..locate import Token, json_tokens
from .order import Order

# Keys of a machine's file behind which the line goes on, as bind writes a lock; all others end theirs.
_JOINED: Final[dict[str, frozenset[str]]] = {".claims.json": frozenset({"format"}), ".verified.json": frozenset()}


@dataclass(frozen=True)
class _Node:
    """One value: its raw token, and under it the members or items where the token opens a bracket."""

    raw: str
    members: tuple[tuple[str, _Node], ...] = ()
    items: tuple[_Node, ...] = ()

    def arranged(self, order: Order) -> list[tuple[str, _Node, Order]]:
        """Return the members in canonical order, each with its raw key and the order inside its value."""
        names = [json.loads(key) for key, _ in self.members]
        return [(*self.members[n], order.below(names[n])) for n in order.arranged(names)]


def laid_out(text: str, ending: str, order: Order) -> str:
    """Return a well-formed JSON text in canonical layout: of a machine's file by its ending, else one key a line."""
    root = _taken(deque(json_tokens(text)))
    if ending in _JOINED and root.members:
        return _rows(root, order, _JOINED[ending]) + "\n"
    return _spread(root, order, "\n") + "\n"


def _taken(tokens: deque[Token]) -> _Node:
    """Take one value with all that lies in it from the front."""
    head = tokens.popleft()
    inside = f"{head.pointer}/"
    members, items = [], []
    while head.raw in {"{", "["} and tokens and tokens[0].pointer.startswith(inside):
        if head.raw == "{":
            key = tokens.popleft()
            members.append((key.raw, _taken(tokens)))
        else:
            items.append(_taken(tokens))
    return _Node(head.raw, tuple(members), tuple(items))


def _spread(node: _Node, order: Order, margin: str) -> str:
    """Return a value with a line for each key and each item; `margin` begins a line at its own depth."""
    deeper = f"{margin}  "
    if node.members:
        lines = [f"{key}: {_spread(value, below, deeper)}" for key, value, below in node.arranged(order)]
        return f"{{{deeper}{f',{deeper}'.join(lines)}{margin}}}"
    if node.items:
        lines = [_spread(item, order.item(), deeper) for item in node.items]
        return f"[{deeper}{f',{deeper}'.join(lines)}{margin}]"
    return _atom(node)


def _rows(root: _Node, order: Order, joined: frozenset[str]) -> str:
    """Return a lock or a receipt: a line for each entry of a list, the rest of each value on one line."""
    text, gap = "{", ""
    for key, value, below in root.arranged(order):
        lines = ",\n".join(_line(item, below.item()) for item in value.items)
        text += f"{gap}{key}: " + (f"[\n{lines}\n]" if value.raw == "[" else _line(value, below))
        gap = ", " if json.loads(key) in joined else ",\n "
    return text + "}"


def _line(node: _Node, order: Order) -> str:
    if node.members:
        return "{" + ", ".join(f"{key}: {_line(value, below)}" for key, value, below in node.arranged(order)) + "}"
    if node.items:
        return "[" + ", ".join(_line(item, order.item()) for item in node.items) + "]"
    return _atom(node)


def _atom(node: _Node) -> str:
    return {"{": "{}", "[": "[]"}.get(node.raw, node.raw)

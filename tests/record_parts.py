"""Every place of a record by its JSON pointer, and a record with another value at one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from site_src.pointers import escape


def pointers(value: Any) -> list[str]:
    """Return the pointers of everything inside a value, in order."""
    return [pointer for pointer, _ in places(value)]


def places(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the pointer of everything inside a value, and what is there."""
    for step, held in _children(value):
        at = f"{pointer}/{escape(str(step))}"
        yield at, held
        yield from places(held, at)


def put(value: Any, pointer: str, new: Any) -> Any:
    """Return the value with another at a pointer; as it is where the pointer leads nowhere (any more)."""
    first, _, rest = pointer.removeprefix("/").partition("/")
    children = {escape(str(step)): (step, held) for step, held in _children(value)}
    if first not in children:
        return value
    step, held = children[first]
    other = put(held, f"/{rest}", new) if rest else new
    if isinstance(value, dict):
        return {**value, step: other}
    return [other if n == step else old for n, old in enumerate(value)]


def _children(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []

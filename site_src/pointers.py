"""JSON pointers (RFC 6901) into the data of a record."""

from __future__ import annotations

from typing import Any


def escape(key: object) -> str:
    """Return one step of a JSON pointer."""
    step = str(key)
    return step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step


def _key(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def at_pointer(data: Any, pointer: str) -> Any:
    """Return what a JSON pointer leads to, or None."""
    for step in pointer.split("/")[1:]:
        key = _key(step)
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list | tuple) and key.isdecimal() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data


def leads_somewhere(data: Any, pointer: str) -> bool:
    """Tell whether a JSON pointer leads to a field, be it null."""
    parent, _, last = pointer.rpartition("/")
    held = at_pointer(data, parent)
    key = _key(last)
    return key in held if isinstance(held, dict) else at_pointer(data, pointer) is not None

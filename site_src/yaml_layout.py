"""Plain data → YAML in block layout that parse.py reads back as the same data: one key a line, digits untouched."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from .parse import yaml_data
from .problems import Rejected

_BREAKS: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
_FLOW_WIDTH: Final = 100


def block(value: Mapping[str, Any], indent: int = 0) -> str:
    """Return a mapping as lines, each indented by so many blanks; the last one ends in a line feed."""
    return "".join(f"{' ' * indent}{_key(key)}:{_value(held, indent)}" for key, held in value.items())


def item(value: Mapping[str, Any], indent: int = 0) -> str:
    """Return a mapping as one entry of a list whose dashes are indented by so many blanks."""
    lines = block(value, indent + 2)
    return f"{' ' * indent}- {lines[indent + 2 :]}" if value else f"{' ' * indent}- {{}}\n"


def line(value: Any) -> str:
    """Return any value on one line, as JSON that is YAML too; numbers keep their digits."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(k))}: {line(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(line(v) for v in value) + "]"
    if isinstance(value, Decimal):
        return format(value, "f")
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _value(value: Any, indent: int) -> str:
    if isinstance(value, Mapping) and value:
        flow = "{" + ", ".join(f"{_key(k)}: {_scalar(v)}" for k, v in value.items()) + "}"
        is_flat = not any(isinstance(v, Mapping | list | tuple) for v in value.values())
        return f" {flow}\n" if is_flat and len(flow) <= _FLOW_WIDTH else f"\n{block(value, indent + 2)}"
    if isinstance(value, list | tuple) and value and all(isinstance(v, Mapping) for v in value):
        return "\n" + "".join(item(v, indent + 2) for v in value)
    if isinstance(value, str) and "\n" in value and (text := _literal(value, indent + 2)):
        return text
    return f" {_scalar(value)}\n"


def _literal(text: str, indent: int) -> str | None:
    """Return a text of several lines as it stands, or None where YAML would read it otherwise."""
    mark = " |\n" if text.endswith("\n") and not text.endswith("\n\n") else " |-\n"
    lines = "".join(f"{' ' * indent}{one}\n" if one else "\n" for one in text.removesuffix("\n").split("\n"))
    try:
        same = yaml_data(f"k:{mark}{lines}", "") == {"k": text}
    except Rejected:
        same = False
    return mark + lines if same else None


@lru_cache(maxsize=4096)
def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z_][\w-]*", key, re.ASCII) and _is_itself(key) else _quoted(key)


def _scalar(value: Any) -> str:
    """Return a value on one line; a text in quotes where it would be read as anything else than itself."""
    if not isinstance(value, str):
        return line(value)
    return value if _is_itself(value) else _quoted(value)


@lru_cache(maxsize=4096)
def _is_itself(text: str) -> bool:
    try:
        return bool(yaml_data(f"{{k: {text}}}", "") == {"k": text})
    except Rejected:
        return False


def _quoted(text: str) -> str:
    """Return a text in double quotes; what YAML takes for a line break is escaped."""
    return _BREAKS.sub(lambda m: f"\\u{ord(m.group()):04x}", json.dumps(text, ensure_ascii=False))

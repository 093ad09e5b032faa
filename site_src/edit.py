"""One key of a mapping in a JSON or YAML text → the text with that key set. Everything else keeps its bytes."""

from __future__ import annotations

import json
import re

import yaml

from .locate import json_tokens
from .pointers import escape


def set_key(text: str, kind: str, pointer: str, key: str, value: str) -> str:
    """Return `text` with `key` of the mapping at `pointer` set to a text value.

    A new key is put first in its mapping. Raises KeyError where the pointer leads to no mapping.
    """
    return _set_json(text, pointer, key, value) if kind == "json" else _set_yaml(text, pointer, key, value)


def _set_json(text: str, pointer: str, key: str, value: str) -> str:
    tokens = json_tokens(text)
    quoted = json.dumps(value, ensure_ascii=False)
    for token in tokens:
        if token.pointer == f"{pointer}/{escape(key)}" and not token.is_key:
            return text[: token.start] + quoted + text[token.start + len(token.raw) :]
    for token in tokens:
        if token.pointer == pointer and not token.is_key and token.raw == "{":
            at = token.start + 1
            space = re.match(r"\s*", text[at:])
            gap = space.group() if space else ""
            comma = "" if text[at + len(gap)] == "}" else ","
            return f"{text[:at]}{gap}{json.dumps(key)}: {quoted}{comma}{text[at:]}"
    raise KeyError(pointer)


def _set_yaml(text: str, pointer: str, key: str, value: str) -> str:
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    for step in pointer.split("/")[1:]:
        if not isinstance(node, yaml.MappingNode):
            raise KeyError(pointer)
        node = next((v for k, v in node.value if escape(k.value) == step), None)
    if not isinstance(node, yaml.MappingNode):
        raise KeyError(pointer)
    for name, held in node.value:
        if name.value == key:
            start, end = held.start_mark.index, held.end_mark.index
            return f"{text[:start]}{value}{text[end:]}"
    at = node.start_mark.index
    if node.flow_style:
        return f"{text[: at + 1]}{key}: {value}, {text[at + 1 :]}"
    indent = " " * node.start_mark.column
    return f"{text[:at]}{key}: {value}\n{indent}{text[at:]}"

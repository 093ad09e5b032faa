"""A JSON or YAML text → the text with one key set, or items added to a list. Everything else keeps its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from . import yaml_layout
from .locate import json_tokens
from .pointers import escape
from .serial import json_text


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


def append(text: str, kind: str, key: str, item: Mapping[str, Any]) -> str:
    """Return `text` with `item` added to the list under the top-level `key`, which is made if there is none."""
    return extend(text, kind, key, [item])


def extend(text: str, kind: str, key: str, items: Sequence[Mapping[str, Any]]) -> str:
    """Return `text` with all `items` added, in their order, as `append` adds one. Numbers keep their digits."""
    if not items:
        return text
    return _extend_json(text, key, items) if kind == "json" else _extend_yaml(text, key, items)


def _extend_json(text: str, key: str, items: Sequence[Mapping[str, Any]]) -> str:
    written = ", ".join(map(yaml_layout.line, items))
    for token in json_tokens(text):
        if token.pointer == f"/{escape(key)}" and not token.is_key and token.raw == "[":
            _, end = json.JSONDecoder().raw_decode(text, token.start)
            before = text[: end - 1].rstrip()
            gap = re.match(r"\s*", text[token.start + 1 :])
            if gap and "\n" in gap.group() and not before.endswith("["):
                # A list with a line for each entry stays one.
                apart = "\n" + gap.group().rpartition("\n")[2]
                entries = [json_text(one).replace("\n", apart) for one in items]
                return f"{before}{''.join(f',{apart}{one}' for one in entries)}{text[len(before) :]}"
            comma = "" if before.endswith("[") else ", "
            return f"{before}{comma}{written}{text[len(before) :]}"
    end = text.rstrip().rindex("}")
    before = text[:end].rstrip()
    comma = "" if before.endswith("{") else ", "
    return f"{before}{comma}{json.dumps(key)}: [{written}]{text[len(before) :]}"


def _extend_yaml(text: str, key: str, items: Sequence[Mapping[str, Any]]) -> str:
    written = ", ".join(map(yaml_layout.line, items))
    root = yaml.compose(text, Loader=yaml.BaseLoader)
    held = next((v for k, v in root.value if k.value == key), None) if isinstance(root, yaml.MappingNode) else None
    if isinstance(root, yaml.MappingNode) and root.flow_style and held is None:
        return _in_flow(text, root, [value for _, value in root.value], f"{key}: [{written}]")
    if not isinstance(held, yaml.SequenceNode):
        whole = text if text.endswith("\n") else f"{text}\n"
        return f"{whole}{key}:\n{''.join(yaml_layout.item(one, 2) for one in items)}"
    if held.flow_style:
        return _in_flow(text, held, held.value, written)
    end = held.end_mark.index
    before = text[:end].rstrip()
    entries = "".join(yaml_layout.item(one, held.start_mark.column) for one in items).removesuffix("\n")
    return f"{before}\n{entries}{text[len(before) :]}"


def _in_flow(text: str, node: yaml.CollectionNode, held: Sequence[yaml.Node], written: str) -> str:
    """Return `text` with one more entry between the brackets of a node, behind those it holds."""
    at = held[-1].end_mark.index if held else node.start_mark.index + 1
    return f"{text[:at]}{', ' if held else ''}{written}{text[at:]}"

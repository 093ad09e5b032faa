"""The JSON Schema of a record → docs/record-reference.md: every field with type, need, allowed values, meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from site_src.project import RESOURCES
from site_src.schema import record_schema

PAGE: Final = RESOURCES / "docs" / "record-reference.md"
_INTRO: Final = """\
# Every field of a record

Made from the JSON Schema that `pinpress schema` prints; `make golden` writes it anew. [records.md](records.md) tells
how the fields are used, with examples. Fields that are not listed are kept and shown.

A number keeps the digits it is written with. Null in a value or a condition means "not reported", unless a reason is
given.
"""
_HEAD: Final = "| Field | Type | Needed | Allowed | Meaning |\n|---|---|---|---|---|\n"
_NAMED: Final[dict[str, str]] = {
    "^[0-9a-f]{64}$": "64 lower-case hexadecimal digits",
    r"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$": "an ISO 8601 date, or date and time",
}
_SAID: Final = {"enum", "pattern", "minLength", "minItems", "minimum", "maximum", "exclusiveMinimum"}
_KNOWN: Final = {"type", "anyOf", "$ref", "items", "additionalProperties", "description", "title", "default", *_SAID}

Schema = Mapping[str, Any]


def parts() -> dict[str, Schema]:
    """Return the schema of the record and of each of its parts, by name; the record comes first."""
    schema: dict[str, Any] = json.loads(record_schema())
    return {"Record": schema, **schema["$defs"]}


def fields() -> Iterator[tuple[str, str, Schema]]:
    """Yield part, name and schema of every field."""
    for part, schema in parts().items():
        for name, field in schema["properties"].items():
            yield part, name, field


def kind(field: Schema) -> str:
    """Return the type of a field in words."""
    if "anyOf" in field:
        return " or ".join(kind(one) for one in field["anyOf"])
    if "$ref" in field:
        part = field["$ref"].rpartition("/")[2]
        return f"[{part}](#{part.lower()})"
    if field.get("type") == "array":
        return f"list of {kind(field['items'])}"
    if field.get("type") == "object":
        held = field.get("additionalProperties")
        return f"object of {kind(held)}" if isinstance(held, Mapping) else "object"
    return str(field.get("type", "any"))


def allowed(field: Schema) -> str:
    """Return what a value must be besides its type; "" where any will do. A keyword that is not known is an error."""
    if unknown := field.keys() - _KNOWN:
        raise ValueError(f"{sorted(unknown)} of the schema is not told by the reference")
    told = [*_bounds(field)]
    told += [allowed(one) for one in field.get("anyOf", ())]
    held = field.get("additionalProperties")
    told += [f"each {allowed(one)}" for one in (field.get("items"), held) if isinstance(one, Mapping) and allowed(one)]
    return "; ".join(t for t in told if t)


def _bounds(field: Schema) -> Iterator[str]:
    if "enum" in field:
        yield ", ".join(f"`{value}`" for value in field["enum"])
    if pattern := field.get("pattern"):
        yield _NAMED.get(pattern) or _cell(f"`{pattern}`")
    if field.get("minLength"):
        yield "not empty"
    if field.get("minItems"):
        yield f"at least {field['minItems']} of them"
    for key, words in (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to")):
        if key in field:
            yield f"{words} {field[key]}"


def table(schema: Schema) -> str:
    """Return the table of one part."""
    needed = set(schema.get("required", ()))
    rows = []
    for name, field in schema["properties"].items():
        cells = (f"`{name}`", kind(field), "yes" if name in needed else "", allowed(field), _cell(field["description"]))
        rows.append("".join(f"| {cell} ".replace("|  ", "| ") for cell in cells) + "|\n")
    return _HEAD + "".join(rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page() -> str:
    """Return the text of docs/record-reference.md."""
    chapters = [f"## {name}\n\n{schema['description']}\n\n{table(schema)}" for name, schema in parts().items()]
    return "\n".join([_INTRO, *chapters])

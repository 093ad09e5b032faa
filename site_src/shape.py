"""Plain data → typed records, or problems that name the key, what it should be and the key that was meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .fields import Part
from .figure_entries import FigureEntry
from .model import Acknowledgement, Image, Measurement, Record, Settings, Source
from .parse import escape
from .problems import Problem

M = TypeVar("M", bound=Part)
_NEAR: Final = 0.8
_OWN_CODES: Final = {"malformed-date", "malformed-sha256", "schema-version", "relation-input"}
_EXPECTED: Final = {
    "string_type": "text",
    "bool_type": "true or false",
    "is_instance_of": "a number",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "dict_type": "an object",
    "model_type": "an object",
    "tuple_type": "a list",
    "list_type": "a list",
}
# Where keys are typed: pointer prefix and model. In conditions, cases and observations every key is the editor's.
_TYPED: Final[tuple[tuple[str, type[Part]], ...]] = (
    ("sources", Source),
    ("supplemental_sources", Source),
    ("reported_results", Measurement),
)


def record(file: str, value: Any) -> Record | list[Problem]:
    """Check one record's shape."""
    checked = _shaped(Record, file, value, "")
    misspelt = list(_misspelt(file, value)) if isinstance(value, dict) else []
    if isinstance(checked, list):
        # A misspelt required key shows twice, as missing and as misspelt: the second says what to do.
        meant = {(p.pointer.rpartition("/")[0], p.remedy) for p in misspelt}
        known = {(where, remedy.split("`")[1]) for where, remedy in meant}
        missing = [
            p for p in checked if not (p.code == "missing-key" and (p.pointer, p.message.split("`")[1]) in known)
        ]
        return missing + misspelt
    return misspelt or checked


def settings(file: str, value: Any) -> Settings | list[Problem]:
    """Check the shape of the site's settings; an empty file means all defaults."""
    return _shaped(Settings, file, {} if value is None else value, "")


def acknowledgements(file: str, value: Any) -> list[Acknowledgement] | list[Problem]:
    """Check the shape of an audit sidecar: a list of acknowledgements."""
    if not isinstance(value, list):
        remedy = "Write a list of entries with code, pointer, reason and date."
        return [Problem(file, "", 0, "wrong-type", "an audit file is a list", remedy)]
    checked = [_shaped(Acknowledgement, file, item, f"/{i}") for i, item in enumerate(value)]
    problems = [p for c in checked if isinstance(c, list) for p in c]
    return problems or [c for c in checked if isinstance(c, Acknowledgement)]


def figure_entries(file: str, value: Any) -> dict[str, FigureEntry] | list[Problem]:
    """Check the shape of a figures sidecar: a mapping of image names to entries."""
    if not isinstance(value, dict):
        remedy = "Write NAME: and under it kind, select and title."
        return [Problem(file, "", 0, "wrong-type", "a figures sidecar maps image names to entries", remedy)]
    checked = {name: _shaped(FigureEntry, file, item, f"/{escape(name)}") for name, item in value.items()}
    problems = [p for c in checked.values() if isinstance(c, list) for p in c]
    return problems or {name: c for name, c in checked.items() if isinstance(c, FigureEntry)}


def _shaped(model: type[M], file: str, value: Any, pointer: str) -> M | list[Problem]:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        # A list that is "too short" only because its items failed says nothing new.
        return [_problem(file, pointer, e) for e in errors if e["type"] != "too_short" or not e["input"]]


def _problem(file: str, base: str, error: ErrorDetails) -> Problem:
    kind, where = error["type"], error["loc"]
    pointer = base + "".join(f"/{escape(step)}" for step in where)
    key = str(where[-1]) if where else "the record"
    if kind == "missing":
        parent = pointer.rpartition("/")[0]
        return Problem(file, parent, None, "missing-key", f"the key `{key}` is missing", f"Add `{key}`.")
    if kind == "extra_forbidden":
        return Problem(file, pointer, None, "unknown-key", f"`{key}` is not known here", "Remove it or mend its name.")
    if kind in _OWN_CODES:
        message, _, remedy = error["msg"].partition(". ")
        return Problem(file, pointer, None, kind, f"`{key}`: {message}", remedy or "Correct the value.")
    if kind == "too_short":
        return Problem(file, pointer, None, "empty-list", f"`{key}` is empty", "Name at least one.")
    if kind == "greater_than_equal":
        return Problem(file, pointer, None, "wrong-type", f"`{key}` is too small", "Lines count from 1.")
    if kind == "string_too_short":
        return Problem(file, pointer, None, "empty-text", f"`{key}` is empty", "Write it out.")
    expected = _EXPECTED.get(kind, error["msg"])
    found = _kind_of(error["input"])
    remedy = f"Write {expected}."
    if kind == "string_type" and found == "a number":
        remedy = "Put it in quotes: this field is text."
    elif expected in {"a number", "a whole number"} and found == "text":
        remedy = "Write digits without quotes, exponent or unit."
    return Problem(file, pointer, None, "wrong-type", f"`{key}` must be {expected}, not {found}", remedy)


def _kind_of(value: object) -> str:
    names = {
        "NoneType": "null",
        "bool": "true or false",
        "str": "text",
        "Decimal": "a number",
        "int": "a number",
    }
    return names.get(type(value).__name__, "a list" if isinstance(value, list) else "an object")


def _misspelt(file: str, value: dict[str, Any]) -> list[Problem]:
    """Find unknown keys in typed objects that are near a known key which is absent there."""
    found = _near_keys(file, "", value, Record)
    for name, model in _TYPED:
        items = value.get(name)
        for index, item in enumerate(items if isinstance(items, list) else []):
            found += _near_keys(file, f"/{name}/{index}", item, model)
    return found + _near_keys(file, "/image", value.get("image"), Image)


def _near_keys(file: str, pointer: str, value: Any, model: type[Part]) -> list[Problem]:
    if not isinstance(value, dict):
        return []
    absent = {name.lower(): name for name in model.model_fields if name not in value}
    found = []
    for key in value:
        near = get_close_matches(key.lower(), absent, 1, _NEAR) if key not in model.model_fields else []
        if near:
            meant, at = absent[near[0]], f"{pointer}/{escape(key)}"
            message = f"`{key}` is no key of this format"
            found.append(Problem(file, at, None, "unknown-key", message, f"Did you mean `{meant}`?"))
    return found

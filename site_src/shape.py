"""Plain data → typed records, or problems that name the key, what it should be and the key that was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .claims import lexicon
from .claims.lock import Lock
from .fields import Part
from .figure_entries import FigureEntry
from .model import Acknowledgement, Anchors, Image, Measurement, Record, Settings, Source
from .pointers import escape
from .problems import AT_KEY, Problem
from .sources.receipt import Receipt
from .urls import is_blank

M = TypeVar("M", bound=Part)
_NEAR: Final = 0.8
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*(-x(-[a-z0-9]{1,8})+)?", re.I | re.ASCII)
LANGUAGE_REMEDY: Final = "Write a tag such as en, de or pt-BR (BCP 47)."
_OWN_CODES: Final = {"malformed-date", "malformed-sha256", "schema-version", "relation-input", "null-reason"}
_REMEDIES: Final = {"malformed-sha256": "Write the SHA-256 of the bytes that were read: sha256sum FILE."}
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
    checked = _shaped(Settings, file, {} if value is None else value, "")
    return checked if isinstance(checked, list) else [*_unsound(file, checked)] or checked


def _unsound(file: str, settings: Settings) -> Iterator[Problem]:
    """Yield a problem for each setting of the right type that says nothing a page can use."""
    for key, text in (("title", settings.title), ("description", settings.description)):
        if is_blank(text):
            yield Problem(file, f"/{key}", None, "empty-text", f"`{key}` holds blanks alone", "Write it out.")
    if not is_language(settings.language):
        yield Problem(file, "/language", None, "bad-language", "`language` is no language tag", LANGUAGE_REMEDY)
    for index, fault in lexicon.faults(settings.lexicon):
        remedy = "Write a name, or a regular expression between slashes."
        yield Problem(file, f"/lexicon/{index}", None, "bad-pattern", fault, remedy)


def is_language(text: str) -> bool:
    """Tell whether a text has the form of a language tag (BCP 47, RFC 5646 section 2.1), in any letter case."""
    return _LANGUAGE.fullmatch(text) is not None


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


def claim_lock(file: str, value: Any) -> Lock | list[Problem]:
    """Check the shape of a claim lock."""
    return _shaped(Lock, file, value, "")


def receipt(file: str, value: Any) -> Receipt | list[Problem]:
    """Check the shape of a verification receipt."""
    return _shaped(Receipt, file, value, "")


def anchors(file: str, value: Any) -> Anchors | list[Problem]:
    """Check the shape of the ids that are remembered of a page."""
    return _shaped(Anchors, file, value, "")


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
    key = _name(where)
    if kind == "missing":
        parent = pointer.rpartition("/")[0]
        return Problem(file, parent, None, "missing-key", f"the key {key} is missing", f"Add {key}.")
    if kind == "extra_forbidden":
        return Problem(file, pointer, AT_KEY, "unknown-key", f"{key} is not known here", "Remove it or mend its name.")
    if kind in _OWN_CODES:
        message, _, remedy = error["msg"].partition(". ")
        return Problem(file, pointer, None, kind, f"{key}: {message}", remedy or _REMEDIES.get(kind, "Correct it."))
    if kind == "too_short":
        return Problem(file, pointer, None, "empty-list", f"{key} is empty", "Name at least one.")
    if kind in {"greater_than", "less_than_equal"}:
        remedy = "Write a number above zero." if kind == "greater_than" else "Write 12 or fewer."
        return Problem(file, pointer, None, "wrong-type", f"{key} is out of range", remedy)
    if kind == "greater_than_equal":
        least = error["ctx"]["ge"]
        remedy = f"Write a whole number from {least} on."
        return Problem(file, pointer, None, "wrong-type", f"{key} is less than {least}", remedy)
    if kind == "string_too_short":
        return Problem(file, pointer, None, "empty-text", f"{key} is empty", "Write it out.")
    expected = _EXPECTED.get(kind, error["msg"])
    found = _kind_of(error["input"])
    if kind == "literal_error":
        expected, found = error["ctx"]["expected"], f"“{error['input']}”"
    remedy = f"Write {expected}."
    if kind == "string_type" and found == "a number":
        remedy = "Put it in quotes: this field is text."
    elif expected in {"a number", "a whole number"} and found == "text":
        remedy = "Write digits without quotes, exponent or unit."
    return Problem(file, pointer, None, "wrong-type", f"{key} must be {expected}, not {found}", remedy)


def _name(where: tuple[int | str, ...]) -> str:
    """Return how a message names the value at a place: its key, or its number in a list."""
    if not where:
        return "the record"
    return f"entry {where[-1] + 1}" if isinstance(where[-1], int) else f"`{where[-1]}`"


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
            found.append(Problem(file, at, AT_KEY, "unknown-key", message, f"Did you mean `{meant}`?"))
    return found

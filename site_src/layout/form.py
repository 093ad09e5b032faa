"""The text of one file of `records/` → its canonical layout, proved to say the same."""

from __future__ import annotations

from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from .. import parse
from ..listing import ENDINGS, SETTINGS, SIDECARS
from ..locate import json_tokens
from ..problems import Problem, Rejected
from . import json_lines, yaml_lines, yaml_parts
from .order import Order, order_of


def canonical(text: str, file: str) -> str:
    """Return a file's text in canonical layout. Raises Rejected where it cannot be read, or has no such layout."""
    ending = next((e for e in (*SIDECARS, f"/{SETTINGS}") if file.endswith(e)), "").lstrip("/")
    order = order_of(ending)
    if ENDINGS[PurePosixPath(file).suffix] == "json":
        parse.json_data(text, file)
        made = json_lines.laid_out(text, ending, order)
        is_same = _tokens(text) == _tokens(made)
    else:
        made = _yaml(text, file, order)
        is_same = made == text or _said(text, file) == _said(made, file)
    if not is_same:
        raise _unsuited(file, 0, "another layout would change what the file says", "Lay it out by hand.")
    return made


def still(before: str, after: str, file: str) -> str:
    """Return a text that was edited, in canonical layout if it was so before the edit; else as it is."""
    try:
        return canonical(after, file) if canonical(before, file) == before else after
    except Rejected:
        return after


def _yaml(text: str, file: str, order: Order) -> str:
    parse.yaml_data(text, file)
    try:
        whole = yaml_parts.whole(text)
    except yaml_parts.Unsuited as unsuited:
        raise _unsuited(file, unsuited.offset, unsuited.message, unsuited.remedy) from None
    return "\n".join(yaml_lines.lines(whole, order)) + "\n" if whole else text


def _unsuited(file: str, offset: int, message: str, remedy: str) -> Rejected:
    return Rejected([Problem(file, "", offset, "no-layout", message, remedy)])


def _tokens(text: str) -> list[tuple[str, str, bool]]:
    """Return every key and value of a JSON text as it is written, in an order that layout does not change."""
    return sorted((token.pointer, token.raw, token.is_key) for token in json_tokens(text))


def _said(text: str, file: str) -> tuple[Any, list[str]] | None:
    """Return what a YAML text says, digits and comments included; None where it cannot be read."""
    try:
        return _exact(parse.yaml_data(text, file)), sorted(yaml_parts.remarks(text))
    except (Rejected, yaml_parts.Unsuited):
        return None


def _exact(value: Any) -> Any:
    """Return data in which numbers of other digits differ, and the order of keys does not count."""
    if isinstance(value, dict):
        return sorted((key, _exact(held)) for key, held in value.items())
    if isinstance(value, list):
        return [_exact(held) for held in value]
    return (type(value).__name__, str(value)) if isinstance(value, Decimal | bool) or value is None else value

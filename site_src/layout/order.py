"""The JSON Schema of a file → the order of the keys of each of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from ..claims.lock import Lock
from ..figure_entries import FigureEntry
from ..model import Acknowledgement, Anchors, Record, Settings
from ..sources.receipt import Receipt

# What editors look for in the first lines of a file.
_FIRST: Final = "$schema"
_OF_FILE: Final[dict[str, Any]] = {
    ".figures.yml": dict[str, FigureEntry],
    ".audit.yml": list[Acknowledgement],
    ".claims.json": Lock,
    ".verified.json": Receipt,
    ".anchors.json": Anchors,
    "site.yml": Settings,
}


class Order:
    """The order of keys in one part, and those of the parts below it."""

    def __init__(self, schema: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        """Take the schema of the part and the definitions that it refers to."""
        self._schema, self._shared = _resolved(schema, shared), shared
        self._names: Mapping[str, Any] = self._schema.get("properties") or {}
        self._ranks = {name: rank for rank, name in enumerate(self._names)}

    @property
    def is_free(self) -> bool:
        """Whether the schema leaves the keys of this part to the editor: conditions, names, cases as reported."""
        return not self._names and "additionalProperties" in self._schema

    def arranged(self, keys: Sequence[str]) -> list[int]:
        """Return the places of the keys in canonical order; what the schema does not know keeps its own, behind."""
        last = len(self._ranks)
        ranks = [-1 if key == _FIRST else self._ranks.get(key, last) for key in keys]
        return sorted(range(len(keys)), key=ranks.__getitem__)

    def below(self, key: str) -> Order:
        """Return the order inside the value of a key."""
        inside = self._names.get(key, self._schema.get("additionalProperties"))
        return Order(inside if isinstance(inside, dict) else {}, self._shared)

    def item(self) -> Order:
        """Return the order inside each entry of a list."""
        return Order(self._schema.get("items") or {}, self._shared)


def _resolved(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references, and of alternatives take the one that has parts: the other is null."""
    while True:
        if "$ref" in schema:
            schema = shared[schema["$ref"].rpartition("/")[2]]
        elif "anyOf" in schema:
            schema = next((s for s in schema["anyOf"] if "$ref" in s or ("type" in s and s["type"] != "null")), {})
        else:
            return schema


@cache
def order_of(ending: str) -> Order:
    """Return the order of a file: of a sidecar by its ending, of the settings by their name, else of a record."""
    schema = TypeAdapter(_OF_FILE.get(ending, Record)).json_schema()
    return Order(schema, schema.get("$defs") or {})

"""Two versions of a record's data → what differs in it: values, sources, dates and every other field.

Numbers are compared as they are written, so 3.10 is not 3.1; a null reads "not reported", or the reason that the
record gives. Rows are paired by label and metric, and only where there is one way to pair them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..serial import json_text

Kind = Literal["value", "source", "date", "field"]
NOT_REPORTED: Final = "not reported"
_RESULTS: Final = "reported_results"
_SOURCES: Final = ("sources", "supplemental_sources")
_VALUE: Final = ("value", "value_text", "unit", "null_reason")
_NAMES: Final = ("id", "document_id", "label", "name")
_DATES: Final = ("_on", "_at")
_ABSENT: Final = object()


@dataclass(frozen=True)
class Change:
    """One difference: where it is, in which field, what stood there and what stands there; None is nothing."""

    kind: Kind
    where: str
    field: str
    old: str | None
    new: str | None


def of_records(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Yield what differs between two records: values first, then sources, dates and the rest in their order."""
    yield from _results(_rows(old.get(_RESULTS)), _rows(new.get(_RESULTS)))
    for key in _SOURCES:
        yield from _fields("source", "", f"{key}", old.get(key, _ABSENT), new.get(key, _ABSENT))
    for key in dict.fromkeys([*old, *new]):
        if key not in {_RESULTS, *_SOURCES}:
            yield from _fields("field", "", key, old.get(key, _ABSENT), new.get(key, _ABSENT))


def value_text(result: Mapping[str, Any]) -> str:
    """Return a result's value with its unit as the record writes it; a null in the words of its reason."""
    if result.get("value") is None:
        reason = str(result.get("null_reason") or NOT_REPORTED).replace("_", " ")
        printed = result.get("value_text")
        return f"{reason} (printed as {printed})" if printed else reason
    printed = f" (printed as {result['value_text']})" if result.get("value_text") else ""
    return f"{_text(result['value'])} {result.get('unit') or ''}".rstrip() + printed


def _rows(value: Any) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _results(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> Iterator[Change]:
    before, after = _grouped(old), _grouped(new)
    for key in dict.fromkeys([*before, *after]):
        gone, come = _unequal(before.get(key, []), after.get(key, []))
        for was, now in _paired(gone, come):
            yield from _result(" · ".join(key), was, now)


def _grouped(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault((_text(row.get("label")), _text(row.get("metric"))), []).append(row)
    return found


_Rows = list[Mapping[str, Any]]


def _unequal(old: _Rows, new: _Rows) -> tuple[_Rows, _Rows]:
    """Return the rows of each side that have no equal on the other."""
    left = [*new]
    gone = []
    for row in old:
        equal = next((n for n, other in enumerate(left) if json_text(other) == json_text(row)), None)
        if equal is None:
            gone.append(row)
        else:
            del left[equal]
    return gone, left


def _paired(old: _Rows, new: _Rows) -> Iterator[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]]:
    """Pair rows of one label and metric: by equal conditions, then the last of each side; the rest stay alone."""
    left = [*new]
    alone: _Rows = []
    for row in old:
        same = [n for n, other in enumerate(left) if _conditions(other) == _conditions(row)]
        if len(same) == 1:
            yield row, left.pop(same[0])
        else:
            alone.append(row)
    if len(alone) == len(left) == 1:
        yield alone[0], left[0]
        return
    yield from ((row, None) for row in alone)
    yield from ((None, row) for row in left)


def _conditions(row: Mapping[str, Any]) -> str:
    return json_text(row.get("conditions"))


def _result(where: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[Change]:
    was, now = (value_text(row) if row is not None else None for row in (old, new))
    if was != now:
        yield Change("value", where, "value", was, now)
    if old is None or new is None:
        return
    for key in dict.fromkeys([*old, *new]):
        if key not in _VALUE:
            yield from _fields("field", where, key, old.get(key, _ABSENT), new.get(key, _ABSENT))


def _fields(kind: Kind, where: str, path: str, old: Any, new: Any) -> Iterator[Change]:
    """Yield the leaves that differ below a field, each with its path."""
    if _is_equal(old, new):
        return
    steps = _steps(old, new)
    if steps is None:
        of_kind: Kind = "date" if path.endswith(_DATES) else kind
        yield Change(of_kind, where, path, _shown(old), _shown(new))
        return
    for step, was, now in steps:
        yield from _fields(kind, where, f"{path}{step}", was, now)


def _is_equal(old: Any, new: Any) -> bool:
    if old is _ABSENT or new is _ABSENT:
        return old is new
    return json_text(old) == json_text(new)


def _steps(old: Any, new: Any) -> list[tuple[str, Any, Any]] | None:
    """Return what stands inside two values, paired by key, by name or by place; None where either is a leaf."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = dict.fromkeys([*old, *new])
        return [(f".{key}", old.get(key, _ABSENT), new.get(key, _ABSENT)) for key in keys]
    if not isinstance(old, list) or not isinstance(new, list):
        return None
    name = next((n for n in _NAMES if _names(old, n) and _names(new, n)), None)
    if name:
        before, after = ({_text(item[name]): item for item in items} for items in (old, new))
        keys = dict.fromkeys([*before, *after])
        return [(f"[{key}]", before.get(key, _ABSENT), after.get(key, _ABSENT)) for key in keys]
    length = range(max(len(old), len(new)))
    return [(f"[{n}]", *(items[n] if n < len(items) else _ABSENT for items in (old, new))) for n in length]  # type: ignore[misc]


def _names(items: Sequence[Any], key: str) -> bool:
    """Tell whether every item has a name of its own under a key."""
    found = [_text(item[key]) for item in items if isinstance(item, dict) and isinstance(item.get(key), str)]
    return len(found) == len(items) == len(set(found))


def _shown(value: Any) -> str | None:
    if value is _ABSENT:
        return None
    return NOT_REPORTED if value is None else _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(json_text(value).split())

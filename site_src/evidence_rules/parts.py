"""Where a record holds conditions, readings and cells: walks that the rules share. Pointers lead into its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from .. import citations
from ..model import Record, Source
from ..pointers import escape

FREE: Final = ("case_reports", "memory_observations", "long_context_cases")
Held = tuple[str, Mapping[str, Any]]


def condition_sets(record: Record) -> Iterator[Held]:
    """Yield the conditions of every result, then every case and long run as a whole."""
    for index, result in enumerate(record.reported_results):
        yield f"/reported_results/{index}/conditions", result.conditions
    for name in ("case_reports", "long_context_cases"):
        for index, part in enumerate(getattr(record, name)):
            yield f"/{name}/{index}", part


def free_parts(record: Record) -> Iterator[Held]:
    """Yield every case, memory observation and long run."""
    for name in FREE:
        for index, part in enumerate(getattr(record, name)):
            yield f"/{name}/{index}", part


def objects(pointer: str, part: Mapping[str, Any]) -> Iterator[Held]:
    """Yield an object and every object below it: cells, readings, single requests."""
    yield pointer, part
    for key, value in part.items():
        items = value if isinstance(value, list | tuple) else (value,)
        for index, item in enumerate(items):
            if isinstance(item, Mapping):
                step = f"/{index}" if items is value else ""
                yield from objects(f"{pointer}/{escape(key)}{step}", item)


def own_objects(data: Mapping[str, Any], record: Record) -> Iterator[Held]:
    """Yield every object whose keys are the editor's, each once: conditions before campaigns are merged, and cases."""
    for name in ("campaigns", "reported_results"):
        for index, part in enumerate(data.get(name) or ()):
            if isinstance(held := part.get("conditions"), Mapping):
                yield from objects(f"/{name}/{index}/conditions", held)
    for pointer, part in free_parts(record):
        yield from objects(pointer, part)


def quantities(record: Record) -> Iterator[tuple[str, str, Decimal | None, str]]:
    """Yield pointer, name, value and unit of every result and of every reading that names its kind and unit."""
    for index, result in enumerate(record.reported_results):
        yield f"/reported_results/{index}", result.metric, result.value, result.unit
    for pointer, part in free_parts(record):
        for at, held in objects(pointer, part):
            name = next((held[k] for k in ("kind", "metric", "quantity") if isinstance(held.get(k), str)), None)
            if name and isinstance(held.get("unit"), str):
                value = held.get("value")
                yield at, name, value if isinstance(value, Decimal) else None, held["unit"]


def places_of_sources(record: Record) -> Iterator[tuple[str, int, Source]]:
    """Yield pointer, number on the page and source, for every source."""
    own = len(record.sources)
    for number, source in citations.numbered(record):
        at = f"/sources/{number - 1}" if number <= own else f"/supplemental_sources/{number - 1 - own}"
        yield at, number, source

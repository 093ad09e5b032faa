"""What a record is about: the model, the hardware and the engine it names, wherever its format keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .model import Record

_MODEL: Final = re.compile(r"model|checkpoint", re.I)
_SHORT: Final = 40
_HARDWARE: Final = re.compile(r"hardware|system|gpu|machine|card|accelerator", re.I)


def model(record: Record) -> str:
    """Return the first model a record names, or ""."""
    return _first(record, _MODEL)


def short_model(record: Record) -> str:
    """Return the model if its name fits beside other words on one line, else ""."""
    name = model(record)
    return name if len(name) <= _SHORT else ""


def hardware(record: Record) -> str:
    """Return the first hardware a record names, or ""."""
    return _first(record, _HARDWARE)


def _first(record: Record, key: re.Pattern[str]) -> str:
    return next((v for part in _parts(record) for k, v in part.items() if key.fullmatch(k) and _is_name(v)), "")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _parts(record: Record) -> Iterator[Mapping[str, Any]]:
    """Yield what may name them: the page's own conditions first, then campaigns, results and cases."""
    yield record.result_card
    yield record.conditions
    yield from (c.conditions for c in record.campaigns)
    yield from (r.conditions for r in record.reported_results)
    yield from record.case_reports

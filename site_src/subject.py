"""What a record is about: the models and the hardware it declares, else those it names in its conditions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .model import Record

MODEL: Final = re.compile(r"model|checkpoint", re.I)
HARDWARE: Final = re.compile(r"hardware|system|gpu|machine|card|accelerator", re.I)
_SHORT: Final = 40


def models(record: Record) -> tuple[str, ...]:
    """Return the models a record declares, else the first that it names."""
    return record.models or _first(record, MODEL)


def hardware(record: Record) -> tuple[str, ...]:
    """Return the hardware a record declares, else the first that it names."""
    return record.hardware or _first(record, HARDWARE)


def short_model(record: Record) -> str:
    """Return the models if their names fit beside other words on one line, else ""."""
    name = ", ".join(models(record))
    return name if len(name) <= _SHORT else ""


def _first(record: Record, key: re.Pattern[str]) -> tuple[str, ...]:
    found = (str(v) for part in _parts(record) for k, v in part.items() if key.fullmatch(k) and _is_name(v))
    return tuple(itertools.islice(found, 1))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _parts(record: Record) -> Iterator[Mapping[str, Any]]:
    """Yield what may name them: the page's own conditions first, then campaigns, results and cases."""
    yield record.result_card
    yield record.conditions
    yield from (c.conditions for c in record.campaigns)
    yield from (r.conditions for r in record.reported_results)
    yield from record.case_reports

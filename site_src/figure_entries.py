"""What a figures sidecar declares: which values a figure shows, by pointer and condition, never by number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from pydantic import ConfigDict, Field

from .fields import Part, Sha256, Text
from .figures.spec import Kind
from .interface import ENGLISH
from .model import Measurement, Record

_SCOPE: Final = re.compile(
    r"(^|_)(gpus?|cards?|devices?|nodes?|tensor_parallel|tp|parallelism|system|hardware|window|cohort)(_|$)", re.I
)
# What each kind reads beside kind, title and hashes; anything else in an entry would be ignored in silence.
READS: Final[dict[Kind, frozenset[str]]] = {
    "hero": frozenset(),
    "rates": frozenset({"select", "group", "series", "notes", "same"}),
    "memory": frozenset({"select"}),
    "incident": frozenset({"case"}),
    "matrix": frozenset({"case", "panels"}),
    "capacity": frozenset(),
    "curve": frozenset({"select", "series", "x", "same"}),
}
_EVERY: Final = frozenset({"kind", "title", "sha256", "pixels_sha256", "platform"})


class Selection(Part):
    """Which results: all that agree with every given part, in record order."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    metric: Text | None = Field(None, description="Their metric.")
    campaign: Text | None = Field(None, description="Their campaign.")
    labels: tuple[Text, ...] = Field((), description="Their labels.", strict=False)
    where: dict[str, Any] = Field(default_factory=dict, description="Conditions and the value each must have.")


class FigureEntry(Part):
    """One figure of ID.figures.yml."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: Kind = Field(description="hero, rates, memory, incident, matrix, capacity or curve.")
    title: Text | None = Field(None, description="Drawn title; composed from the selection without it.")
    select: Selection = Field(default_factory=lambda: Selection.model_validate({}), description="Which results.")
    group: Text | None = Field(None, description="Condition that groups rows.")
    series: Text | None = Field(None, description="Condition that makes series.")
    notes: tuple[Text, ...] = Field((), description="Conditions written beside each mark.", strict=False)
    x: Text | None = Field(None, description="Numeric condition of a curve.")
    same: tuple[Text, ...] = Field((), description="Conditions that must be equal in one panel.", strict=False)
    case: Text | None = Field(None, description="Id of the case report of an incident or a matrix.")
    panels: tuple[Text, ...] = Field((), description="Quantities of a matrix, in order.", strict=False)
    sha256: Sha256 | None = Field(None, description="SHA-256 of the drawn image, written by figures --accept.")
    pixels_sha256: Sha256 | None = Field(None, description="SHA-256 of its decoded RGB pixels.")
    platform: Text | None = Field(None, description="System and processor on which it was drawn.")


def unread(entry: FigureEntry) -> list[str]:
    """Return the fields an entry sets that its kind does not read."""
    return sorted(entry.model_fields_set - READS[entry.kind] - _EVERY)


def selected(record: Record, selection: Selection) -> list[Measurement]:
    """Return the results that a selection names, in record order."""
    return [r for r in record.reported_results if _fits(r, selection)]


def _fits(result: Measurement, selection: Selection) -> bool:
    return (
        (selection.metric is None or result.metric == selection.metric)
        and (selection.campaign is None or result.campaign == selection.campaign)
        and (not selection.labels or result.label in selection.labels)
        and all(ENGLISH.plain(result.conditions.get(k)) == ENGLISH.plain(v) for k, v in selection.where.items())
    )


def mixed(results: list[Measurement], entry: FigureEntry) -> Iterator[str]:
    """Yield what keeps results out of one panel: another quantity, unit, statistic, denominator or scope.

    A condition that tells machines or windows apart is a scope of its own accord, unless the entry lays the
    figure out by it.
    """
    for name in ("metric", "unit", "statistic", "denominator"):
        found = {getattr(r, name) for r in results}
        if len(found) > 1:
            yield f"{name}: {ENGLISH.listed(sorted(str(f) for f in found))}"
    scopes = [k for r in results for k in r.conditions if _SCOPE.search(k) and k not in _laid_out_by(entry)]
    for key in dict.fromkeys([*entry.same, *scopes]):
        values = sorted({ENGLISH.plain(r.conditions.get(key)) for r in results})
        if len(values) > 1:
            yield f"{key}: {ENGLISH.listed(values)}"


def _laid_out_by(entry: FigureEntry) -> set[str | None]:
    return {entry.group, entry.series, entry.x}


def unknown_conditions(results: list[Measurement], entry: FigureEntry) -> list[str]:
    """Return the conditions an entry names that no selected result has."""
    named = [entry.group, entry.series, entry.x, *entry.notes, *entry.same]
    return [k for k in named if k and not any(k in r.conditions for r in results)]


def is_numeric(results: list[Measurement], key: str) -> bool:
    """Tell whether a condition is a number in every result."""
    return all(isinstance(r.conditions.get(key), Decimal) for r in results)

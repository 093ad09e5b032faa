"""What a file holds → parts of a record: a campaign with the conditions that all its runs share, and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..result_json import written
from .served import place
from .shape import Format, Imported, Quantity, Run


def campaign(imported: Imported, of: Format, document: str, name: str) -> dict[str, Any]:
    """Return the campaign of one file: its id is that of the document, its conditions are those of every run."""
    shared = _shared(imported.runs)
    made: dict[str, Any] = {"id": document, "label": f"{of.tool}, {name}", "conditions": shared}
    spot = next((run.spots.get("model") for run in imported.runs), None)
    if spot and isinstance(shared.get("model"), str):
        made["evidence"] = {"document": document, **place(spot)}
    return made


def results(imported: Imported, document: str) -> Iterator[dict[str, Any]]:
    """Yield a result for every value, in the order of the file."""
    shared = _shared(imported.runs)
    named = Counter(run.label for run in imported.runs)
    for number, run in enumerate(imported.runs, 1):
        own = {key: value for key, value in run.conditions.items() if key not in shared}
        label = f"Run {number}: {run.label}" if named[run.label] > 1 else run.label
        for quantity in run.quantities:
            yield _result(label, quantity, own, run, document)


def _result(label: str, quantity: Quantity, own: Mapping[str, Any], run: Run, document: str) -> dict[str, Any]:
    conditions = {**own, **quantity.conditions}
    if quantity.in_file is not None:
        conditions["value_in_file"] = quantity.in_file
    made: dict[str, Any] = {
        "label": label,
        "metric": quantity.metric,
        "value": quantity.value,
        "null_reason": quantity.null_reason if quantity.value is None else None,
        "value_text": quantity.value_text,
        "unit": quantity.unit,
        "statistic": quantity.statistic,
        "n": Decimal(quantity.n) if quantity.n else None,
        "divided_by": quantity.divided_by,
    }
    kept = {key: value for key, value in made.items() if value is not None or key == "value"}
    evidence = {key: {"document": document, **place(run.spots[key])} for key in own if key in run.spots}
    return {
        **kept,
        "uncertainty": dict(quantity.uncertainty) if quantity.uncertainty else None,
        "campaign": document,
        "conditions": conditions,
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "evidence": {"document": document, **place(quantity.spot)},
        **({"condition_evidence": evidence} if evidence else {}),
    }


def _shared(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the conditions that every run has alike, digit for digit."""
    if not runs:
        return {}
    first, *rest = runs
    return {
        key: value
        for key, value in first.conditions.items()
        if all(key in run.conditions and _is_same(run.conditions[key], value) for run in rest)
    }


def _is_same(one: Any, other: Any) -> bool:
    """Tell whether two conditions are alike: true is not 1, 1.0 is not 1."""
    return type(one) is type(other) and (written(one), str(one)) == (written(other), str(other))

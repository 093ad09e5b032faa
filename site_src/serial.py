"""Checked values → the data files of a site: JSON with the digits as written, CSV that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from . import citations, words
from .figures.spec import Capacity, Curve, FigureSpec, Hero, Incident, Matrix, Memory, Rates
from .model import Measurement, Record

_NOT_REPORTED: Final = "not_reported"
# What a spreadsheet takes for the start of a formula, and blanks that it drops before it looks.
_FORMULA: Final = frozenset("=+-@\t\r\n＝＋－＠")


class Raw(str):
    """Text that is JSON already, indented for where it stands."""

    __slots__ = ()


def json_text(value: Any, indent: int = 0) -> str:
    """Return JSON with two-space indentation; numbers keep their literal, 329.010 its zero."""
    pad, inner = "  " * indent, "  " * (indent + 1)
    if isinstance(value, Raw):
        return value
    if isinstance(value, Decimal):
        return words.literal(value)
    if isinstance(value, Mapping) and value:
        items = [
            f"{inner}{json.dumps(str(k), ensure_ascii=False)}: {json_text(v, indent + 1)}" for k, v in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{pad}}}"
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(inner + json_text(v, indent + 1) for v in value) + f"\n{pad}]"
    return json.dumps({} if isinstance(value, Mapping) else value, ensure_ascii=False)


def csv_bytes(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return CSV; text that a spreadsheet would run as a formula starts with an apostrophe, null is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[_csv_cell(v) for v in row] for row in rows])
    return out.getvalue().encode()


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return words.literal(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = value if isinstance(value, str) else json_text(value).replace("\n", " ")
    return "'" + text if text[:1] in _FORMULA else text


MEASUREMENT: Final = (
    "label",
    "metric",
    "value",
    "value_text",
    "unit",
    "null_reason",
    "statistic",
    "n",
    "denominator",
    "uncertainty",
    "evidence_state",
    "site_reproduced",
    "source",
    "source_revision",
    "source_sha256",
    "source_line",
    "evidence_url",
    "null_conditions",
)
"""The columns of a measurement in CSV; its conditions follow."""


def measurement_cells(record: Record, result: Measurement) -> list[Any]:
    """Return a measurement's cells under MEASUREMENT; what is null is empty, and says why in a column of its own."""
    cited = citations.of_result(record, result)
    source = cited.source if cited else None
    evidence = [source.document_path, source.revision, source.document_sha256] if source else [None] * 3
    reasons = "; ".join(f"{key}: {reason}" for key, reason in condition_reasons(result).items())
    return [
        result.label, result.metric, result.value, result.value_text, result.unit, null_reason(result),
        result.statistic, result.repetitions, result.denominator, result.uncertainty, result.evidence_state,
        result.site_reproduced, *evidence, cited.line if cited else None, cited.url if cited else None, reasons or None,
    ]  # fmt: skip


def null_reason(result: Measurement) -> str | None:
    """Return why a measurement has no value, as the record codes it; None where it has one."""
    return None if result.value is not None else result.null_reason or _NOT_REPORTED


def condition_reasons(result: Measurement) -> dict[str, str]:
    """Return the conditions that are null, each with its reason."""
    return {k: result.null_reasons.get(k) or _NOT_REPORTED for k, v in result.conditions.items() if v is None}


def results_csv(record: Record) -> bytes:
    """Return every measurement with its evidence and all conditions; a condition it lacks is empty, as a null is."""
    conditions = list(dict.fromkeys(k for r in record.reported_results for k in r.conditions))
    rows: list[list[Any]] = [[*MEASUREMENT, *(f"conditions.{k}" for k in conditions)]]
    for result in record.reported_results:
        rows.append([*measurement_cells(record, result), *(result.conditions.get(k) for k in conditions)])
    return csv_bytes(rows)


def figure_csv(spec: FigureSpec) -> bytes:
    """Return what a figure plots: one row per mark or fact, values in digits without separators."""
    return csv_bytes(_figure_rows(spec))


def _digits(text: str) -> Decimal:
    """Return a printed number as the record writes it."""
    return Decimal(text.replace(",", "").replace("−", "-"))


def _figure_rows(spec: FigureSpec) -> list[list[Any]]:
    content = spec.content
    if isinstance(content, Rates):
        rows = [
            [
                g.label,
                r.label,
                _digits(r.value.text),
                content.unit,
                *(None if n.muted else n.text for n in r.notes),
            ]
            for g in content.groups
            for r in g.rows
        ]
        return [["group", "run", "value", "unit", *content.note_heads], *rows]
    if isinstance(content, Memory):
        readings = [[_digits(r.value), r.unit, *r.facets] for r in content.readings]
        missing = [[None, None, name, *[None] * (len(content.facet_names) - 1)] for name in content.missing]
        return [["value", "unit", *(n.lower() for n in content.facet_names)], *readings, *missing]
    if isinstance(content, Matrix):
        return [
            ["quantity", "unit", content.axis, "value", "state"],
            *(
                [p.title, p.unit, column, _digits(c.value.text) if c.value else None, c.words or "reported"]
                for p in content.panels
                for column, c in zip(content.columns, p.cells, strict=True)
            ),
        ]
    if isinstance(content, Capacity):
        return _capacity_rows(content)
    if isinstance(content, Curve):
        return _curve_rows(content)
    return _hero_rows(content) if isinstance(content, Hero) else _incident_rows(content)


def _capacity_rows(content: Capacity) -> list[list[Any]]:
    head = ["profile", "pool", "full windows (derived)", "scheduler ceiling", "deepest measured"]
    rows = [[r.label, r.pool, _digits(r.windows.text), _digits(r.ceiling.text), r.depth] for r in content.rows]
    return [head, *rows]


def _curve_rows(content: Curve) -> list[list[Any]]:
    rows = [
        [s.label, _digits(p.x.text), _digits(p.value.text) if p.value else None, content.unit, p.words or "reported"]
        for s in content.series
        for p in s.points
    ]
    return [["series", content.x_label, "value", "unit", "state"], *rows]


def _hero_rows(content: Hero) -> list[list[Any]]:
    return [["heading", "value", "words"], *([c.heading, c.value, c.words] for c in content.columns)]


def _incident_rows(content: Incident) -> list[list[Any]]:
    rows: list[list[Any]] = [["part", "name", "before", "value", "limit", "note"]]
    rows += [["step", s.heading, None, None, None, "; ".join(s.lines)] for s in content.steps]
    for gauge in content.gauges:
        before, event = (_digits(p.text) if p else None for p in (gauge.before, gauge.at_event))
        rows.append(["share of its pool", gauge.label, before, event, None, gauge.note])
    for count in content.counts:
        limit = _digits(count.limit.text) if count.limit else None
        rows.append(["count", count.label, None, _digits(count.value.text), limit, count.limit_label])
    return rows

"""Cohorts → files for machines: CSV and JSON of each table and of all, and a catalogue of guides, tables and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from .. import citations, serial, subject
from ..check import Explainer
from ..links import guide_files
from ..places import Places
from .cohorts import Cohort, Row, printed
from .facets import ENGINE, HARDWARE, MODEL

ROUTE: Final = "/results/"
ALL_CSV: Final = f"{ROUTE}results.csv"
ALL_JSON: Final = f"{ROUTE}results.json"
CATALOGUE: Final = f"{ROUTE}catalogue.json"
_NAMES: Final = (MODEL, HARDWARE, ENGINE)


def csv_route(cohort: Cohort) -> str:
    """Return the address of a cohort as CSV."""
    return f"{ROUTE}tables/{cohort.id}.csv"


def json_route(cohort: Cohort) -> str:
    """Return the address of a cohort as JSON."""
    return f"{ROUTE}tables/{cohort.id}.json"


def files(cohorts: Sequence[Cohort], places: Mapping[str, Places]) -> Iterator[tuple[str, bytes]]:
    """Yield address and bytes of the files of every cohort, then of all results together."""
    for cohort in cohorts:
        yield csv_route(cohort), _csv(cohort, places)
        yield json_route(cohort), _json({**_about(cohort), "rows": [_row(r, places) for r in cohort.rows]})
    yield ALL_CSV, _all_csv(cohorts, places)
    rows = [{"table": c.id, **_row(r, places)} for c in cohorts for r in c.rows]
    yield ALL_JSON, _json({"results": rows})


def _json(value: Any) -> bytes:
    return (serial.json_text(value) + "\n").encode()


def _address(row: Row, places: Mapping[str, Places]) -> str:
    """Return where the row of a result stands on its guide, from the root of the site."""
    return f"{places[row.explainer.record.id].results[row.number]}#result-{row.number}"


def _lead(row: Row, places: Mapping[str, Places]) -> list[Any]:
    """Return the first cells of a row of CSV: its record, its number and place there, what it is about."""
    names = [row.facets.get(f.folder) for f in _NAMES]
    return [row.explainer.record.id, row.number, _address(row, places), *names]


_LEAD: Final = ("guide", "row", "page", "model", "hardware", "engine")


def _csv(cohort: Cohort, places: Mapping[str, Places]) -> bytes:
    keys = list(dict.fromkeys(k for r in cohort.rows for k in r.result.conditions))
    rows: list[list[Any]] = [[*_LEAD, *serial.MEASUREMENT, *(f"conditions.{k}" for k in keys)]]
    for row in cohort.rows:
        rows.append([*_lead(row, places), *row.cells, *(row.result.conditions.get(k) for k in keys)])
    return serial.csv_bytes(rows)


def _all_csv(cohorts: Sequence[Cohort], places: Mapping[str, Places]) -> bytes:
    """Return every result of the site. Conditions are one cell of JSON: records share few of their names."""
    rows: list[list[Any]] = [["table", *_LEAD, *serial.MEASUREMENT, "conditions"]]
    for cohort in cohorts:
        for row in cohort.rows:
            rows.append([cohort.id, *_lead(row, places), *row.cells, dict(row.result.conditions)])
    return serial.csv_bytes(rows)


def _about(cohort: Cohort) -> dict[str, Any]:
    """Return what makes a cohort one: the measure, and the conditions that every row shares."""
    first = cohort.first
    held = first.conditions.items()
    same = {k: v for k, v in held if all(_holds(r.result.conditions, k, v) for r in cohort.rows)}
    statistics = list(dict.fromkeys(r.result.statistic for r in cohort.rows))
    measure = {"metric": first.metric, "unit": first.unit, "denominator": first.denominator, "statistic": statistics}
    return {"table": cohort.id, **measure, "held_together_by": sorted(cohort.binding), "shared": same}


def _holds(conditions: Mapping[str, Any], key: str, value: Any) -> bool:
    return key in conditions and printed(conditions[key]) == printed(value)


def _row(row: Row, places: Mapping[str, Places]) -> dict[str, Any]:
    record, result = row.explainer.record, row.result
    cited = citations.of_result(record, result)
    told = dict(zip(_LEAD, _lead(row, places), strict=True))
    told |= {"label": result.label, "metric": result.metric, "value": result.value, "value_text": result.value_text}
    told |= {"unit": result.unit, "null_reason": serial.null_reason(result), "statistic": result.statistic}
    told |= {"n": result.repetitions, "denominator": result.denominator, "uncertainty": result.uncertainty}
    told |= {"evidence_state": result.evidence_state, "site_reproduced": result.site_reproduced}
    told["source"] = _source(cited) if cited else None
    return {**told, "conditions": dict(result.conditions), "null_reasons": serial.condition_reasons(result)}


def _source(cited: citations.Citation) -> dict[str, Any]:
    source = cited.source
    told = {"document": source.document_path, "revision": source.revision, "sha256": source.document_sha256}
    return {**told, "line": cited.line, "pointer": cited.pointer, "url": cited.url}


def catalogue(
    title: str,
    explainers: Iterable[Explainer],
    cohorts: Sequence[Cohort],
    starts: Mapping[str, tuple[str, str]],
    locked: frozenset[str],
) -> bytes:
    """Return the catalogue: each guide with its state and files, each table with its page, the files of the site.

    `locked` are the ids of the records whose claims are proved by a lock.
    """
    tables = [{**_about(c), **_size(c), **_files(c), "page": "#".join(starts[c.id])} for c in cohorts]
    lean = [{k: v for k, v in t.items() if k not in {"held_together_by", "shared"}} for t in tables]
    guides = [_guide(e, is_locked=e.record.id in locked) for e in explainers]
    return _json({"title": title, "guides": guides, "tables": lean, "files": [ALL_CSV, ALL_JSON, CATALOGUE]})


def _size(cohort: Cohort) -> dict[str, Any]:
    return {"rows": len(cohort.rows), "guides": [e.record.id for e in cohort.explainers]}


def _files(cohort: Cohort) -> dict[str, str]:
    return {"csv": csv_route(cohort), "json": json_route(cohort)}


def _guide(explainer: Explainer, *, is_locked: bool) -> dict[str, Any]:
    record = explainer.record
    states = {"evidence_state": record.evidence_state, "site_reproduced": record.site_reproduced}
    states["performance_ranking_allowed"] = record.performance_ranking_allowed
    dates = {"published_on": record.published_on, "modified_on": record.modified_on}
    return {
        "id": record.id,
        "path": record.path,
        "title": record.title,
        **states,
        **dates,
        "source_checked_on": record.source_checked_on,
        "models": list(subject.models(record)),
        "hardware": list(subject.hardware(record)),
        "results": len(record.reported_results),
        "nulls": sum(r.value is None for r in record.reported_results),
        "sources": len(record.all_sources),
        "files": list(guide_files(record, is_locked=is_locked)),
    }

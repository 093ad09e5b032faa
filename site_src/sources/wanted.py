"""A record → every value that it says a document prints, with what names its row and its column.

The order of keys means nothing here: words are taken in the order of the keys' names, so that a record laid out anew
asks the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from .. import words
from ..campaigns import merged_data
from ..claims import vocabulary
from ..claims.conversion import converted
from ..claims.units import canonical, of_key
from ..model import Record
from ..pointers import escape
from .find import Wanted, statistics

_Varied = Mapping[str, tuple[str, ...]]


def wanted(data: Any, record: Record) -> Iterator[Wanted]:
    """Yield every value of a record's data whose evidence names a line, in record order."""
    merged = merged_data(data, record)
    rows = merged.get("reported_results") or ()
    varied = _varied(rows)
    for index, row in enumerate(rows):
        yield from _of_result(f"/reported_results/{index}", row, varied, record)
    for name in ("profiles", "envelope", "campaigns"):
        for index, part in enumerate(data.get(name) or ()):
            yield from _of_part(f"/{name}/{index}", part)
    for index, relation in enumerate(data.get("relations") or ()):
        stated = relation.get("stated") or {}
        # The label of a relation tells of its inputs as well, so that it names no column.
        texts = (str(relation.get("label", "")),)
        yield from _entry(f"/relations/{index}/stated", stated, stated.get("value"), relation.get("unit"), texts=texts)


def _of_result(at: str, row: Any, varied: _Varied, record: Record) -> Iterator[Wanted]:
    conditions: Mapping[str, Any] = row.get("conditions") or {}
    told: dict[str, Any] = {
        "names": (str(row.get("metric", "")), str(row.get("statistic", ""))),
        "texts": tuple(_texts(row, conditions)),
        "statistic": statistics(str(row.get("statistic", ""))),
        "alternatives": tuple(
            (values, conditions[key]) for key, values in varied.items() if conditions.get(key) in values
        ),
    }
    terms = vocabulary.stems(words.label(str(row.get("metric", ""))))
    entry = row if row.get("evidence") else {**row, "evidence": _old_evidence(row, record)}
    yield from _entry(at, entry, row.get("value"), row.get("unit"), terms=terms, **told)
    for number, printing in enumerate(row.get("also_printed") or ()):
        where = f"{at}/also_printed/{number}"
        yield from _entry(where, printing, printing.get("value"), printing.get("unit"), terms=terms, **told)
    for key, evidence in (row.get("condition_evidence") or {}).items():
        where = f"{at}/condition_evidence/{escape(key)}"
        names = vocabulary.stems(words.label(key))
        value = conditions.get(key)
        yield from _entry(where, {"evidence": evidence}, value, of_key(key), own=False, terms=names, **told)


def _old_evidence(row: Any, record: Record) -> dict[str, Any] | None:
    """Return the evidence of a row of format 1.0.0: the line of the source that its hash or id names."""
    line, sha256 = row.get("source_line"), row.get("source_document_sha256")
    same = (s for s in record.all_sources if sha256 and s.document_sha256 == sha256)
    source = next(same, None)
    if line is None or source is None:
        return None
    return {"document": source.pinned_url, "line": line}


def _of_part(at: str, part: Any) -> Iterator[Wanted]:
    """Yield what a profile, a planning row or a campaign cites: the exact words, and the deepest request."""
    texts = tuple(v for _, v in sorted(part.items()) if isinstance(v, str))
    pool = part.get("pool_tokens")
    terms = vocabulary.stems("pool capacity") if pool is not None else frozenset[str]()
    yield from _entry(at, part, pool, "tokens" if pool is not None else None, texts=texts, terms=terms)
    deepest = part.get("deepest")
    if isinstance(deepest, dict):
        terms = vocabulary.stems("prompt tokens")
        yield from _entry(f"{at}/deepest", deepest, deepest.get("prompt_tokens"), "tokens", texts=texts, terms=terms)


def _entry(at: str, part: Any, value: Any, unit: Any, *, own: bool = True, **told: Any) -> Iterator[Wanted]:
    evidence = part.get("evidence")
    if not isinstance(evidence, dict) or not (evidence.get("line") or evidence.get("pointer")):
        return
    number = value if isinstance(value, Decimal) else None
    unit = canonical(unit) if isinstance(unit, str) else ""
    if number is not None and isinstance(evidence.get("unit"), str):
        held = canonical(evidence["unit"])
        number, unit = converted(number, unit, held), held
    exact = evidence.get("exact")
    if number is None and exact is None:
        exact = value if isinstance(value, str) else None
    yield Wanted(
        pointer=f"{at}/evidence" if own else at,
        document=str(evidence.get("document")),
        line=int(evidence.get("line") or 0),
        value=number,
        unit=unit,
        exact=exact,
        column=evidence.get("column"),
        at=evidence.get("pointer"),
        **told,
    )


def _texts(row: Any, conditions: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a row's conditions and label."""
    yield str(row.get("label", ""))
    for _, value in sorted(conditions.items()):
        if isinstance(value, str):
            yield value
        elif isinstance(value, Decimal):
            yield words.number(value)


def _varied(rows: Any) -> _Varied:
    """Return for each text condition that differs between rows, by name, the values it has, in record order."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for key, value in (row.get("conditions") or {}).items():
            if isinstance(value, str):
                found.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in sorted(found.items()) if len(values) > 1}

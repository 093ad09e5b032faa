"""Reported results → cohorts: rows that agree in all that a comparison needs. When in doubt they are apart.

Rows of one cohort have the same metric, unit, denominator and kind of statistic, and the same workload, way of
measuring and number of machines. Rows of two records meet only where both say all of this and leave nothing open;
a null is equal to a null of its own record alone, because there one author left both open.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from .. import citations, prose, serial
from ..check import Explainer
from ..evidence_links import cite
from ..interface import ENGLISH, Words
from ..model import Measurement
from ..view import Ref
from . import facets
from .roles import Role, is_measured, is_quantity, role, tells_length, tells_load

_COUNT: Final = re.compile(r"\bof (?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b", re.I)
_UNSTATED: Final = re.compile(r"\bnot (?:stated|reported|given|published)\b|\bunknown\b", re.I)
_BINDING: Final = frozenset({Role.MEASURE, Role.WORKLOAD, Role.MACHINES})
_DENOMINATOR: Final = "metric_denominator"
_LONGEST_SLUG: Final = 48


@dataclass(frozen=True)
class Row:
    """One reported result with its place: its record and its number there, from 1."""

    explainer: Explainer
    number: int
    result: Measurement
    facets: Mapping[str, str]
    binding: Mapping[str, Any]
    options: Mapping[str, Any]

    def refs(self, say: Words) -> tuple[Ref, ...]:
        """Return the evidence link of the result, with what the receipt says of it; none without a source."""
        refs = cite(say, self.explainer.record, self.result)
        state = self.explainer.receipts.of_value(say, f"/reported_results/{self.number - 1}/evidence")
        return (replace(refs[0], text=", ".join(filter(None, (refs[0].text, state)))), *refs[1:]) if refs else ()

    @cached_property
    def cells(self) -> tuple[Any, ...]:
        """The cells of the result under serial.MEASUREMENT."""
        return tuple(serial.measurement_cells(self.explainer.record, self.result))


@dataclass(frozen=True)
class Cohort:
    """Rows that may be read side by side, in record order; `binding` are the conditions that hold them together."""

    id: str
    rows: tuple[Row, ...]

    @property
    def first(self) -> Measurement:
        """The first result; what makes a cohort is the same in all."""
        return self.rows[0].result

    @property
    def binding(self) -> Mapping[str, Any]:
        """The conditions that every row shares because it must."""
        return self.rows[0].binding

    @property
    def explainers(self) -> tuple[Explainer, ...]:
        """The records of its rows, each once."""
        return tuple({row.explainer.record.id: row.explainer for row in self.rows}.values())


def rows_of(explainer: Explainer) -> Iterator[Row]:
    """Yield the results of a record, each with the conditions that bind it and the options that it has."""
    record = explainer.record
    groups: dict[tuple[Any, ...], list[Measurement]] = {}
    for result in record.reported_results:
        groups.setdefault(measure(result), []).append(result)
    parts = {key: _parts(group) for key, group in groups.items()}
    factors = {c.id: frozenset(c.factors) for c in record.campaigns}
    for number, result in enumerate(record.reported_results, 1):
        roles = parts[measure(result)]
        free = factors.get(result.campaign or "", frozenset())
        bound = {k for k, part in roles.items() if part in _BINDING and not (part is Role.MACHINES and k in free)}
        binding = {k: v for k, v in result.conditions.items() if k in bound}
        options = {k: v for k, v in result.conditions.items() if roles.get(k) is Role.UNKNOWN}
        yield Row(explainer, number, result, facets.names(record, result), binding, options)


def _parts(results: Sequence[Measurement]) -> dict[str, Role]:
    """Return the role of each condition among results of one measure; a quantity without one counts as workload."""
    found = {}
    for key in dict.fromkeys(k for r in results for k in r.conditions if k != _DENOMINATOR):
        values = [r.conditions[key] for r in results if key in r.conditions]
        part = role(key, values)
        if part is Role.UNKNOWN and is_measured(values):
            part = Role.OUTCOME
        elif part is Role.UNKNOWN and is_quantity(values):
            part = Role.WORKLOAD
        found[key] = part
    return found


def measure(result: Measurement) -> tuple[str, str, str | None, str]:
    """Return metric, unit, denominator and kind of statistic; how many runs a mean is of has a column of its own."""
    return result.metric, result.unit, result.denominator, _COUNT.sub("of n", result.statistic.strip()).casefold()


def printed(value: Any) -> str:
    """Return a value so that two are equal only as written: 3.1 is not 3.10, "4" is not 4."""
    return f"{type(value).__name__} {ENGLISH.plain(value)}"


def cohorts(rows: Sequence[Row]) -> tuple[Cohort, ...]:
    """Return the cohorts of all rows, in the order of their first rows; every row stands in exactly one."""
    own: dict[str, list[Row]] = {}
    for row in rows:
        own.setdefault(_key(row, row.explainer.record.id), []).append(row)
    found: dict[str, list[Row]] = {}
    for key, group in own.items():
        found.setdefault(_common_key(group) or key, []).extend(group)
    return tuple(Cohort(_id(key, group[0].result.metric), tuple(group)) for key, group in found.items())


def _key(row: Row, record_id: str, options: Mapping[str, Any] | None = None) -> str:
    held = {**row.binding, **(options or {})}
    bound = sorted((k, row.result.null_reasons.get(k, "") if v is None else printed(v)) for k, v in held.items())
    return json.dumps([*measure(row.result), bound, record_id, *_origin(row)], ensure_ascii=False)


def _origin(row: Row) -> list[str | None]:
    """Return campaign and document where a rate has no denominator or no statistic: only they vouch for it then."""
    if not _is_open(row.result):
        return []
    cited = citations.of_result(row.explainer.record, row.result)
    return [row.result.campaign, cited.source.pinned_url if cited else None]


def _is_open(result: Measurement) -> bool:
    lacks_denominator = "/" in result.unit and result.denominator is None
    return lacks_denominator or bool(_UNSTATED.search(result.statistic))


def _common_key(group: Sequence[Row]) -> str | None:
    """Return the key under which rows of other records may join a group, or None where too much is left open."""
    keys = {_key(row, "", row.options) for row in group}
    first = group[0]
    held = {**first.binding, **first.options}
    told = any(tells_length(k) for k in first.binding) and any(tells_load(k) for k in first.binding)
    if len(keys) > 1 or _is_open(first.result) or None in held.values() or not told:
        return None
    return keys.pop()


def _id(key: str, metric: str) -> str:
    """Return the name of a cohort's files: its metric, and a hash of all that makes it one."""
    tag = hashlib.sha256(key.encode()).hexdigest()[:8]
    return f"{prose.slug(metric)[:_LONGEST_SLUG].strip('-') or 'metric'}-{tag}"

"""Cohorts → the words that tell them apart: what the rows of one share, and in what it differs from the one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from .. import facts, words
from ..interface import ENGLISH
from ..view import Fact
from .cohorts import Cohort
from .roles import tells_length, tells_load

_IN_HEADING: Final = 3
_IN_LINE: Final = 6
_SHORT: Final = 40
# No condition of a record is named so: a key is never told by a label alone.
_METRIC, _UNIT, _STATISTIC, _DENOMINATOR = (" metric", " unit", " statistic", " denominator")
_MEASURE: Final = (_METRIC, _UNIT, _STATISTIC, _DENOMINATOR)
Traits = Mapping[str, Fact]


def shared(cohort: Cohort) -> tuple[Fact, ...]:
    """Return the conditions that hold a cohort together; how long and how many the requests were come first."""
    ordered = sorted(cohort.binding, key=lambda key: (not tells_length(key), not tells_load(key)))
    return facts.facts(
        ENGLISH, {k: cohort.binding[k] for k in ordered}, told=facts.Told(reasons=cohort.first.null_reasons)
    )


def _traits(cohort: Cohort) -> Traits:
    """Return all by which a cohort may differ from another, by key: conditions first, then how it was measured."""
    first = cohort.first
    ordered = sorted(cohort.binding, key=lambda key: (not tells_length(key), not tells_load(key)))
    own = {key: Fact(*words.field(key, cohort.binding[key]), null=cohort.binding[key] is None) for key in ordered}
    own[_STATISTIC] = Fact("Statistic", first.statistic)
    own[_DENOMINATOR] = Fact("Denominator", first.denominator or words.NOT_REPORTED, null=not first.denominator)
    return {**own, _UNIT: Fact("Unit", first.unit), _METRIC: Fact("Metric", words.label(first.metric))}


def headings(cohorts: Sequence[Cohort]) -> list[str]:
    """Return a heading for each cohort of a page: metric and unit, then what tells it from its neighbours."""
    told = [_traits(c) for c in cohorts]
    return [_heading(own, [*told[max(0, n - 1) : n], *told[n + 1 : n + 2]]) for n, own in enumerate(told)]


def _heading(own: Traits, neighbours: Sequence[Traits]) -> str:
    alike = [other for other in neighbours if all(_text(other, k) == own[k].text for k in (_METRIC, _UNIT))]
    usable = [k for k, f in own.items() if k not in {_METRIC, _UNIT} and not f.null and len(f.text) <= _SHORT]
    telling = [k for k in usable if any(_text(other, k) != own[k].text for other in alike)]
    chosen = (telling or [k for k in usable if k not in _MEASURE])[:_IN_HEADING]
    lead = f"{own[_METRIC].text}, {own[_UNIT].text}"
    return f"{lead}: {', '.join(_said(own[k]) for k in chosen)}" if chosen else lead


def _said(fact: Fact) -> str:
    label = fact.label
    if fact.text.lower().startswith(label.lower()):
        return fact.text
    return f"{label.lower() if label[1:].islower() else label} {fact.text}"


def differences(cohorts: Sequence[Cohort]) -> list[str]:
    """Return for each cohort in what it differs from the one before it; "" for the first."""
    told = [_traits(c) for c in cohorts]
    return [""][: len(told)] + [_difference(before, own) for before, own in pairwise(told)]


def _difference(before: Traits, own: Traits) -> str:
    ordered = dict.fromkeys([*_MEASURE, *own, *before])
    found = [k for k in ordered if _text(own, k) != _text(before, k)]
    told = [f"{(own.get(k) or before[k]).label} {_text(own, k)} (above {_text(before, k)})" for k in found[:_IN_LINE]]
    told += [words.count(len(found) - _IN_LINE, "more condition")] if len(found) > _IN_LINE else []
    return "; ".join(told) if told else "another record or campaign, which leaves open what this one does"


def _text(traits: Traits, key: str) -> str:
    return traits[key].text if key in traits else "not stated"


def agreed(texts: Iterable[str]) -> str:
    """Return a text that all share, or ""."""
    found = set(texts)
    return found.pop() if len(found) == 1 else ""

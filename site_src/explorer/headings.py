"""Cohorts → the words that tell them apart: what the rows of one share, and in what it differs from the one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from .. import facts, words
from ..interface import Words
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


def shared(say: Words, cohort: Cohort) -> tuple[Fact, ...]:
    """Return the conditions that hold a cohort together; how long and how many the requests were come first."""
    ordered = sorted(cohort.binding, key=lambda key: (not tells_length(key), not tells_load(key)))
    return facts.facts(say, {k: cohort.binding[k] for k in ordered}, told=facts.Told(reasons=cohort.first.null_reasons))


def _traits(say: Words, cohort: Cohort) -> Traits:
    """Return all by which a cohort may differ from another, by key: conditions first, then how it was measured."""
    first = cohort.first
    ordered = sorted(cohort.binding, key=lambda key: (not tells_length(key), not tells_load(key)))
    own = {key: Fact(*say.field(key, cohort.binding[key]), null=cohort.binding[key] is None) for key in ordered}
    own[_STATISTIC] = Fact(say("explorer.statistic"), first.statistic)
    divided = first.denominator or say("word.not_reported")
    own[_DENOMINATOR] = Fact(say("explorer.denominator"), divided, null=not first.denominator)
    unit, metric = Fact(say("explorer.unit"), first.unit), Fact(say("facet.metric"), words.label(first.metric))
    return {**own, _UNIT: unit, _METRIC: metric}


def headings(say: Words, cohorts: Sequence[Cohort]) -> list[str]:
    """Return a heading for each cohort of a page: metric and unit, then what tells it from its neighbours."""
    told = [_traits(say, c) for c in cohorts]
    return [_heading(say, own, [*told[max(0, n - 1) : n], *told[n + 1 : n + 2]]) for n, own in enumerate(told)]


def _heading(say: Words, own: Traits, neighbours: Sequence[Traits]) -> str:
    alike = [other for other in neighbours if all(_text(say, other, k) == own[k].text for k in (_METRIC, _UNIT))]
    usable = [k for k, f in own.items() if k not in {_METRIC, _UNIT} and not f.null and len(f.text) <= _SHORT]
    telling = [k for k in usable if any(_text(say, other, k) != own[k].text for other in alike)]
    chosen = (telling or [k for k in usable if k not in _MEASURE])[:_IN_HEADING]
    lead = f"{own[_METRIC].text}, {own[_UNIT].text}"
    return f"{lead}: {', '.join(_said(say, k, own[k]) for k in chosen)}" if chosen else lead


def _said(say: Words, key: str, fact: Fact) -> str:
    label = fact.label
    if fact.text.lower().startswith(label.lower()):
        return fact.text
    if key in _MEASURE:
        return say("explorer.statistic_of" if key == _STATISTIC else "word.denominator_of", text=fact.text)
    return f"{label.lower() if label[1:].islower() else label} {fact.text}"


def differences(say: Words, cohorts: Sequence[Cohort]) -> list[str]:
    """Return for each cohort in what it differs from the one before it; "" for the first."""
    told = [_traits(say, c) for c in cohorts]
    return [""][: len(told)] + [_difference(say, before, own) for before, own in pairwise(told)]


def _difference(say: Words, before: Traits, own: Traits) -> str:
    texts = {k: (_text(say, own, k), _text(say, before, k)) for k in dict.fromkeys([*_MEASURE, *own, *before])}
    found = [(own.get(k) or before[k], *pair) for k, pair in texts.items() if pair[0] != pair[1]]
    told = [say("explorer.above", label=fact.label, own=here, before=above) for fact, here, above in found[:_IN_LINE]]
    told += [say.count(len(found) - _IN_LINE, "condition")] if len(found) > _IN_LINE else []
    return "; ".join(told) if told else say("explorer.other_record")


def _text(say: Words, traits: Traits, key: str) -> str:
    return traits[key].text if key in traits else say("word.not_stated")


def agreed(texts: Iterable[str]) -> str:
    """Return a text that all share, or ""."""
    found = set(texts)
    return found.pop() if len(found) == 1 else ""

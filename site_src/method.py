"""What the method page says: the terms of the site, with what its records hold of each, and how slips were caught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from . import prose, terms, words
from .check import Explainer
from .claims.mutations import KINDS
from .derive import half_step
from .figures.select_hero import nulls_in
from .interface import Words
from .intervals import Interval
from .links import METHOD_ROUTE
from .terms import Section, Term
from .view import Cell, Column, Row, Table

ROUTE = METHOD_ROUTE
_MOST = 30
# Terms of what a record says no to: anchor, badge, flag.
_FLAGS: Final = (("rerun", "not_rerun", "site_reproduced"), ("ranking", "no_ranking", "performance_ranking_allowed"))


@dataclass(frozen=True)
class Counted:
    """What the method page counts in one record: nulls, values by state and by denominator, flags that say no.

    `decimal` is the first value that has decimals; `locked` the numbers in its lock, None without one that holds;
    `slips` are caught, tried and exempt slips by kind, None where nothing counted them.
    """

    nulls: int
    state: str
    states: tuple[tuple[str, int], ...]
    denominators: tuple[tuple[str, int], ...]
    refused: frozenset[str]
    decimal: Decimal | None
    locked: int | None
    slips: tuple[tuple[str, int, int, int], ...] | None


@dataclass(frozen=True)
class Method:
    """The figures of the method page: how many numbers are locked, and how their slips were caught."""

    locked: str
    slips: Table | None


def counted(explainer: Explainer) -> Counted:
    """Return what the method page counts in one record."""
    record, claims = explainer.record, explainer.claims
    results = record.reported_results
    values = (r.value for r in results)
    mutated = claims.mutated if claims.is_locked else None
    return Counted(
        nulls=nulls_in(record),
        state=record.evidence_state,
        states=tuple(Counter(r.evidence_state for r in results).items()),
        denominators=tuple(Counter(d for r in results if (d := r.denominator)).items()),
        refused=frozenset(flag for _, _, flag in _FLAGS if not getattr(record, flag)),
        decimal=next((v for v in values if v and half_step(v)), None),
        locked=len(claims.spots) if claims.is_locked else None,
        slips=tuple((k, c.caught, c.tried, c.exempt) for k, c in mutated.kinds.items()) if mutated else None,
    )


def method(say: Words, found: Sequence[Counted]) -> Method:
    """Return the figures of the method page: over all guides whose lock holds counts of its very claims."""
    slips = [one.slips for one in found if one.slips is not None]
    caught, tried, exempt = Counter[str](), Counter[str](), Counter[str]()
    for kind, *counts in (slip for counted in slips for slip in counted):
        for total, count in zip((caught, tried, exempt), counts, strict=True):
            total[kind] += count
    rows = tuple(
        Row(
            "",
            Cell(say(f"slip.{terms.key(kind)}"), small=(say(f"slipped.{terms.key(kind)}"),)),
            (_number(say, caught[kind]), _number(say, tried[kind]), _number(say, exempt[kind])),
        )
        for kind in KINDS
        if tried[kind]
    )
    heads = [Column(say(f"method.{name}"), True) for name in ("caught", "tried", "exempt")]
    columns = (Column(say("method.slip")), *heads)
    caption = say("method.slips_of", guides=say.count(len(slips), "guide"))
    table = Table("table-slips", caption, (), columns, rows, sourced=False) if rows else None
    locked = [one.locked for one in found if one.locked is not None]
    told = {"numbers": say.count(sum(locked), "number"), "guides": say.count(len(locked), "guide")}
    return Method(say("method.locked", **told), table)


def _number(say: Words, value: int) -> Cell:
    return Cell(say.integer(value), raw=str(value), numeric=True)


def before_slips(say: Words, found: Sequence[Counted], locked: str) -> tuple[Section, ...]:
    """Return the sections before the table of slips; `locked` says how many numbers stand in a lock."""
    nulls = say.count(sum(one.nulls for one in found), "field")
    return (
        _section(say, "record", say("method.record_lede"), terms.named(say, terms.RECORD)),
        _section(say, "states", say("method.states_lede"), tuple(_states(say, found))),
        _section(say, "nulls", say("method.nulls_lede", fields=nulls), tuple(terms.nulls(say))),
        _section(say, "denominators", say("method.denominators_lede"), tuple(_denominators(say, found))),
        _section(say, "rounding", _rounding(say, found)),
        _section(say, "comparability", say("method.comparability_lede")),
        _section(say, "figures", say("method.figures_lede"), terms.named(say, terms.FIGURES)),
        _section(say, "verified", say("method.verified_lede"), tuple(terms.outcomes(say))),
        _section(say, "claims", f"{locked} {say('method.claims_lede')}", tuple(terms.claims(say))),
    )


def after_slips(say: Words) -> tuple[Section, ...]:
    """Return the sections after the table of slips."""
    return (
        _section(say, "findings", say("method.findings_lede"), tuple(terms.findings(say))),
        _section(say, "limits", "", terms.limits(say)),
    )


def _section(say: Words, name: str, lede: str, found: tuple[Term, ...] = ()) -> Section:
    return Section(name, say(f"method.{name}"), lede, found)


def _states(say: Words, found: Sequence[Counted]) -> Iterator[Term]:
    """Yield every state of evidence that the records name, with how many guides and values have it."""
    guides = Counter(one.state for one in found)
    values = _total(one.states for one in found)
    for code in sorted(guides | values):
        held = [say.count(guides[code], "guide")] * bool(guides[code])
        held += [say.count(values[code], "value")] * bool(values[code])
        yield Term(f"state-{prose.slug(code)}", say.state(code), say("method.state_of", what=say.listed(held)))
    for name, badge, flag in _FLAGS:
        refused = sum(flag in one.refused for one in found)
        told = say(f"method.{name}", true=refused, guides=say.count(len(found), "guide"))
        yield Term(name, say(f"badge.{badge}"), told)


def _total(found: Iterable[tuple[tuple[str, int], ...]]) -> Counter[str]:
    total = Counter[str]()
    for counts in found:
        total.update(dict(counts))
    return total


def _denominators(say: Words, found: Iterable[Counted]) -> Iterator[Term]:
    """Yield what rates were divided by, in the words of the records, the most used first."""
    total = _total(one.denominators for one in found)
    ordered = sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
    if not ordered:
        yield Term("", say("method.none"), say("method.none_named"))
    for name, count in ordered[:_MOST]:
        yield Term("", name, say.count(count, "value"))
    if len(ordered) > _MOST:
        yield Term("", say("method.others"), say.count(len(ordered) - _MOST, "denominator"))


def _rounding(say: Words, found: Iterable[Counted]) -> str:
    """Return how printed digits are computed with, shown on the first value of the site that has decimals."""
    shown = next((one.decimal for one in found if one.decimal is not None), None)
    return say("method.rounding_lede") + (f" {_interval(say, shown)}" if shown else "")


def _interval(say: Words, value: Decimal) -> str:
    around = Interval.around(Fraction(value), half_step(value))
    places = len(words.literal(value).partition(".")[2]) + 1
    low, high = (say.digits(words.fraction(n, places)) for n in (around.low, around.high))
    return say("method.interval", value=say.number(value), low=low, high=high)

"""What the method page says: the terms of the site, with what its records hold of each, and how slips were caught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from .view import Cell, Column, Method, Row, Table

ROUTE = METHOD_ROUTE
_MOST = 30
# Terms of what a record says no to: anchor, badge, flag.
_FLAGS: Final = (("rerun", "not_rerun", "site_reproduced"), ("ranking", "no_ranking", "performance_ranking_allowed"))


def method(say: Words, explainers: Iterable[Explainer]) -> Method:
    """Return the figures of the method page: over all guides whose lock holds counts of its very claims."""
    locked = [e for e in explainers if e.claims.is_locked]
    counted = [e.claims.mutated for e in locked if e.claims.mutated]
    caught, tried, exempt = Counter[str](), Counter[str](), Counter[str]()
    for mutated in counted:
        for kind, count in mutated.kinds.items():
            caught[kind] += count.caught
            tried[kind] += count.tried
            exempt[kind] += count.exempt
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
    caption = say("method.slips_of", guides=say.count(len(counted), "guide"))
    table = Table("table-slips", caption, (), columns, rows, sourced=False) if rows else None
    numbers = sum(len(e.claims.spots) for e in locked)
    told = {"numbers": say.count(numbers, "number"), "guides": say.count(len(locked), "guide")}
    return Method(say("method.locked", **told), table)


def _number(say: Words, value: int) -> Cell:
    return Cell(say.integer(value), raw=str(value), numeric=True)


def before_slips(say: Words, explainers: Sequence[Explainer], locked: str) -> tuple[Section, ...]:
    """Return the sections before the table of slips; `locked` says how many numbers stand in a lock."""
    nulls = say.count(sum(nulls_in(e.record) for e in explainers), "field")
    return (
        _section(say, "record", say("method.record_lede"), terms.named(say, terms.RECORD)),
        _section(say, "states", say("method.states_lede"), tuple(_states(say, explainers))),
        _section(say, "nulls", say("method.nulls_lede", fields=nulls), tuple(terms.nulls(say))),
        _section(say, "denominators", say("method.denominators_lede"), tuple(_denominators(say, explainers))),
        _section(say, "rounding", _rounding(say, explainers)),
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


def _states(say: Words, explainers: Sequence[Explainer]) -> Iterator[Term]:
    """Yield every state of evidence that the records name, with how many guides and values have it."""
    guides = Counter(e.record.evidence_state for e in explainers)
    values = Counter(r.evidence_state for e in explainers for r in e.record.reported_results)
    for code in sorted(guides | values):
        held = [say.count(guides[code], "guide")] * bool(guides[code])
        held += [say.count(values[code], "value")] * bool(values[code])
        yield Term(f"state-{prose.slug(code)}", say.state(code), say("method.state_of", what=say.listed(held)))
    for name, badge, flag in _FLAGS:
        told = say(f"method.{name}", true=_false(explainers, flag), guides=say.count(len(explainers), "guide"))
        yield Term(name, say(f"badge.{badge}"), told)


def _false(explainers: Sequence[Explainer], flag: str) -> int:
    """Return how many records say no to a flag."""
    return sum(not getattr(e.record, flag) for e in explainers)


def _denominators(say: Words, explainers: Iterable[Explainer]) -> Iterator[Term]:
    """Yield what rates were divided by, in the words of the records, the most used first."""
    found = Counter(d for e in explainers for r in e.record.reported_results if (d := r.denominator))
    ordered = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    if not ordered:
        yield Term("", say("method.none"), say("method.none_named"))
    for name, count in ordered[:_MOST]:
        yield Term("", name, say.count(count, "value"))
    if len(ordered) > _MOST:
        yield Term("", say("method.others"), say.count(len(ordered) - _MOST, "denominator"))


def _rounding(say: Words, explainers: Iterable[Explainer]) -> str:
    """Return how printed digits are computed with, shown on the first value of the site that has decimals."""
    values = (r.value for e in explainers for r in e.record.reported_results)
    shown = next((v for v in values if v and half_step(v)), None)
    return say("method.rounding_lede") + (f" {_interval(say, shown)}" if shown else "")


def _interval(say: Words, value: Decimal) -> str:
    around = Interval.around(Fraction(value), half_step(value))
    places = len(words.literal(value).partition(".")[2]) + 1
    low, high = (say.digits(words.fraction(n, places)) for n in (around.low, around.high))
    return say("method.interval", value=say.number(value), low=low, high=high)

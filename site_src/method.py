"""What the method page says: the terms of the site, with what its records hold of each, and how slips were caught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from . import prose, terms, words
from .check import Explainer
from .claims.mutations import KINDS, MEANINGS
from .derive import half_step
from .figures.select_hero import nulls_in
from .intervals import Interval
from .links import METHOD_ROUTE
from .terms import Section, Term
from .view import Cell, Column, Method, Row, Table

ROUTE = METHOD_ROUTE
_MOST = 30


def method(explainers: Iterable[Explainer]) -> Method:
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
            Cell(kind.capitalize(), small=(MEANINGS[kind],)),
            (_number(caught[kind]), _number(tried[kind]), _number(exempt[kind])),
        )
        for kind in KINDS
        if tried[kind]
    )
    columns = (Column("Slip"), Column("Caught", True), Column("Tried", True), Column("Exempt", True))
    caption = f"Slips tried on the numbers of {words.count(len(counted), 'guide')}"
    table = Table("table-slips", caption, (), columns, rows, sourced=False) if rows else None
    numbers = sum(len(e.claims.spots) for e in locked)
    told = f"{words.count(numbers, 'number')} in the prose of {words.count(len(locked), 'guide')} stand in a lock."
    return Method(told, table)


def _number(value: int) -> Cell:
    return Cell(f"{value:,}", raw=str(value), numeric=True)


def before_slips(explainers: Sequence[Explainer], locked: str) -> tuple[Section, ...]:
    """Return the sections before the table of slips; `locked` says how many numbers stand in a lock."""
    return (
        Section("record", "From a line to a field", _RECORD, terms.RECORD),
        Section("states", "States of the evidence", _STATES, tuple(_states(explainers))),
        Section("nulls", "Where a value is missing", _missing(explainers), tuple(terms.nulls())),
        Section("denominators", "Denominators", _DENOMINATORS, tuple(_denominators(explainers))),
        Section("rounding", "Rounding", _rounding(explainers)),
        Section("comparability", "What is compared", _COMPARED),
        Section("figures", "Figures and their marks", _FIGURES, terms.FIGURES),
        Section("verified", "From a document to its receipt", _RECEIPT, tuple(terms.outcomes())),
        Section("claims", "From a field to a sentence", f"{locked} {_CLAIMS}", tuple(terms.claims())),
    )


def after_slips() -> tuple[Section, ...]:
    """Return the sections after the table of slips."""
    limits = tuple(Term("", "", limit) for limit in terms.LIMITS)
    return (
        Section("findings", "What a check can find", _FINDINGS, tuple(terms.findings())),
        Section("limits", "Known limits", "", limits),
    )


def _states(explainers: Sequence[Explainer]) -> Iterator[Term]:
    """Yield every state of evidence that the records name, with how many guides and values have it."""
    guides = Counter(e.record.evidence_state for e in explainers)
    values = Counter(r.evidence_state for e in explainers for r in e.record.reported_results)
    for code in sorted(guides | values):
        held = ((guides[code], "guide"), (values[code], "value"))
        meaning = words.listed([words.count(n, noun) for n, noun in held if n])
        yield Term(f"state-{prose.slug(code)}", words.state(code), f"The state of {meaning}.")
    yield Term("rerun", "Not rerun here", _of_all(explainers, "No run was repeated by this site", "site_reproduced"))
    told = "Values stand in the order of the record, and no list sorts by value or names a best one"
    yield Term("ranking", "Not ranked", _of_all(explainers, told, "performance_ranking_allowed"))


def _of_all(explainers: Sequence[Explainer], told: str, flag: str) -> str:
    """Return a sentence with how many guides it is true of: those whose record says no to a flag."""
    true = sum(not getattr(e.record, flag) for e in explainers)
    return f"{told}: true of {true:,} of {words.count(len(explainers), 'guide')}."


def _missing(explainers: Iterable[Explainer]) -> str:
    nulls = sum(nulls_in(e.record) for e in explainers)
    return (
        f"A value that is missing is written out. {words.count(nulls, 'field')} of the evidence are null and stay so."
    )


def _denominators(explainers: Iterable[Explainer]) -> Iterator[Term]:
    """Yield what rates were divided by, in the words of the records, the most used first."""
    found = Counter(d for e in explainers for r in e.record.reported_results if (d := r.denominator))
    ordered = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    if not ordered:
        yield Term("", "None", "No record names one.")
    for name, count in ordered[:_MOST]:
        yield Term("", name, words.count(count, "value"))
    if len(ordered) > _MOST:
        yield Term("", "Others", words.count(len(ordered) - _MOST, "denominator"))


def _rounding(explainers: Iterable[Explainer]) -> str:
    """Return how printed digits are computed with, shown on the first value of the site that has decimals."""
    values = (r.value for e in explainers for r in e.record.reported_results)
    return _ROUNDING + "".join(_interval(v) for v in [next((v for v in values if v and half_step(v)), None)] if v)


def _interval(value: Decimal) -> str:
    around = Interval.around(Fraction(value), half_step(value))
    places = len(words.literal(value).partition(".")[2]) + 1
    low, high = (words.fraction(n, places) for n in (around.low, around.high))
    return f" So {words.number(value)} stands for every number from {low} to {high}."


_RECORD = (
    "A record holds each value with its unit, its statistic, its conditions and the line of the document that prints "
    "it. The document is pinned by revision and SHA-256. One whose address can change is marked as editable, and the "
    "hash is that of the copy that was read."
)
_STATES = "How far a value was examined, in the words of its record. The badges at the head of a guide name it."
_DENOMINATORS = (
    "What a rate was divided by. Rates with different denominators measure different things and never share a table. "
    "These stand in the records:"
)
_ROUNDING = (
    "Declared arithmetic is computed with intervals. Each input stands for every number that prints as it does, and a "
    "stated result must lie within what these give; a whole number is exact unless its record says otherwise."
)
_COMPARED = (
    "Results stand in one table where metric, denominator and statistic are the same; where their units differ, each "
    "row names its own. While ranking is off, two values are set against each other only as a matched pair: results of "
    "one declared matrix that differ in exactly one condition."
)
_FIGURES = (
    "Every figure is drawn from the record by the same code as the tables; no number in it is typed. The data of each "
    "figure lies beside it as CSV."
)
_RECEIPT = (
    "Whoever has the cited bytes can check them again. A receipt keeps the hash, the size, the line and the short "
    "cell, never the text of a document. A page shows the state of each source and of each value:"
)
_CLAIMS = (
    "The lock names for each number the field it states. A build fails when a number differs from its field by one "
    "digit, when its unit is another, when a word beside it names the opposite, when its row has changed, and when a "
    "sentence was reworded without being confirmed."
)
_FINDINGS = (
    "A finding is a defect of the evidence. It stands in the audit of its page, and one that was accepted carries the "
    "reason. These are looked for:"
)

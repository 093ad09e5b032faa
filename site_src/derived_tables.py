"""Relations, comparisons and the parts of a capacity record → tables. What is computed here is labelled derived."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import facts, words
from .capacity import EnvelopeRow, Profile
from .derive import Derivations, Derived
from .evidence import Comparison, Evidence, Input
from .model import Record
from .places import relation_id
from .pointers import at_pointer
from .tables import Cite, result_cell
from .view import Cell, Column, Fact, Listing, Ref, Row, Table

_SHOWN = {"difference": "Difference", "ratio": "Ratio", "percent_change": "Change, %"}


@dataclass(frozen=True)
class Links:
    """What a table on one page reads and links: the record's data, evidence, rows by number and by pointer."""

    data: Any
    cite: Cite
    result: Callable[[int], str]
    pointer: Callable[[str], str]


def relations_table(derived: Sequence[Derived], links: Links, slug: str, caption: str) -> Table:
    """Return recomputed relations beside what was stated; every input is one click away."""
    return Table(
        id=slug,
        caption=caption,
        notes=("Computed by this site from the values named, inside their rounding.",),
        columns=(Column("Quantity"), Column("Derived", numeric=True), Column("Stated")),
        rows=tuple(_relation_row(d, links) for d in derived),
        sourced=False,
    )


def _relation_row(derived: Derived, links: Links) -> Row:
    relation, stated = derived.relation, derived.relation.stated
    unit = "" if relation.unit == "1" else relation.unit
    inputs = tuple(_input(name, entry, links) for name, entry in relation.inputs.items())
    head = Cell(relation.label)
    inputs = (Fact("Computed as", relation.expr), *inputs)
    verdict = derived.verdict + (f": {relation.reason}" if derived.verdict == "not comparable" else "")
    said = Cell("not stated", small=(relation.reason,) if relation.reason else ())
    if stated:
        by = "by the source" if stated.by == "source" else "by this site"
        refs = _evidence(links.cite, stated.evidence)
        text, raw = words.number(stated.value), words.literal(stated.value)
        said = Cell(text, raw=raw, unit=unit, small=(by, verdict), refs=refs)
    return Row(relation_id(relation.id), head, (derived_cell(derived, unit), said), (), inputs)


def _input(name: str, entry: Input, links: Links) -> Fact:
    """Return an input as a fact that leads to the row it comes from, or says why it is a literal."""
    if entry.literal is not None:
        return Fact(name, f"{words.number(entry.literal)} ({entry.reason})", words.literal(entry.literal), True)
    pointer = entry.pointer or ""
    value = at_pointer(links.data, pointer)
    return Fact(name, words.plain(value), "", True, value is None, links.pointer(pointer))


def derived_cell(derived: Derived, unit: str = "") -> Cell:
    """Return a derived value; its cell says so."""
    return Cell(derived.text, unit=unit, numeric=True, derived=True)


def _evidence(cite: Cite, evidence: Evidence | None) -> tuple[Ref, ...]:
    return cite(evidence) if evidence else ()


def comparison_table(
    record: Record, comparison: Comparison, derivations: Derivations, links: Links, slug: str
) -> Table:
    """Return the matched pairs of a comparison: both values and what follows, in record order."""
    pairs = derivations.pairs.get(comparison.id, ())
    first = words.field(comparison.factor, comparison.first)[1]
    second = words.field(comparison.factor, comparison.second)[1]
    factor = words.label(comparison.factor)
    unit = next((record.reported_results[p.first - 1].unit for p in pairs), "")
    rows = []
    for pair in pairs:
        a, b = record.reported_results[pair.first - 1], record.reported_results[pair.second - 1]
        own = {k: v for k, v in a.conditions.items() if k in _factors(record, comparison) and k != comparison.factor}
        head = Cell(", ".join(_told(k, v) for k, v in own.items()) or a.label)
        both = (
            _linked(first, result_cell(a), links.result(pair.first)),
            _linked(second, result_cell(b), links.result(pair.second)),
        )
        value = Cell(pair.text, numeric=True, derived=True)
        refs = links.cite(a)
        rows.append(Row("", head, (Cell(facts=both), value), (*refs, *(r for r in links.cite(b) if r not in refs))))
    shown = f"{_SHOWN[comparison.show]}, {unit}" if comparison.show == "difference" else _SHOWN[comparison.show]
    columns = (Column("Same in both"), Column(f"{factor}, {unit}"), Column(shown, numeric=True))
    of_all = words.listed([words.label(f) for f in _factors(record, comparison)])
    moving = "; ".join(words.label(k) for k in comparison.moves_with)
    moved = f" With it changes: {moving}." if moving else ""
    notes = (
        f"Of the factors {of_all}, a pair differs in {factor} alone; {second} against {first}.{moved}",
        "Computed from the printing with the most digits. In record order, not ranked.",
    )
    return Table(slug, comparison.label, notes, columns, tuple(rows))


def _told(key: str, value: Any) -> str:
    """Return a factor in words: a text speaks for itself, a number needs its name."""
    name, text = words.field(key, value)
    return f"{name} {text}" if isinstance(value, Decimal) else text


def _factors(record: Record, comparison: Comparison) -> tuple[str, ...]:
    return next((c.factors for c in record.campaigns if c.id == comparison.campaign), ())


def _linked(name: str, cell: Cell, href: str) -> Fact:
    return Fact(name, cell.text, cell.raw, True, cell.null, href)


def card(record: Record) -> Listing:
    """Return the result card."""
    return Listing(facts.facts(record.result_card))


def claims(record: Record) -> Listing:
    """Return the kinds of claim that are kept apart."""
    return Listing(tuple(Fact(c.title, c.text) for c in record.claims))


def profiles_table(record: Record, derivations: Derivations, cite: Cite, slug: str) -> Table:
    """Return the profiles: ceiling, pool and windows, deepest request, what short requests showed."""
    rows = tuple(_profile_row(n, p, derivations, cite) for n, p in enumerate(record.profiles, 1))
    columns = (Column("Profile"), Column("Pool, tokens", numeric=True), Column("Full windows", numeric=True))
    notes = ("Windows are pool tokens divided by window tokens. A pool is scheduler accounting, not a measured fit.",)
    return Table(slug, "Capacity profiles", notes, columns, rows)


def _profile_row(number: int, profile: Profile, derivations: Derivations, cite: Cite) -> Row:
    deepest = profile.deepest
    depth = f"{words.count(deepest.requests, 'request')} of {words.number(deepest.prompt_tokens)} prompt tokens"
    told = [
        Fact("Window", f"{words.number(profile.window_tokens)} tokens", words.literal(profile.window_tokens), True),
        Fact("Scheduler ceiling", f"{profile.scheduler_ceiling:,}", str(profile.scheduler_ceiling), True),
        Fact("Deepest measured", depth + (f"; {deepest.note}" if deepest.note else "")),
        Fact("Short requests", profile.short_evidence),
    ]
    pool = Cell(
        words.number(profile.pool_tokens),
        raw=words.literal(profile.pool_tokens),
        numeric=True,
        small=(profile.pool_state,),
    )
    windows = derived_cell(derivations.values[profile.windows])
    refs = [*_evidence(cite, profile.evidence)]
    refs += [r for r in _evidence(cite, deepest.evidence) if r not in refs]
    return Row(f"profile-{number}", Cell(profile.label), (pool, windows), tuple(refs), tuple(told))


def envelope_table(record: Record, derivations: Derivations, cite: Cite, slug: str) -> Table:
    """Return the planning rows, computed; a negative remainder stays negative."""
    rows = tuple(_envelope_row(row, derivations, cite) for row in record.envelope)
    columns = (Column("Candidate"), Column("Combined, tokens", numeric=True), Column("Remaining", numeric=True))
    notes = (record.envelope_note,) if record.envelope_note else ()
    return Table(slug, "Planning envelope", notes, columns, rows)


def _envelope_row(row: EnvelopeRow, derivations: Derivations, cite: Cite) -> Row:
    combined, remaining = derivations.values[row.combined], derivations.values[row.remaining]
    head = Cell(row.label, small=(row.allowance, f"Status: {row.status}"))
    return Row("", head, (derived_cell(combined), derived_cell(remaining)), _evidence(cite, row.evidence))


def boundary(record: Record) -> Iterator[Fact]:
    """Yield what the evidence does not cover, and documents that are named and not pinned."""
    yield from (Fact("Not covered", text) for text in record.evidence_boundary)
    yield from (Fact(f"Named, not pinned here: {s.name}", s.why) for s in record.named_sources)

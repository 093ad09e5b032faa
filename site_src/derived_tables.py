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
from .interface import Words
from .model import Record
from .places import relation_id
from .pointers import at_pointer
from .tables import Cite, result_cell
from .view import Cell, Column, Fact, Listing, Ref, Row, Table


@dataclass(frozen=True)
class Links:
    """What a table on one page reads and links: the record's data, evidence, rows by number and by pointer."""

    data: Any
    cite: Cite
    result: Callable[[int], str]
    pointer: Callable[[str], str]
    say: Words


def relations_table(derived: Sequence[Derived], links: Links, slug: str, caption: str) -> Table:
    """Return recomputed relations beside what was stated; every input is one click away."""
    say = links.say
    heads = (say("derived.derived"), say("derived.stated"))
    return Table(
        id=slug,
        caption=caption,
        notes=(say("derived.note"),),
        columns=(Column(say("derived.quantity")), Column(heads[0], numeric=True), Column(heads[1])),
        rows=tuple(_relation_row(d, links) for d in derived),
        sourced=False,
    )


def _relation_row(derived: Derived, links: Links) -> Row:
    say, relation, stated = links.say, derived.relation, derived.relation.stated
    unit = "" if relation.unit == "1" else relation.unit
    inputs = tuple(_input(name, entry, links) for name, entry in relation.inputs.items())
    head = Cell(relation.label)
    inputs = (Fact(say("derived.computed_as"), relation.expr), *inputs)
    verdict = say(f"verdict.{derived.verdict.replace(' ', '_')}")
    verdict += f": {relation.reason}" if derived.verdict == "not comparable" else ""
    said = Cell(say("word.not_stated"), small=(relation.reason,) if relation.reason else ())
    if stated:
        by = say("derived.by_source") if stated.by == "source" else say("derived.by_site")
        refs = _evidence(links.cite, stated.evidence)
        text, raw = say.number(stated.value), words.literal(stated.value)
        said = Cell(text, raw=raw, unit=unit, small=(by, verdict), refs=refs)
    return Row(relation_id(relation.id), head, (derived_cell(say, derived, unit), said), (), inputs)


def _input(name: str, entry: Input, links: Links) -> Fact:
    """Return an input as a fact that leads to the row it comes from, or says why it is a literal."""
    if entry.literal is not None:
        return Fact(name, f"{links.say.number(entry.literal)} ({entry.reason})", words.literal(entry.literal), True)
    pointer = entry.pointer or ""
    value = at_pointer(links.data, pointer)
    return Fact(name, links.say.plain(value), "", True, value is None, links.pointer(pointer))


def derived_cell(say: Words, derived: Derived, unit: str = "") -> Cell:
    """Return a derived value; its cell says so."""
    return Cell(say.digits(derived.text), unit=unit, numeric=True, derived=True)


def _evidence(cite: Cite, evidence: Evidence | None) -> tuple[Ref, ...]:
    return cite(evidence) if evidence else ()


def comparison_table(
    record: Record, comparison: Comparison, derivations: Derivations, links: Links, slug: str
) -> Table:
    """Return the matched pairs of a comparison: both values and what follows, in record order."""
    say, pairs = links.say, derivations.pairs.get(comparison.id, ())
    first = say.field(comparison.factor, comparison.first)[1]
    second = say.field(comparison.factor, comparison.second)[1]
    factor = words.label(comparison.factor)
    unit = next((record.reported_results[p.first - 1].unit for p in pairs), "")
    rows = []
    for pair in pairs:
        a, b = record.reported_results[pair.first - 1], record.reported_results[pair.second - 1]
        own = {k: v for k, v in a.conditions.items() if k in _factors(record, comparison) and k != comparison.factor}
        head = Cell(", ".join(_told(say, k, v) for k, v in own.items()) or a.label)
        both = (
            _linked(first, result_cell(say, a), links.result(pair.first)),
            _linked(second, result_cell(say, b), links.result(pair.second)),
        )
        value = Cell(say.digits(pair.text), numeric=True, derived=True)
        refs = links.cite(a)
        rows.append(Row("", head, (Cell(facts=both), value), (*refs, *(r for r in links.cite(b) if r not in refs))))
    shown = say(f"derived.{comparison.show}", unit=unit)
    columns = (Column(say("derived.same")), Column(f"{factor}, {unit}"), Column(shown, numeric=True))
    of_all = say.listed([words.label(f) for f in _factors(record, comparison)])
    moving = "; ".join(words.label(k) for k in comparison.moves_with)
    moved = say("derived.moves", factors=moving) if moving else ""
    notes = (
        say("derived.pair", factors=of_all, factor=factor, second=second, first=first, moved=moved),
        say("derived.pair_note"),
    )
    return Table(slug, comparison.label, notes, columns, tuple(rows))


def _told(say: Words, key: str, value: Any) -> str:
    """Return a factor in words: a text speaks for itself, a number needs its name."""
    name, text = say.field(key, value)
    return f"{name} {text}" if isinstance(value, Decimal) else text


def _factors(record: Record, comparison: Comparison) -> tuple[str, ...]:
    return next((c.factors for c in record.campaigns if c.id == comparison.campaign), ())


def _linked(name: str, cell: Cell, href: str) -> Fact:
    return Fact(name, cell.text, cell.raw, True, cell.null, href)


def card(say: Words, record: Record) -> Listing:
    """Return the result card."""
    return Listing(facts.facts(say, record.result_card))


def claims(record: Record) -> Listing:
    """Return the kinds of claim that are kept apart."""
    return Listing(tuple(Fact(c.title, c.text) for c in record.claims))


def profiles_table(say: Words, record: Record, derivations: Derivations, cite: Cite, slug: str) -> Table:
    """Return the profiles: ceiling, pool and windows, deepest request, what short requests showed."""
    rows = tuple(_profile_row(say, n, p, derivations, cite) for n, p in enumerate(record.profiles, 1))
    heads = (say("capacity.pool"), say("capacity.windows"))
    columns = (Column(say("capacity.profile")), *(Column(head, numeric=True) for head in heads))
    return Table(slug, say("capacity.profiles"), (say("capacity.note"),), columns, rows)


def _profile_row(say: Words, number: int, profile: Profile, derivations: Derivations, cite: Cite) -> Row:
    deepest, window = profile.deepest, profile.window_tokens
    requests, tokens = say.count(deepest.requests, "request"), say.number(deepest.prompt_tokens)
    depth = say("capacity.depth", requests=requests, tokens=tokens)
    told = [
        Fact(say("capacity.window"), say("capacity.tokens", n=say.number(window)), words.literal(window), True),
        Fact(say("capacity.ceiling"), say.integer(profile.scheduler_ceiling), str(profile.scheduler_ceiling), True),
        Fact(say("capacity.deepest"), depth + (f"; {deepest.note}" if deepest.note else "")),
        Fact(say("capacity.short"), profile.short_evidence),
    ]
    pool = Cell(
        say.number(profile.pool_tokens),
        raw=words.literal(profile.pool_tokens),
        numeric=True,
        small=(say(f"capacity.{profile.pool_state}"),),
    )
    windows = derived_cell(say, derivations.values[profile.windows])
    refs = [*_evidence(cite, profile.evidence)]
    refs += [r for r in _evidence(cite, deepest.evidence) if r not in refs]
    return Row(f"profile-{number}", Cell(profile.label), (pool, windows), tuple(refs), tuple(told))


def envelope_table(say: Words, record: Record, derivations: Derivations, cite: Cite, slug: str) -> Table:
    """Return the planning rows, computed; a negative remainder stays negative."""
    rows = tuple(_envelope_row(say, row, derivations, cite) for row in record.envelope)
    heads = (say("capacity.combined"), say("capacity.remaining"))
    columns = (Column(say("capacity.candidate")), *(Column(head, numeric=True) for head in heads))
    notes = (record.envelope_note,) if record.envelope_note else ()
    return Table(slug, say("capacity.envelope"), notes, columns, rows)


def _envelope_row(say: Words, row: EnvelopeRow, derivations: Derivations, cite: Cite) -> Row:
    combined, remaining = derivations.values[row.combined], derivations.values[row.remaining]
    head = Cell(row.label, small=(row.allowance, say("capacity.status", status=row.status)))
    return Row("", head, (derived_cell(say, combined), derived_cell(say, remaining)), _evidence(cite, row.evidence))


def boundary(say: Words, record: Record) -> Iterator[Fact]:
    """Yield what the evidence does not cover, and documents that are named and not pinned."""
    yield from (Fact(say("capacity.not_covered"), text) for text in record.evidence_boundary)
    yield from (Fact(say("capacity.not_pinned", name=s.name), s.why) for s in record.named_sources)

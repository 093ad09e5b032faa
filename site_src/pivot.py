"""Results → a table with a row per run and a column per metric, as a body asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from . import facts, tables, words
from .evidence import Campaign
from .fences import ResultsBlock
from .figure_entries import selected
from .interface import Words
from .model import Measurement, Record
from .tables import Cite, result_cell
from .view import Cell, Column, Fact, Facts, Ref, Row, Table

Numbered = tuple[int, Measurement]


def pivot_table(say: Words, record: Record, block: ResultsBlock, cite: Cite, slug: str, taken: set[str]) -> Table:
    """Return the table of a block that names metrics. Rows keep the record's order, by label.

    A result's cell carries its id, unless it is in `taken`: then an earlier table of the page has it.
    """
    numbers = {id(r): n for n, r in enumerate(record.reported_results, 1)}
    columns = [[(numbers[id(r)], r) for r in selected(record, block.selection(m))] for m in block.metrics]
    labels = list(dict.fromkeys(r.label for column in columns for _, r in column))
    names = [words.label(m) for m in block.metrics]
    heads = [Column(f"{n}, {column[0][1].unit}", numeric=True) for n, column in zip(names, columns, strict=True)]
    shown = [r for column in columns for _, r in column]
    return Table(
        id=slug,
        caption=block.caption or say.listed(names),
        notes=tuple(_notes(say, names, columns)),
        columns=(Column(say("table.run")), *heads),
        rows=tuple(_row(say, label, columns, cite, taken) for label in labels),
        folded=tuple(_folded(say, record, shown, cite)),
    )


def _notes(say: Words, names: list[str], columns: list[list[Numbered]]) -> Iterator[str]:
    """Say of each column what holds for all its values: statistic, n, denominator."""
    for name, column in zip(names, columns, strict=True):
        results = [r for _, r in column]
        said = [results[0].statistic, tables.n_words(say, results[0])]
        if results[0].denominator:
            said.append(say("word.denominator_of", text=results[0].denominator))
        if len({(r.statistic, r.repetitions, r.denominator) for r in results}) == 1:
            yield f"{name}: {', '.join(filter(None, said))}."


def _row(say: Words, label: str, columns: list[list[Numbered]], cite: Cite, taken: set[str]) -> Row:
    cells, refs = [], list[Ref]()
    for column in columns:
        found = [(n, r) for n, r in column if r.label == label]
        cells.append(_cell(say, found, column, taken))
        refs += [ref for _, r in found for ref in cite(r) if ref not in refs]
    return Row("", Cell(label), tuple(cells), tuple(refs))


def _cell(say: Words, found: list[Numbered], column: list[Numbered], taken: set[str]) -> Cell:
    """Return the cell of a run in a column. A run without a result there is no null: nobody said it is open."""
    if not found:
        return Cell(small=(say("word.no_result"),))
    number, result = found[0]
    unit = result.unit if result.unit != column[0][1].unit else ""
    cell = result_cell(say, result, unit)
    more = tuple(f"{say.plain(r.value)} {r.unit}: {r.statistic}" for _, r in found[1:])
    name = "" if f"result-{number}" in taken else f"result-{number}"
    taken.add(name)
    return Cell(cell.text, id=name, raw=cell.raw, unit=unit, null=cell.null, numeric=True, small=more)


def _folded(say: Words, record: Record, shown: list[Measurement], cite: Cite) -> Iterator[Facts]:
    """Fold the campaigns' conditions, each run's own, and other printings of the values."""
    for campaign in record.campaigns:
        if any(r.campaign == campaign.id for r in shown) and campaign.conditions:
            listed = facts.facts(say, campaign.conditions)
            listed += tuple(
                Fact(say("table.told_in"), ref.text, href=ref.href) for ref in _campaign_refs(campaign, cite)
            )
            yield Facts(say("table.of_campaign", campaign=campaign.label, count=len(listed)), listed)
    yield from _own_conditions(say, record, shown, cite)
    yield from tables.other_printings(say, shown, cite)


def _campaign_refs(campaign: Campaign, cite: Cite) -> tuple[Ref, ...]:
    return cite(campaign.evidence) if campaign.evidence else ()


def _own_conditions(say: Words, record: Record, shown: list[Measurement], cite: Cite) -> Iterator[Facts]:
    """Yield what runs have beside their campaign's conditions: once what all share, then run by run the rest."""
    common = {c.id: c.conditions for c in record.campaigns}
    own = [{k: v for k, v in r.conditions.items() if k not in common.get(r.campaign or "", {})} for r in shown]
    shared = tables.shared(own) if len(own) > 1 else {}
    if shared:
        listed = facts.facts(say, shared, told=tables.told_of(shown[0], cite))
        yield Facts(tables.of_these(say, len(shown), len(listed)), listed)
    runs: dict[str, dict[str, Fact]] = {}
    for result, conditions in zip(shown, own, strict=True):
        rest = {k: v for k, v in conditions.items() if k not in shared}
        told = tables.told_of(result, cite)
        for fact in facts.facts(say, {**rest, **result.unknown}, told=told):
            runs.setdefault(result.label, {}).setdefault(fact.label, fact)
    for label, found in runs.items():
        yield Facts(say("table.of_campaign", campaign=label, count=len(found)), tuple(found.values()))

"""What the explorer's template sees: lists of pages and tables of results, as finished texts and addresses."""

from __future__ import annotations

from dataclasses import dataclass

from ..view import Cell, Fact, Facts, Ref


@dataclass(frozen=True)
class ResultRow:
    """One result: its run linked to its row on its guide, value, n, state, evidence, and what is its own.

    `find` holds what the filter finds beside the words of the row: commits and the id of its record.
    """

    run: Ref
    guide: str
    value: Cell
    n: Cell
    state: str
    rerun: str
    refs: tuple[Ref, ...]
    facts: tuple[Fact, ...]
    more: str
    find: str


@dataclass(frozen=True)
class ResultTable:
    """One cohort, or a part of it: `heading` tells it from its neighbours, `differs` says all that is other."""

    id: str
    heading: str
    differs: str
    guides: tuple[Ref, ...]
    caption: str
    notes: tuple[str, ...]
    unit: str
    rows: tuple[ResultRow, ...]
    shared: Facts | None
    downloads: tuple[Ref, ...]


@dataclass(frozen=True)
class Entry:
    """One line of a list: a page or a table, how much it holds, and what else the filter finds it by."""

    ref: Ref
    count: str
    find: str = ""


@dataclass(frozen=True)
class EntryList:
    """A list under a heading; `more` leads to the rest, `aside` says what is in no entry."""

    id: str
    title: str
    entries: tuple[Entry, ...]
    more: Ref | None = None
    aside: str = ""


@dataclass(frozen=True)
class ResultsPage:
    """One page of the explorer. `noun` is what its filter counts; `turns` lead to its other parts."""

    route: str
    title: str
    lede: str
    noun: str
    crumbs: tuple[Ref, ...] = ()
    lists: tuple[EntryList, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    downloads: tuple[Ref, ...] = ()
    turns: tuple[Ref, ...] = ()

"""What the method page says with figures: how the slips of every guide's numbers were caught, as last measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from . import words
from .check import Explainer
from .claims.mutations import KINDS, MEANINGS
from .view import Cell, Column, Method, Row, Table

ROUTE = "/method/"


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

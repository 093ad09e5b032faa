"""A value and the lines of a document → where the document prints it: this line, another one, or none.

The value is the whole number token, in its unit, in the cell whose row and column the measurement names. A column is
named by its head, by words in the cell, and by a condition that the head repeats; a row by cells that repeat
conditions or the label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from ..claims import vocabulary
from ..claims.tokens import tokens
from ..claims.units import fits, is_hard
from .slots import Slot, cells, heads, is_row, plain, slots

_HEAD, _CELL, _CONDITION = 3, 2, 2
_STATISTICS: Final = {"p50": {"p50", "median"}, "mean": {"mean", "average"}}
_SPLIT: Final = re.compile(r"\s*(?:/|→|\bvs\.?\b)\s*")


@dataclass(frozen=True)
class Wanted:
    """A value as a record gives it: its number and unit, or the exact words; what names its column and its row.

    `names` are its metric and its statistic as written, `terms` stems of its metric or key; `texts` the words of its
    conditions and label; `alternatives` the values that one condition has over the record, each list in record order,
    with the own value's place in it.
    """

    pointer: str
    document: str
    line: int
    value: Decimal | None
    unit: str = ""
    exact: str | None = None
    column: str | None = None
    at: str | None = None
    terms: frozenset[str] = frozenset()
    statistic: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    alternatives: tuple[tuple[tuple[str, ...], str], ...] = field(default=())


@dataclass(frozen=True)
class Place:
    """Where a value stands: its line from 1, and the number as printed there."""

    line: int
    cell: str


def find(lines: Sequence[str], wanted: Wanted) -> Place | None:
    """Return where the document prints a value: on its own line if it does, else on the line that fits its row best."""
    own = wanted.line - 1
    is_own = 0 <= own < len(lines) and _prints(lines, own, wanted)
    # Where its own line prints it, only another row of the same table can fit better.
    others = _table(lines, own) if is_own else range(len(lines))
    found = [n for n in others if _prints(lines, n, wanted)]
    if not found:
        return None
    best = max(found, key=lambda n: (_agreement(lines, n, wanted), n == own, -abs(n - own)))
    return Place(best + 1, _shown(lines, best, wanted))


def _table(lines: Sequence[str], index: int) -> range:
    """Return the lines of the table that a row stands in; the line alone outside a table."""
    first = last = index
    while first > 0 and is_row(lines[index]) and lines[first - 1].lstrip().startswith("|"):
        first -= 1
    while last + 1 < len(lines) and is_row(lines[index]) and lines[last + 1].lstrip().startswith("|"):
        last += 1
    return range(first, last + 1)


def _prints(lines: Sequence[str], index: int, wanted: Wanted) -> bool:
    """Tell whether a line prints the value where its column, unit and slot say."""
    if wanted.exact is not None and not _has_words(lines, index, wanted.exact):
        return False
    if wanted.value is None:
        return wanted.exact is not None
    held = [slot for slot in slots(lines, index) if _unit_fits(wanted, slot) and _in_exact(slot, wanted)]
    right = [slot for slot in held if slot.number == wanted.value]
    if wanted.exact is not None and not any(t.value == wanted.value for t in tokens(plain(wanted.exact))):
        # Words that hold the number otherwise (C16, a year in a date) are what the record says they are.
        return True
    if not right:
        return False
    named = _columns(lines, index, wanted)
    right = [s for s in right if not named or s.column in named or (wanted.column is None and _says(s, wanted, named))]
    if not right or wanted.column is not None:
        return bool(right)
    scores = {id(slot): _score(slot, wanted, lines, index) for slot in held}
    best = max(scores.values())
    if best <= 0:
        return len({slot.column for slot in right}) == 1
    return any(scores[id(slot)] == best for slot in right)


def _columns(lines: Sequence[str], index: int, wanted: Wanted) -> dict[int, int]:
    """Return the columns that a measurement names, with how: 2 by the words of its metric, 1 by a condition.

    Empty where nothing names one.
    """
    names = heads(lines, index) if is_row(lines[index]) else []
    if wanted.column is not None:
        return {i: 2 for i, head in enumerate(names) if head == wanted.column} or {-1: 2}
    # The first column heads the rows.
    shared = [0, *(len(wanted.terms & vocabulary.stems(head)) for head in names[1:])]
    best = max(shared, default=0)
    if best and shared.count(best) == 1:
        return {shared.index(best): 2}
    texts = {plain(text).casefold() for text in wanted.texts}
    return {i: 1 for i, head in enumerate(names) if head.casefold() in texts}


def _says(slot: Slot, wanted: Wanted, named: Mapping[int, int]) -> bool:
    """Tell whether the cell itself says what its number is, so that a condition in another head does not matter."""
    return 2 not in named.values() and bool(wanted.terms & vocabulary.stems(slot.cell))


def _has_words(lines: Sequence[str], index: int, exact: str) -> bool:
    """Tell whether a line, or it and the next one of its paragraph, holds the exact words as a whole."""
    words = _whole(exact)
    if words.search(plain(lines[index])):
        return True
    following = lines[index + 1] if index + 1 < len(lines) and not is_row(lines[index]) else ""
    match = words.search(f"{plain(lines[index])} {plain(following)}")
    return match is not None and match.start() < len(plain(lines[index]))


def _unit_fits(wanted: Wanted, slot: Slot) -> bool:
    if not is_hard(wanted.unit):
        return not is_hard(slot.unit) or not wanted.unit
    return not slot.unit or fits(slot.unit, wanted.unit)


def _in_exact(slot: Slot, wanted: Wanted) -> bool:
    """Tell whether a slot lies in a cell that holds the exact words, or that they hold."""
    if wanted.exact is None or slot.column < 0:
        return True
    cell, exact = plain(slot.row[slot.column]), plain(wanted.exact)
    return bool(_whole(exact).search(cell) or _whole(cell).search(exact))


def _whole(words: str) -> re.Pattern[str]:
    """Return what finds words where no letter or digit goes on: 4.71 is not in 14.71."""
    return re.compile(rf"(?<![\w.,]){re.escape(plain(words))}(?![\w]|[.,]\d)")


def _score(slot: Slot, wanted: Wanted, lines: Sequence[str], index: int) -> int:
    """Weigh how well a slot is named by the measurement; below zero where its place says otherwise."""
    if slot.of > 1 and (place := _place(slot, wanted, lines, index)) is not None and place != slot.place:
        return -1
    score = _HEAD * len(wanted.terms & vocabulary.stems(slot.head))
    score += _CELL * len(wanted.terms & vocabulary.stems(slot.cell)) if slot.column >= 0 else 0
    score += _HEAD * bool(wanted.statistic & vocabulary.stems(slot.head)) if slot.of == 1 else 0
    is_condition = any(plain(text).casefold() == slot.head.casefold() for text in wanted.texts)
    return score + (_CONDITION if is_condition else 0)


def _place(slot: Slot, wanted: Wanted, lines: Sequence[str], index: int) -> int | None:
    """Return which of several numbers of a cell is meant: by a head with as many parts, or by the columns' order."""
    parts = _SPLIT.split(slot.head)
    if len(parts) == slot.of:
        named = [i for i, part in enumerate(parts) if wanted.statistic & statistics(part)]
        return named[0] if len(named) == 1 else None
    for values, own in wanted.alternatives:
        order = [head for head in heads(lines, index) if head.casefold() in {v.casefold() for v in values}]
        if len(order) == slot.of and own.casefold() in {o.casefold() for o in order}:
            return [o.casefold() for o in order].index(own.casefold())
    return None


def statistics(text: str) -> frozenset[str]:
    """Return the stems of a statistic with what else it is called: the median is p50."""
    found = frozenset(vocabulary.words(text))
    return found | frozenset(name for name, names in _STATISTICS.items() if found & names)


def _agreement(lines: Sequence[str], index: int, wanted: Wanted) -> int:
    """Weigh the cells of a row that repeat a condition, and the words its head shares with them; 0 outside tables."""
    if not is_row(lines[index]):
        return 0
    texts = {plain(text).casefold() for text in wanted.texts}
    row = cells(lines[index])
    stems = [frozenset(vocabulary.words(text)) for text in wanted.texts]
    head = frozenset(vocabulary.words(row[0])) if row else frozenset[str]()
    shared = len(head & frozenset[str]().union(*stems))
    return shared + sum(_agrees(cell, texts, stems) for cell in row)


def _agrees(cell: str, texts: set[str], stems: Sequence[frozenset[str]]) -> int:
    """Return how far one cell repeats a condition: 3 word for word, 1 in its words."""
    held = frozenset(vocabulary.words(cell))
    return 3 if cell.casefold() in texts else int(bool(held) and any(held <= stem for stem in stems))


def _shown(lines: Sequence[str], index: int, wanted: Wanted) -> str:
    """Return the short cell that is kept: the number and its unit, or the words of the record itself."""
    if wanted.value is None:
        return wanted.exact or ""
    for slot in slots(lines, index):
        if slot.number == wanted.value and _unit_fits(wanted, slot):
            return f"{_written(lines[index], wanted.value)} {slot.unit}".rstrip()
    return wanted.exact or ""


def _written(line: str, value: Decimal) -> str:
    """Return a number as the line writes it."""
    return next((t.written for t in tokens(plain(line)) if t.value == value), format(value, "f"))

"""Prose and record, with the lock there was → the new lock, and the questions that only an editor can answer.

What stands where it stood, or was moved as it was, keeps its field without a word; what is new is bound if one
meaning fits. A sentence whose words changed, and a number that two fields might mean, are asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..pointers import at_pointer
from . import proof
from .anchors import Spot
from .fields import Fields
from .leaves import Leaf, row_of
from .lexicon import Lexicon
from .lock import Entry, Lock
from .propose import Proposal, propose_all

Why = Literal["open", "sentence", "differs"]
# Classes that say something of a field; a name stays one whatever sentence it stands in.
_STATEMENTS: Final = frozenset({"claim", "derived", "count"})


@dataclass(frozen=True)
class Draft:
    """One number with the line it would have in the lock, what else it might mean, and why it is asked about.

    `told` is what does not agree: code, message, remedy.
    """

    spot: Spot
    entry: Entry
    fits: tuple[Leaf, ...] = ()
    why: Why | None = None
    told: tuple[str, str, str] | None = None


@dataclass(frozen=True)
class Question:
    """One sentence with the numbers in it that need an answer."""

    drafts: tuple[Draft, ...]

    @property
    def spot(self) -> Spot:
        """The first number that is asked about."""
        return self.drafts[0].spot


@dataclass(frozen=True)
class Binder:
    """What binding one record needs: its fields, its names, its `data`, and how a pointer is followed."""

    data: Any
    fields: Fields
    lexicon: Lexicon
    find: proof.Find

    def drafts(self, spots: Sequence[Spot], lock: Lock | None) -> list[Draft]:
        """Return a draft for every number, in the order of the prose."""
        old = _Old(spots, lock.claims if lock else ())
        found = propose_all(spots, self.fields, self.lexicon)
        return [self._draft(spot, proposal, *old.of(spot)) for spot, proposal in zip(spots, found, strict=True)]

    def _draft(self, spot: Spot, proposal: Proposal, entry: Entry | None, is_touched: bool) -> Draft:
        if entry is None or entry.cls == "open":
            why: Why | None = "open" if proposal.cls == "open" else None
            return Draft(spot, entry_of(spot, proposal), proposal.fits, why)
        placed = self._followed(entry)
        moved = placed.model_copy(update=_where(spot))
        leaf, row = self.find(moved.pointer) if moved.pointer else (None, "")
        found = [*proof.faults(spot, moved, leaf, row, self.lexicon)]
        if is_touched and moved.pointer and not found:
            return Draft(
                spot, moved.model_copy(update={"sentence": entry.sentence}), _other(proposal, leaf), "sentence"
            )
        if not found:
            return Draft(spot, moved)
        if {code for code, _, _ in found} == {"claim-stale"}:
            return Draft(spot, moved.model_copy(update={"written": spot.token.written, "unit": spot.token.unit}))
        return Draft(spot, moved, _other(proposal, None), "differs", found[0])

    def _followed(self, entry: Entry) -> Entry:
        """Follow a row that was moved in the record: its label tells it, whatever its number is now."""
        if entry.pointer is None:
            return entry
        steps = entry.pointer.split("/")
        _, row = self.find(entry.pointer)
        if row == entry.row or len(steps) < 3:
            return entry
        parts = at_pointer(self.data, f"/{steps[1]}")
        size = len(parts) if isinstance(parts, list) else 0
        same = [n for n in range(size) if row_of(self.data, f"/{steps[1]}/{n}") == entry.row]
        if len(same) == 1:
            return entry.model_copy(update={"pointer": "/".join(["", steps[1], str(same[0]), *steps[3:]])})
        # No part has the old label: the part was renamed. Two have it: the editor must say which is meant.
        return entry if same else entry.model_copy(update={"row": row})


def _other(proposal: Proposal, bound: Leaf | None) -> tuple[Leaf, ...]:
    """Return the fields a number might mean beside the one it is bound to."""
    return tuple(leaf for leaf in proposal.fits if bound is None or leaf.pointer != bound.pointer)


class _Old:
    """The lines there were, and which of them each number takes: its own anchor's, or that of where it stood."""

    def __init__(self, spots: Sequence[Spot], entries: Sequence[Entry]) -> None:
        exact = {e.anchor: e for e in reversed(entries)}
        self.taken: dict[int, tuple[Entry, bool]] = {}
        for spot in spots:
            if entry := exact.pop(spot.anchor, None):
                self.taken[id(spot)] = (entry, entry.sentence != spot.sentence)
        left = [e for e in entries if e.anchor in exact]
        # The same words elsewhere are the same sentence, moved. Other words around the same number are a sentence
        # that was reworded: it keeps its field only if the editor says so.
        for key, is_touched in ((_moved, False), (_reworded, True)):
            left = self._pair([s for s in spots if id(s) not in self.taken], left, key, is_touched)

    def of(self, spot: Spot) -> tuple[Entry | None, bool]:
        """Return the line of a number, and whether its sentence was touched."""
        return self.taken.get(id(spot), (None, False))

    def _pair(
        self, spots: Sequence[Spot], entries: list[Entry], key: Callable[[Entry], tuple[str, ...]], is_touched: bool
    ) -> list[Entry]:
        """Pair numbers and lines of one key in their order, where there are as many of the ones as of the others."""
        lines: dict[tuple[str, ...], list[Entry]] = {}
        places: dict[tuple[str, ...], list[Spot]] = {}
        for entry in entries:
            lines.setdefault(key(entry), []).append(entry)
        for spot in spots:
            places.setdefault(key(_blank(spot)), []).append(spot)
        for name, found in places.items():
            if len(lines.get(name, ())) == len(found):
                for spot, entry in zip(found, lines.pop(name), strict=True):
                    self.taken[id(spot)] = (entry, is_touched)
        return [entry for rest in lines.values() for entry in rest]


def _moved(entry: Entry) -> tuple[str, ...]:
    return (entry.field.split(" ")[0].split("/")[0], entry.left, entry.right, entry.written, entry.unit, entry.sentence)


def _reworded(entry: Entry) -> tuple[str, ...]:
    return (entry.field, entry.section, entry.written, entry.unit)


def _where(spot: Spot) -> dict[str, Any]:
    return {**spot.anchor._asdict(), "sentence": spot.sentence}


def _blank(spot: Spot) -> Entry:
    return Entry(**_where(spot), written=spot.token.written, unit=spot.token.unit, cls="open")


def entry_of(spot: Spot, found: Proposal) -> Entry:
    """Return the line of the lock that a proposal comes to."""
    if found.cls == "open":
        return _blank(spot).model_copy(update={"fits": tuple(leaf.pointer for leaf in found.fits)})
    return bound_to(spot, found.leaf, found.cls, found.reason if found.leaf is None else "")


def bound_to(spot: Spot, leaf: Leaf | None, cls: str, reason: str = "") -> Entry:
    """Return the line of a number that states a field, or that states none for a reason."""
    told = {"cls": cls, "reason": reason}
    if leaf is not None:
        told |= {"pointer": leaf.pointer, "row": leaf.row}
    return _blank(spot).model_copy(update=told)


def questions(drafts: Sequence[Draft]) -> list[Question]:
    """Return the open drafts, those of one sentence together, in the order of the prose."""
    found: dict[tuple[int, tuple[int, int]], list[Draft]] = {}
    for draft in drafts:
        if draft.why:
            found.setdefault((id(draft.spot.passage), draft.spot.bounds), []).append(draft)
    return [Question(tuple(group)) for group in found.values()]

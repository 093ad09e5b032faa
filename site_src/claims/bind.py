"""Prose and record, with the lock there was → the new lock, and the questions that only an editor can answer.

What stands where it stood, or was moved as it was, keeps its field without a word; what is new is bound if one
meaning fits. A sentence whose words changed, and a number that two fields might mean, are asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..pointers import at_pointer
from . import proof
from .anchors import Spot
from .fields import Fields
from .leaves import Leaf, row_of
from .lexicon import Lexicon
from .lock import Entry, Lock
from .pairing import Fit, Pairing, blank, where
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
        old = Pairing(spots, lock.claims if lock else ())
        found = propose_all(spots, self.fields, self.lexicon)
        return [self._draft(spot, proposal, *old.of(spot)) for spot, proposal in zip(spots, found, strict=True)]

    def _draft(self, spot: Spot, proposal: Proposal, entry: Entry | None, fit: Fit) -> Draft:
        if entry is None or entry.cls == "open":
            why: Why | None = "open" if proposal.cls == "open" else None
            return Draft(spot, entry_of(spot, proposal), proposal.fits, why)
        placed = self._followed(entry)
        moved = placed.model_copy(update=where(spot))
        leaf, row = self.find(moved.pointer) if moved.pointer else (None, "")
        found = [*proof.faults(spot, moved, leaf, row, self.lexicon)]
        if fit == "reworded" and moved.cls in _STATEMENTS and not found:
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


def entry_of(spot: Spot, found: Proposal) -> Entry:
    """Return the line of the lock that a proposal comes to."""
    if found.cls == "open":
        return blank(spot).model_copy(update={"fits": tuple(leaf.pointer for leaf in found.fits)})
    return bound_to(spot, found.leaf, found.cls, found.reason if found.leaf is None else "")


def bound_to(spot: Spot, leaf: Leaf | None, cls: str, reason: str = "") -> Entry:
    """Return the line of a number that states a field, or that states none for a reason."""
    told = {"cls": cls, "reason": reason}
    if leaf is not None:
        told |= {"pointer": leaf.pointer, "row": leaf.row}
    return blank(spot).model_copy(update=told)


def questions(drafts: Sequence[Draft]) -> list[Question]:
    """Return the open drafts, those of one sentence together, in the order of the prose."""
    found: dict[tuple[int, tuple[int, int]], list[Draft]] = {}
    for draft in drafts:
        if draft.why:
            found.setdefault((id(draft.spot.passage), draft.spot.bounds), []).append(draft)
    return [Question(tuple(group)) for group in found.values()]

"""Every slip of every bound number, tried against the proof of its claims: what is caught, and what survives.

Only what a change can touch is proved again: the numbers of the same prose field and section, and the claims that
state the changed field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from . import forms, mutations, proof
from .anchors import Spot, spots
from .leaves import Leaf
from .lexicon import Lexicon
from .lock import Entry
from .mutations import Edit, Kind
from .passages import Passage

_BOUND = frozenset({"claim", "derived", "count"})


@dataclass(frozen=True)
class Change:
    """One change of one file: the text at `file` and `pointer` gets `edits` (offsets in it); `caught` by the proof."""

    kind: Kind
    file: str
    pointer: str
    edits: tuple[Edit, ...]
    caught: bool
    told: str


@dataclass(frozen=True)
class Trial:
    """The claims of one record, sound as they stand."""

    file: str
    spots: Sequence[Spot]
    bound: Sequence[proof.Bound]
    find: proof.Find
    lexicon: Lexicon

    def changes(self) -> Iterator[Change]:
        """Yield every change of the prose, then of the bound fields, each tried."""
        yield from self._of_prose()
        yield from self._swapped()
        yield from self._of_fields()

    @cached_property
    def entries(self) -> dict[Any, Entry]:
        """Anchor → line of the lock."""
        return {b.entry.anchor: b.entry for b in self.bound}

    @cached_property
    def groups(self) -> dict[tuple[str, str], list[Passage]]:
        """Prose field and section → its passages: one change moves ordinals in these alone."""
        found: dict[tuple[str, str], list[Passage]] = {}
        for passage in {id(spot.passage): spot.passage for spot in self.spots}.values():
            found.setdefault((passage.field, passage.section), []).append(passage)
        return found

    @cached_property
    def stated(self) -> list[Spot]:
        """The numbers that state a field or a relation."""
        return [b.spot for b in self.bound if b.entry.cls in _BOUND and b.leaf is not None]

    def _of_prose(self) -> Iterator[Change]:
        for spot in self.stated:
            for edit in mutations.of_token(spot.passage.text, spot.token):
                yield self._tried(edit.kind, [(spot.passage, [edit])])

    def _swapped(self) -> Iterator[Change]:
        for one, other in mutations.swaps([s for s in self.stated if s.token.shape != "word"]):
            a = Edit("swap", one.token.start, one.token.end, other.token.written)
            b = Edit("swap", other.token.start, other.token.end, one.token.written)
            together = (
                [(one.passage, [a, b])] if one.passage is other.passage else [(one.passage, [a]), (other.passage, [b])]
            )
            yield self._tried("swap", together)

    def _tried(self, kind: Kind, edits: Sequence[tuple[Passage, Sequence[Edit]]]) -> Change:
        changed = {id(p): replace(p, text=_edited(p.text, found)) for p, found in edits}
        keys = {(p.field, p.section) for p, _ in edits}
        caught = any(self._is_caught([changed.get(id(p), p) for p in self.groups[key]], key) for key in keys)
        placed = tuple(
            replace(e, start=p.offset(e.start), end=p.offset(e.start) + e.end - e.start)
            for p, found in edits
            for e in found
        )
        first, found = edits[0]
        told = f"{first.field}: {_edited(first.text, found)[max(found[0].start - 30, 0) : found[0].end + 30]}"
        return Change(kind, first.file, first.pointer, placed, caught, told)

    def _is_caught(self, passages: Sequence[Passage], key: tuple[str, str]) -> bool:
        """Tell whether the proof finds anything in the passages of one field and section."""
        present = set()
        for spot in spots(passages):
            present.add(spot.anchor)
            entry = self.entries.get(spot.anchor)
            if entry is None:
                return True
            leaf, row = self.find(entry.pointer) if entry.pointer else (None, "")
            if next(proof.faults(spot, entry, leaf, row, self.lexicon), None):
                return True
        return any(anchor[:2] == key and anchor not in present for anchor in self.entries)

    def _of_fields(self) -> Iterator[Change]:
        """Yield every digit change of every field that a claim states; of a text, in the number that is stated."""
        by_pointer: dict[str, list[proof.Bound]] = {}
        for bound in self.bound:
            if bound.leaf is not None and bound.entry.cls in _BOUND and bound.leaf.kind in {"number", "text"}:
                by_pointer.setdefault(bound.leaf.pointer, []).append(bound)
        for pointer, found in by_pointer.items():
            leaf = found[0].leaf
            assert leaf is not None
            for edit in {e for bound in found for e in _of_field(leaf, bound)}:
                held = _changed(leaf, edit)
                caught = any(not forms.equals(b.spot.token, held) for b in found)
                told = f"{pointer}: {edit.of(leaf.text)}"
                yield Change("field digit", self.file, pointer, (edit,), caught, told)


def _placed(passage: Passage, edit: Edit) -> Edit:
    """Return an edit of a passage as one of the text the passage stands in."""
    start = passage.offset(edit.start)
    return replace(edit, start=start, end=start + edit.end - edit.start)


def _edited(text: str, edits: Sequence[Edit]) -> str:
    for edit in sorted(edits, key=lambda e: -e.start):
        text = edit.of(text)
    return text


def _of_field(leaf: Leaf, bound: proof.Bound) -> Iterator[Edit]:
    """Yield the digit changes of the number in a field that a claim states."""
    if leaf.kind == "number":
        written = [(leaf.text, 0)]
    else:
        written = [(t.written, t.start) for t in forms.found_in(leaf.text) if forms.same(bound.spot.token, t)]
    for text, start in written:
        for edit in mutations.of_digits(text, start):
            if edit.kind == "digit":
                yield replace(edit, kind="field digit")


def _changed(leaf: Leaf, edit: Edit) -> Leaf:
    text = edit.of(leaf.text)
    return replace(leaf, text=text, value=Decimal(text) if leaf.kind == "number" else None)

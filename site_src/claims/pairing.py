"""Numbers of the prose and lines of a lock → which line each number takes, though sentences moved or were reworded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from .anchors import Spot
from .lock import Entry

Fit = Literal["same", "moved", "reworded"]
Key = Callable[[Entry], tuple[str, ...]]


class Pairing:
    """The lines of a lock, and which of them each number takes; `left` are those that no number takes."""

    def __init__(self, spots: Sequence[Spot], entries: Sequence[Entry]) -> None:
        """Pair numbers in the order of the prose with lines in the order of the lock."""
        exact = {e.anchor: e for e in reversed(entries)}
        self.taken: dict[int, tuple[Entry, Fit]] = {}
        for spot in spots:
            if entry := exact.pop(spot.anchor, None):
                self.taken[id(spot)] = (entry, "same" if entry.sentence == spot.sentence else "reworded")
        left = [e for e in entries if e.anchor in exact]
        # The same words elsewhere are the same sentence, moved. Other words around the same number are a sentence
        # that was reworded: it keeps its field only if the editor says so.
        fits: tuple[tuple[Key, Fit], ...] = ((_moved, "moved"), (_reworded, "reworded"))
        for key, fit in fits:
            left = self._pair([s for s in spots if id(s) not in self.taken], left, key, fit)
        self.left = left

    def of(self, spot: Spot) -> tuple[Entry | None, Fit]:
        """Return the line of a number, and how it still fits; a new number has none."""
        return self.taken.get(id(spot), (None, "same"))

    def _pair(self, spots: Sequence[Spot], entries: list[Entry], key: Key, fit: Fit) -> list[Entry]:
        """Pair numbers and lines of one key in their order, where there are as many of the ones as of the others."""
        lines: dict[tuple[str, ...], list[Entry]] = {}
        places: dict[tuple[str, ...], list[Spot]] = {}
        for entry in entries:
            lines.setdefault(key(entry), []).append(entry)
        for spot in spots:
            places.setdefault(key(blank(spot)), []).append(spot)
        for name, found in places.items():
            if len(lines.get(name, ())) == len(found):
                for spot, entry in zip(found, lines.pop(name), strict=True):
                    self.taken[id(spot)] = (entry, fit)
        return [entry for rest in lines.values() for entry in rest]


def _moved(entry: Entry) -> tuple[str, ...]:
    return (entry.field.split(" ")[0].split("/")[0], entry.left, entry.right, entry.written, entry.unit, entry.sentence)


def _reworded(entry: Entry) -> tuple[str, ...]:
    return (entry.field, entry.section, entry.written, entry.unit)


def where(spot: Spot) -> dict[str, Any]:
    """Return what a line of the lock says of where a number stands."""
    return {**spot.anchor._asdict(), "sentence": spot.sentence}


def blank(spot: Spot) -> Entry:
    """Return the line of a number that nothing is known of."""
    return Entry(**where(spot), written=spot.token.written, unit=spot.token.unit, cls="open")

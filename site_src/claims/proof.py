"""Prose, lock and record → what does not agree: digits, units, scope and rows of claims; numbers without a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..interface import ENGLISH
from ..problems import Problem
from . import forms
from .anchors import Spot
from .context import Context
from .dates import iso_of
from .leaves import Leaf
from .lexicon import Lexicon
from .lock import Anchor, Entry, Lock
from .pairing import Pairing

Find = Callable[[str], tuple[Leaf | None, str]]
_BOUND: Final = frozenset({"claim", "derived"})
_BIND: Final = "Run bind; it asks only about what changed."
# Code, message and remedy of a number whose sentence changed; those of one sentence are told together.
REWORDED: Final = (
    "claim-stale",
    "the words around it changed since it was bound",
    "Run bind, and confirm the sentence.",
)


@dataclass(frozen=True)
class Bound:
    """One number of the prose with its line of the lock and the field it states, if it states one."""

    spot: Spot
    entry: Entry
    leaf: Leaf | None = None


def prove(
    spots: Sequence[Spot], lock: Lock, file: str, find: Find, lexicon: Lexicon
) -> tuple[tuple[Bound, ...], list[Problem]]:
    """Return the numbers that stand in the lock `file`, and every disagreement.

    `find` leads from a pointer to its field and the label of its row.
    """
    pairing = Pairing(spots, lock.claims)
    bound, problems, reworded = list[Bound](), list[Problem](), dict[tuple[int, tuple[int, int]], list[Spot]]()
    for spot in spots:
        entry, _ = pairing.of(spot)
        if entry is None or entry.cls == "open":
            problems.append(_open(spot))
            continue
        leaf, row = find(entry.pointer) if entry.pointer else (None, "")
        bound.append(Bound(spot, entry, leaf))
        found = [*faults(spot, entry, leaf, row, lexicon)]
        if REWORDED in found:
            reworded.setdefault((id(spot.passage), spot.bounds), []).append(spot)
        problems += [_told(spot, *fault) for fault in found if fault != REWORDED]
    problems += [_told(group[0], "claim-stale", _of_sentence(group), REWORDED[2]) for group in reworded.values()]
    problems += _stale(lock, file, pairing.left)
    return tuple(bound), problems


def faults(spot: Spot, entry: Entry, leaf: Leaf | None, row: str, lexicon: Lexicon) -> Iterator[tuple[str, str, str]]:
    """Yield code, message and remedy of what does not agree between a number, its line of the lock and its field."""
    token = spot.token
    shown = f"“{token.written}{' ' + token.unit if token.unit else ''}”"
    if entry.pointer is not None and leaf is None:
        yield "claim-pointer", f"{shown} is bound to {entry.pointer}, where the record holds no value", _BIND
        return
    if leaf is not None and row != entry.row:
        message = f"{shown} is bound to “{entry.row}”, and {entry.pointer} now lies in “{row}”"
        yield "claim-pointer", message, _BIND
    if (token.written, token.unit) != (entry.written, entry.unit):
        yield from _changed(spot, entry, leaf, shown)
    else:
        yield from _against(spot, entry, leaf, shown) if leaf is not None else ()
        if (spot.sentence, spot.anchor) != (entry.sentence, entry.anchor):
            yield REWORDED
    yield from _misclassed(spot, entry, leaf, shown, lexicon)


def _changed(spot: Spot, entry: Entry, leaf: Leaf | None, shown: str) -> Iterator[tuple[str, str, str]]:
    """A number or unit that is not the one that was bound."""
    token = spot.token
    was = f"“{entry.written}{' ' + entry.unit if entry.unit else ''}”"
    if leaf is not None and _agrees(spot, entry, leaf):
        yield "claim-stale", f"{shown} agrees with the record, the lock still says {was}", _BIND
    elif token.written != entry.written:
        held = f"the record holds {forms.shown(leaf)} at {entry.pointer}" if leaf else f"the lock holds {was}"
        yield "claim-differs", f"{shown} stands here, {held}", "Write what the record holds, or correct the record."
    else:
        yield "claim-unit", f"{shown} stands here, the lock holds {was}", "Write the unit of the field."


def _against(spot: Spot, entry: Entry, leaf: Leaf, shown: str) -> Iterator[tuple[str, str, str]]:
    """A bound number whose field says something else."""
    held = f"{forms.shown(leaf)} at {leaf.pointer}"
    if not _equals(spot, entry, leaf):
        yield "claim-differs", f"{shown} stands here, the record holds {held}", "Correct the sentence or the record."
    elif not forms.unit_fits(spot.token, leaf):
        yield "claim-unit", f"{shown} stands here, the record holds {held}", "Write the unit of the field."
    elif entry.cls == "claim" and not entry.reason and Context(spot.passage, spot.token).excludes(leaf):
        message = f"a word beside {shown} names the opposite of {held}"
        yield "claim-scope", message, "Correct the words, or give the reason in the lock."


def _agrees(spot: Spot, entry: Entry, leaf: Leaf) -> bool:
    return _equals(spot, entry, leaf) and forms.unit_fits(spot.token, leaf)


def _equals(spot: Spot, entry: Entry, leaf: Leaf) -> bool:
    if entry.cls == "date":
        iso = iso_of(spot.token.written)
        return iso is not None and leaf.text[: len(iso)] == iso
    return forms.equals(spot.token, leaf)


def _misclassed(
    spot: Spot, entry: Entry, leaf: Leaf | None, shown: str, lexicon: Lexicon
) -> Iterator[tuple[str, str, str]]:
    """A class that the number cannot have: none of them is a way around the record."""
    token, cls, code = spot.token, entry.cls, "claim-class"
    if cls in _BOUND and leaf is None:
        yield code, f"{shown} is a {cls} without a field", "Name its pointer."
    elif (cls == "derived") != (leaf is not None and leaf.kind == "relation"):
        yield code, f"{shown}: derived is what leads to a relation, and only that", "Correct the class or the pointer."
    elif cls in {"plain", "name"} and token.unit:
        yield code, f"{shown} has a unit beside it and cannot be {cls}", "Bind it to a field."
    elif (cls == "plain" or (cls == "count" and leaf is None)) and not entry.reason.strip():
        yield code, f"{shown} is {cls} without a reason", "Give the reason, or bind it."
    elif cls == "name" and leaf is None and not _is_known(spot, lexicon):
        yield code, f"{shown} is no name of the lexicon", "Add it to lexicon in records/site.yml, or bind it."
    elif cls == "date" and token.shape != "date":
        yield code, f"{shown} is no date", "Bind it to a field."


def _is_known(spot: Spot, lexicon: Lexicon) -> bool:
    token = spot.token
    return lexicon.knows(token.written) or bool(lexicon.phrase(spot.passage.text, token.start, token.end))


def _of_sentence(group: Sequence[Spot]) -> str:
    """Return what is said of one sentence whose words changed."""
    numbers = ENGLISH.listed([f"“{spot.token.written}”" for spot in group])
    return f"the words around {numbers} changed since {'it was' if len(group) == 1 else 'they were'} bound"


def _open(spot: Spot) -> Problem:
    message = f"“{spot.token.written}” has no class and no field: {excerpt(spot)}"
    return _told(spot, "claim-open", message, "Run bind and choose what it states.")


def excerpt(spot: Spot, width: int = 30) -> str:
    """Return a number with some of the words around it."""
    text, token = spot.passage.text, spot.token
    start, end = max(token.start - width, 0), token.unit_end + width
    return f"{'…' * (start > 0)}{text[start:end].strip()}{'…' * (end < len(text))}"


def _told(spot: Spot, code: str, message: str, remedy: str) -> Problem:
    return Problem(spot.passage.file, spot.passage.pointer, spot.offset, code, message, remedy)


def _stale(lock: Lock, file: str, left: Sequence[Entry]) -> Iterator[Problem]:
    """Yield a problem for each line of the lock whose number is gone, or that repeats an earlier one."""
    seen: set[Anchor] = set()
    gone = {id(entry) for entry in left}
    for index, entry in enumerate(lock.claims):
        told = f"“{entry.written}” of {entry.field}"
        if entry.anchor in seen:
            message = f"{told} has the anchor of an earlier line"
            yield Problem(file, f"/claims/{index}", None, "claim-stale", message, _BIND)
        elif id(entry) in gone:
            message = f"{told} is gone: {entry.left} {entry.written} {entry.right}"
            yield Problem(file, f"/claims/{index}", None, "claim-stale", message, _BIND)
        seen.add(entry.anchor)

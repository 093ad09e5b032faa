"""A record with its body and lock → the state of its claims: what is bound, what is open, what disagrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .. import shape
from ..derive import Derivations
from ..interface import ENGLISH
from ..load import Document
from ..model import Settings
from ..problems import Finding, Problem
from ..prose import Body
from . import proof
from .anchors import Spot, spots
from .leaves import Leaf, leaf_at, row_of
from .lexicon import Lexicon
from .lock import Lock, Mutated, fingerprint
from .passages import passages

OPEN_CLAIMS: Final = "open-claims"
_STATING: Final = frozenset({"claim", "derived", "count"})


@dataclass(frozen=True)
class Claims:
    """The numbers of a record's prose in order, those of them that stand in its lock, and how they were tried."""

    spots: tuple[Spot, ...] = ()
    bound: tuple[proof.Bound, ...] = ()
    is_locked: bool = False
    mutated: Mutated | None = None

    @property
    def stated(self) -> tuple[proof.Bound, ...]:
        """The numbers that state a field or a relation, in the order of the prose: the rows of the ledger."""
        return tuple(b for b in self.bound if b.leaf is not None and b.entry.cls in _STATING)

    def counts(self) -> dict[str, int]:
        """Return how many numbers each class has; `open` are those that stand in no lock."""
        counted: Counter[str] = Counter(b.entry.cls for b in self.bound)
        return {**counted, "open": len(self.spots) - len(self.bound)}


def finder(data: Any, derivations: Derivations) -> Callable[[str], tuple[Leaf | None, str]]:
    """Return what leads from a pointer to its field and the label of the part it lies in."""
    return lambda pointer: (leaf_at(data, derivations, pointer), row_of(data, pointer))


def examine(
    document: Document, body: Body, derivations: Derivations, settings: Settings
) -> tuple[Claims, list[Problem], list[Finding]]:
    """Prove the claims of a record. Without a lock its open numbers are one finding."""
    found = spots(passages(document, document.data, body))
    if document.claims_file is None:
        return Claims(found), [], [*_unbound(document, found)]
    lock = shape.claim_lock(document.claims_file, document.claims)
    if not isinstance(lock, Lock):
        return Claims(found), lock, []
    find, lexicon = finder(document.data, derivations), Lexicon(settings.lexicon)
    bound, problems = proof.prove(found, lock, document.claims_file, find, lexicon)
    mutated = lock.mutated if lock.mutated and lock.mutated.claims == fingerprint(lock.claims) else None
    return Claims(found, bound, True, mutated), problems, []


def _unbound(document: Document, found: tuple[Spot, ...]) -> list[Finding]:
    if not found:
        return []
    numbers = sum(spot.token.shape in {"number", "label"} for spot in found)
    in_words = sum(spot.token.shape == "word" for spot in found)
    message = (
        f"{ENGLISH.count(len(found), 'number')} in prose without a lock: {numbers} in digits, {in_words} in words, "
        f"{len(found) - numbers - in_words} names and dates"
    )
    return [Finding(document.file, "", OPEN_CLAIMS, message, "Bind them with bind, so that each is proved.")]

"""Fields that fit a number, weighed → the one that is meant, or none where two meanings fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .context import Context
from .fields import part
from .leaves import Leaf

# How far the best field must lie above the next one of another meaning.
_MARGIN: Final = 3.0


def choose(ranked: Sequence[tuple[float, Leaf]], context: Context) -> Leaf | None:
    """Return the field that outweighs every field of another meaning, or None.

    None, too, where the words beside the number name another field better: then two meanings fit.
    """
    if not ranked:
        return None
    best, leaf = ranked[0]
    others = [(score, other) for score, other in ranked[1:] if not _same_fact(leaf, other)]
    named = _named(leaf, context)
    if not all(best >= score + _MARGIN and _named(other, context) <= named for score, other in others):
        return None
    same = [other for _, other in ranked if other is leaf or _same_fact(leaf, other)]
    return max(same, key=lambda one: (context.sharing.get(part(one.pointer), 0), one is leaf))


def _named(leaf: Leaf, context: Context) -> tuple[int, int]:
    """Return how many terms of a field the words beside a number name, and less the terms they do not."""
    named = len(leaf.terms & context.near)
    return named, named - len(leaf.terms)


def _same_fact(one: Leaf, other: Leaf) -> bool:
    """Tell whether two fields that hold one number say one thing: a shared condition, another printing of a value."""
    if one.key != other.key or one.unit != other.unit:
        return False
    is_shared = one.is_condition and other.is_condition
    return is_shared or (part(one.pointer) == part(other.pointer) and not one.is_condition)

"""A walk that several rules make over one record → made once: its last results, by the identity of what was walked.

Documents and records do not change; they are large and cannot be hashed, so they are told apart by being the same
object. What is kept is held, so that no other object takes its place in memory. The bound is small: rules follow each
other on one record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Final, TypeVar, TypeVarTuple

Inputs = TypeVarTuple("Inputs")
Item = TypeVar("Item")

KEPT: Final = 4


class _Same:
    """Equal to what stands for the very same object."""

    __slots__ = ("it",)

    def __init__(self, it: object) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.it is other.it


def once(walk: Callable[[*Inputs], Iterator[Item]]) -> Callable[[*Inputs], tuple[Item, ...]]:
    """Return `walk` as a tuple, which is given again while its inputs are among the last few."""

    @lru_cache(maxsize=KEPT)
    def kept(*inputs: _Same) -> tuple[Item, ...]:
        return tuple(walk(*(same.it for same in inputs)))  # type: ignore[arg-type]  # what `given` was given

    @wraps(walk)
    def given(*inputs: *Inputs) -> tuple[Item, ...]:
        return kept(*map(_Same, inputs))

    return given


__all__ = ["KEPT", "once"]

"""A walk is made once for the same objects, again for others that are equal, and holds no more than a few."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

from site_src.once import KEPT, once

walks: list[int] = []


class Held:
    """Something that a weak reference can watch."""


@once
def items(held: list[int]) -> Iterator[int]:
    """Yield what a list holds."""
    walks.append(len(held))
    yield from held


@once
def nothing(held: Held) -> Iterator[int]:
    """Yield nothing."""
    yield from ()


def test_a_walk_is_made_once_for_an_object_and_again_for_an_equal_one() -> None:
    walks.clear()
    one, other = [1, 2], [1, 2]
    assert items(one) == items(one) == items(other) == (1, 2)
    assert walks == [2, 2]


def test_no_more_than_a_few_objects_are_held() -> None:
    first = Held()
    watch = weakref.ref(first)
    nothing(first)
    del first
    assert watch() is not None
    for _ in range(KEPT):
        nothing(Held())
    gc.collect()
    assert watch() is None

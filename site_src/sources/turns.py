"""Turns at a host: so many at a time in this process, the others wait."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_CHANGED: Final = threading.Condition()
_BUSY: Final[Counter[str]] = Counter()


@contextmanager
def turn(host: str, at_most: int) -> Iterator[None]:
    """Wait until fewer than `at_most` turns at `host` are taken, and take one until the block ends."""
    with _CHANGED:
        _CHANGED.wait_for(lambda: _BUSY[host] < at_most)
        _BUSY[host] += 1
    try:
        yield
    finally:
        with _CHANGED:
            _BUSY[host] -= 1
            _CHANGED.notify_all()

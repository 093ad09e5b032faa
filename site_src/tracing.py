"""Which fields of the records the making of a page of the whole site has read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Value = TypeVar("Value")


class Trace:
    """Notes reads. A value that several pages share is made once, and its reads count for each of them."""

    def __init__(self) -> None:
        """Note nothing yet."""
        self._open: list[set[str]] = []
        self._shared: dict[str, tuple[Any, frozenset[str]]] = {}

    def read(self, field: str) -> None:
        """Note that a field was read."""
        if self._open:
            self._open[-1].add(field)

    @contextmanager
    def reading(self) -> Iterator[set[str]]:
        """Give the set of fields that are read inside, complete at the end; they count outside as well."""
        fields: set[str] = set()
        self._open.append(fields)
        try:
            yield fields
        finally:
            self._open.pop()
            if self._open:
                self._open[-1].update(fields)

    def shared(self, name: str, make: Callable[[], Value]) -> Value:
        """Return what `make` gave the first time; whoever asks has read what it read."""
        if name not in self._shared:
            with self.reading() as fields:
                value = make()
            self._shared[name] = value, frozenset(fields)
        found: Value
        found, fields_read = self._shared[name]
        for field in fields_read:
            self.read(field)
        return found

"""What a preview remembers between two builds: results of pure steps, and files that have not changed.

A result is given again only for the very same inputs: texts and numbers that are equal, and of everything else the
same object, which no stage ever changes. Equality would not do there: 329.010 equals 329.01.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .reuse import Inputs, Result, watched

# A file changed within one tick of its file system's clock keeps its times. The coarsest clock in use ticks every 2 s.
_SETTLED_NS: Final = 2_500_000_000


@dataclass
class _Kept:
    """A result with the inputs it was made from, held so that none of them can give its place to another object."""

    inputs: tuple[object, ...]
    result: Any
    reads: dict[str, object] = field(default_factory=dict)
    used: int = 0


class Memory:
    """Calls steps, or gives their results again. What two builds in a row did not ask for is forgotten."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._kept: dict[tuple[object, ...], _Kept] = {}
        self._build = 0

    def __call__(self, step: Callable[[*Inputs], Result], *inputs: *Inputs) -> Result:
        """Return what `step` gives for these inputs."""
        key = (step, *map(_mark, inputs))
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = _Kept(inputs, step(*inputs))
        kept.used = self._build
        result: Result = kept.result
        return result

    def reading(self, step: Callable[[Any, *Inputs], Result], whole: object, *inputs: *Inputs) -> Result:
        """Return what `step` gives for these inputs and those fields of `whole` that it read the last time."""
        key = (step, None, *map(_mark, inputs))
        kept = self._kept.get(key)
        if kept is None or any(_mark(getattr(whole, n)) != _mark(v) for n, v in kept.reads.items()):
            seen = watched(whole)
            result = step(seen, *inputs)
            kept = self._kept[key] = _Kept(inputs, result, seen.reads)
        kept.used = self._build
        again: Result = kept.result
        return again

    def settle(self) -> None:
        """End a build that went through, and forget what neither it nor the one before asked for."""
        self._kept = {k: v for k, v in self._kept.items() if v.used >= self._build - 1}
        self._build += 1


def _mark(value: object) -> object:
    """Return what two inputs must have in common to be the same. Asked 100,000 times for 1,000 records."""
    return _MARKS[type(value)](value)


class _Marks(dict[type, Callable[[Any], object]]):
    """How values of each type are marked: tuples, named ones too, by their parts, all that is not plain by identity."""

    def __missing__(self, kind: type) -> Callable[[Any], object]:
        """Find out for a type that comes up the first time."""
        self[kind] = (lambda value: (kind, *map(_mark, value))) if issubclass(kind, tuple) else id
        return self[kind]


_MARKS: Final = _Marks(
    {
        str: lambda value: value,
        bool: lambda value: (bool, value),
        int: lambda value: (int, value),
        frozenset: lambda value: (frozenset, frozenset(map(_mark, value))),
        type(Path()): lambda value: value,
    }
)


@dataclass(frozen=True)
class _File:
    times: tuple[int, ...]
    data: bytes
    settled: bool


class KeptFiles:
    """Reads a file again only if it may have changed: its size, its times or its place on the disk."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._files: dict[str, _File] = {}

    def read(self, path: Path) -> bytes:
        """Return the bytes of a file, the same object while they are the same. Raises OSError."""
        name = os.fspath(path)
        state = path.stat()
        times = (state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino, state.st_dev)
        kept = self._files.get(name)
        if kept and kept.settled and kept.times == times:
            return kept.data
        settled = max(state.st_mtime_ns, state.st_ctime_ns) + _SETTLED_NS < time.time_ns()
        data = path.read_bytes()
        if kept and kept.data == data:
            data = kept.data
        self._files[name] = _File(times, data, settled)
        return data

    def doubt(self, names: Iterable[str]) -> None:
        """Read these files again, whatever their times are."""
        for name in names:
            if kept := self._files.get(name):
                self._files[name] = _File(kept.times, kept.data, settled=False)

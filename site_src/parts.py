"""Frozen values kept field by field in one file, so that a later build reads the fields it needs and no others.

A file of parts is the pickled fields one after the other. Where each lies and its SHA-256 is told to whoever keeps
the file, and held against what is read: what was cut short or edited counts as lost.
"""

from __future__ import annotations

import dataclasses
import hashlib
import pickle
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from .tracing import Trace
from .unpickling import Lost, unpickled

Value = TypeVar("Value")


class Part(NamedTuple):
    """Where a field lies in its file, the SHA-256 of its bytes there, and a hash that equal values share."""

    start: int
    length: int
    sha256: str
    mark: str


def packed(fields: Mapping[str, object]) -> tuple[bytes, dict[str, Part]]:
    """Return the bytes of a file of parts, and where each field lies in it."""
    data, index, start = [], {}, 0
    for name, value in fields.items():
        raw = pickle.dumps(value, 5)
        index[name] = Part(start, len(raw), hashlib.sha256(raw).hexdigest(), _mark(value))
        data.append(raw)
        start += len(raw)
    return b"".join(data), index


def _mark(value: object) -> str:
    """Return a hash of all that a value says of itself; its bytes also tell which parts are one object."""
    return hashlib.sha256(repr(value).encode("utf-8", "backslashreplace")).hexdigest()


def read(path: Path, part: Part) -> Any:
    """Return one field of a file. Raises Lost."""
    try:
        with path.open("rb") as file:
            file.seek(part.start)
            raw = file.read(part.length)
    except OSError as error:
        raise Lost(str(path)) from error
    if hashlib.sha256(raw).hexdigest() != part.sha256:
        raise Lost(str(path))
    return unpickled(raw)


def lazy(kind: type[Value], read_field: Callable[[str], Any], trace: Trace) -> Value:
    """Return a value of a frozen dataclass whose fields are read when they are asked for, and told to `trace`."""
    value: Value = object.__new__(_lazy_kind(kind))  # type: ignore[arg-type]
    value.__dict__["_read"], value.__dict__["_held"], value.__dict__["_trace"] = read_field, {}, trace
    return value


@lru_cache(maxsize=8)
def _lazy_kind(kind: type[Any]) -> type[Any]:
    names = [field.name for field in dataclasses.fields(kind)]
    made: dict[str, Any] = {name: property(_reader(kind.__name__, name)) for name in names}
    same = {"__eq__": object.__eq__, "__hash__": object.__hash__, "__module__": kind.__module__}
    return type(kind.__name__, (kind,), {**made, **same})


def _reader(kind: str, name: str) -> Callable[[Any], Any]:
    told = sys.intern(f"{kind.lower()}.{name}")

    def get(self: Any) -> Any:
        self.__dict__["_trace"].read(told)
        held = self.__dict__["_held"]
        if name not in held:
            held[name] = self.__dict__["_read"](told)
        return held[name]

    return get

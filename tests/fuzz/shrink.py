"""An input that breaks an entry point → a smaller one that breaks it in the same way, in the same file."""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path
from typing import Final

from tests.fuzz.target import Target, load

_SECONDS: Final = 20


def broken_at(target: Target, data: bytes) -> tuple[str, ...]:
    """Return the kind and place of the failure that an input causes; empty where it causes none."""
    try:
        target.one(data)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        return type(error).__name__, f"{frames[-1].filename}:{frames[-1].lineno}"
    return ()


def shrunk(target: Target, data: bytes, seconds: float = _SECONDS) -> bytes:
    """Return the input without each piece, halves first, that it can lose and still fail at the same place."""
    wanted, ends, size = broken_at(target, data), time.monotonic() + seconds, len(data) // 2
    while wanted and size and time.monotonic() < ends:
        at = 0
        while at < len(data) and time.monotonic() < ends:
            shorter = data[:at] + data[at + size :]
            if broken_at(target, shorter) == wanted:
                data = shorter
            else:
                at += size
        size //= 2
    return data


if __name__ == "__main__":
    name, file = sys.argv[1:]
    path = Path(file)
    path.write_bytes(shrunk(load(name), path.read_bytes()))

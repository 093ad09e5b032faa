"""How long a command took, as the last line of each tells it."""

from __future__ import annotations

import time


def begin() -> float:
    """Return the moment that `since` counts from. It says nothing about the hour or the day."""
    return time.perf_counter()


def since(started: float) -> str:
    """Return the time that has passed since `started`, in seconds with one decimal: "0.4 s"."""
    return f"{time.perf_counter() - started:.1f} s"

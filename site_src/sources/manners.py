"""How a server is asked: limits of time, size and number, the permissions, the clock, and what is told meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Manners:
    """The limits of every request. Seconds are wall time; bytes are counted on the wire and again after decoding.

    `total_seconds` bounds one request from connecting to the last byte, `longest_wait` the pause between two tries.
    `allow_plain` names hosts that may be asked in plain http, `allow_private` hosts that may have a loopback, private
    or link-local address: a mirror inside a company, or the servers of our own tests. Both are empty for readers'
    sake: an address in a record must not reach what only this machine can reach.
    """

    connect_seconds: float = 10
    read_seconds: float = 20
    total_seconds: float = 120
    tries: int = 3
    first_wait: float = 1
    longest_wait: float = 60
    max_bytes: int = 64 * MEBIBYTE
    redirects: int = 5
    per_host: int = 2
    allow_plain: frozenset[str] = frozenset()
    allow_private: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Clock:
    """Wall time as seconds since 1970, and how to let seconds pass. Tests bring their own, which never waits."""

    now: Callable[[], float] = field(default=time.time)
    sleep: Callable[[float], None] = field(default=time.sleep)


@dataclass(frozen=True)
class Step:
    """What is going on: `received` of `total` bytes of a document, or a pause of `waiting` seconds and its cause.

    `total` is None where the server does not tell; both count the bytes on the wire, encoded as they are.
    """

    url: str
    received: int = 0
    total: int | None = None
    waiting: float = 0
    cause: str = ""


Progress = Callable[[Step], None]


def silent(step: Step) -> None:
    """Tell nobody."""

"""How a build is wished for, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .problems import Finding

Progress = Callable[[int, int, int, int], None]
"""Hears how many records are made, of how many, and how many figures were drawn and reused; called after each."""


def silent(done: int, total: int, drawn: int, reused: int) -> None:
    """Hear of the records made, and tell nobody."""


@dataclass(frozen=True)
class Summary:
    """What a run did, for its last line. `anew` are the records that were made in this run, by file, and why."""

    records: int
    pages: int
    findings: tuple[Finding, ...]
    drawn: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    anew: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Options:
    """How to build: `jobs` records at once (0: one a processor), `cache` in place of the project's own.

    `progress` hears of each record that is made.
    """

    strict: bool = False
    jobs: int = 0
    offline: bool = False
    drafts: bool = False
    cache: Path | None = None
    progress: Progress = silent

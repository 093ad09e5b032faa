"""Measured tables → their places in docs/measured.md, each with the machine and the day it was measured on."""

from __future__ import annotations

import datetime
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from site_src import terms
from site_src.claims import lock
from site_src.claims.mutations import KINDS
from site_src.interface import ENGLISH
from site_src.project import RESOURCES

MEASURED: Final = RESOURCES / "docs" / "measured.md"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """Return a Markdown table; its first `texts` columns are words, the others numbers."""
    kinds = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, kinds, *rows))


def machine() -> str:
    """Return the machine and the day in one sentence."""
    cores, system = len(os.sched_getaffinity(0)), f"{platform.system()} {platform.machine()}"
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"Measured on {day}: {system}, {cores} cores, Python {platform.python_version()}.\n"


def put(name: str, content: str) -> None:
    """Write a measured part into the document. Raises ValueError where the document has no place for it."""
    text = MEASURED.read_text("utf-8")
    changed, count = _place(name).subn(lambda m: f"{m[1]}\n{content}\n{m[2]}", text)
    if count != 1:
        raise ValueError(f"{MEASURED} has {count} places for {name}")
    MEASURED.write_text(changed, "utf-8")


def held(name: str) -> str:
    """Return what the document holds of a measured part."""
    found = _place(name).search(MEASURED.read_text("utf-8"))
    if found is None:
        raise ValueError(f"{MEASURED} has no place for {name}")
    return found[0]


def _place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- measured: {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)


def slips(mutated: Mapping[str, lock.Mutated]) -> str:
    """Return the table of slips by kind, a record a pair of columns: caught of tried, and exempt if any."""
    rows = [
        (f"{kind}: {ENGLISH(f'slipped.{terms.key(kind)}')}", *(_slip(counts, kind) for counts in mutated.values()))
        for kind in KINDS
    ]
    return table(("Slip", *mutated), rows)


def _slip(counts: lock.Mutated, kind: str) -> str:
    found = counts.kinds.get(kind)
    if found is None or not found.tried:
        return "none"
    exempt = f", {found.exempt:,} exempt" if found.exempt else ""
    return f"{found.caught:,} of {found.tried:,}{exempt}"

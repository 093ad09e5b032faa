"""A report in text → its entries: what stands where, with the excerpt, the caret and the remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_HEAD: Final = re.compile(r"(?P<where>\S.*?)  (?P<message>.+)  \[(?P<code>[a-z0-9-]+)\]")
_TOTAL: Final = re.compile(r"\d+ problems? in \d+ files?\. ")


@dataclass(frozen=True)
class Entry:
    """One problem of a report, in the words that were printed."""

    code: str
    where: str
    lines: tuple[str, ...]

    @property
    def remedy(self) -> str:
        """Return the last line without the pointer before it."""
        return self.lines[-1].strip().rpartition(" · ")[2]

    @property
    def file(self) -> str:
        """Return the file at fault."""
        return self.where.partition(":")[0]

    @property
    def line(self) -> int | None:
        """Return the line at fault, from 1; None where the whole file is."""
        found = re.search(r":(\d+):\d+$", self.where)
        return int(found[1]) if found else None


def entries(report: str) -> Iterator[Entry]:
    """Yield the entries of a report in their order."""
    lines = report.splitlines()
    heads = [(i, m) for i, line in enumerate(lines) if (m := _HEAD.fullmatch(line))]
    ends = [i for i, line in enumerate(lines) if _TOTAL.match(line)] or [len(lines)]
    for (start, match), stop in zip(heads, [*(i for i, _ in heads[1:]), ends[-1]], strict=True):
        yield Entry(match["code"], match["where"], tuple(lines[start:stop]))

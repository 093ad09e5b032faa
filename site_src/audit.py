"""Findings → the audit section of a page: grouped by code, in the words of a reader."""

from __future__ import annotations

from collections.abc import Iterable

from .interface import Words
from .problems import Finding
from .view import FindingGroup


def groups(say: Words, findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Group findings by code and by what was said of them; groups of one code follow each other, under one title."""
    found: dict[str, dict[tuple[str, str, str], list[Finding]]] = {}
    for finding in findings:
        said = (finding.remedy, finding.reason or "", finding.acknowledged_on or "")
        found.setdefault(finding.code, {}).setdefault(said, []).append(finding)
    return tuple(
        FindingGroup(code, _title(say, code, sum(map(len, groups.values()))), tuple(items), *said)
        for code, groups in found.items()
        for said, items in groups.items()
    )


def _title(say: Words, code: str, count: int) -> str:
    return say("audit.group", title=say(f"finding.{code}"), count=count)


def route(guide: str) -> str:
    """Return the address of the page that lists every finding of the record behind the guide at `guide`."""
    return f"{guide}audit/"

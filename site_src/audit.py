"""Findings → the audit section of a page: grouped by code, in the words of a reader."""

from __future__ import annotations

from collections.abc import Iterable

from .codes import FINDINGS
from .problems import Finding
from .view import FindingGroup


def groups(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Group findings by code and by what was said of them; groups of one code follow each other, under one title."""
    found: dict[str, dict[tuple[str, str, str], list[Finding]]] = {}
    for finding in findings:
        said = (finding.remedy, finding.reason or "", finding.acknowledged_on or "")
        found.setdefault(finding.code, {}).setdefault(said, []).append(finding)
    return tuple(
        FindingGroup(code, f"{FINDINGS[code]} ({sum(map(len, groups.values()))})", tuple(items), *said)
        for code, groups in found.items()
        for said, items in groups.items()
    )


def route(guide: str) -> str:
    """Return the address of the page that lists every finding of the record behind the guide at `guide`."""
    return f"{guide}audit/"

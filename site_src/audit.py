"""Findings → the audit section of a page: grouped by code, in the words of a reader."""

from __future__ import annotations

from collections.abc import Iterable

from .codes import FINDINGS
from .problems import Finding
from .view import FindingGroup


def groups(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Group findings by code and by what was said of them, in the order of first appearance."""
    found: dict[tuple[str, str, str, str], list[Finding]] = {}
    for finding in findings:
        said = (finding.code, finding.remedy, finding.reason or "", finding.acknowledged_on or "")
        found.setdefault(said, []).append(finding)
    return tuple(
        FindingGroup(code, f"{FINDINGS[code]} ({len(items)})", tuple(items), remedy, reason, day)
        for (code, remedy, reason, day), items in found.items()
    )


def route(guide: str) -> str:
    """Return the address of the page that lists every finding of the record behind the guide at `guide`."""
    return f"{guide}audit/"

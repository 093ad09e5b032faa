"""Findings → the audit section of a page: grouped by code, in the words of a reader."""

from __future__ import annotations

from collections.abc import Iterable

from .codes import FINDINGS
from .problems import Finding
from .view import FindingGroup


def groups(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Group findings by code, in the order of first appearance."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.code, []).append(finding)
    return tuple(FindingGroup(code, f"{FINDINGS[code]} ({len(items)})", tuple(items)) for code, items in found.items())

"""The report of pip-audit → the known faults of locked packages, or that it knew nothing of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class NoData(Exception):
    """Packages could not be looked up; the text tells how many."""


def known_faults(report: Mapping[str, Any]) -> list[str]:
    """Return package, version and advisory of each known fault. Raises NoData where packages were not looked up."""
    looked_up = [d for d in report["dependencies"] if "skip_reason" not in d]
    faults = [f"{d['name']} {d['version']}: {v['id']}" for d in looked_up for v in d["vulns"]]
    lacking = len(report["dependencies"]) - len(looked_up)
    if not faults and (lacking or not looked_up):
        raise NoData(f"{lacking} of {len(report['dependencies'])} locked packages could not be looked up")
    return faults

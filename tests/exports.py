"""A small project whose claims can be exported: a record, its claim lock, and the document that it cites."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from site_src import binding
from site_src.claims.bind import Draft
from site_src.project import Project
from site_src.serial import json_text
from tests.records import COMMIT, sound

REPORT = "# Runs\n\n| run | replies/min |\n|---|---|\n| first | 12.50 |\n| second | 9.75 |\n"
BODY = """The first run made 12.50 replies/min on 4 lanes with the 128K label.

It lies 2.75 replies/min above the second run, at 9.75 replies/min. Pool usage of the first run: 57 %.
"""


def record(commit: str = COMMIT) -> dict[str, Any]:
    """Return a record whose body states a value, a count, a label, a share and a difference."""
    made = sound()
    source, first = made["sources"][0], made["reported_results"][0]
    digest = hashlib.sha256(REPORT.encode()).hexdigest()
    source |= {"revision": commit, "document_sha256": digest}
    source["pinned_url"] = source["pinned_url"].replace(COMMIT, commit)
    evidence = {"document": "report", "line": Decimal(5), "exact": "12.50"}
    for key in ("source_document_id", "source_document_sha256", "source_line", "evidence_url"):
        del first[key]
    first["conditions"] |= {"length_label": "128K", "odd": "a“\u2028”\x85: #"}
    second = {**first, "label": "second", "value": Decimal("9.75"), "conditions": {**first["conditions"]}}
    first["conditions"]["pool_usage"] = Decimal("0.57")
    first["evidence"], second["evidence"] = evidence, {**evidence, "line": Decimal(6), "exact": "9.75"}
    first["metric"] = second["metric"] = "reply_rate"
    made["reported_results"] = [first, second]
    inputs = {"a": {"pointer": "/reported_results/1/value"}, "b": {"pointer": "/reported_results/0/value"}}
    relation = {"id": "gap", "label": "First run above the second", "expr": "a - b", "inputs": inputs}
    made["relations"] = [relation | {"unit": "replies/min", "places": Decimal(2)}]
    return made | {
        "schema_version": "1.1.0",
        "performance_ranking_allowed": True,
        "summary": "One run.",
        "body_markdown": BODY,
    }


def project(root: Path, commit: str = COMMIT, **fields: Any) -> Project:
    """Write the record into a project of its own and bind its numbers; return the project."""
    (root / "records").mkdir(parents=True)
    (root / "records" / "brook.json").write_text(json_text(record(commit) | fields), "utf-8")
    made = Project(root.resolve())
    for bound in binding.bindings(made, []):
        binding.write(made, replace(bound, drafts=tuple(_chosen(d) for d in bound.drafts)))
    return made


def _chosen(draft: Draft) -> Draft:
    """Answer what an editor is asked: the only field that fits is meant."""
    if draft.why is None:
        return draft
    (fit,) = draft.fits
    chosen = {"cls": "claim", "pointer": fit.pointer, "row": fit.row, "fits": ()}
    return replace(draft, why=None, entry=draft.entry.model_copy(update=chosen))


def snapshots(root: Path, commit: str = COMMIT) -> Path:
    """Write the cited document where a folder of snapshots keeps it; return that folder."""
    place = root / "brook-labs" / "runs" / commit
    place.mkdir(parents=True)
    (place / "REPORT.md").write_text(REPORT, "utf-8")
    return root

"""A small project to search: numbers that resemble each other, builds, commits, a title in other scripts."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from site_src.project import Project
from site_src.serial import json_text
from tests.records import COMMIT, sound

ENGINE: Final = "40a7c3d9e8b1f25640a7c3d9e8b1f25640a7c3d9"
PULL: Final = "https://github.com/brook-labs/engine/pull/40417#issuecomment-7"
TITLE: Final = "Bach: Φορτίο и Лаборатория"
CASE: Final = "長い文脈の測定"
BODY: Final = """The log, C31, was read line by line.

## Where the queue stood

A watchdog halted the second batch; [the comment](https://github.com/brook-labs/engine/pull/40417#issuecomment-7) tells
how. It happened in build 0.9.dev311+g7f1a2b3c4, after v1.8.0 and before 1.8.01.

### What was seen

The operator saw 388,512 MiB in use over all cards, and rated lanes C24 and C2 apart.
"""


def _result(name: str, metric: str, value: str, unit: str, **conditions: Any) -> dict[str, Any]:
    base = sound()["reported_results"][0]
    kept = {"repetitions": Decimal(1), **conditions}
    if "/" in unit:
        kept["metric_denominator"] = "wall time"
    return {**base, "label": name, "metric": metric, "value": Decimal(value), "unit": unit, "conditions": kept}


def record() -> dict[str, Any]:
    """Return the record whose values are searched for."""
    made = sound()
    made |= {"id": "bach", "path": "/notes/bach/", "title": TITLE, "body_markdown": BODY}
    made["reported_results"] = [
        _result("C24 first", "output_rate", "412.706", "tokens/s", kv_dtype="fp8_e5m2", engine="Lark v1.8.0"),
        _result("C24 second", "output_rate", "207.040", "tokens/s", kv_dtype="bf16", engine="Lark v1.8.0"),
        _result("C2 first", "first_token_wait", "4.62", "s", engine_revision=ENGINE),
        _result("C2 second", "first_token_wait", "14.62", "s", engine_revision=ENGINE),
        _result("used", "used_memory", "388512", "MiB"),
        _result("drift", "drift", "-4.62", "%"),
    ]
    made["case_reports"] = [{"title": CASE, "source_document_id": "report", "observed_lanes": Decimal(3)}]
    comment = dict(
        made["sources"][0],
        document_id="comment",
        repository="brook-labs/engine",
        revision="comment-7",
        document_path="pull/40417",
    )
    comment |= {"pinned_url": PULL, "public_URL_is_immutable": False, "document_sha256": "7c" * 32}
    made["sources"] = [*made["sources"], comment]
    return made


def project(root: Path) -> Project:
    """Write the project of two records into `root`."""
    (root / "records").mkdir(parents=True)
    for made in (record(), sound()):
        (root / "records" / f"{made['id']}.json").write_text(json_text(made), "utf-8")
    return Project(root)


SHORT_COMMIT: Final = COMMIT[:7]

"""Small records to bind prose to: a batch on two settings, its memory and its first token, and what is derived."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from site_src import binding, serial
from site_src.binding import Binding
from site_src.check import check
from site_src.claims.bind import Draft
from site_src.load import Document, Loaded
from site_src.pipeline import check_project
from site_src.problems import Problem, Rejected
from site_src.project import Project
from tests.records import REPORT, sound

LOCK = "records/tarn.claims.json"


def row(label: str, metric: str, value: str, unit: str, line: int, **conditions: Any) -> dict[str, Any]:
    """Return one result of the sample."""
    found = sound()["reported_results"][0]
    cited = {"source_line": Decimal(line), "evidence_url": f"{REPORT}?plain=1#L{line}"}
    own = {"label": label, "metric": metric, "value": Decimal(value), "unit": unit, "conditions": conditions}
    return {**found, **own, **cited, "statistic": "single run"}


def _record() -> dict[str, Any]:
    batch = {"concurrency": Decimal(4), "repetitions": Decimal(3), "wall_seconds": Decimal("41.75")}
    return sound() | {
        "id": "tarn",
        "path": "/notes/tarn/",
        "title": "Tarn",
        "summary": "A batch.",
        "answer": "It ran.",
        "schema_version": "1.1.0",
        "reported_results": [
            row("drafting off", "aggregate_output_rate", "329.010", "tokens/s", 11, **batch),
            row("drafting on", "aggregate_output_rate", "402.55", "tokens/s", 12, concurrency=Decimal(4)),
            row("memory left", "free_memory", "7.52", "GiB", 13),
            row("memory taken", "used_memory", "81.30", "GiB", 14, pool_usage=Decimal("0.57")),
            row("first token", "first_token_time", "4.71", "s", 15, prompt_length_label="32K", prompt_tokens=32011),
        ],
        "case_reports": [
            {"id": "stall", "source_document_id": "report", "queued_requests": Decimal(1), "rounds": Decimal(10)}
        ],
        "relations": [
            {
                "id": "each",
                "label": "Rate per request, drafting off",
                "expr": "rate / requests",
                "inputs": {
                    "rate": {"pointer": "/reported_results/0/value"},
                    "requests": {"pointer": "/reported_results/0/conditions/concurrency"},
                },
                "unit": "tokens/s",
                "places": 2,
            }
        ],
        "body_markdown": "It ran.",
    }


_RECORD: dict[str, Any] = json.loads(serial.json_text(_record()), parse_float=Decimal, parse_int=Decimal)


def record(body: str = "It ran.", **changed: Any) -> dict[str, Any]:
    """Return a fresh sample with this body and these top-level keys."""
    return copy.deepcopy(_RECORD) | {"body_markdown": body} | changed


def project(folder: Path, data: dict[str, Any], settings: str = "") -> Project:
    """Write one record, without a lock, and return its project."""
    (folder / "records").mkdir(parents=True, exist_ok=True)
    put(folder, data)
    if settings:
        (folder / "records" / "site.yml").write_text(settings, "utf-8")
    return Project(folder.resolve())


def put(folder: Path, data: dict[str, Any]) -> None:
    """Write the record anew."""
    (folder / "records" / "tarn.json").write_text(serial.json_text(data) + "\n", "utf-8")


def bind(found: Project) -> Binding:
    """Return what binding the one record comes to; nothing is written."""
    (bound,) = binding.bindings(found, [])
    return bound


def bound(folder: Path, data: dict[str, Any], settings: str = "") -> Project:
    """Write one record with its lock, in which nothing is left open."""
    found = project(folder, data, settings)
    written = bind(found)
    assert [d.spot.token.written for d in written.drafts if d.why] == []
    binding.write(found, written)
    return found


def claims(found: Project) -> list[dict[str, Any]]:
    """Return the lines of the lock."""
    lines = json.loads((found.root / LOCK).read_text("utf-8"))["claims"]
    assert isinstance(lines, list)
    return lines


def put_claims(found: Project, lines: Sequence[dict[str, Any]]) -> None:
    """Write the lock by hand."""
    (found.root / LOCK).write_text(json.dumps({"format": 1, "claims": lines}), "utf-8")


def problems(found: Project) -> list[Problem]:
    """Return what a check refuses."""
    try:
        check_project(found)
    except Rejected as rejected:
        return list(rejected.problems)
    return []


def codes(found: Project) -> list[str]:
    """Return the codes of what a check refuses, as they are reported."""
    return [p.code for p in problems(found)]


def drafts(body: str, lexicon: Sequence[str] = (), **changed: Any) -> list[Draft]:
    """Return what a first binding proposes for a body, in process."""
    data = record(body, **changed)
    document = Document("records/tarn.json", "tarn", data)
    settings = {"lexicon": list(lexicon)}
    checked = check(Loaded((document,), "records/site.yml", settings), frozenset())
    (explainer,) = checked.explainers
    found = binding.binder_of(explainer, checked.settings).drafts(explainer.claims.spots, None)
    return [d for d in found if d.spot.anchor.field.startswith("body")]


def told(body: str, lexicon: Sequence[str] = (), **changed: Any) -> dict[str, str]:
    """Return written number → class and pointer that a first binding proposes for a body."""
    return {
        d.spot.token.written: f"{d.entry.cls} {d.entry.pointer or ''}".rstrip()
        for d in drafts(body, lexicon, **changed)
    }


def short(pointer: str) -> str:
    """Return a pointer as tests write it: results by number."""
    return re.sub(r"^/reported_results/", "/r", pointer)

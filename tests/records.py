"""A sound record to vary in tests: no finding, no problem."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

COMMIT = "3c9f2d1b7a6e5d4c3b2a19087f6e5d4c3b2a1908"
HASH = "b" * 64
REPORT = f"https://github.com/brook-labs/runs/blob/{COMMIT}/REPORT.md"

_SOUND: dict[str, Any] = {
    "schema_version": "1.0.0",
    "record_type": "note",
    "id": "brook",
    "path": "/notes/brook/",
    "title": "Brook",
    "summary": "A run.",
    "answer": "It ran.",
    "published_on": "2025-03-01",
    "modified_on": "2025-03-01",
    "source_checked_on": "2025-03-01",
    "evidence_state": "logged",
    "site_reproduced": False,
    "performance_ranking_allowed": False,
    "sources": [
        {
            "document_id": "report",
            "publisher": "Brook Labs",
            "repository": "brook-labs/runs",
            "revision": COMMIT,
            "document_path": "REPORT.md",
            "pinned_url": REPORT,
            "document_sha256": HASH,
            "checked_on": "2025-03-01",
            "public_URL_is_immutable": True,
        }
    ],
    "reported_results": [
        {
            "label": "first",
            "metric": "reply_rate",
            "value": Decimal("12.50"),
            "unit": "replies/min",
            "statistic": "one run",
            "uncertainty": None,
            "conditions": {"metric_denominator": "wall time", "repetitions": Decimal(1), "lanes": Decimal(4)},
            "evidence_state": "logged",
            "site_reproduced": False,
            "source_document_id": "report",
            "source_document_sha256": HASH,
            "source_line": Decimal(9),
            "evidence_url": f"{REPORT}?plain=1#L9",
        }
    ],
    "body_markdown": "It ran.",
}


def sound() -> dict[str, Any]:
    """Return a fresh copy of the sound record."""
    return copy.deepcopy(_SOUND)


def turned(value: Any) -> Any:
    """Return data in which the keys of every part stand the other way round."""
    if isinstance(value, dict):
        return {key: turned(held) for key, held in reversed(value.items())}
    return [turned(held) for held in value] if isinstance(value, list) else value

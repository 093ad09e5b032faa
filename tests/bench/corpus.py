"""A site of N invented records for timing: `python -m tests.bench.corpus N DIR`. The same N gives the same bytes.

Every record is in the schema: a dozen results with their conditions, a matrix, memory readings, two sources, a body
with numbers, links to its neighbours and a table. It gives four figures: title card, rates, memory and matrix. Every
second record is YAML with its body beside it.
"""

from __future__ import annotations

import hashlib
import random
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from site_src.serial import json_text

_ENGINES: Final = ("Harrier", "Ouzel", "Dipper", "Siskin")
_MODELS: Final = ("Granite Fern", "Slate Moss", "Chalk Reed")
_LENGTHS: Final = ("16K", "32K", "64K")
_SENTENCES: Final = (
    "The batch of {few} prompts ended after {seconds} s, and the last prompt decided that.",
    "Of the {many} requests that were sent, the log counts those that were answered, not those that ran at once.",
    "A pool of {many} slots was configured; how many were in use is not reported.",
    "The rate fell to {rate} replies/s when the prefix had to be read again.",
    "Nothing here says what a second run would give, because there was one run of {few} batches.",
)


def record(number: int) -> dict[str, Any]:
    """Return one invented record as plain data, its body in `body_markdown`."""
    chance = random.Random(f"record {number}")
    name = identity(number)
    revision = hashlib.sha256(name.encode()).hexdigest()
    pinned = f"https://github.com/{name}-lab/runs/blob/{revision[:40]}/"
    day = f"2026-{chance.randint(1, 9):02d}-{chance.randint(10, 28)}"
    title = f"{chance.choice(_ENGINES)} {number:04d}: replies under load"
    return {
        "schema_version": "1.1.0",
        "record_type": "source_backed_explainer",
        "id": name,
        "path": f"/guides/{name}/",
        "title": title,
        "summary": f"What one engine answered, run {number}.",
        "answer": f"One engine answered {chance.randint(3, 9)} batches. {_sentence(chance)}",
        "published_on": day,
        "modified_on": day,
        "source_checked_on": day,
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "performance_ranking_allowed": False,
        "models": [chance.choice(_MODELS)],
        "sources": [_source(file, pinned, revision, day) for file in ("RESULTS.md", "NOTES.md")],
        "reported_results": [_result(chance, n, pinned, revision) for n in range(12)],
        "case_reports": [_case(chance, name)],
        "memory_observations": [_memory(chance, "pool"), _memory(chance, "weights")],
        "conditions": {"runs_by_this_site": Decimal(0), "load_generator": "open loop"},
        "body_markdown": _body(chance, number, title),
    }


def identity(number: int) -> str:
    """Return the id of a record."""
    return f"run-{number:05d}"


def write(count: int, folder: Path) -> Path:
    """Write a project of `count` records into a folder and return it."""
    records = folder / "records"
    records.mkdir(parents=True)
    (records / "site.yml").write_text("title: Invented runs\n", "utf-8")
    for number in range(count):
        data = record(number)
        place = records / identity(number)
        if number % 2:
            body = data.pop("body_markdown")
            place.with_suffix(".md").write_text(body, "utf-8")
            # Through JSON, which keeps each number as it is written: YAML reads the same grammar.
            place.with_suffix(".yml").write_text(json_text(data) + "\n", "utf-8")
        else:
            place.with_suffix(".json").write_text(json_text(data) + "\n", "utf-8")
    return folder


def _source(file: str, pinned: str, revision: str, day: str) -> dict[str, Any]:
    owner = pinned.split("/")[3]
    return {
        "document_id": file.partition(".")[0].lower(),
        "publisher": owner,
        "repository": f"{owner}/runs",
        "platform": "github",
        "revision": revision[:40],
        "document_path": file,
        "pinned_url": pinned + file,
        "document_sha256": hashlib.sha256((revision + file).encode()).hexdigest(),
        "last_commit_at": day,
        "checked_on": day,
        "public_URL_is_immutable": True,
    }


def _result(chance: random.Random, number: int, pinned: str, revision: str) -> dict[str, Any]:
    length, option = _LENGTHS[number // 4 % 3], ("off", "on")[number % 2]
    lanes = (1, 4)[number // 2 % 2]
    conditions: dict[str, Any] = {
        "metric_denominator": "wall time of the batch",
        "input_length_label": length,
        "cache_option": option,
        "lanes": Decimal(lanes),
        "repetitions": Decimal(1),
        "engine_revision": None,
        "weights": "4-bit",
        "power_limit_W": None,
        "host": "one host with two cards",
        "temperature": Decimal("0.70"),
    }
    return {
        "label": f"{length}, lanes {lanes}, cache {option}",
        "metric": "reply_rate",
        "value": Decimal(f"{chance.uniform(20, 900):.3f}"),
        "unit": "replies/s",
        "statistic": "single observation",
        "uncertainty": None,
        "conditions": conditions,
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "source_document_id": "results",
        "source_document_sha256": hashlib.sha256((revision + "RESULTS.md").encode()).hexdigest(),
        "source_line": Decimal(20 + number),
        "evidence_url": f"{pinned}RESULTS.md?plain=1#L{20 + number}",
    }


def _case(chance: random.Random, name: str) -> dict[str, Any]:
    cells = [
        {"concurrency": Decimal(c), "replies_per_second": Decimal(f"{chance.uniform(50, 400):.1f}")} for c in (1, 4, 16)
    ]
    return {"id": f"{name}-matrix", "title": "Steps of load", "harness": "own", "cells": cells}


def _memory(chance: random.Random, kind: str) -> dict[str, Any]:
    return {"kind": kind, "value": Decimal(f"{chance.uniform(10, 90):.2f}"), "unit": "GiB", "per_card": None}


def _body(chance: random.Random, number: int, title: str) -> str:
    parts = [f"# {title}", _paragraph(chance)]
    for heading in ("What was sent", "What came back", "Where it stopped"):
        parts += [f"## {heading}", _paragraph(chance), _paragraph(chance)]
    rows = "\n".join(f"| {length} | {chance.uniform(20, 90):.2f} |" for length in _LENGTHS)
    parts += [f"| Length | Seconds |\n|---|---:|\n{rows}", f"![Rates](/assets/{identity(number)}-rates.webp)"]
    if number:
        parts.append(f"The [run before](/guides/{identity(number - 1)}/#results) had other prompts.")
    return "\n\n".join(parts) + "\n"


def _paragraph(chance: random.Random) -> str:
    return " ".join(_sentence(chance) for _ in range(6))


def _sentence(chance: random.Random) -> str:
    few, many = chance.randint(2, 8), chance.randint(20, 400)
    rate, seconds = f"{chance.uniform(1, 99):.2f}", f"{chance.uniform(1, 99):.1f}"
    return chance.choice(_SENTENCES).format(few=few, many=many, rate=rate, seconds=seconds)


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]))

"""The outside tools behind one small door. Run by the Python of tests/audit/.venv, never imported by a test.

Reads one job a line as JSON from standard input and answers each with one line:
{"manifest": PATH} → {"exit": n, "failed": [claim ids], "claims": n, "unbound": [numbers]} by claims-cli
{"data": [PATH], "texts": [TEXT]} → {"found": [[[line, column-free text, status], …] per text]} by numaudit
{"data": [PATH], "counts": [TEXT]} → {"counts": [how many numbers of each text have no source]} by numaudit
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def judge_manifest(path: str) -> dict[str, Any]:
    """Run `claims verify --policy strict` and `claims numbers` on a manifest; tell which claims fail."""
    from claims.cli import main

    code, told = _run(main, ["verify", path, "--policy", "strict", "--format", "json"])
    if not told:
        return {"exit": code, "failed": [], "claims": 0, "unbound": []}
    report = json.loads(told)["report"]
    failed = [c["claim_id"] for c in report["claims"] if any(d["comparison"] != "match" for d in c["decisions"])]
    _, counted = _run(main, ["numbers", path, "--text", "prose", "--format", "json"])
    numbers = [n for text in json.loads(counted)["texts"] for n in text["numbers"]]
    unbound = [f"{n['text']}: {n['context']}" for n in numbers if n["standing"] == "unbound"]
    return {"exit": code, "failed": failed, "claims": len(report["claims"]), "unbound": unbound}


def _run(main: Any, arguments: list[str]) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = stopped.code
    return int(code or 0), out.getvalue()


def judge_texts(data: list[str], texts: list[str]) -> list[list[tuple[int, str, str]]]:
    """Return line, number and status of every number that numaudit sees in each text."""
    from numaudit.audit import audit_text, collect_data

    pool, _ = collect_data([Path(name) for name in data])
    return [[(f.number.line, f.number.text, f.status) for f in audit_text(text, pool)[0]] for text in texts]


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """Return what the tool says to one job."""
    if "manifest" in job:
        return judge_manifest(job["manifest"])
    found = judge_texts(job["data"], job["texts"])
    if job.get("count"):
        return {"unsourced": [sum(status == "unsourced" for _, _, status in numbers) for numbers in found]}
    return {"found": found}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)

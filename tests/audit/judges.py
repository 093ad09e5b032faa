"""The outside tools behind one small door. Run by the Python of tests/audit/.venv, never imported by a test.

Reads one job a line as JSON from standard input and answers each with one line:
{"verify": MANIFEST} → {"exit": n, "claims": n, "failed": [claim ids]} by claims-cli
{"numbers": MANIFEST} → {"unbound": [numbers of prose.md that no claim and no reason accounts for]} by claims-cli
{"origins": MANIFEST, "clones": [URL=PATH]} → {"states": {artifact: state}} by claims-cli
{"data": [PATH], "texts": [TEXT]} → {"found": [[[line, number, status], …] per text]} by numaudit
{"data": [PATH], "texts": [TEXT], "count": true} → {"unsourced": [how many numbers of each text have no source]}
{"crate": FOLDER, "cache": PATH} → {"checks": n, "issues": ["SEVERITY: message: entity"]} by roc-validator, offline
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def verify(path: str) -> dict[str, Any]:
    """Run `claims verify` as a gate; tell which claims fail."""
    code, told = _claims(["verify", path, "--policy", "strict", "--format", "json"])
    report = json.loads(told)["report"] if told else {"claims": []}
    failed = [c["claim_id"] for c in report["claims"] if any(d["comparison"] != "match" for d in c["decisions"])]
    return {"exit": code, "claims": len(report["claims"]), "failed": failed}


def numbers(path: str) -> dict[str, Any]:
    """Run `claims numbers`, which counts the numbers of a text by itself."""
    _, told = _claims(["numbers", path, "--text", "prose", "--format", "json"])
    found = [n for text in json.loads(told)["texts"] for n in text["numbers"]]
    return {"unbound": [f"{n['text']}: {n['context']}" for n in found if n["standing"] == "unbound"]}


def origins(path: str, clones: list[str]) -> dict[str, Any]:
    """Run `claims origins` against clones on this machine."""
    _, told = _claims(["origins", path, *(a for c in clones for a in ("--repo", c)), "--format", "json"])
    return {"states": {o["artifact_id"]: o["state"] for o in json.loads(told)["origins"]["origins"]}}


def _claims(arguments: list[str]) -> tuple[int, str]:
    from claims.cli import main

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


def crate(folder: str, cache: str) -> dict[str, Any]:
    """Ask the RO-Crate 1.1 profile for all that is required and recommended."""
    from rocrate_validator import services
    from rocrate_validator.models import Severity, ValidationSettings

    _seed(cache)
    settings = ValidationSettings(
        rocrate_uri=folder,
        profile_identifier="ro-crate-1.1",
        requirement_severity=Severity.RECOMMENDED,
        offline=True,
        cache_path=Path(cache),
    )
    with contextlib.redirect_stdout(io.StringIO()):
        found = services.validate(settings)
    issues = [f"{i.severity.name}: {i.message}: {i.violatingEntity}" for i in found.get_issues(Severity.RECOMMENDED)]
    return {"checks": found.statistics.total_checks, "issues": sorted(issues)}


def _seed(cache: str) -> None:
    """Put the context of RO-Crate 1.1, as the package rocrate holds it, where the validator looks for its address."""
    from importlib.resources import files

    from requests.adapters import HTTPAdapter
    from requests_cache import CachedSession
    from urllib3 import HTTPResponse

    context = files("rocrate").joinpath("data/ro-crate.jsonld").read_bytes()
    address = json.loads(context)["@id"]

    class Packaged(HTTPAdapter):  # type: ignore[misc]
        def send(self, request: Any, **_: Any) -> Any:
            body = HTTPResponse(
                io.BytesIO(context), {"Content-Type": "application/ld+json"}, 200, preload_content=False
            )
            return self.build_response(request, body)

    with CachedSession(cache_name=cache, expire_after=-1, backend="sqlite") as session:
        session.mount(address, Packaged())
        session.get(address)


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """Return what the tool says to one job."""
    if "verify" in job:
        return verify(job["verify"])
    if "numbers" in job:
        return numbers(job["numbers"])
    if "origins" in job:
        return origins(job["origins"], job["clones"])
    if "crate" in job:
        return crate(job["crate"], job["cache"])
    found = judge_texts(job["data"], job["texts"])
    if job.get("count"):
        return {"unsourced": [sum(status == "unsourced" for _, _, status in numbers) for numbers in found]}
    return {"found": found}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)

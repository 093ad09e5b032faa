"""Tools nobody here wrote, in an environment of their own, and what is put before them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from site_src import assets, serial
from site_src.check import Checked, Explainer, check
from site_src.claims.passages import Passage, is_prose
from site_src.load import load
from site_src.pointers import escape
from site_src.project import Project
from tests.audit.project import ROOT
from tests.browser import lacking

PYTHON = Path(__file__).resolve().parent / ".venv" / "bin" / "python"
JUDGES = Path(__file__).resolve().parent / "judges.py"


def judged(jobs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the tools answer to each job; where they are not installed the test skips, or fails in CI."""
    if not PYTHON.exists():
        lacking("claims-cli", "run make audit, which installs it with pip")
    asked = "".join(json.dumps(job) + "\n" for job in jobs)
    run = subprocess.run([PYTHON, JUDGES], input=asked, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.fail(run.stderr, pytrace=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


@lru_cache(maxsize=1)
def shipped() -> Checked:
    """Return the project's own records, checked, their claims proved."""
    project = Project(ROOT)
    return check(load(project), assets.own_names(project))


def explainers() -> tuple[Explainer, ...]:
    """Return the shipped records in path order."""
    return shipped().explainers


def evidence(explainer: Explainer) -> str:
    """Return what a number in prose may come from, as JSON: the record without its prose, and what it computes."""
    computed = [derived.text for derived in explainer.derivations.values.values()]
    return serial.json_text({"record": _without_prose(explainer.document.data, ""), "computed": computed})


def _without_prose(value: Any, pointer: str) -> Any:
    if isinstance(value, dict):
        kept = {k: (f"{pointer}/{escape(k)}", v) for k, v in value.items() if k != "body_markdown"}
        return {k: _without_prose(v, at) for k, (at, v) in kept.items() if not is_prose(at)}
    if isinstance(value, list):
        return [_without_prose(v, f"{pointer}/{n}") for n, v in enumerate(value) if not is_prose(f"{pointer}/{n}")]
    return value


def fields(explainer: Explainer) -> list[Passage]:
    """Return the prose fields of a record that hold numbers, each once."""
    found = {id(s.passage): s.passage for s in explainer.claims.spots if s.passage.field.startswith("/")}
    return list(found.values())

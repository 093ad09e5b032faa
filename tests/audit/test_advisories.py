"""No locked package has a known fault, says pip-audit, where its data can be reached."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit import outside
from tests.audit.project import ROOT
from tests.browser import lacking
from tests.release.advisories import NoData, known_faults

pytestmark = pytest.mark.audit


def test_no_locked_package_has_a_known_fault(tmp_path: Path) -> None:
    if not outside.PYTHON.exists():
        lacking("pip-audit", "run make audit, which installs it with pip")
    locked = tmp_path / "locked.txt"
    export = [
        str(Path(sys.executable).parent / "uv"),
        "export",
        "-q",
        "--frozen",
        "--no-emit-project",
        "-o",
        str(locked),
    ]
    subprocess.run(export, cwd=ROOT, check=True)
    words = ["-r", str(locked), "--require-hashes", "--disable-pip", "--progress-spinner", "off", "-f", "json"]
    run = subprocess.run(
        [str(outside.PYTHON), "-m", "pip_audit", *words], capture_output=True, text=True, check=False, timeout=300
    )
    if not run.stdout.strip():
        pytest.skip(f"the advisories could not be reached: {run.stderr.strip().splitlines()[-1:]}")
    try:
        assert known_faults(json.loads(run.stdout)) == []
    except NoData as told:
        pytest.skip(f"the advisories could not be reached: {told}")

"""The fixtures of the audit: the browser, the server, the checkers and the project's own fresh site.

With several workers the site is built by the first one that wants it, and read by all of them.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from tests.audit.checks import Vnu
from tests.audit.lighthouse import Lighthouse
from tests.audit.project import ROOT, Folder, write_folder
from tests.browser import chromium, chromium_program, lacking, program, serve

__all__ = ["axe_source", "base", "chromium", "folder", "lighthouse", "serve", "site", "vnu"]

PACKAGES = Path(__file__).resolve().parent / "node_modules"


def _package_file(path: str) -> Path:
    """Return a file of an npm package; where it is not installed the test skips, or fails in CI."""
    file = PACKAGES / path
    if not file.is_file():
        lacking(path.partition("/")[0], "run make audit, which installs it with npm")
    return file


@pytest.fixture(scope="session")
def axe_source() -> str:
    """Return the text of axe-core."""
    return _package_file("axe-core/axe.min.js").read_text("utf-8")


@pytest.fixture(scope="session")
def vnu() -> Vnu:
    """Return the Nu Html Checker, ready to be called with a folder."""
    jar = _package_file("vnu-jar/build/dist/vnu.jar")
    return Vnu(program(("java",), "Java", "apt-get install default-jre-headless"), jar)


@pytest.fixture(scope="session")
def lighthouse() -> Lighthouse:
    """Return Lighthouse, ready to be called with an address; `LIGHTHOUSE_RUNS` says how often it looks."""
    script = _package_file("lighthouse/cli/index.js")
    node = program(("node", "nodejs"), "Node.js", "apt-get install npm")
    return Lighthouse(node, script, chromium_program(), int(os.environ.get("LIGHTHOUSE_RUNS") or 1))


@pytest.fixture(scope="session")
def base() -> str:
    """Return the path of the address under which this project is published, `/` if it names none."""
    settings = ROOT / "records" / "site.yml"
    address = yaml.safe_load(settings.read_text("utf-8-sig")).get("site_url") if settings.is_file() else None
    return urlsplit(address or "").path.rstrip("/") + "/"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build this repository's own project, strictly, by its command line; return the folder."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    out = shared / "audited" / "_site"
    out.parent.mkdir(exist_ok=True)
    with (shared / "audited" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.is_dir():
            command = [sys.executable, "build.py", "build", "--strict", "--out", str(out)]
            run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            if run.returncode != 0:
                pytest.fail(run.stdout + run.stderr, pytrace=False)
    return out


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Return a function that writes a small site: its body, its style sheet and its picture may be given."""
    return lambda *parts, **named: write_folder(tmp_path, *parts, **named)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests only report and do not judge, each line a property called `reported`."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, line in report.user_properties:
            if name == "reported":
                terminalreporter.write_line(str(line))

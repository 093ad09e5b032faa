"""The fixtures of the audit: the browser, the server, the two checkers and the project's own fresh site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from tests.audit.checks import Vnu
from tests.browser import chromium, lacking, program, serve

__all__ = ["axe_source", "base", "chromium", "serve", "site", "vnu"]

ROOT = Path(__file__).resolve().parents[2]
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
def base() -> str:
    """Return the path of the address under which this project is published, `/` if it names none."""
    settings = ROOT / "records" / "site.yml"
    address = yaml.safe_load(settings.read_text("utf-8-sig")).get("site_url") if settings.is_file() else None
    return urlsplit(address or "").path.rstrip("/") + "/"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build this repository's own project, strictly, by its command line; return the folder."""
    out = tmp_path_factory.mktemp("audit") / "_site"
    command = [sys.executable, "build.py", "build", "--strict", "--out", str(out)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return out

"""A full disk and one that cannot be written, under the output and under the cache."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from site_src.project import RESOURCES
from tests.audit import disks
from tests.bench import corpus
from tests.browser import lacking

pytestmark = pytest.mark.audit


def needs_mounts() -> None:
    """Skip, or fail in CI, where nobody lets this process mount a file system of its own."""
    if not shutil.which("unshare"):
        lacking("unshare", "apt-get install util-linux")
    tried = [*disks.namespace(), "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    run = subprocess.run(tried, capture_output=True, text=True, check=False)
    if run.returncode:
        lacking("the right to mount a small disk", f"run as root, or allow user namespaces ({run.stderr.strip()})")


@pytest.mark.parametrize("kind", disks.KINDS)
def test_a_disk_that_fails_leaves_the_last_site_and_no_leftover(tmp_path: Path, kind: str) -> None:
    needs_mounts()
    line = [*disks.namespace(), sys.executable, "-m", "tests.audit.disks", kind, str(tmp_path / "made")]
    run = subprocess.run(line, cwd=RESOURCES, capture_output=True, text=True, check=False, timeout=280)
    assert run.returncode == 0, run.stderr


def test_a_build_that_goes_through_is_no_refusal(tmp_path: Path) -> None:
    root = corpus.write(1, tmp_path / "site")
    with pytest.raises(AssertionError):
        disks.refused(root, tmp_path / "_site", "No space left on device")

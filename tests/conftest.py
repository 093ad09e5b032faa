"""Fixtures for all tests: matplotlib's cache in one place, small projects in a temporary folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from site_src.project import Project
from tests.browser import chromium, serve

__all__ = ["chromium", "copied", "serve"]

SITES = Path(__file__).parent / "sites"


@pytest.fixture(scope="session", autouse=True)
def _one_matplotlib_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep matplotlib's font list out of the home folder, and make it once a session instead of once a project."""
    os.environ.setdefault("MPLCONFIGDIR", str(tmp_path_factory.mktemp("matplotlib")))


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Project]:
    """Return a function that copies one of tests/sites into a temporary project."""

    def copy(name: str) -> Project:
        root = tmp_path / name
        shutil.copytree(SITES / name, root, ignore=shutil.ignore_patterns("expected", ".cache"))
        return Project(root)

    return copy

"""The example theme as a reader sees it: axe finds nothing on its guide and its index, light and dark."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from site_src.cli import DONE, main
from tests.audit.checks import SCHEMES, Scheme, axe_faults, opened
from tests.audit.project import ROOT, expect_none
from tests.browser import Serve

pytestmark = pytest.mark.audit


def themed(root: Path, css: str = "") -> Path:
    """Build a small project with the example theme, and `css` after it; return the folder of the site."""
    for folder in (ROOT / "tests" / "rejects" / "_sound", ROOT / "tests" / "theme"):
        shutil.copytree(folder, root, dirs_exist_ok=True)
    with (root / "assets" / "theme.css").open("a", encoding="utf-8") as theme:
        theme.write(css)
    assert main(["build", "-q", "--jobs", "1", "--project", str(root)]) == DONE
    return root / "_site"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site with the theme as it is."""
    return themed(tmp_path_factory.mktemp("themed"))


def looked_at(site: Path, origin: str, chromium: Browser, axe: str, scheme: Scheme) -> dict[str, list[str]]:
    """Return what axe finds on every guide and on the index."""
    guides = [f"/guides/{folder.name}/" for folder in sorted((site / "guides").iterdir()) if folder.is_dir()]
    assert guides
    faults = {}
    for path in ["/", *guides]:
        with opened(chromium, origin + path, 1280, scheme, bypass_csp=True) as page:
            assert "kept by the Heron Lab" in (page.text_content("footer") or "")
            faults[path] = axe_faults(page, axe)
    return faults


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_a_themed_page(
    site: Path, chromium: Browser, serve: Serve, axe_source: str, scheme: Scheme
) -> None:
    expect_none(looked_at(site, serve(site), chromium, axe_source, scheme))


def test_axe_sees_a_theme_that_is_too_faint(tmp_path: Path, chromium: Browser, serve: Serve, axe_source: str) -> None:
    site = themed(tmp_path, "\n:root{--ink:#b9ae9c}\n")
    faults = looked_at(site, serve(site), chromium, axe_source, "light")
    assert all(any("color-contrast" in fault for fault in found) for found in faults.values())

"""Lighthouse on the index, the sources, a guide and results.

Performance is reported, never judged: it measures this machine too.

`LIGHTHOUSE_RUNS=3` reports the median of three; for a number worth quoting, run this file alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.audit.lighthouse import Form, Lighthouse
from tests.audit.project import Folder, expect_none, guide_paths
from tests.browser import Serve

pytestmark = pytest.mark.audit


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("index", "desktop"),
        ("sources", "mobile"),
        ("guide", "mobile"),
        ("guide", "desktop"),
        ("results", "desktop"),
        ("tables", "mobile"),
    ],
)
def test_lighthouse_gives_full_marks(
    site: Path,
    base: str,
    serve: Serve,
    lighthouse: Lighthouse,
    record_property: Callable[[str, object], None],
    page: str,
    form: Form,
) -> None:
    path = _path(site, page)
    look = lighthouse.look(serve(site, base) + path, form)
    record_property("reported", f"Lighthouse, {form}, {path}: {look.measures()}")
    expect_none({f"{path} on {form}": look.faults()})


def _path(site: Path, page: str) -> str:
    """Return the address of a page of each kind; `tables` is the heaviest with tables of results."""
    if page == "tables":
        heaviest = max((site / "results").rglob("index.html"), key=lambda file: file.stat().st_size)
        return f"/{heaviest.parent.relative_to(site).as_posix()}/"
    return {"index": "/", "results": "/results/", "sources": "/sources/"}.get(page) or guide_paths()[0]


def test_lighthouse_sees(folder: Folder, serve: Serve, lighthouse: Lighthouse) -> None:
    poor = folder('<img src="nowhere.png"><a href="#x">here</a>')
    page_file = poor / "index.html"
    page_file.write_text(page_file.read_text("utf-8").replace('name="description"', 'name="x"'), "utf-8")
    faults = "\n".join(lighthouse.look(serve(poor) + "/", "desktop").faults())
    for said in ("accessibility: 0", "image-alt", "best-practices: 0", "errors-in-console", "seo: 0", "meta-desc"):
        assert said in faults

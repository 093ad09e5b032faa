"""The lists of a site that outgrew its first pages, with stale sources and a long log; a guide from right to left."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from site_src.write import publish
from tests.audit.checks import (
    LOOKS,
    Scheme,
    Vnu,
    axe_faults,
    markup_faults,
    opened,
    own_script,
    pages_of,
    sideways_faults,
    visit_faults,
    watched,
)
from tests.audit.keyboard import tab_faults
from tests.audit.paper import paper_faults
from tests.audit.project import expect_none
from tests.browser import Serve
from tests.lists import files_of, many, written

pytestmark = pytest.mark.audit

KINDS = (
    "/",
    "/404.html",
    "/by/date/2/",
    "/by/hardware/",
    "/by/model/",
    "/by/question/",
    "/method/",
    "/method/corrections/",
    "/method/corrections/2/",
    "/notes/b-2/",
    "/sources/",
    "/sources/2/",
    "/with/model/brook-12b/",
)


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the look-alike site once."""
    root = tmp_path_factory.mktemp("lists")
    out = root / "site"
    publish(files_of(written(root / "project", many()), root / "cache"), out)
    return out


def test_the_site_has_each_kind(lists: Path) -> None:
    assert set(KINDS) <= set(pages_of(lists))


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_lists_pass_axe_and_fit(
    lists: Path, chromium: Browser, serve: Serve, axe_source: str, width: int, scheme: Scheme
) -> None:
    origin = serve(lists)
    faults: dict[str, list[str]] = {}
    for path in KINDS:
        with opened(chromium, origin + path, width, scheme, bypass_csp=True) as page:
            faults[path] = axe_faults(page, axe_source) + sideways_faults(page)
        with watched(chromium, origin + path, width, scheme) as (_, visit):
            faults[path] += visit_faults(visit)
    expect_none(faults)


def test_lists_are_plain_markup(lists: Path, vnu: Vnu) -> None:
    files = sorted(lists.rglob("*.html"))
    names = {f.relative_to(lists).as_posix(): f.read_text("utf-8") for f in files}
    expect_none({name: markup_faults(html, own_script(name)) for name, html in names.items()})
    expect_none({"vnu": vnu.faults(lists)})


@pytest.mark.parametrize("path", ["/", "/sources/2/", "/method/", "/by/hardware/"])
def test_every_stop_of_the_keyboard_is_reached_and_seen(
    lists: Path, chromium: Browser, serve: Serve, path: str
) -> None:
    with opened(chromium, serve(lists) + path, 360, "light") as page:
        expect_none({path: tab_faults(page)})


@pytest.mark.parametrize(
    "path", ["/", "/by/date/2/", "/by/hardware/", "/method/", "/method/corrections/", "/sources/2/"]
)
def test_lists_print(lists: Path, chromium: Browser, serve: Serve, path: str) -> None:
    expect_none({path: paper_faults(chromium, serve(lists) + path)})

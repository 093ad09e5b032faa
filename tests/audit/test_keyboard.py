"""Every page walked through with the Tab key, the guides also on a phone and in forced colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.audit.checks import kinds_of, opened
from tests.audit.keyboard import skip_faults, tab_faults
from tests.audit.project import CSS, Folder, expect_none, guide_paths
from tests.browser import Serve

pytestmark = pytest.mark.audit

SKIP = ".skip { position: absolute; top: -4rem } .skip:focus { top: 0 }"
LINK = '<p><a href="#main">A link</a></p>'
NO_MARK = "a:focus-visible { outline: none; box-shadow: none }"
ALWAYS_MARKED = "a { outline: none !important; box-shadow: inset 0 -3px 0 #124a8a }"
HIDDEN = "p a { position: absolute; left: -99px; width: 9px; overflow: hidden; white-space: nowrap }"
SCROLL = '<div class="s" tabindex="0"><p>A box that scrolls</p></div>'


@pytest.mark.parametrize(
    ("width", "options"),
    [pytest.param(360, {}, id="360"), pytest.param(1280, {"forced_colors": "active"}, id="forced-colours")],
)
def test_the_keyboard_reaches_everything_of_a_guide(
    site: Path, base: str, chromium: Browser, serve: Serve, width: int, options: dict[str, Any]
) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in guide_paths():
        with opened(chromium, origin + path, width, "light", **options) as page:
            faults[path] = tab_faults(page)
        with opened(chromium, origin + path, width, "light", **options) as page:
            faults[path] += skip_faults(page)
    expect_none(faults)


def test_the_keyboard_reaches_everything(site: Path, base: str, chromium: Browser, serve: Serve) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in kinds_of(site):
        with opened(chromium, origin + path, 1280, "light") as page:
            faults[path] = tab_faults(page)
        with opened(chromium, origin + path, 1280, "light") as page:
            faults[path] += skip_faults(page)
    expect_none(faults)


def test_a_sound_page_is_walked_through(folder: Folder, chromium: Browser, serve: Serve) -> None:
    url = serve(folder(LINK + SCROLL, CSS + SKIP)) + "/"
    with opened(chromium, url, 360, "light") as page:
        assert tab_faults(page) == []
    with opened(chromium, url, 360, "light") as page:
        assert skip_faults(page) == []


@pytest.mark.parametrize(
    ("body", "css", "said"),
    [
        pytest.param(LINK, NO_MARK, 'focus cannot be seen: a "A link"', id="no-outline"),
        pytest.param(LINK, ALWAYS_MARKED, 'focus cannot be seen: a "A link"', id="marked-without-focus"),
        pytest.param(LINK, HIDDEN, 'focus is off the screen: a "A link"', id="off-screen"),
        pytest.param('<p><a href="#main" tabindex="-1">A link</a></p>', "", 'no stop: a "A link"', id="left-out"),
        pytest.param('<p><a href="#main" tabindex="1">A link</a></p>', "", "order of the page", id="order"),
    ],
)
def test_the_walk_sees(folder: Folder, chromium: Browser, serve: Serve, body: str, css: str, said: str) -> None:
    with opened(chromium, serve(folder(body, CSS + css)) + "/", 360, "light") as page:
        assert said in "\n".join(tab_faults(page))


def test_the_walk_sees_a_trap(folder: Folder, chromium: Browser, serve: Serve) -> None:
    with opened(chromium, serve(folder(LINK)) + "/", 360, "light") as page:
        page.evaluate("document.querySelector('summary').addEventListener('keydown', event => event.preventDefault())")
        faults = tab_faults(page)
    assert "the end of the page is never reached" in faults
    assert 'no stop: a "A link"' in faults


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param('class="skip"', 'class="jump"', "the first stop is no skip link but 'jump' #main", id="none"),
        pytest.param('<body><a class="skip"', '<body><a href="#x">x</a><a class="skip"', "no skip link", id="late"),
        pytest.param('href="#main">Skip', 'href="#top">Skip', "does not move to main (#top)", id="elsewhere"),
        pytest.param(' tabindex="-1"', "", "does not move to main (#main)", id="no-focus"),
    ],
)
def test_a_skip_link_is_asked_for(
    folder: Folder, chromium: Browser, serve: Serve, old: str, new: str, said: str
) -> None:
    spoilt = folder(LINK)
    page_file = spoilt / "index.html"
    page_file.write_text(page_file.read_text("utf-8").replace(old, new), "utf-8")
    with opened(chromium, serve(spoilt) + "/", 360, "light") as page:
        assert said in skip_faults(page)[0]

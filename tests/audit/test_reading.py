"""Every page with the reader's own spacing, size, colours and preference for stillness."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.audit.checks import WIDTHS, kinds_of, opened
from tests.audit.project import CSS, Folder, expect_none
from tests.audit.reading import SPACING, TEXT_TWICE, fit_faults, frame_faults, motion_faults, set_style
from tests.browser import Serve

pytestmark = pytest.mark.audit

FORCED = {"forced_colors": "active"}

BADGE = '<p><span class="badge">Not ranked</span></p><table><tr><td class="gap">not run</td></tr></table>'
LINE = ".t { font: 16px monospace; white-space: nowrap } "
FRAMED = ".badge, .gap { border: 1px solid #768394 }"


@pytest.mark.parametrize(
    ("width", "options", "css"),
    [
        *[pytest.param(width, {}, SPACING, id=f"spacing-{width}") for width in WIDTHS],
        pytest.param(640, {"device_scale_factor": 2}, "", id="zoom-200"),
        pytest.param(1280, {}, TEXT_TWICE, id="text-200"),
    ],
)
def test_text_keeps_its_place(
    site: Path, base: str, chromium: Browser, serve: Serve, width: int, options: dict[str, Any], css: str
) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in kinds_of(site):
        with opened(chromium, origin + path, width, "light", **options) as page:
            set_style(page, css)
            faults[path] = fit_faults(page)
    expect_none(faults)


def test_forced_colours_keep_every_frame_and_nothing_moves(
    site: Path, base: str, chromium: Browser, serve: Serve
) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in kinds_of(site):
        with opened(chromium, origin + path, 1280, "light", **FORCED) as page:
            faults[path] = frame_faults(page) + motion_faults(page)
    expect_none(faults)


# The checks themselves


@pytest.mark.parametrize(
    ("css", "said"),
    [
        pytest.param(".t { width: 33ch }", "runs out of its box: p.t", id="spills"),
        pytest.param(".t { width: 33ch; overflow: hidden }", "cut off: p.t", id="cut-wide"),
        pytest.param(".t { overflow: clip; height: 1.3em }", "cut off: p.t", id="cut-high"),
        pytest.param("", "scrolls sideways", id="sideways"),
    ],
)
def test_spacing_sees(folder: Folder, chromium: Browser, serve: Serve, css: str, said: str) -> None:
    tight = folder('<p class="t">A line that has just room enough</p>', CSS + LINE + css)
    with opened(chromium, serve(tight) + "/", 360, "light") as page:
        assert fit_faults(page) == []
        set_style(page, SPACING)
        assert said in "\n".join(fit_faults(page))


def test_text_of_twice_the_size_sees(folder: Folder, chromium: Browser, serve: Serve) -> None:
    with opened(chromium, serve(folder("<p>x</p>", CSS + "p { width: 50rem }")) + "/", 1280, "light") as page:
        assert fit_faults(page) == []
        set_style(page, TEXT_TWICE)
        assert "scrolls sideways" in fit_faults(page)[0]


@pytest.mark.parametrize(
    ("css", "faults"),
    [
        pytest.param(FRAMED, [], id="framed"),
        pytest.param(".badge, .gap { background: #eef }", ["span.badge", "td.gap"], id="background-only"),
        pytest.param(FRAMED + ".gap { border-left: 0 }", ["td.gap"], id="one-side-missing"),
        pytest.param(FRAMED + ".badge { forced-color-adjust: none; border-color: white }", ["span.badge"], id="white"),
    ],
)
def test_forced_colours_see(folder: Folder, chromium: Browser, serve: Serve, css: str, faults: list[str]) -> None:
    with opened(chromium, serve(folder(BADGE, CSS + css)) + "/", 360, "light", **FORCED) as page:
        assert frame_faults(page) == [f"no border: {name}" for name in faults]


@pytest.mark.parametrize(
    ("css", "faults"),
    [
        pytest.param(
            "@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } }", [], id="no"
        ),
        pytest.param("html { scroll-behavior: smooth }", ["html"], id="scroll"),
        pytest.param("summary { transition: color 1s }", ["summary"], id="transition"),
        pytest.param("@keyframes k { to { left: 0 } } h1 { animation: k 1s }", ["h1"], id="animation"),
    ],
)
def test_motion_is_seen(folder: Folder, chromium: Browser, serve: Serve, css: str, faults: list[str]) -> None:
    with opened(chromium, serve(folder("", CSS + css)) + "/", 360, "light") as page:
        assert motion_faults(page) == [f"moves: {name}" for name in faults]

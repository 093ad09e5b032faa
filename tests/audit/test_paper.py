"""Every page printed to PDF from a profile that prefers dark: light, whole, and nothing that needs a mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.audit.checks import kinds_of
from tests.audit.paper import paper_faults
from tests.audit.project import CSS, SVG, Folder, expect_none
from tests.browser import Serve

pytestmark = pytest.mark.audit

PAPER = """@page { size: A4; margin: 16mm 15mm 18mm }
@media print { .skip { display: none }
details::details-content { content-visibility: visible; block-size: auto; display: block } }
"""
DARK_TOO = "@media (prefers-color-scheme: dark) { body { color: #fff; background: #111 } }"
DARK_ON_SCREEN = "@media screen and (prefers-color-scheme: dark) { body { color: #fff; background: #111 } }"
PICTURE = '<picture>{}<img src="icon.svg" alt="A dot" width="90" height="90"></picture>'
DARK_PICTURE = PICTURE.format('<source media="screen and (prefers-color-scheme: dark)" srcset="dark.svg">')
TABLE = "<table><caption>Table of one</caption><tr><td>329.010</td></tr></table>"
SOURCE = (
    '<ol class="refs"><li><div><a href="https://example.org/a-long-name/of-a-source.md">RESULTS.md</a></div></li></ol>'
)
URL_SHOWN = "@media print { .refs a::after { content: ' <' attr(href) '>'; word-break: break-all } }"


@pytest.fixture(scope="module")
def paths(site: Path) -> list[str]:
    """Return every page that somebody might print."""
    return [path for path in kinds_of(site) if path != "/404.html"]


def test_pages_print_light_and_whole(site: Path, base: str, chromium: Browser, serve: Serve, paths: list[str]) -> None:
    origin = serve(site, base)
    expect_none({path: paper_faults(chromium, origin + path) for path in paths})


def test_a_sound_page_prints(folder: Folder, chromium: Browser, serve: Serve) -> None:
    sound = folder(TABLE + SOURCE + PICTURE.format(""), CSS + PAPER + DARK_ON_SCREEN + URL_SHOWN)
    assert paper_faults(chromium, serve(sound) + "/") == []


@pytest.mark.parametrize(
    ("body", "css", "said"),
    [
        pytest.param("", DARK_TOO, "page 1 has a dark ground", id="dark-ground"),
        pytest.param("", DARK_TOO, "page 1 looks different to who prefers dark", id="dark"),
        pytest.param(DARK_PICTURE, "", "page 1 looks different to who prefers dark", id="dark-picture"),
        pytest.param(
            "",
            "details:not([open])::details-content { block-size: 0 !important; content-visibility: hidden !important }",
            "'Detail.'",
            id="folded",
        ),
        pytest.param(TABLE, "@media print { caption { display: none } }", "'Table of one'", id="caption"),
        pytest.param(SOURCE, "", "https://example.org/a-long-name/of-a-source.md", id="source-address"),
        pytest.param(SOURCE, "@media print { .refs a { display: none } }", "'RESULTS.md'", id="source-title"),
        pytest.param("<p class='w'>wide</p>", ".w { width: 900px }", "on A4 scrolls sideways", id="wide"),
        pytest.param(
            "<p class='w'>out</p>", ".w { position: absolute; right: -40px }", "does not print 'out'", id="out"
        ),
        pytest.param(
            "<div class='w'>below the cut</div>", ".w { height: 0; overflow: hidden }", "'below the cut'", id="cut"
        ),
        pytest.param("<nav>The way on</nav>", "", 'prints nav "The way on"', id="navigation"),
        pytest.param('<p><a href="/data.csv">Data</a></p>', "", 'prints a "Data"', id="download"),
        pytest.param("<p class='w'>x</p>" * 40, ".w { break-before: page }", "prints 41 pages, at most 39", id="long"),
        pytest.param("<p class='w'></p>", ".w { break-before: page; height: 9mm }", "page 2 is empty", id="empty"),
    ],
)
def test_paper_sees(folder: Folder, chromium: Browser, serve: Serve, body: str, css: str, said: str) -> None:
    spoilt = folder(body, CSS + PAPER + css)
    (spoilt / "dark.svg").write_text(SVG.replace("<circle", "<circle fill='#62a9f2'"), "utf-8")
    assert said in "\n".join(paper_faults(chromium, serve(spoilt) + "/"))

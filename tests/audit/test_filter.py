"""The filter of the results pages in a real browser; and those pages without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from site_src.pipeline import Options, build
from site_src.project import Project
from tests.audit.checks import opened
from tests.audit.project import expect_none
from tests.browser import Serve
from tests.conftest import SITES

pytestmark = pytest.mark.audit

BOX = "#filter"
ROWS = "document.querySelectorAll('[data-find]:not([hidden])').length"
GROUPS = "document.querySelectorAll('[data-group]:not([hidden])').length"


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> str:
    """Return the address of a small site whose numbers and names are known, below a path."""
    root = tmp_path_factory.mktemp("filtered")
    build(Project(SITES / "other"), root / "site", Options(cache=root / "cache"))
    return serve(root / "site", "/lab/")


@contextmanager
def at(chromium: Browser, url: str) -> Iterator[Page]:
    with opened(chromium, url, 1280, "light") as page:
        yield page


def said(page: Page) -> str:
    return page.locator("[role=status]").inner_text()


TURNS = "/results/metrics/answered-turns/"


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("", 4),
        ("88.40", 1),
        ("61.0", 1),
        ("throttle open", 2),
        ("THROTTLE: OPEN", 2),
        ("0b5f2a7", 4),
        ("4.10", 4),
        ("answered_turns", 4),
        ("burst 48", 2),
        ("burst 16", 2),
        ("8.40", 0),
        ("9.7", 0),
        ("burst 48 88.40", 0),
        ("(", 4),
        ("no such thing", 0),
    ],
)
def test_words_and_numbers_find_their_rows(chromium: Browser, origin: str, query: str, rows: int) -> None:
    with at(chromium, origin + TURNS) as page:
        page.fill(BOX, query)
        assert page.evaluate(ROWS) == rows
        assert said(page) == (f"{rows} of 4 rows on this page" if query else "")


def test_tables_without_rows_go_with_their_headings(chromium: Browser, origin: str) -> None:
    with at(chromium, origin + TURNS) as page:
        assert page.evaluate(GROUPS) == 2
        page.fill(BOX, "88.40")
        assert page.evaluate(GROUPS) == 1
        assert page.locator("main h2:visible").all_inner_texts() == ["Answered turns, turns/min: burst 16"]


def test_a_table_is_not_compared_with_one_that_is_hidden(chromium: Browser, origin: str) -> None:
    with at(chromium, origin + TURNS) as page:
        told = "Differs from the table above: Burst 48 (above 16)."
        assert page.locator(".differs:visible").all_inner_texts() == [told]
        page.fill(BOX, "burst 48")
        assert page.locator(".differs:visible").count() == 0


def test_the_overview_finds_the_table_of_a_number(chromium: Browser, origin: str) -> None:
    with at(chromium, f"{origin}/results/") as page:
        page.fill(BOX, "59.7")
        assert page.locator(".names a:visible").all_inner_texts() == ["Answered turns, turns/min: burst 48"]
        assert said(page).startswith("1 of ") and said(page).endswith(" entries on this page")


def test_the_address_keeps_the_filter_and_gives_it_back(chromium: Browser, origin: str) -> None:
    with at(chromium, origin + TURNS) as page:
        page.fill(BOX, "burst 48")
        assert page.evaluate("location.href") == f"{origin}{TURNS}?q=burst+48"
        page.reload()
        assert page.input_value(BOX) == "burst 48"
        assert (page.evaluate(ROWS), said(page)) == (2, "2 of 4 rows on this page")


def test_the_keyboard_is_enough(chromium: Browser, origin: str) -> None:
    with at(chromium, origin + TURNS) as page:
        page.focus(BOX)
        page.keyboard.type("88.40")
        page.keyboard.press("Enter")
        assert page.evaluate("location.href") == f"{origin}{TURNS}?q=88.40"
        assert page.evaluate(ROWS) == 1
        page.keyboard.press("Escape")
        assert (page.input_value(BOX), page.evaluate(ROWS), said(page)) == ("", 4, "")
        assert page.evaluate("location.href") == origin + TURNS
        assert page.evaluate("document.activeElement.id") == "filter"


def test_the_count_is_a_live_region_with_a_label_on_the_box(chromium: Browser, origin: str) -> None:
    with at(chromium, origin + TURNS) as page:
        page.get_by_role("search").get_by_role("searchbox", name="Filter this page by model").fill("88.40")
        assert page.get_by_role("status").inner_text() == "1 of 4 rows on this page"


def test_without_the_script_every_row_is_there_and_no_box(chromium: Browser, origin: str) -> None:
    with opened(chromium, f"{origin}{TURNS}?q=88.40", 360, "light", java_script_enabled=True) as page:
        assert page.evaluate(ROWS) == 1
    context = chromium.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{origin}{TURNS}?q=88.40")
        assert page.locator("tbody:visible").count() == 4
        assert page.locator("form:visible").count() == 0
    finally:
        context.close()


def test_every_page_of_results_shows_its_filter(site: Path, base: str, chromium: Browser, serve: Serve) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for file in sorted((site / "results").rglob("index.html")):
        path = f"/{file.parent.relative_to(site).as_posix()}/"
        with at(chromium, origin + path) as page:
            faults[path] = [] if page.is_visible(BOX) else ["no filter is seen"]
            page.fill(BOX, "no such thing")
            faults[path] += [f"{n} rows of nothing" for n in [page.evaluate(ROWS)] if n]
    assert faults
    expect_none(faults)

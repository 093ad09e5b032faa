"""The search page in a browser: each query leads to the page and part that hold it, and to nothing false."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from selectolax.lexbor import LexborHTMLParser

from site_src.pipeline import Options, build, site_files
from tests.audit.checks import Visit, visit_faults
from tests.browser import Serve
from tests.records import COMMIT
from tests.search_samples import ENGINE, SHORT_COMMIT, TITLE, project

BASE: Final = "/deep/base/"
BACH: Final = "../notes/bach/"
ENDING: Final = "index.html"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("search")
    build(project(root / "site"), root / "out")
    return root / "out"


@pytest.fixture(scope="module")
def from_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("search-from-disk")
    build(project(root / "site"), root / "out", Options(offline=True))
    return root / "out"


@pytest.fixture(scope="module")
def address(published: Path, serve: Serve) -> str:
    return f"{serve(published, BASE)}/search/"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def ask(page: Page, address: str, query: str) -> list[str]:
    """Open the page with a query and return where its exact matches lead."""
    page.goto(f"{address}?q={quote(query)}")
    page.wait_for_selector("#count:not(:empty)")
    return hrefs(page, "#found")


def hrefs(page: Page, where: str) -> list[str]:
    return [a.get_attribute("href") or "" for a in page.query_selector_all(f"{where} a")]


QUERIES: Final = [
    pytest.param("412.706", [f"{BACH}#result-1"], id="value"),
    pytest.param("412.706 tokens/s", [f"{BACH}#result-1"], id="value-unit"),
    pytest.param("412.706 tok/s", [f"{BACH}#result-1"], id="other-spelling-of-unit"),
    pytest.param("412,706", [f"{BACH}#result-1"], id="decimal-comma"),
    pytest.param("207.040", [f"{BACH}#result-2"], id="zero-kept"),
    pytest.param("207.04", [f"{BACH}#result-2"], id="zero-left-out"),
    pytest.param("4.62", [f"{BACH}#result-3"], id="whole-number"),
    pytest.param("14.62 s", [f"{BACH}#result-4"], id="longer-number"),
    pytest.param("-4.62", [f"{BACH}#result-6"], id="negative"),
    pytest.param("−4.62 %", [f"{BACH}#result-6"], id="minus-sign"),
    pytest.param("388512", [f"{BACH}#result-5", f"{BACH}#what-was-seen"], id="no-separator"),
    pytest.param("388,512", [f"{BACH}#result-5", f"{BACH}#what-was-seen"], id="comma"),
    pytest.param("388 512 MiB", [f"{BACH}#result-5", f"{BACH}#what-was-seen"], id="blank"),
    pytest.param("388’512 mib", [f"{BACH}#result-5", f"{BACH}#what-was-seen"], id="apostrophe"),
    pytest.param("388.512", [f"{BACH}#result-5", f"{BACH}#what-was-seen"], id="dots-between-groups"),
    pytest.param("388512MiB", [f"{BACH}#result-5", f"{BACH}#what-was-seen"], id="unit-attached"),
    pytest.param("388512 GiB", [], id="other-unit"),
    pytest.param("388", [], id="part-of-a-number"),
    pytest.param("8.0", [], id="part-of-a-version"),
    pytest.param("v1.8.0", [f"{BACH}#where-the-queue-stood", f"{BACH}#table-1"], id="version"),
    pytest.param("1.8.0", [f"{BACH}#where-the-queue-stood", f"{BACH}#table-1"], id="bare-version"),
    pytest.param("PR40417", [f"{BACH}#src-2", f"{BACH}#where-the-queue-stood"], id="pull-request"),
    pytest.param("pr #40417", [f"{BACH}#src-2", f"{BACH}#where-the-queue-stood"], id="pull-request-spaced"),
    pytest.param("#40417", [f"{BACH}#src-2"], id="number-sign"),
    pytest.param("g7f1a2b3c4", [f"{BACH}#where-the-queue-stood"], id="described-commit"),
    pytest.param("7f1a2b3", [f"{BACH}#where-the-queue-stood"], id="start-of-described-commit"),
    pytest.param(ENGINE[:8], [f"{BACH}#table-2"], id="start-of-commit"),
    pytest.param(ENGINE[:6], [], id="start-of-commit-too-short"),
    pytest.param(ENGINE, [f"{BACH}#table-2"], id="commit"),
    pytest.param(ENGINE[:39] + "0", [], id="commit-with-one-slip"),
    pytest.param(SHORT_COMMIT, ["../notes/bach/#src-1", "../notes/brook/#src-1"], id="commit-of-source"),
    pytest.param(COMMIT.upper(), ["../notes/bach/#src-1", "../notes/brook/#src-1"], id="upper-case"),
    pytest.param("E5M2", [f"{BACH}#result-1"], id="part-of-a-code"),
    pytest.param("fp8_e5m2", [f"{BACH}#result-1"], id="code"),
    pytest.param("C2", [f"{BACH}#what-was-seen", f"{BACH}#result-3", f"{BACH}#result-4"], id="short-code"),
    pytest.param("C24 4.62", [], id="not-in-one-place"),
    pytest.param("C31", [f"{BACH}#main"], id="introduction"),
    pytest.param("C31 4.62", [], id="introduction-is-not-the-guide"),
    pytest.param("C2 4.62", [f"{BACH}#result-3"], id="two-in-one-place"),
    pytest.param("Лаборатория", [BACH], id="cyrillic"),
    pytest.param("φορτίο", [BACH], id="greek"),
    pytest.param("лаборатория 412.706", [f"{BACH}#result-1"], id="name-and-number"),
    pytest.param("文脈", [f"{BACH}#case-1"], id="word-inside-a-run"),
    pytest.param("brook-labs/engine", [f"{BACH}#src-2"], id="repository"),
]


@pytest.mark.parametrize(("query", "places"), QUERIES)
def test_a_query_leads_to_the_places_that_hold_it(page: Page, address: str, query: str, places: list[str]) -> None:
    assert ask(page, address, query)[: len(places) or None] == places


@pytest.mark.parametrize(("query", "places"), QUERIES)
def test_the_same_from_disk(page: Page, from_disk: Path, query: str, places: list[str]) -> None:
    found = ask(page, (from_disk / "search" / "index.html").as_uri(), query)
    assert found[: len(places) or None] == [p.replace("/#", f"/{ENDING}#") if "#" in p else p + ENDING for p in places]


def test_numbers_are_matched_whole_and_nothing_else_is_shown(page: Page, address: str) -> None:
    assert ask(page, address, "4.62") == [f"{BACH}#result-3"]
    assert ask(page, address, "14.62") == [f"{BACH}#result-4"]
    assert ask(page, address, "v1.8.0") == [f"{BACH}#where-the-queue-stood", f"{BACH}#table-1"]
    assert ask(page, address, "40417") == [f"{BACH}#src-2"]


def test_every_hit_has_its_anchor(page: Page, address: str, published: Path) -> None:
    for query in ("388512", "1.8.0", "PR40417", ENGINE[:7], "C2", "1"):
        for href in ask(page, address, query):
            route, _, anchor = href.removeprefix("../").partition("#")
            html = LexborHTMLParser((published / route / "index.html").read_text("utf-8"))
            assert not anchor or html.css_first(f"[id='{anchor}']"), href


def test_a_match_is_told_with_its_digits_its_unit_and_its_guide(page: Page, address: str) -> None:
    ask(page, address, "207.04")
    told = page.inner_text("#found li")
    assert "207.040\u00a0tokens/s" in told
    assert TITLE in told
    assert page.inner_text("#count") == "1 exact match."
    ask(page, address, "412,706")
    assert page.inner_text("#count") == "Read as 412.706: 1 exact match."


def test_a_word_that_no_name_holds_is_left_out_and_told(page: Page, address: str) -> None:
    assert ask(page, address, "watchdog 412.706") == [f"{BACH}#result-1"]
    assert page.inner_text("#count") == "1 exact match without “watchdog”, 1 guide with words like “watchdog”."


def test_words_are_found_in_the_prose_with_their_section(page: Page, address: str) -> None:
    assert ask(page, address, "watchdogs halting") == []
    assert page.inner_text("#count") == "0 exact matches, 1 guide with words like “watchdogs halting”."
    assert hrefs(page, "#texts") == [BACH, f"{BACH}#where-the-queue-stood"]
    assert page.inner_text("#texts mark") == "watchdog"
    assert "A watchdog halted the second batch" in page.inner_text("#texts li")


def test_a_link_opens_the_row(page: Page, address: str) -> None:
    ask(page, address, "412.706")
    page.click("#found a")
    page.wait_for_url(f"{address.removesuffix('search/')}notes/bach/#result-1")
    assert "412.706" in page.inner_text("#result-1")


def test_the_keyboard_is_enough(page: Page, address: str) -> None:
    page.goto(address)
    page.focus("#q")
    page.keyboard.type("412.706")
    page.keyboard.press("Enter")
    expect(page.locator("#found li")).to_have_count(1)
    assert page.url == f"{address}?q=412.706"
    assert not page.is_visible("#a-z")
    page.keyboard.press("Escape")
    expect(page.locator("#found li")).to_have_count(0)
    assert page.input_value("#q") == ""
    assert page.url == address
    assert page.is_visible("#a-z")
    assert page.get_attribute("#count", "role") == "status"


def test_without_a_script_everything_is_listed(chromium: Browser, address: str, published: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(address)
    assert not plain.is_visible("#search")
    listed = plain.inner_text("#a-z")
    for name in (TITLE, "Brook", "Output rate", "First token wait", "REPORT.md", "pull/40417", "Brook Labs"):
        assert name in listed, name
    for href in hrefs(plain, "#a-z"):
        route, _, anchor = href.removeprefix("../").partition("#")
        html = (published / route / "index.html").read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in html, href
    context.close()


@pytest.mark.parametrize("query", ["", "412.706", "watchdog", "nowhere to be found 77"])
def test_the_page_is_silent_and_asks_nobody_else(chromium: Browser, address: str, query: str) -> None:
    context = chromium.new_context()
    visit = Visit(address)
    visit.watch(context)
    own = context.new_page()
    own.goto(f"{address}?q={query}")
    if query:
        own.wait_for_selector("#count:not(:empty)")
    assert visit_faults(visit) == []
    context.close()


def test_only_the_search_page_may_run_its_script_and_compile_its_program(published: Path) -> None:
    for file in published.rglob("*.html"):
        html = file.read_text("utf-8")
        is_search = file == published / "search" / "index.html"
        assert ("script-src 'self' 'wasm-unsafe-eval';" in html) is is_search
        assert len(re.findall(r"<script[^>]* src=[^>]*/search\.", html)) == is_search


def test_an_index_that_is_gone_is_told(chromium: Browser, tmp_path: Path, serve: Serve) -> None:
    build(project(tmp_path / "site"), tmp_path / "out")
    for part in (tmp_path / "out" / "search").glob("exact-*/k*.idx"):
        part.unlink()
    context = chromium.new_context()
    own = context.new_page()
    assert ask(own, f"{serve(tmp_path / 'out')}/search/", "412.706") == []
    assert own.inner_text("#count") == "The search index could not be loaded. The lists below hold everything."
    assert own.is_visible("#a-z")
    context.close()


def test_an_offline_site_has_no_prose_index_and_says_so(from_disk: Path) -> None:
    assert not (from_disk / "search" / "pagefind").exists()
    html = (from_disk / "search" / "index.html").read_text("utf-8")
    assert "does not look words up in the prose" in html
    assert all(p.suffix == ".js" for p in (from_disk / "search").glob("exact-*/*"))


def test_no_guide_no_index(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    from site_src.project import Project

    files, _ = site_files(Project(tmp_path))
    assert "No guide is published yet." in files["search/index.html"].decode()
    assert not [p for p in files if p.startswith("search/pagefind/")]


def test_a_german_page_speaks_german_and_reads_both_kinds_of_numbers(
    page: Page, chromium: Browser, serve: Serve, tmp_path: Path
) -> None:
    made = project(tmp_path / "site")
    (made.root / "records" / "site.yml").write_text("language: de\n", "utf-8")
    build(made, tmp_path / "out")
    origin = serve(tmp_path / "out", BASE)
    for query in ("388512 MiB", "388\u00a0512 MiB"):
        assert ask(page, f"{origin}/search/", query)
        assert page.inner_text("#count") in {"1 genauer Treffer.", "2 genaue Treffer."}
        assert page.inner_text("#hits h2") == "Genaue Treffer"
        assert "388\u00a0512\u00a0MiB" in page.inner_text("#found")
    for query in ("412.706", "412,706"):
        assert ask(page, f"{origin}/search/", query)
        assert "412,706" in page.inner_text("#found")
        page.goto(f"{origin}/results/metrics/output-rate/?q={query}")
        assert page.inner_text("[role=status]") == "1 von 2 Zeilen auf dieser Seite"

"""The preview in a browser: an open tab is brought up to date in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from site_src.project import Project
from site_src.serial import json_text
from tests.records import sound
from tests.test_preview import preview

LONG = "\n\n".join(f"## Part {n}\n\nIt ran." for n in range(40))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text({**sound(), "body_markdown": None}))
    (tmp_path / "records" / "brook.md").write_text(LONG)
    return Project(tmp_path)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1280, "height": 700}) as context:
        context.set_default_timeout(120_000)
        expect.set_options(timeout=120_000)
        yield context.new_page()


def test_an_open_page_is_brought_up_to_date_in_place(project: Project, page: Page) -> None:
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    with preview(project, "--port", "0") as (_, base):
        page.goto(base + "notes/brook/")
        expect(page.locator("pinpress-preview .strip summary").first).to_contain_text("Open claims")
        # A variable of the page is gone with a reload; the rest is what a reader loses.
        page.evaluate("""() => {
            window.kept = 'kept';
            const folded = document.querySelector('main details:not([open])');
            folded.open = true;
            const link = document.querySelector('#sources ~ ol a');
            link.focus();
            scrollTo({top: 900, behavior: 'instant'});
        }""")
        (project.records / "brook.md").write_text("New words.\n\n" + LONG.replace("Part 3\n", "Part three\n"))
        expect(page.locator("main")).to_contain_text("New words.")
        assert page.evaluate("window.kept") == "kept"
        assert page.evaluate("document.querySelector('main details').open")
        assert page.evaluate("scrollY") == 900
        assert page.evaluate("document.activeElement.matches('#sources ~ ol a')")
        expect(page.locator("h2", has_text="Part three")).to_have_count(1)
        assert page.locator("main h2").count() == len(set(page.locator("main h2").all_inner_texts()))

        (project.root / "assets").mkdir()
        (project.root / "assets" / "style.css").write_text("h1 { color: rgb(1, 2, 3) }")
        expect(page.locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
        expect(page.locator("head link[rel=stylesheet]")).to_have_count(1)

        (project.records / "brook.json").write_text("{")
        overlay = page.locator("pinpress-preview .overlay")
        expect(overlay).to_contain_text("records/brook.json:1:2")
        expect(overlay).to_contain_text("broken-json")
        expect(page.locator("main")).to_contain_text("New words.")
        (project.records / "brook.json").write_text(
            json_text({**sound(), "answer": "It ran at last.", "body_markdown": None})
        )
        expect(overlay).to_be_hidden()
        expect(page.locator("main")).to_contain_text("It ran at last.")
        assert page.evaluate("window.kept") == "kept"
        assert told == []


def test_an_open_page_follows_what_changed(project: Project, page: Page) -> None:
    with preview(project, "--port", "0", "--follow") as (_, base):
        page.goto(base)
        expect(page.locator("main")).to_contain_text("Brook")
        expect(page.locator("html")).to_have_attribute("data-preview-build", re.compile("-"))
        (project.records / "brook.md").write_text("New words.")
        page.wait_for_url(base + "notes/brook/")
        expect(page.locator("main")).to_contain_text("New words.")

"""A folder opened from disk: every page is reached from the index by clicks alone, with its style and pictures."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser

from site_src.write import publish
from tests.lists import files_of, many, written

_LINKS = "all => all.map(a => a.href)"
_BROKEN = """async () => {
  for (const i of document.images) { i.loading = 'eager'; await i.decode().catch(() => null); }
  return [...document.images].filter(i => !i.naturalWidth).map(i => i.src);
}"""
_STYLED = "() => getComputedStyle(document.querySelector('.skip')).position"


def file_of(address: str) -> Path:
    """Return the file that an address of a browser names."""
    return Path(unquote(urlsplit(address).path))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("offline")
    out = root / "a site"
    publish(files_of(written(root / "project", many()), root / "cache", offline=True), out)
    return out


def test_every_page_is_reached_from_the_index_and_works(folder: Path, chromium: Browser) -> None:
    page = chromium.new_page()
    start = folder / "index.html"
    seen, left = {start}, [start]
    while left:
        at = left.pop()
        page.goto(at.as_uri())
        assert page.locator("h1").count() == 1, at
        assert page.evaluate(_STYLED) == "absolute", at
        assert page.evaluate(_BROKEN) == [], at
        for link in page.locator("a[href^='file:'], a:not([href*=':'])").evaluate_all(_LINKS):
            target = file_of(link)
            assert target.is_file(), (at, link)
            if target.suffix == ".html" and target not in seen:
                seen.add(target)
                left.append(target)
    page.close()
    pages = {p for p in folder.rglob("*.html") if p.name != "404.html"}
    assert pages - seen == set()
    kinds = {"sources/2", "by/date/2", "by/question", "by/model", "with/hardware/box-1", "method/corrections/2"}
    assert {folder / kind / "index.html" for kind in kinds} <= seen


def test_the_page_for_missing_addresses_works_there_too(folder: Path, chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto((folder / "404.html").as_uri())
    assert page.evaluate(_STYLED) == "absolute"
    for link in page.locator("a[href]").evaluate_all(_LINKS):
        assert file_of(link).is_file(), link
    page.close()

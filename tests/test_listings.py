"""Lists of guides: every guide is reached from the index by links alone, newest first, on pages of a bounded size."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import listings, paging
from site_src.rules import fault_of_step
from tests.lists import GUIDES, files_of, guide, many, written


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("many")
    return files_of(written(root, many()), root / ".cache")


def rows(files: dict[str, bytes], path: str) -> list[str]:
    return [n.text() for n in Page(files[unquote(path)].decode()).css(".list h2")]


def pager(files: dict[str, bytes], path: str) -> list[str | None]:
    return [a.attributes["href"] for a in Page(files[path].decode()).css(".pager a")]


def test_the_index_lists_the_newest_and_leads_to_the_rest(files: dict[str, bytes]) -> None:
    first, second = rows(files, "index.html"), rows(files, "by/date/2/index.html")
    assert len(first) == listings.GUIDES_PER_PAGE
    assert first[0] == "Brook a-0"
    newest = [f"Brook b-{n}" for n in range(GUIDES - 1, 0, -1)]
    assert [*first, *second] == ["Brook a-0", *newest]
    assert [a.attributes["href"] for a in Page(files["index.html"].decode()).css(".pager a")] == ["./", "by/date/2/"]
    assert [a.attributes["href"] for a in Page(files["by/date/2/index.html"].decode()).css(".pager a")] == [
        "../../../",
        "./",
    ]


def test_a_row_says_what_a_reader_chooses_by(files: dict[str, bytes]) -> None:
    row = Page(files["index.html"].decode()).css(".list > li")[0]
    assert row.css("p")[0].text() == "It ran."
    assert [n.text() for n in row.css(".badge")] == ["Logged"]
    assert [n.attributes["datetime"] for n in row.css("time")] == ["2025-03-01"]
    assert "1 value, 134 sources" in row.text()
    (thumb,) = row.css("img")
    assert (thumb.attributes["loading"], thumb.attributes["alt"], thumb.attributes["width"]) == ("lazy", "", "160")
    data = files[thumb.attributes["src"] or ""]
    assert len(data) < 12_000


def test_the_thumbnail_is_the_title_card_in_small(files: dict[str, bytes], tmp_path: Path) -> None:
    for name in ("a-0-hero-thumb.webp", "a-0-hero.png"):
        (tmp_path / name).write_bytes(files[f"assets/{name}"])
    with Image.open(tmp_path / "a-0-hero-thumb.webp") as small, Image.open(tmp_path / "a-0-hero.png") as whole:
        assert small.size == (320, 180)
        card = whole.convert("L").resize(small.size, Image.Resampling.BOX)
        near = zip(small.convert("L").tobytes(), card.tobytes(), strict=True)
        assert sum(abs(a - b) for a, b in near) / (320 * 180) < 3


def test_every_guide_is_found_by_model_and_by_hardware(files: dict[str, bytes]) -> None:
    index = Page(files["index.html"].decode())
    for kind in ("model", "hardware"):
        named = Page(files[f"by/{kind}/index.html"].decode())
        links = [a.attributes["href"] or "" for a in named.css("main .sum a")]
        found = [title for link in links for title in rows(files, f"{link.removeprefix('../../')}index.html")]
        assert sorted(found) == sorted(["Brook a-0", *(f"Brook b-{n}" for n in range(1, GUIDES))])
    models, machines, parts = index.css(".facets dd")
    assert [a.text() for a in models.css("a")] == ["Brook 12B", "نهر 7B", "Not named in the record"]
    assert (machines.text(), parts.text()) == ("All 14 kinds of hardware", "What each guide asks, part by part")
    heads = [a.attributes["href"] for a in index.css(".facets dt a")]
    assert heads == ["by/model/", "by/hardware/", "by/question/"]
    assert "(7)" in models.text()


def test_questions_lead_to_the_part_that_answers_them(files: dict[str, bytes]) -> None:
    page = Page(files["by/question/index.html"].decode())
    links = [(a.text(), unquote(a.attributes["href"] or "")) for a in page.css("main li a")]
    assert links == [
        ("Why did it run?", "../../notes/a-0/#why-did-it-run"),
        ("ماذا قيس؟", "../../notes/b-2/#ماذا-قيس"),
    ]


def test_a_page_of_a_large_site_is_no_heavier(files: dict[str, bytes], tmp_path: Path) -> None:
    small = files_of(written(tmp_path, many()[:10]), tmp_path / ".cache")
    for path in ("index.html", "method/index.html", "404.html"):
        assert len(gzip.compress(files[path], 6)) <= len(gzip.compress(small[path], 6)) + 2000, path


def test_names_that_no_folder_can_have_get_a_page_all_the_same(tmp_path: Path) -> None:
    names = ["Box 1", "box-1", "CON", "🦅", "x" * 300, "2", "Not named in the record"]
    records = [guide(f"g-{n}", hardware=[name]) for n, name in enumerate(names)] + [guide("none")]
    files = files_of(written(tmp_path, records), tmp_path / ".cache")
    listed = Page(files["by/hardware/index.html"].decode()).css("main .sum a")
    assert [a.text() for a in listed] == [*sorted(names, key=str.casefold), "Not named in the record"]
    assert len({a.attributes["href"] for a in listed}) == len(names) + 1
    for link in listed:
        assert len(rows(files, f"{(link.attributes['href'] or '').removeprefix('../../')}index.html")) == 1


@settings(deadline=None)
@given(st.lists(st.text(min_size=1, max_size=80), unique=True, max_size=6))
def test_folder_names_are_keepable_and_distinct(names: list[str]) -> None:
    steps = listings.steps(names)
    assert len({s.casefold() for s in steps}) == len(names)
    assert all(s and fault_of_step(s) is None for s in steps)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(1, 12))
def test_paging_loses_nothing_and_leads_everywhere(count: int, size: int) -> None:
    pages = list(paging.pages("/x/", range(count), size))
    assert [row for _, rows, _ in pages for row in rows] == list(range(count))
    routes = [route for route, _, _ in pages]
    assert len(set(routes)) == len(routes)
    for number, (route, rows, links) in enumerate(pages):
        assert len(rows) <= size
        assert len(links) <= 5
        assert {link.route for link in links} <= set(routes)
        assert [link.route for link in links if link.current] == [route] * (len(pages) > 1)
        near = {routes[n] for n in (number - 1, number + 1) if 0 <= n < len(routes)}
        assert near <= {link.route for link in links} or len(pages) == 1

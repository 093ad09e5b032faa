"""The Markdown twin holds what the page holds: read back as Markdown, word for word and digit for digit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import markdown
from site_src.links import target
from site_src.pipeline import Options, site_files
from site_src.project import RESOURCES, Project
from site_src.urls import is_external
from site_src.view import Cell, Column, Fact, Row, Table
from tests.conftest import SITES
from tests.machine_samples import ODD, built, draft, heron, hostile

READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
ANY = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=40)
SHIPPED = ("records", "other")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return built(tmp_path_factory.mktemp("odd"), hostile(), heron(), draft())


@pytest.fixture(scope="module", params=SHIPPED)
def shipped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = RESOURCES if request.param == "records" else SITES / request.param
    files, _ = site_files(Project(root), Options(cache=tmp_path_factory.mktemp("cache")))
    return files


def twins(files: dict[str, bytes]) -> Iterator[tuple[str, Page, str]]:
    """Yield the folder of each guide, its twin as HTML, and the words of its page and the rows below it."""
    for path, data in files.items():
        if path.endswith("/index.md"):
            folder = path.removesuffix("index.md")
            pages = [
                p for p in files if re.fullmatch(re.escape(folder) + r"((results|derived)/(\d+/)?)?index\.html", p)
            ]
            yield folder, Page(READER.render(data.decode())), " ".join(words(main_of(files[p])) for p in sorted(pages))


def main_of(html: bytes) -> Any:
    """Return what a page says of its guide: no legend, no dates in words, no list of contents or of downloads."""
    main = Page(html.decode()).css_first("main")
    assert main is not None
    for other in main.css("#reading + dl, .dates, nav, .get, .vh, #cite + p, #cite ~ h3 + ul"):
        other.remove()
    return main


def words(node: Any) -> str:
    return " ".join(node.text(separator=" ").split())


def test_every_cell_and_fact_of_the_page_is_in_the_twin(shipped: dict[str, bytes]) -> None:
    seen = 0
    for folder, twin, _ in twins(shipped):
        held = "".join(words(twin.body).split())
        main = main_of(shipped[f"{folder}index.html"])
        for node in main.css("td > b, td .null, th[scope=row], dd, .limits li, .answer p, caption span"):
            if node.css("small, time"):  # Told otherwise there: behind a semicolon, and as an ISO date.
                continue
            assert "".join(words(node).split()) in held, (folder, words(node))
            seen += 1
    assert seen > 20


def test_every_number_of_the_pages_is_in_the_twin(shipped: dict[str, bytes]) -> None:
    number = re.compile(r"(?<![\w.,])\d(?:[\d,]*\d)?(?:\.\d+)?(?!\w)")
    for folder, twin, said in twins(shipped):
        lacking = set(number.findall(said)) - set(number.findall(words(twin.body)))
        assert not lacking, (folder, lacking)


def test_nulls_sources_hashes_and_state_are_kept(shipped: dict[str, bytes]) -> None:
    for folder, twin, _ in twins(shipped):
        held = words(twin.body)
        nulls = Page(shipped[f"{folder}index.html"].decode()).css("td .null, .cols .null")
        assert held.count("not reported") + held.count("not run") >= len(nulls)
        for digest in re.findall(r"[0-9a-f]{64}", shipped[f"{folder}index.html"].decode()):
            assert digest in held
        for badge in Page(shipped[f"{folder}index.html"].decode()).css(".state li"):
            assert f"{words(badge)}." in held


def test_links_of_the_twin_lead_to_files_of_the_site_or_out(shipped: dict[str, bytes], odd: dict[str, bytes]) -> None:
    followed = 0
    for files in (shipped, odd):
        for folder, twin, _ in twins(files):
            for node in twin.css("a[href], img[src]"):
                href = node.attributes.get("href") or node.attributes.get("src") or ""
                if not is_external(href):
                    path = target(f"/{folder}", href)[0].lstrip("/")
                    assert (path + "index.html" if path.endswith("/") or not path else path) in files, (folder, href)
                    followed += 1
    assert followed > 20


def test_texts_of_every_kind_read_back_as_they_are(odd: dict[str, bytes]) -> None:
    text = odd["notes/brook/index.md"].decode()
    twin = Page(READER.render(text))
    assert words(twin.css_first("h1")) == ODD
    names = [words(th) for th in twin.css("tbody tr td:first-child")]
    assert "wait | at <the> door_" in names
    assert "_second_ *run*" in names
    assert "Mode: a|b\\c" in words(twin.body)
    assert "329.010" in [words(td) for td in twin.css("td")]
    assert 'print("[no link](/notes/heron/)")' in twin.css_first("pre").text()  # type: ignore[union-attr]
    assert "\n\n\nprint" in text, "blank lines of code are the author's"
    assert text.count("\n# ") == 1, "one heading of the first level beside the comment in the code"
    assert [words(h) for h in twin.css("h2")][:3] == ["Short answer", "Key figures", "Parts"]


def test_a_title_that_the_body_repeats_stands_once(tmp_path: Path) -> None:
    data = heron(body_markdown="Reiher läuft\n============\n\n[def]: /notes/heron/\n\nSee [it][def].")
    text = built(tmp_path, data)["notes/heron/index.md"].decode()
    assert text.count("Reiher läuft") == 2, "as its title, and in how to cite it"
    assert "[def]: ./" in text


def test_rows_of_sub_pages_are_in_the_twin(tmp_path: Path) -> None:
    data = heron()
    first = data["reported_results"][0]
    runs = [
        {**first, "label": f"run {n}", "value": Decimal(f"{n}.50"), "source_line": Decimal(n)} for n in range(1, 131)
    ]
    data["reported_results"] = runs
    text = built(tmp_path, data)["notes/heron/index.md"].decode()
    assert all(f"| run {n} | {n}.50; n\u00a0=\u00a01 |" in text for n in range(1, 131))


@settings(deadline=None)
@given(ANY)
def test_any_text_reads_back(plain: str) -> None:
    shown = READER.render(f"x {markdown.text(plain)}")
    assert words(Page(shown).body) == " ".join(f"x {plain}".split())


@settings(deadline=None)
@given(ANY)
def test_any_text_reads_back_at_the_start_of_a_line(plain: str) -> None:
    page = Page(READER.render(markdown.text(plain.strip())))
    assert words(page.body) == " ".join(plain.split())
    assert not page.css("h1, h2, li, blockquote, hr, code, em, a")


@settings(deadline=None)
@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=1, max_size=4))
def test_any_table_reads_back(rows: list[tuple[str, str, str]]) -> None:
    made = tuple(Row("", Cell(a), (Cell(b, unit=c),), below=(Fact(a, c),)) for a, b, c in rows)
    table = Table("t", "Caption", (), (Column("One"), Column("Two", numeric=True)), made, sourced=False)
    page = Page(READER.render("\n".join(markdown.table(table, lambda href: href))))
    found = [[words(td) for td in tr.css("td")] for tr in page.css("tbody tr")]
    bare = [[cell.strip() for cell in row] for row in rows]
    said = [[a, " ".join(filter(None, (b, c))), f"{a}: {c}"] for a, b, c in bare]
    assert found == [[" ".join(cell.split()) for cell in row] for row in said]


@pytest.mark.parametrize(
    ("href", "shown"),
    [("a b", "[x](a%20b)"), ("a(b)", "[x](<a(b)>)"), ("https://e.org/?q=<a>", "[x](https://e.org/?q=%3Ca%3E)")],
)
def test_addresses_cannot_leave_their_link(href: str, shown: str) -> None:
    assert markdown.link("x", href) == shown

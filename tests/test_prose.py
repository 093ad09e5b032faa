"""Markdown bodies: cases as title / input / expected in tests/prose, and what a body may not hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src import markup, prose
from site_src.prose import PAGE_IDS, Picture, Text

CASES = Path(__file__).parent / "prose" / "cases.md"


def cases() -> Iterator[tuple[str, str, str]]:
    """Read the file: a title, a line with a dot, the input, a dot, the expected HTML, a dot."""
    parts = CASES.read_text("utf-8").split("\n.\n")
    for at in range(0, len(parts) - 1, 3):
        yield parts[at].strip(), parts[at + 1], parts[at + 2]


def html(source: str) -> str:
    body = prose.parse(source, "a title")
    return "".join(markup.html(b.tokens, lambda href: f"to:{href}") for b in body.blocks if isinstance(b, Text))


@pytest.mark.parametrize(("title", "source", "expected"), list(cases()), ids=[c[0] for c in cases()])
def test_case(title: str, source: str, expected: str) -> None:
    assert html(source).strip() == expected.strip()


def test_a_first_heading_equal_to_the_title_is_dropped() -> None:
    assert "Same" not in html_of_title("# Same\n\nText", "Same")
    assert "Same" in html_of_title("# Same\n\nText", "Other")


def html_of_title(source: str, title: str) -> str:
    body = prose.parse(source, title)
    return "".join(markup.html(b.tokens, str) for b in body.blocks if isinstance(b, Text))


def test_a_lone_image_takes_the_emphasis_under_it_as_caption() -> None:
    body = prose.parse("![alt](/assets/a.webp)\n\n*A [link](/x/) in it.*\n\n*Not a caption.*", "t")
    picture, rest = body.blocks
    assert isinstance(picture, Picture)
    assert (picture.alt, picture.src) == ("alt", "/assets/a.webp")
    assert markup.inline_html(picture.caption, str) == 'A <a href="/x/">link</a> in it.'
    assert isinstance(rest, Text)
    assert "<em>Not a caption.</em>" in markup.html(rest.tokens, str)


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#115;cript:alert(1)",
        "%6Aavascript:alert(1)",
        "%256Aavascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "\u200bjavascript:x",
        "java\\u0000script:x".replace("\\u0000", "%00"),
    ],
)
def test_unsafe_links_are_faults(href: str) -> None:
    (fault,) = prose.parse(f"See [this](<{href}>).", "t").faults
    assert fault.code == "unsafe-link"


@pytest.mark.parametrize("href", ["https://example.org/a?b=c#d", "mailto:a@example.org", "/x/", "../y/#z", "#z"])
def test_safe_links_are_not(href: str) -> None:
    body = prose.parse(f"See [this]({href}).", "t")
    assert body.faults == ()
    assert [link.href for link in body.links] == [href]


def test_rows_with_too_many_cells_are_located() -> None:
    source = "Text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 1 | `x | y` |\n| 1 \\| 1 | 2 |\n| 1 | 2 | 3 |\n"
    faults = prose.parse(source, "t").faults
    assert [source[f.offset :].splitlines()[0] for f in faults] == ["| 1 | `x | y` |", "| 1 | 2 | 3 |"]


@given(st.text(), st.lists(st.text(), max_size=4))
def test_heading_ids_are_present_distinct_stable_and_nfc(text: str, others: list[str]) -> None:
    taken: set[str] = set()
    ids = [prose.unique_slug(t, taken) for t in [*others, text, text]]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert not set(ids) & PAGE_IDS
    for found in ids:
        assert unicodedata.is_normalized("NFC", found)
        assert not any(c.isspace() for c in found)
    assert ids[: len(others)] == [prose.unique_slug(t, again) for again in [set[str]()] for t in others]


@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n|#*[]()!`<>-"))
)
def test_any_body_gives_a_result(source: str) -> None:
    body = prose.parse(source, "t")
    for block in body.blocks:
        rendered = markup.html(block.tokens, str) if isinstance(block, Text) else block.src
        assert isinstance(rendered, str)
        assert " style=" not in rendered.replace("&quot;", "") or "style=" in source
    for fault in body.faults:
        assert 0 <= fault.offset <= len(source)


LINKS = [
    "Words `/a/` and [one](/a/), then [two](/a/).",
    "[`/a/`](/a/) and ![alt](/assets/x.png) [![alt /a/](/assets/x.png)](/a/ 'title')",
    "| [one](/a/) | [two](/a/) |\n|---|---|\n| [three](/a/) | /a/ [four](/a/) |",
    "[*one*, **two**](/a/) &amp; [three &amp;](/a/)\n[four\nlines](</a/>)",
    "> /a/\n>\n> - [one](/a/)\n\n[two](/a/)",
    "Before[^1].\n\n[^1]: /a/ [note](/a/)\n\n[after](/a/)",
]


@pytest.mark.parametrize("source", LINKS)
def test_each_link_is_located_at_its_own_address(source: str) -> None:
    written = sorted(at + found for at, found in _destinations(source))
    assert sorted(link.offset for link in prose.parse(source, "t").links) == written


def _destinations(source: str) -> Iterator[tuple[int, int]]:
    at = source.find("](")
    while at >= 0:
        found = 3 if source[at + 2] == "<" else 2
        if source.startswith("/a/", at + found):
            yield at, found
        at = source.find("](", at + 1)


def test_other_writings_of_links_are_located() -> None:
    source = "a < b <https://a.org> [ref], [encoded](/\u00fc/), [entity](&#47;a/).\n\n[ref]: https://b.org\n"
    places = [source[link.offset :][:5] for link in prose.parse(source, "t").links]
    assert places == ["https", "https", "/\u00fc/),"[:5], "&#47;"]
    assert prose.parse(source, "t").links[1].offset == source.index("https://b.org")


def test_rows_in_containers_are_counted_without_its_marks() -> None:
    table = ["| a | b |", "|---|---|", "| 1 | 2 |", "| 1 | 2 | 3 |"]
    for first, rest in (("> ", "> "), ("- ", "  "), ("> - ", ">   "), ("1. > ", "   > ")):
        source = "\n".join(prefix + row for prefix, row in zip([first, rest, rest, rest], table, strict=True))
        (fault,) = prose.parse(source, "t").faults
        assert source[fault.offset :] == table[-1]

"""Feed, sitemap, robots.txt, llms.txt, headers and cards: well formed, valid, and without drafts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st
from lxml import etree
from PIL import Image
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import feed, robots
from site_src.hrefs import Hrefs
from site_src.pipeline import site_files
from tests.machine_samples import ODD, SITE_URL, built, draft, heron, hostile, record, settings, write

SCHEMAS = Path(__file__).parent / "schemas"
ATOM = etree.RelaxNG(etree.parse(SCHEMAS / "atom.rng"))
SITEMAP = etree.XMLSchema(etree.parse(SCHEMAS / "sitemap.xsd"))
NAMES = {"a": "http://www.w3.org/2005/Atom", "s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
HREFS = Hrefs(site_url=SITE_URL)
ANY = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=60).filter(str.strip)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return built(tmp_path_factory.mktemp("lists"), hostile(), heron(), draft())


@pytest.fixture(scope="module")
def with_drafts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return built(tmp_path_factory.mktemp("drafts"), hostile(), heron(), draft(), drafts=True)


def texts(xml: bytes, path: str) -> list[str]:
    found: list[str] = etree.fromstring(xml).xpath(path, namespaces=NAMES)
    return found


# The feed


def test_the_feed_is_valid_and_the_newest_comes_first(files: dict[str, bytes]) -> None:
    ATOM.assertValid(etree.fromstring(files["feed.xml"]))
    assert texts(files["feed.xml"], "a:entry/a:title/text()") == [ODD, "Reiher läuft"]
    assert texts(files["feed.xml"], "a:updated/text()") == ["2025-04-01T07:30:00Z"]
    assert texts(files["feed.xml"], "a:entry/a:updated/text()") == ["2025-04-01T07:30:00Z", "2025-03-01T00:00:00Z"]
    assert texts(files["feed.xml"], "a:entry/a:id/text()") == [f"{SITE_URL}notes/brook/", f"{SITE_URL}notes/heron/"]
    assert sorted(texts(files["feed.xml"], "a:link/@rel")) == ["alternate", "self"]
    assert texts(files["feed.xml"], "a:link[@rel='self']/@href") == [f"{SITE_URL}feed.xml"]
    assert texts(files["feed.xml"], "a:entry[2]/a:category/@term") == ["Heron 12B", "Gaudi 3"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<updated>2025-04-01T07:30:00Z</updated>", "<updated>2025-04-01</updated>"),
        (f"<id>{SITE_URL}</id>", ""),
        (f"<id>{SITE_URL}</id>", "<id>brook</id>"),
        ("<author>", "<author><nick>x</nick>"),
        ("</entry>", "<draft/></entry>"),
        ('type="text"', 'type="html"'),
    ],
)
def test_the_schema_refuses_a_feed_that_is_wrong(files: dict[str, bytes], old: str, new: str) -> None:
    spoilt = files["feed.xml"].decode().replace(old, new, 1)
    assert spoilt != files["feed.xml"].decode()
    assert not ATOM.validate(etree.fromstring(spoilt.encode()))


@tried(deadline=None)
@given(ANY, ANY, ANY)
def test_any_text_keeps_the_feed_valid(title: str, answer: str, model: str) -> None:
    made = feed.feed([record(heron(title=title, answer=answer, models=[model]))], settings(title=title), HREFS)
    ATOM.assertValid(etree.fromstring(made))
    shown = re.sub("[\ufffe\uffff]", "\ufffd", answer)
    assert texts(made, "a:entry/a:content/text()") == [shown]


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2025-03-01", "2025-03-01T00:00:00Z"),
        ("2025-03-01T09:30Z", "2025-03-01T09:30:00Z"),
        ("2025-03-01T00:30:00+02:00", "2025-02-28T22:30:00Z"),
        ("2025-03-01T09:30:15.25", "2025-03-01T09:30:15Z"),
    ],
)
def test_a_date_becomes_a_moment(date: str, moment: str) -> None:
    assert feed.moment(date) == moment


def test_a_feed_does_not_grow_with_the_site() -> None:
    many = [record(heron(id=f"h{n}", path=f"/notes/h{n}/")) for n in range(feed.MOST + 20)]
    assert len(texts(feed.feed(many, settings(), HREFS), "a:entry")) == feed.MOST


def test_the_index_leads_to_the_feed_where_there_is_one(files: dict[str, bytes], tmp_path: Path) -> None:
    page = Page(files["index.html"].decode())
    assert {n.attributes["href"] for n in page.css('[href$="feed.xml"]')} == {"feed.xml"}
    without = built(tmp_path, heron(), site_url="")
    assert not {"feed.xml", "sitemap.xml"} & set(without)
    assert b"feed.xml" not in without["index.html"]


def test_a_site_of_drafts_has_no_feed(tmp_path: Path) -> None:
    found = built(tmp_path, draft(), drafts=True)
    assert "feed.xml" not in found
    assert b"feed.xml" not in found["index.html"]
    assert "notes/heron/next/index.html" in found


# The sitemap


def test_the_sitemap_is_valid_and_holds_every_page_once(files: dict[str, bytes]) -> None:
    SITEMAP.assertValid(etree.fromstring(files["sitemap.xml"]))
    pages = {p.removesuffix("index.html") for p in files if p.endswith(".html")} - {"404.html"}
    assert sorted(texts(files["sitemap.xml"], "s:url/s:loc/text()")) == sorted(f"{SITE_URL}{p}" for p in pages)


def test_the_dates_of_the_sitemap_are_those_of_the_records(files: dict[str, bytes]) -> None:
    found = dict(zip(*(texts(files["sitemap.xml"], f"s:url/s:{n}/text()") for n in ("loc", "lastmod")), strict=True))
    assert found[f"{SITE_URL}notes/heron/"] == found[f"{SITE_URL}notes/heron/cite/"] == "2025-03-01"
    assert found[f"{SITE_URL}notes/brook/audit/"] == "2025-04-01T07:30:00Z"
    assert found[SITE_URL] == "2025-04-01T07:30:00Z", "a page of the site changes with its newest record"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2025-03-01<", "1 Mar 2025<"),
        (f"{SITE_URL}notes/heron/<", "/notes/heron/<"),
        ("/heron/<", "/brook/<"),
        ("loc>", "at>"),
    ],
)
def test_the_schema_refuses_a_sitemap_that_is_wrong(files: dict[str, bytes], old: str, new: str) -> None:
    spoilt = files["sitemap.xml"].decode().replace(old, new)
    assert spoilt != files["sitemap.xml"].decode()
    assert not SITEMAP.validate(etree.fromstring(spoilt.encode()))


def test_drafts_are_in_no_list(files: dict[str, bytes], with_drafts: dict[str, bytes]) -> None:
    assert "notes/heron/next/index.html" in with_drafts
    for name in ("feed.xml", "sitemap.xml", "llms.txt"):
        assert b"/next/" not in files[name] + with_drafts[name], name
        assert b"notes/heron/" in with_drafts[name], "the guide above the draft is no draft"
    assert not [p for p in files if "next" in p]


# What visitors may read


def test_robots_may_read_all_and_find_the_sitemap(files: dict[str, bytes], tmp_path: Path) -> None:
    assert files["robots.txt"].decode() == f"User-agent: *\nAllow: /\nSitemap: {SITE_URL}sitemap.xml\n"
    assert built(tmp_path, heron(), site_url="")["robots.txt"] == b"User-agent: *\nAllow: /\n"


def test_llms_txt_leads_to_every_twin(files: dict[str, bytes], tmp_path: Path) -> None:
    text = files["llms.txt"].decode()
    assert text.splitlines()[0] == "# Notes & \\<more\\>"
    assert text.splitlines()[2].startswith("> ")
    assert re.findall(r"\((\S+\.md)\)", text) == [f"{SITE_URL}notes/{n}/index.md" for n in ("brook", "heron")]
    assert "(notes/heron/index.md)" in built(tmp_path, heron(), site_url="")["llms.txt"].decode()


def rules(text: str) -> dict[str, dict[str, str]]:
    """Read a headers file as hosts do: an address, then its indented headers."""
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if line.startswith("  "):
            name, _, value = line.strip().partition(": ")
            found[list(found)[-1]][name] = value
        else:
            assert line not in found
            found[line] = {}
    return found


def test_the_headers_of_a_page_hold_the_policy_of_its_meta_element(files: dict[str, bytes]) -> None:
    found = rules(files["_headers"].decode())
    assert "Content-Security-Policy" not in found.pop("/lab/*"), "two policies for one page would both be enforced"
    pages = {f"/lab/{p.removesuffix('index.html')}" for p in files if p.endswith(".html") and p != "404.html"}
    assert {path for path in found if not path.startswith("/lab/assets/")} == pages
    for path in pages:
        headers = found[path]
        page = Page(files[f"{path.removeprefix('/lab/')}index.html"].decode())
        meta = page.css_first("meta[http-equiv]").attributes["content"]  # type: ignore[union-attr]
        assert headers == {"Content-Security-Policy": f"{meta}; frame-ancestors 'none'"}
    assert "script-src" in found["/lab/notes/brook/"]["Content-Security-Policy"]
    assert "script-src" not in found["/lab/"]["Content-Security-Policy"]


def test_a_page_of_another_policy_gets_a_rule_of_its_own() -> None:
    said = "default-src 'none'; script-src 'self' &#39;wasm-unsafe-eval&#39;"
    head = f'<head><meta content="{said}" http-equiv="content-security-policy"></head>'
    page = robots.page("/find/", f'{head}<body><meta name="robots" content="noindex">'.encode())
    assert page == robots.Page("/find/", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'", True)
    assert "script-src 'self' 'wasm-unsafe-eval'" in robots.headers([page], (), Hrefs()).decode()


def test_a_hidden_page_is_not_listed() -> None:
    page = robots.page("/x/", b'<head><meta name="robots" content="noindex"></head>')
    assert not page.is_indexed
    assert b"/x/" not in robots.sitemap([page], [record(heron())], [], HREFS)


# Cards


def properties(html: bytes) -> dict[str, str]:
    found = Page(html.decode()).css("meta[property], meta[name^=twitter]")
    return {str(n.attributes.get("property") or n.attributes["name"]): str(n.attributes["content"]) for n in found}


def test_a_guide_has_its_title_card_as_png(files: dict[str, bytes], tmp_path: Path) -> None:
    found = properties(files["notes/brook/index.html"])
    assert found == {
        "og:title": ODD,
        "og:type": "article",
        "og:url": f"{SITE_URL}notes/brook/",
        "og:image": f"{SITE_URL}assets/brook-hero.png",
        "og:image:width": "1600",
        "og:image:height": "900",
        "og:image:alt": f"Title card: {ODD}",
        "twitter:card": "summary_large_image",
    }
    card = tmp_path / "card.png"
    card.write_bytes(files["assets/brook-hero.png"])
    with Image.open(card) as image:
        assert (image.format, image.size) == ("PNG", (1600, 900))


def test_without_an_address_of_the_site_a_card_has_no_addresses(tmp_path: Path) -> None:
    found = properties(built(tmp_path, heron(), site_url="")["notes/heron/index.html"])
    assert found == {"og:title": "Reiher läuft", "og:type": "article"}


@pytest.mark.parametrize(("name", "is_shown"), [("card.png", True), ("card.svg", False)])
def test_a_card_of_the_projects_own_is_used_as_it_is(tmp_path: Path, name: str, is_shown: bool) -> None:
    data = heron(image={"url": f"/assets/{name}", "alt": "A card", "width": 30, "height": 20})
    project = write(tmp_path, data)
    (tmp_path / "assets").mkdir()
    if name.endswith(".png"):
        Image.new("RGB", (30, 20)).save(tmp_path / "assets" / name)
    else:
        (tmp_path / "assets" / name).write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>')
    found = properties(site_files(project)[0]["notes/heron/index.html"])
    assert (found.get("og:image"), found.get("og:image:width")) == (
        (f"{SITE_URL}assets/{name}", "30") if is_shown else (None, None)
    )


# Links that last, and the icon of old clients


def robust(html: bytes, number: int) -> dict[str, Any]:
    link = Page(html.decode()).css_first(f"#src-{number} a")
    assert link is not None
    return {n: v for n, v in link.attributes.items() if n == "href" or n.startswith("data-")}


def test_every_source_says_what_was_cited_and_when(files: dict[str, bytes]) -> None:
    report = hostile()["sources"][0]["pinned_url"]
    assert robust(files["notes/brook/index.html"], 1) == {
        "href": report,
        "data-originalurl": report,
        "data-versiondate": "2025-03-01",
    }
    assert "data-versionurl" not in robust(files["notes/brook/index.html"], 2), "nobody archived the forum"


def test_an_archived_version_is_named_where_one_is_cited(files: dict[str, bytes]) -> None:
    kept = heron()["sources"][0]["pinned_url"]
    assert robust(files["notes/heron/index.html"], 1) == {
        "href": kept,
        "data-originalurl": "https://heron.example.org/REPORT.md",
        "data-versiondate": "2025-03-01",
        "data-versionurl": kept,
    }


def test_old_clients_find_an_icon_of_the_same_hand(files: dict[str, bytes], tmp_path: Path) -> None:
    assert files["favicon.ico"].startswith(b"\x00\x00\x01\x00\x03\x00"), "an ICO of three images"
    project = write(tmp_path, heron())
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    assert "favicon.ico" not in site_files(project)[0]
    (tmp_path / "assets" / "favicon.ico").write_bytes(b"own")
    assert site_files(project)[0]["favicon.ico"] == b"own"

"""Renamed guides: pages at old addresses, old heading ids on the page, and the ids that are remembered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser
from selectolax.lexbor import LexborHTMLParser

from site_src.cli import CONTENT, DONE, SURROUNDINGS, main
from site_src.layout.form import canonical
from site_src.pipeline import site_files
from site_src.project import Project
from site_src.renaming import taken
from site_src.serial import json_text
from tests.browser import Serve
from tests.records import sound

BODY = "It ran.\n\n## Now\n\nText.\n\n### Below\n\nMore.\n"


def project(root: Path, site: str = "", **fields: Any) -> Project:
    (root / "records").mkdir(exist_ok=True)
    (root / "records" / "brook.json").write_text(json_text({**sound(), "body_markdown": BODY, **fields}))
    if site:
        (root / "records" / "site.yml").write_text(f"site_url: {site}\n")
    return Project(root)


def test_an_old_address_leads_on_and_is_listed_nowhere(tmp_path: Path) -> None:
    aliases = ["/notes/rill/", "/é/"]
    files, _ = site_files(project(tmp_path, "https://example.org/base/", aliases=aliases))
    page = LexborHTMLParser(files["notes/rill/index.html"].decode())

    def said(selector: str, name: str) -> str | None:
        [found] = page.css(selector)
        return found.attributes[name]

    assert said("meta[http-equiv=refresh]", "content") == "0; url=../brook/"
    assert said("link[rel=canonical]", "href") == "https://example.org/base/notes/brook/"
    assert said("main a", "href") == "../brook/"
    assert [a.text() for a in page.css("main a")] == ["Brook"]
    assert said("meta[name=robots]", "content") == "noindex"
    policy = said("meta[http-equiv=Content-Security-Policy]", "content")
    assert f"/base/notes/rill/\n  Content-Security-Policy: {policy}; " in files["_headers"].decode()
    assert b"rill" not in files["sitemap.xml"] + files["llms.txt"] + files["index.html"]
    assert files["_redirects"].decode() == (
        "/base/%C3%A9/ /base/notes/brook/ 301\n/base/notes/rill/ /base/notes/brook/ 301\n"
    )


def test_without_old_addresses_there_is_no_list_of_them(tmp_path: Path) -> None:
    files, _ = site_files(project(tmp_path))
    assert "_redirects" not in files


def test_a_canonical_address_is_relative_where_the_site_has_none(tmp_path: Path) -> None:
    files, _ = site_files(project(tmp_path, aliases=["/rill/"]))
    assert b'<link rel="canonical" href="../notes/brook/">' in files["rill/index.html"]


def test_old_heading_ids_are_empty_anchors_of_their_headings(tmp_path: Path) -> None:
    anchors = {"then": "now", "before": "now", "under": "below"}
    files, _ = site_files(project(tmp_path, anchors=anchors, body_markdown=BODY + "\nSee [then](#then)."))
    page = LexborHTMLParser(files["notes/brook/index.html"].decode())
    for old, new in anchors.items():
        found = page.css(f"#{old}")
        assert [f.parent.attributes["id"] for f in found if f.parent] == [new]
        assert found[0].text() == ""
    ids = re.findall(rb'\bid="([^"]+)"', files["notes/brook/index.html"])
    assert len(ids) == len(set(ids))


def test_ids_are_remembered_until_they_are_aliased(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--project", str(project(tmp_path).root)]
    file = tmp_path / "records" / "brook.anchors.json"
    assert main(["anchors", "--check", *where]) == DONE, "a record without the file is not judged"
    assert not file.exists()
    assert main(["anchors", *where]) == DONE
    assert "records/brook.anchors.json  #now, #below\n1 record, 2 heading ids remembered in " in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert json.loads(text) == {"headings": ["now", "below"]}
    assert canonical(text, "records/brook.anchors.json") == text

    project(tmp_path, body_markdown=BODY.replace("Now", "Today"))
    for command in ("check", "build", "anchors"):
        assert main([command, *where]) == CONTENT
        said = capsys.readouterr().err
        assert "#now any more" in said
        assert "Write `now: today` under `anchors` in records/brook.json" in said
    assert file.read_text("utf-8") == text

    project(tmp_path, body_markdown=BODY.replace("Now", "Today"), anchors={"now": "today"})
    assert main(["check", *where]) == DONE
    assert main(["anchors", "--check", *where]) == CONTENT
    assert "#today is not in it yet  [open-anchor]" in capsys.readouterr().err
    assert main(["anchors", "brook", *where]) == DONE
    assert json.loads(file.read_text("utf-8")) == {"headings": ["now", "below", "today"]}
    assert main(["anchors", "--check", "--format", "json", *where]) == DONE
    assert main(["anchors", "heron", *where]) == SURROUNDINGS


def test_drafts_are_remembered_by_name_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--project", str(project(tmp_path, draft=True).root)]
    assert main(["anchors", *where]) == DONE
    assert not (tmp_path / "records" / "brook.anchors.json").exists()
    assert main(["anchors", "brook", *where]) == DONE
    assert (tmp_path / "records" / "brook.anchors.json").exists()


PATHS = st.sampled_from(["/a/", "/A/", "/b/", "/c/", "/é/", "/e\u0301/"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(PATHS, st.lists(PATHS, max_size=3)), max_size=4))
def test_addresses_are_accepted_only_where_each_leads_to_one_page(records: list[tuple[str, list[str]]]) -> None:
    """The paths of records are distinct already, letter case and composed characters aside."""
    from site_src.rules import folded

    distinct = list({folded(path): (path, aliases) for path, aliases in records}.values())
    given_ = [(f"records/{n}.json", path, tuple(aliases)) for n, (path, aliases) in enumerate(distinct)]
    every = [folded(a) for _, path, aliases in given_ for a in (path, *aliases)]
    assert bool(list(taken(given_))) == (len(every) != len(set(every)))


def test_changes_stand_on_the_guide_and_each_date_can_be_linked(tmp_path: Path) -> None:
    dates = ["2025-03-02", "2025-03-05", "2025-03-04T08:00:00+01:00", "2025-03-02", "2025-03-01"]
    changelog = [{"date": d, "what": f"What {n}.", "why": "Why."} for n, d in enumerate(dates)]
    files, _ = site_files(project(tmp_path, changelog=changelog, modified_on="2025-03-05"))
    guide = LexborHTMLParser(files["notes/brook/index.html"].decode())
    page = LexborHTMLParser(files["notes/brook/audit/index.html"].decode())
    ids = ["change-2025-03-05", "change-2025-03-04t08-00-00p01-00", "change-2025-03-02", "change-2025-03-01"]
    assert [dt.attributes["id"] for dt in page.css("#changes + dl dt")] == ids
    assert [a.attributes["href"] for a in page.css("#changes + dl dt a")] == [f"#{i}" for i in ids]
    told = [f"What {n}. Why." for n in (1, 2, 0, 3, 4)]
    assert [dd.text() for dd in page.css("#changes + dl dd")] == told
    assert [dd.text() for dd in guide.css("#changelog + dl dd")] == told[:3]
    assert [dt.attributes["id"] for dt in guide.css("#changelog + dl dt")] == ids[:3]
    assert [a.attributes["href"] for a in guide.css("#changelog ~ p a")][:1] == ["audit/#changes"]
    assert guide.css("nav.toc a[href='#changelog']")


def test_a_guide_without_changes_has_no_part_for_them(tmp_path: Path) -> None:
    page = LexborHTMLParser(site_files(project(tmp_path))[0]["notes/brook/index.html"].decode())
    assert not page.css("#changelog, a[href='#changelog']")


def test_old_links_land_in_a_browser(tmp_path: Path, chromium: Browser, serve: Serve) -> None:
    body = BODY + "\nMore of it.\n" * 200 + "\n## Last\n"
    where = project(tmp_path, aliases=["/rill/"], anchors={"then": "last"}, body_markdown=body)
    assert main(["build", "-q", "--jobs", "1", "--project", str(where.root)]) == DONE
    address = serve(tmp_path / "_site", "/base/")
    with chromium.new_context(viewport={"width": 800, "height": 600}) as context:
        page = context.new_page()
        page.goto(f"{address}/rill/")
        page.wait_for_url(f"{address}/notes/brook/")
        page.goto(f"{address}/notes/brook/#then")
        # A page scrolls smoothly; without the anchor it would stay at its top.
        seen = (
            "{ const top = document.getElementById('last').getBoundingClientRect().top; return top > 0 && top < 600 }"
        )
        page.wait_for_function(f"() => {seen}", timeout=10_000)
        assert page.evaluate("scrollY") > 1000

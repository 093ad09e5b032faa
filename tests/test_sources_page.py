"""The list of sources: each document once, with every guide that cites it, and the same in the data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser as Page
from selectolax.lexbor import LexborNode as Node

from site_src.cited import MOST_GUIDES, STALE_AFTER
from site_src.sources import receipt
from tests.lists import SOURCES, document, files_of, guide, many, page, written
from tests.records import HASH, REPORT, sound


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("many")
    return files_of(written(root, many()), root / ".cache")


def site(tmp_path: Path, *records: dict[str, Any]) -> dict[str, bytes]:
    return files_of(written(tmp_path, list(records)), tmp_path / ".cache")


def listed(files: dict[str, bytes]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(files["sources.json"])["documents"]
    return found


def rows(files: dict[str, bytes], path: str = "sources/index.html") -> dict[str, Node]:
    return {n.attributes["id"] or "": n for n in Page(files[path].decode()).css("ul.refs > li")}


def test_every_document_stands_once_on_some_page_and_in_the_data(files: dict[str, bytes]) -> None:
    pages = sorted(p for p in files if p.startswith("sources/"))
    assert pages == ["sources/2/index.html", "sources/index.html"]
    first, second = rows(files), rows(files, pages[0])
    assert (len(first), len(second)) == (100, SOURCES + 4 - 100)
    assert [d["id"] for d in listed(files)] == [*first, *second]
    assert len({*first, *second}) == SOURCES + 4
    for found in listed(files):
        row = (first | second)[found["id"]].text()
        for said in (found["path"], found["revision"], found["sha256"], *found["publishers"]):
            assert said in row


def test_pages_lead_to_each_other_and_to_the_data(files: dict[str, bytes]) -> None:
    first, second = Page(files["sources/index.html"].decode()), Page(files["sources/2/index.html"].decode())
    assert [a.attributes["href"] for a in first.css(".pager a")] == ["./", "2/"]
    assert [a.attributes["href"] for a in second.css(".pager a")] == ["../", "./"]
    assert [a.attributes.get("aria-current") for a in second.css(".pager a")] == [None, "page"]
    assert [a.attributes["href"] for a in second.css(".get a")] == ["../../sources.json"]


def test_pinned_and_editable_are_groups_of_their_own(files: dict[str, bytes]) -> None:
    pages = [Page(files[path].decode()) for path in ("sources/index.html", "sources/2/index.html")]
    titles = [n.text() for part in pages for n in part.css("h2")]
    assert titles == ["Stale", f"Pinned ({SOURCES + 1})", f"Pinned ({SOURCES + 1})", "Editable (3)"]
    badges = [n.css(".badge")[0].text() for part in pages for n in part.css("ul.refs > li")]
    assert [b[:8] for b in badges] == ["Fixed co"] * (SOURCES + 1) + ["Editable"] * 3


def test_what_is_stale_says_why_at_its_row_and_at_the_head(files: dict[str, bytes]) -> None:
    head = Page(files["sources/index.html"].decode())
    (link,) = head.css("#stale + ul a")
    (stale,) = [d for d in listed(files) if d["stale"]]
    assert stale["path"] == "RUN-0.md"
    assert (link.attributes["href"] or "").endswith(f"#{stale['id']}")
    place, _, anchor = (link.attributes["href"] or "").partition("#")
    row = rows(files, f"sources/{place}index.html")[anchor]
    assert stale["stale"] == [
        "Last read 425 days before the newest date of this site, 1 Mar 2025.",
        "Changed on 1 Feb 2024, after it was read on 1 Jan 2024.",
    ]
    assert [n.text() for n in row.css("strong")] == stale["stale"]
    assert "Stale" in [n.text() for n in row.css(".badge")]
    assert "1 stale" in head.css(".lede")[0].text()


@pytest.mark.parametrize(("days", "is_stale"), [("2024-09-03", False), ("2024-09-02", True)])
def test_stale_begins_at_its_day(tmp_path: Path, days: str, is_stale: bool) -> None:
    record = guide("a", sources=[{**sound()["sources"][0], "checked_on": "2025-03-01"}, document(1, checked_on=days)])
    found = {d["path"]: d["stale"] for d in listed(site(tmp_path, record))}
    assert STALE_AFTER == 180
    assert bool(found["RUN-1.md"]) is is_stale
    assert not found["REPORT.md"]


def test_one_document_of_two_guides_is_one_row_with_the_dates_of_both(tmp_path: Path) -> None:
    later = guide("b")
    later["sources"][0] |= {
        "checked_on": "2025-02-27",
        "publisher": "Brook Laboratories",
        "last_commit_at": "2025-02-01",
    }
    later["reported_results"].append({**later["reported_results"][0], "label": "second"})
    files = site(tmp_path, guide("a"), later)
    (found,) = listed(files)
    assert found["publishers"] == ["Brook Labs", "Brook Laboratories"]
    assert [(u["guide"], u["values"], u["checked_on"]) for u in found["used_by"]] == [
        ("/notes/a/", 1, "2025-03-01"),
        ("/notes/b/", 2, "2025-02-27"),
    ]
    (row,) = rows(files).values()
    assert "Brook Labs; Brook Laboratories" in row.text()
    assert [a.attributes["href"] for a in row.css("a")][1:] == ["../notes/a/#src-1", "../notes/b/#src-1"]
    told = row.css("p")[-1].text()
    assert told == "Used by Brook a, 1 value; Brook b, 2 values, checked 27 Feb 2025."


def test_another_copy_of_an_editable_page_is_another_row(tmp_path: Path) -> None:
    copies = [page(7), {**page(7), "document_id": "again", "document_sha256": "c" * 64}]
    files = site(tmp_path, guide("a", sources=[*sound()["sources"], *copies]))
    assert sorted(d["sha256"] for d in listed(files)) == sorted([HASH, copies[0]["document_sha256"], "c" * 64])


def test_what_leans_on_a_document_beside_values_is_counted(tmp_path: Path) -> None:
    record = guide("a", sources=[*sound()["sources"], document(1)])
    record["case_reports"] = [{"id": "soak", "source_document_id": "run-1"}]
    where = {"document": "run-1", "line": 3}
    record["reported_results"][0]["condition_evidence"] = {"lanes": where}
    record["schema_version"] = "1.1.0"
    found = {d["path"]: d["used_by"][0] for d in listed(site(tmp_path, record))}
    assert (found["RUN-1.md"]["values"], found["RUN-1.md"]["other_parts"]) == (0, 2)
    assert (found["REPORT.md"]["values"], found["REPORT.md"]["other_parts"]) == (1, 0)


@pytest.mark.parametrize(
    ("outcome", "said", "is_stale"),
    [
        ("verified", "Verified on 2 Mar 2025 against 40 bytes with this hash", False),
        ("hash-differs", "On 2 Mar 2025 the fixed revision gave 40 bytes with another hash", True),
        ("unreachable", "Declared, not re-verified", False),
    ],
)
def test_the_receipt_is_told(tmp_path: Path, outcome: receipt.Outcome, said: str, is_stale: bool) -> None:
    project = written(tmp_path, [guide("a")])
    seen = receipt.Checked(source=REPORT, pin=HASH, outcome=outcome, on="2025-03-02", size=40, obtained="clone")
    if outcome == "unreachable":
        seen = receipt.Checked(source=REPORT, pin=HASH, outcome=outcome)
    kept = receipt.Receipt(format=1, sources=(seen,), values=())
    (tmp_path / "records" / "a.verified.json").write_text(receipt.text(kept), "utf-8")
    files = files_of(project, tmp_path / ".cache")
    (found,) = listed(files)
    assert found["used_by"][0]["verification"] == outcome
    assert bool(found["stale"]) is is_stale
    assert said in next(iter(rows(files).values())).text()


def test_guides_of_a_much_cited_document_stay_bounded_on_the_page_and_whole_in_the_data(tmp_path: Path) -> None:
    files = site(tmp_path, *(guide(f"g-{n:02d}") for n in range(MOST_GUIDES + 3)))
    (found,), (row,) = listed(files), rows(files).values()
    assert len(found["used_by"]) == MOST_GUIDES + 3
    assert len(row.css("p")[-1].css("a")) == MOST_GUIDES
    assert row.css("p")[-1].text().endswith("and 3 more guides, named in the data.")


def test_the_audit_page_of_a_guide_leads_to_the_row_of_each_source(files: dict[str, bytes]) -> None:
    audit = Page(files["notes/a-0/audit/index.html"].decode())
    links = [a.attributes["href"] or "" for a in audit.css("a") if a.text() == "In the list of all sources"]
    assert len(links) == SOURCES + 4
    for link in links:
        place, _, anchor = link.removeprefix("../../../").partition("#")
        assert anchor in rows(files, f"{place}index.html")


def test_a_site_without_guides_has_an_empty_list(tmp_path: Path) -> None:
    files = site(tmp_path)
    assert json.loads(files["sources.json"]) == {"newest_date": None, "stale_after_days": STALE_AFTER, "documents": []}
    assert "No guide cites a document yet." in files["sources/index.html"].decode()

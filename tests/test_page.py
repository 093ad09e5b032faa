"""Published pages against their records, read by another program: every value, every null, every evidence link."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from selectolax.lexbor import LexborHTMLParser as Page
from selectolax.lexbor import LexborNode as Node

from site_src.pipeline import Options, site_files
from site_src.project import Project
from tests.conftest import SITES

ROOT = Path(__file__).resolve().parents[1]
RECORDS = [
    (SITES / "other", "records/kestrel-burst.yml"),
    *((ROOT, f"records/{p.name}") for p in sorted((ROOT / "records").iterdir()) if p.suffix in {".json", ".yml"}),
]
RECORDS = [(root, name) for root, name in RECORDS if name.count(".") == 1 and not name.endswith("/site.yml")]
EVIDENCE = ("reported_results", "case_reports", "memory_observations", "long_context_cases")


def read(path: Path) -> dict[str, Any]:
    """Read a record without pinpress: JSON numbers as Decimal, YAML scalars as text; campaigns merged in."""
    if path.suffix == ".json":
        found = json.loads(path.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    else:
        found = as_decimals(yaml.load(path.read_text("utf-8"), Plain))
    assert isinstance(found, dict)
    campaigns = {c["id"]: c.get("conditions", {}) for c in found.get("campaigns", [])}
    for result in found.get("reported_results", []):
        common = campaigns.get(result.get("campaign"), {})
        result["conditions"] = {**common, **result.get("conditions", {})}
        evidence = result.get("evidence", {})
        result["source_line"] = evidence.get("line", result.get("source_line"))
    return found


class Plain(yaml.BaseLoader):
    """Scalars as text, quoted ones marked so that a quoted number stays text."""

    def construct_scalar(self, node: Any) -> Any:
        text = super().construct_scalar(node)
        return f"{QUOTED}{text}" if node.style else text


QUOTED = "\x00"


def as_decimals(value: Any) -> Any:
    if isinstance(value, dict):
        return {k.removeprefix(QUOTED): as_decimals(v) for k, v in value.items()}
    if isinstance(value, list):
        return [as_decimals(v) for v in value]
    if value in {"null", "~", ""}:
        return None
    if value in {"true", "false"}:
        return value == "true"
    return Decimal(value) if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", value) else value.removeprefix(QUOTED)


def leaves(value: Any) -> Iterator[Any]:
    """Yield what a record says, not where it says it."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in {"evidence", "condition_evidence", "source_line", "resolution", "n"}:
                yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


@pytest.fixture(scope="module", params=RECORDS, ids=[r for _, r in RECORDS])
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Any]:
    """Return a record and the files of its site."""
    root, name = request.param
    files, _ = site_files(Project(root), Options(cache=tmp_path_factory.mktemp("cache")))
    return read(root / name), files


def pages_of(published: tuple[dict[str, Any], Any]) -> list[Page]:
    """Return the guide, then the pages below it."""
    record, files = published
    folder = record["path"].lstrip("/")
    below = sorted(p for p in files if p.startswith(folder) and p.endswith(".html") and p != f"{folder}index.html")
    return [Page(files[p].decode()) for p in [f"{folder}index.html", *below]]


def page_of(published: tuple[dict[str, Any], Any]) -> Page:
    return pages_of(published)[0]


def place_of(pages: list[Page], number: int) -> tuple[Node, Node]:
    """Return the cell of a result's value and the row it stands in; each result has one place."""
    (found,) = [n for page in pages for n in page.css(f"#result-{number}")]
    if found.tag == "tr":
        return found.css("td.n")[0], found
    row = found.parent
    assert row is not None
    return found, row


def test_every_number_of_the_evidence_is_on_the_page_with_its_digits(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    pages = pages_of(published)
    text = " ".join(page.body.text() for page in pages if page.body)
    numbers = {format(v, "f") for part in EVIDENCE for v in leaves(record.get(part, [])) if isinstance(v, Decimal)}
    assert len(numbers) > 20
    for number in numbers:
        whole, dot, fraction = number.lstrip("-").partition(".")
        sign = "−" if number.startswith("-") else ""
        assert f"{sign}{int(whole):,}{dot}{fraction}" in text, number


def test_data_elements_say_what_they_hold(published: tuple[dict[str, Any], Any]) -> None:
    for page in pages_of(published):
        for node in page.css("data[value]"):
            held, shown = node.attributes["value"] or "", node.text().replace(",", "").replace("−", "-")
            assert shown.startswith(held) or "/" in shown or in_words(node, shown, held), (shown, held)


def in_words(node: Node, shown: str, held: str) -> bool:
    """Tell whether a number is told in words: four is 4, and "exceeds it by 16" tells a difference of -16."""
    if (word := shown.split(maxsplit=1)[0].lower()) in NUMBER_WORDS:
        return NUMBER_WORDS[word] == held
    ancestors = [n for n in (node.parent, node.parent and node.parent.parent) if n]
    is_claim = any(n.attributes.get("class") == "c" or "claim-" in (n.attributes.get("id") or "") for n in ancestors)
    return is_claim and shown.split(maxsplit=1)[0] == held.removeprefix("-")


# Every number word of the published prose.
NUMBER_WORDS = {"no": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "eight": "8", "ten": "10"}
NUMBER_WORDS |= {"sixteen": "16", "forty": "40"}


def test_every_null_is_written_out(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    pages = pages_of(published)
    written = sum(len(page.css(".null")) for page in pages)
    results = record["reported_results"]
    shared = {k for k, v in results[0]["conditions"].items() if v is None}
    shared = {k for k in shared if all(k in r["conditions"] and r["conditions"][k] is None for r in results)}
    told = [{k: v for k, v in c.items() if k != "omitted_cell"} for c in record.get("case_reports", [])]
    others = [told, record.get("memory_observations", []), record.get("long_context_cases", [])]
    assert written >= len(shared) + sum(v is None for v in leaves(others))
    assert not re.search(r">\s*(null|None|N/A|nan|—)\s*<", " ".join(p.html or "" for p in pages), re.I)


def test_every_value_of_a_pinned_source_links_to_its_line(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    pages = pages_of(published)
    for index, result in enumerate(record["reported_results"], 1):
        _, row = place_of(pages, index)
        links = [(a.attributes["href"] or "", a.text()) for a in row.css("a.src")]
        assert links
        assert all(re.search(r"/[0-9a-f]{40}/", href) for href, _ in links)
        if result.get("source_line"):
            line = str(result["source_line"])
            ending = re.compile(rf"(\?plain=1)?#L{line}$")
            words = (f"line {line}", f"line {line}, verified")
            assert any(ending.search(h) and t.endswith(words) for h, t in links), (index, links)
            assert all("github.com" not in h or "?plain=1#L" in h for h, _ in links)
        else:
            assert "line not recorded" in row.text()


def test_values_of_editable_pages_stand_beside_badge_date_and_hash(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    page = page_of(published)
    editable = [
        s
        for s in [*record["sources"], *record.get("supplemental_sources", [])]
        if str(s.get("public_URL_is_immutable")).lower() == "false"
    ]
    hashes = {s["document_sha256"] for s in editable}
    badges = page.css(".lean")
    assert bool(badges) == bool(editable)
    for badge in badges:
        assert "copy saved" in badge.text()
        assert any(h in badge.text() for h in hashes)


def test_all_source_hashes_and_dates_are_whole(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    (sources,) = page_of(published).css("ol.refs")
    text = sources.html or ""
    for source in [*record["sources"], *record.get("supplemental_sources", [])]:
        assert source["document_sha256"] in text
        assert f'datetime="{source["checked_on"]}"' in text


def test_csv_json_and_page_agree(published: tuple[dict[str, Any], Any]) -> None:
    record, files = published
    folder = record["path"].lstrip("/")
    rows = list(csv.DictReader(io.StringIO(files[folder + "results.csv"].decode())))
    pages = pages_of(published)
    download = json.loads(files[folder + "record.json"], parse_float=str, parse_int=str)
    for index, (row, result) in enumerate(zip(rows, record["reported_results"], strict=True), 1):
        literal = "" if result["value"] is None else format(result["value"], "f")
        cell, _ = place_of(pages, index)
        shown = [n.attributes["value"] for n in cell.css("data")]
        assert shown == ([literal] if literal else [])
        assert row["value"] == literal
        assert (download["reported_results"][index - 1]["value"] or "") == literal
        for key, value in result["conditions"].items():
            if value is None:
                assert row[f"conditions.{key}"] == ""
            elif isinstance(value, Decimal):
                assert row[f"conditions.{key}"] == format(value, "f")


def test_links_and_files_of_every_page_exist(published: tuple[dict[str, Any], Any]) -> None:
    _, files = published
    for path, data in files.items():
        if path.endswith(".html") and path != "404.html":
            page = Page(data.decode())
            ids = [n.attributes["id"] for n in page.css("[id]")]
            assert len(ids) == len(set(ids)), path
            for node in page.css("[href], [src], [srcset]"):
                for name in ("href", "src", "srcset"):
                    check_target(path, node.attributes.get(name) or "#main", set(files), set(ids))


def check_target(page: str, target: str, files: set[str], ids: set[str | None]) -> None:
    if target.startswith(("https://", "http://")):
        return
    where, _, anchor = target.partition("#")
    if not where:
        assert anchor in ids, (page, target)
        return
    steps = page.split("/")[:-1]
    for step in where.split("/"):
        steps = steps[:-1] if step == ".." else steps if step in {".", ""} else [*steps, step]
    path = "/".join(steps)
    assert path in files or f"{path}/index.html".lstrip("/") in files, (page, target)


def test_no_guide_has_scripts_and_no_page_styles_or_foreign_loads(published: tuple[dict[str, Any], Any]) -> None:
    record, files = published
    for path, data in files.items():
        if path.endswith(".html"):
            page = Page(data.decode())
            assert not page.css('script:not([src], [type="application/ld+json"])'), path
            assert not page.css("style, [style], iframe, object, embed"), path
            assert not page.css("script[src]") or not path.startswith(record["path"].lstrip("/")), path
            for node in page.css("[src], [srcset], link[rel=stylesheet], link[rel=preload], link[rel=icon]"):
                target = (
                    node.attributes.get("src") or node.attributes.get("srcset") or node.attributes.get("href") or ""
                )
                assert not re.match(r"[a-z]+:|//", target), (path, target)


def test_generated_words_neither_rank_nor_praise(published: tuple[dict[str, Any], Any]) -> None:
    page = page_of(published)
    for node in page.css("caption, thead, figcaption, .keys, .limits, .scope"):
        assert not re.search(r"\b(best|fastest|slowest|winner|faster|better|improv\w+)\b", node.text(), re.I)
    for part in pages_of(published):
        for table in part.css("table"):
            numbers = [int((n.attributes["id"] or "").split("-")[1]) for n in table.css("tr[id^=result-]")]
            assert numbers == sorted(numbers), "rows keep the order of the record"

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

from site_src.pipeline import Options, site_files
from site_src.project import Project
from tests.conftest import SITES

ROOT = Path(__file__).resolve().parents[1]
RECORDS = [
    (SITES / "other", "records/kestrel-burst.yml"),
    *((ROOT, f"records/{p.name}") for p in sorted((ROOT / "records").glob("*.json"))),
]
EVIDENCE = ("reported_results", "case_reports", "memory_observations", "long_context_cases")


def read(path: Path) -> dict[str, Any]:
    """Read a record without pinpress: JSON numbers as Decimal, YAML scalars as plain text."""
    if path.suffix == ".json":
        found = json.loads(path.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    else:
        found = as_decimals(yaml.load(path.read_text("utf-8"), yaml.BaseLoader))
    assert isinstance(found, dict)
    return found


def as_decimals(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: as_decimals(v) for k, v in value.items()}
    if isinstance(value, list):
        return [as_decimals(v) for v in value]
    if value == "null":
        return None
    return Decimal(value) if re.fullmatch(r"-?\d+(\.\d+)?", value) and value != "4.10" else value


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)
    else:
        yield value


@pytest.fixture(scope="module", params=RECORDS, ids=[r for _, r in RECORDS])
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Any]:
    """Return a record and the files of its site."""
    root, name = request.param
    files, _ = site_files(Project(root), Options(cache=tmp_path_factory.mktemp("cache")))
    return read(root / name), files


def page_of(published: tuple[dict[str, Any], Any]) -> Page:
    record, files = published
    return Page(files[record["path"].lstrip("/") + "index.html"].decode())


def test_every_number_of_the_evidence_is_on_the_page_with_its_digits(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    page = page_of(published)
    shown = {node.attributes["value"]: node.text() for node in page.css("data[value]")}
    text = page.body.text() if page.body else ""
    numbers = {format(v, "f") for part in EVIDENCE for v in leaves(record.get(part, [])) if isinstance(v, Decimal)}
    lines = {format(r["source_line"], "f") for r in record["reported_results"] if r.get("source_line")}
    for number in numbers - lines:
        grouped = f"{int(number.split('.')[0]):,}" + (f".{number.split('.')[1]}" if "." in number else "")
        assert grouped == (shown.get(number) or grouped).split()[0]
        assert grouped in text, number
    in_cells = {format(r["value"], "f") for r in record["reported_results"] if r["value"] is not None}
    assert in_cells <= set(shown)


def test_data_elements_say_what_they_hold(published: tuple[dict[str, Any], Any]) -> None:
    for node in page_of(published).css("data[value]"):
        assert node.text().replace(",", "").replace("−", "-").split()[0] == node.attributes["value"]


def test_every_null_is_written_out(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    page = page_of(published)
    written = sum(node.text() == "not reported" for node in page.css(".null"))
    results = record["reported_results"]
    shared = {k for k, v in results[0]["conditions"].items() if v is None}
    shared = {k for k in shared if all(k in r["conditions"] and r["conditions"][k] is None for r in results)}
    other_parts = sum(v is None for part in EVIDENCE[1:] for v in leaves(record.get(part, [])))
    assert written >= len(shared) + other_parts - len(
        list(leaves([c.get("omitted_cell") for c in record["case_reports"]]))
    )
    assert not re.search(r">\s*(null|None|N/A|nan|—)\s*<", page.html or "", re.I)


def test_every_value_of_a_pinned_source_links_to_its_line(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    page = page_of(published)
    for index, result in enumerate(record["reported_results"], 1):
        row = page.css_first(f"#result-{index}")
        assert row is not None
        link = row.css_first("a.src")
        assert link is not None
        href = link.attributes["href"] or ""
        assert re.search(r"/[0-9a-f]{40}/", href)
        if result.get("source_line"):
            line = str(result["source_line"])
            assert href.endswith(f"#L{line}")
            assert ("github.com" not in href) or href.endswith(f"?plain=1#L{line}")
            assert link.text().endswith(f"line {line}")
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
    assert badges
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
    page = page_of(published)
    download = json.loads(files[folder + "record.json"], parse_float=str, parse_int=str)
    for index, (row, result) in enumerate(zip(rows, record["reported_results"], strict=True), 1):
        literal = "" if result["value"] is None else format(result["value"], "f")
        node = page.css_first(f"#result-{index} td.n data")
        assert row["value"] == literal == (node.attributes["value"] if node else "")
        assert (download["reported_results"][index - 1]["value"] or "") == literal
        for key, value in result["conditions"].items():
            if value is None:
                assert row[f"conditions.{key}"] == ""


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


def test_no_page_has_scripts_styles_or_foreign_loads(published: tuple[dict[str, Any], Any]) -> None:
    _, files = published
    for path, data in files.items():
        if path.endswith(".html"):
            page = Page(data.decode())
            assert not page.css("script, style, [style], iframe, object, embed"), path
            for node in page.css("[src], [srcset], link[rel=stylesheet], link[rel=preload], link[rel=icon]"):
                target = (
                    node.attributes.get("src") or node.attributes.get("srcset") or node.attributes.get("href") or ""
                )
                assert not re.match(r"[a-z]+:|//", target), (path, target)


def test_generated_words_neither_rank_nor_praise(published: tuple[dict[str, Any], Any]) -> None:
    record, _ = published
    page = page_of(published)
    for node in page.css("caption, thead, figcaption, .keys, .limits, .scope"):
        assert not re.search(r"\b(best|fastest|slowest|winner|faster|better|improv\w+)\b", node.text(), re.I)
    order = [n.attributes["id"] for n in page.css("tr[id^=result-]")]
    assert sorted(order, key=lambda i: int((i or "").split("-")[1])) == [
        f"result-{n}" for n in range(1, len(record["reported_results"]) + 1)
    ]

"""A record of another shape: hundreds of results, dozens of condition keys, names in other scripts. Nothing is lost."""

from __future__ import annotations

import gzip
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser as Page

from site_src.cli import CONTENT, DONE, main
from site_src.pipeline import Options, site_files
from site_src.project import Project
from site_src.serial import json_text
from tests.records import sound

RESULTS = 500
KEYS = 60
HTML_BUDGET = 15_000


def large() -> dict[str, Any]:
    data = sound()
    data |= {"title": "Ταχύτητα и скорость: سرعة", "path": "/notes/μεγάλο/"}
    first = data["reported_results"][0]
    results = []
    for n in range(RESULTS):
        conditions: dict[str, Any] = {f"συνθήκη_{k}": f"τιμή {k}" for k in range(KEYS - 3)}
        conditions |= {"batch_size": Decimal(n // 10), "режим": f"режим {n % 10}", "drain_seconds": None}
        value = Decimal(n) / 8 + 1
        row = {**first, "label": f"прогон {n}", "value": value, "conditions": conditions, "source_line": Decimal(n + 1)}
        results.append({**row, "evidence_url": None})
    data["reported_results"] = results
    return data


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("large")
    (root / "records").mkdir()
    (root / "records" / "brook.json").write_text(json_text(large()))
    found, _ = site_files(Project(root), Options(cache=root / "cache"))
    return found


def guide_pages(files: dict[str, bytes]) -> dict[str, Page]:
    return {p: Page(d.decode()) for p, d in files.items() if p.startswith("notes/") and p.endswith(".html")}


def test_every_result_has_its_row_on_some_page_once(files: dict[str, bytes]) -> None:
    rows = [n.attributes["id"] for page in guide_pages(files).values() for n in page.css("[id^=result-]")]
    assert sorted(rows, key=lambda r: int((r or "").split("-")[1])) == [f"result-{n}" for n in range(1, RESULTS + 1)]


def test_every_condition_is_reachable(files: dict[str, bytes]) -> None:
    text = " ".join((page.body.text() if page.body else "") for page in guide_pages(files).values())
    for key in range(KEYS - 3):
        assert f"Συνθήκη {key}" in text
        assert f"τιμή {key}" in text
    for mode in range(10):
        assert f"режим {mode}" in text
    assert "Drain seconds" in text


def test_the_guide_stays_light_and_leads_to_its_sub_pages(files: dict[str, bytes]) -> None:
    guide = files["notes/μεγάλο/index.html"]
    assert len(gzip.compress(guide)) <= HTML_BUDGET
    for path, data in files.items():
        if path.endswith(".html"):
            assert len(gzip.compress(data)) <= HTML_BUDGET, path
    links = [a.attributes["href"] or "" for a in Page(guide.decode()).css("a")]
    assert [link for link in links if re.fullmatch(r"results/(\d+/)?", link)] == [
        "results/",
        *(f"results/{n}/" for n in range(2, 6)),
    ]


def test_a_figure_nobody_asked_for_is_not_crowded(files: dict[str, bytes]) -> None:
    assert not [p for p in files if p.startswith("assets/brook-rates")]


def test_titles_of_other_scripts_are_drawn(files: dict[str, bytes]) -> None:
    assert "Ταχύτητα и скорость: سرعة" in files["assets/brook-hero-wide.svg"].decode()


def test_the_large_table_fits_a_phone(files: dict[str, bytes], tmp_path: Path) -> None:
    page = Page(files["notes/μεγάλο/results/index.html"].decode())
    assert all(len(row.css("th, td")) <= 4 for row in page.css("tr"))
    assert not (tmp_path / "_site").exists()


@pytest.mark.parametrize(("kind", "part"), [("memory", "memory_observations"), ("matrix", "case_reports")])
def test_crowded_figures_are_refused_where_asked_for_and_left_out_elsewhere(
    kind: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = sound()
    many = range(20)
    readings = [{"kind": "used", "value": Decimal(n), "unit": "GiB", "source_document_id": "report"} for n in many]
    cells = [{"lanes": Decimal(n), "rate": Decimal(n)} for n in many]
    held = {
        "memory_observations": readings,
        "case_reports": [{"id": "m", "source_document_id": "report", "cells": cells}],
    }
    data[part] = held[part]
    (tmp_path / "records").mkdir()
    record = tmp_path / "records" / "brook.json"
    record.write_text(json_text(data))
    assert main(["check", "--project", str(tmp_path)]) == DONE
    ending = {"memory": "memory-scope", "matrix": "matrix"}[kind]
    data["body_markdown"] = f"![All of it.](/assets/brook-{ending}.webp)"
    record.write_text(json_text(data))
    assert main(["check", "--project", str(tmp_path)]) == CONTENT
    assert "[crowded-figure]" in capsys.readouterr().err

"""Records of hundreds of rows and dozens of conditions, all of them different: every page is light, nothing is lost."""

from __future__ import annotations

import hashlib
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import budget, places
from tests.audit.checks import weigh
from tests.machine_samples import built, heron


def value(row: int, key: int, length: int) -> str:
    """Return a text that no other row has, and that hardly packs."""
    return hashlib.sha256(f"{row}/{key}".encode()).hexdigest()[:length]


def heavy(rows: int, keys: int, length: int, shared: int) -> dict[str, Any]:
    """Return a record of so many results; `shared` conditions are equal in all, every fifth of the `keys` is null."""
    data = heron(body_markdown="Many runs.")
    first = data["reported_results"][0]
    data["reported_results"] = []
    for row in range(rows):
        conditions: dict[str, Any] = {f"shared_{k}": value(0, k, length) for k in range(shared)}
        conditions |= {f"key_{k}": value(row, k, length) if (row + k) % 5 else None for k in range(keys)}
        metric = ("reply_rate", "door_wait", "warm_up")[row % 3]
        own = {"label": f"run {row}", "metric": metric, "value": Decimal(f"{row}.50"), "source_line": Decimal(row + 1)}
        data["reported_results"].append({**first, **own, "conditions": conditions})
    return data | {"lang": "en"}


def lacking(data: dict[str, Any], files: dict[str, bytes]) -> list[str]:
    """Return the rows and conditions that no page of the guide, or not its twin, shows."""
    pages = [Page(d.decode()) for p, d in files.items() if p.startswith("notes/") and p.endswith(".html")]
    rows = sorted(str(n.attributes["id"]) for page in pages for n in page.css("[id^=result-]"))
    results = data["reported_results"]
    missing = [] if rows == sorted(f"result-{n}" for n in range(1, len(results) + 1)) else ["rows"]
    said = " ".join(page.body.text() for page in pages if page.body)
    twin = files["notes/heron/index.md"].decode()
    for result in results:
        for held in (result["label"], *filter(None, result["conditions"].values())):
            missing += [f"{held} on pages"] * (held not in said) + [f"{held} in the twin"] * (held not in twin)
    nulls = sum(v is None for r in results for v in r["conditions"].values())
    return missing + ["nulls"] * (said.count("not reported") < nulls or twin.count("not reported") < nulls)


@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 300), st.integers(0, 60), st.integers(4, 40), st.integers(0, 20))
def test_every_page_is_light_and_nothing_is_lost(rows: int, keys: int, length: int, shared: int) -> None:
    data = heavy(min(rows, 6000 // (keys + 1) + 1), keys, length, shared)
    with tempfile.TemporaryDirectory() as folder:
        files = built(Path(folder), data)  # A page over budget would be refused here.
    assert max(weigh(d) for p, d in files.items() if p.startswith("notes/") and p.endswith(".html")) <= budget.HTML
    assert lacking(data, files) == []


def test_dozens_of_conditions_move_a_few_rows_to_sub_pages(tmp_path: Path) -> None:
    files = built(tmp_path, heavy(20, 60, 20, 0))
    guide = Page(files["notes/heron/index.html"].decode())
    assert guide.css('a[href="results/"]')
    assert not guide.css("[id^=result-]")


def test_a_light_record_keeps_its_rows_on_the_guide(tmp_path: Path) -> None:
    files = built(tmp_path, heavy(places.MOST_RESULTS, 2, 8, 10))
    assert len(Page(files["notes/heron/index.html"].decode()).css("[id^=result-]")) == places.MOST_RESULTS


def test_what_is_lost_would_be_seen(tmp_path: Path) -> None:
    data = heavy(3, 2, 8, 0)
    files = built(tmp_path, data)
    gone = value(1, 1, 8)
    page = files["notes/heron/index.html"].replace(gone.encode(), b"")
    assert lacking(data, {**files, "notes/heron/index.html": page}) == [f"{gone} on pages"]


@pytest.mark.parametrize("most", [1, 500, 10**9])
def test_runs_of_rows_hold_each_row_once_in_order(most: int) -> None:
    told = {n: value(n, 0, 40) for n in range(1, 251)}
    chunks = places._chunks(told, most)
    assert [n for chunk in chunks for n in chunk] == list(told)
    assert max(map(len, chunks)) <= places.PER_PAGE
    assert len(chunks) >= (250 if most == 1 else 3)

"""The search page of the project's own site with results on it: seen by axe, walked with Tab, asked for real values."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.audit.checks import LOOKS, Scheme, axe_faults, opened, sideways_faults, visit_faults, watched
from tests.audit.keyboard import tab_faults
from tests.audit.project import expect_none, guide_paths
from tests.browser import Serve

pytestmark = pytest.mark.audit

WORDS = ("16", "scheduler 2", "memory")


def asked(page: Page) -> None:
    page.wait_for_selector("#count:not(:empty)")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_results_are_accessible_and_fit(
    site: Path, base: str, chromium: Browser, serve: Serve, axe_source: str, width: int, scheme: Scheme
) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for query in WORDS:
        with opened(chromium, f"{origin}/search/?q={quote(query)}", width, scheme, bypass_csp=True) as page:
            asked(page)
            faults[query] = axe_faults(page, axe_source) + sideways_faults(page)
    expect_none(faults)


def test_results_are_silent_and_reached_by_the_keyboard(site: Path, base: str, chromium: Browser, serve: Serve) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for query in WORDS:
        with watched(chromium, f"{origin}/search/?q={quote(query)}", 1280, "light") as (page, visit):
            asked(page)
            faults[query] = tab_faults(page) + visit_faults(visit)
    expect_none(faults)


def test_every_reported_value_leads_to_its_row(site: Path, base: str, chromium: Browser, serve: Serve) -> None:
    """At most 12 values of each guide, as the record writes them, with their unit."""
    origin = serve(site, base)
    missed: dict[str, list[str]] = {}
    for path in guide_paths():
        record = json.loads((site / path.strip("/") / "record.json").read_text("utf-8"), parse_float=str, parse_int=str)
        results = list(enumerate(record["reported_results"], 1))
        for number, result in results[:: max(1, len(results) // 12)]:
            if result["value"] is None:
                continue
            query = f"{result['value']} {result['unit']}"
            with opened(chromium, f"{origin}/search/?q={quote(query)}", 1280, "light") as page:
                asked(page)
                found = [a.get_attribute("href") or "" for a in page.query_selector_all("#found a")]
            if not any(href.startswith(f"..{path}") and href.endswith(f"#result-{number}") for href in found):
                missed.setdefault(path, []).append(f"{query} leads to {found[:3]}")
    expect_none(missed)

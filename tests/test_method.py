"""The method page says what the code says: its words are read from where they are printed, its figures from records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import receipts, terms
from site_src.claims.lock import Class
from site_src.codes import FINDINGS
from site_src.fields import NullReason
from site_src.interface import ENGLISH
from site_src.problems import Rejected
from site_src.sources.receipt import Found, Outcome
from tests.lists import files_of, guide, many, written
from tests.records import sound


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("many")
    return files_of(written(root, many()), root / ".cache")


@pytest.fixture
def method(files: dict[str, bytes]) -> Page:
    return Page(files["method/index.html"].decode())


def meaning(page: Page, anchor: str) -> tuple[str, str]:
    """Return a term of the page and what stands beside it."""
    (term,) = page.css(f"dt[id='{anchor}']")
    beside = term.next
    while beside is not None and beside.tag != "dd":
        beside = beside.next
    return term.text(), beside.text() if beside else ""


def test_every_word_of_the_code_has_its_term(method: Page) -> None:
    for outcome in get_args(Outcome):
        assert meaning(method, f"outcome-{outcome}") == (
            receipts.word(ENGLISH, outcome),
            ENGLISH(f"outcome.{terms.key(outcome)}"),
        )
    for name in get_args(Class):
        assert meaning(method, f"claim-{name}")[0].lower() == ENGLISH(f"claim.{name}")
    for code, title in FINDINGS.items():
        assert meaning(method, f"finding-{code}") == (title, code)
    said = {meaning(method, slug)[0].lower() for slug in terms.NULLS}
    assert {ENGLISH(f"word.{k}") for k in ("not_reported", "not_applicable", "none_published")} <= said


@pytest.mark.parametrize("reason", ["not_reported", "not_applicable", "not_run_REASON"])
def test_every_reason_of_a_null_has_its_term(method: Page, reason: str) -> None:
    assert TypeAdapter(NullReason).validate_python(reason) == reason
    assert ENGLISH.status(reason) in {meaning(method, slug)[0].replace("Not", "not") for slug in terms.NULLS}


@pytest.mark.parametrize("outcome", [o for o in get_args(Outcome) if o not in {"unreachable", "not-checked"}])
def test_pages_print_the_words_of_an_outcome(outcome: Outcome) -> None:
    found = Found(pointer="/x", asked="y", outcome=outcome, line=7)
    printed = receipts.Receipts(values={"/x": found}).of_value(ENGLISH, "/x")
    assert printed.replace("7", "N").capitalize() == receipts.word(ENGLISH, outcome).capitalize()


def test_figures_are_those_of_the_records(tmp_path: Path) -> None:
    other = guide("b", evidence_state="planned", reported_results=[], performance_ranking_allowed=True)
    second = {**sound()["reported_results"][0], "label": "second", "value": None}
    first = guide("a", reported_results=[*sound()["reported_results"], second])
    page = Page(files_of(written(tmp_path, [first, other]), tmp_path / ".cache")["method/index.html"].decode())
    assert meaning(page, "state-logged") == ("Logged", "The state of 1 guide and 2 values.")
    assert meaning(page, "state-planned") == ("Planned", "The state of 1 guide.")
    assert meaning(page, "ranking")[1].endswith("true of 1 of 2 guides.")
    text = re.sub(r"\s+", " ", page.body.text() if page.body else "")
    assert "1 field of the evidence" in text
    assert "wall time2 values" in text
    assert "So 12.50 stands for every number from 12.495 to 12.505." in text


def test_every_finding_of_an_audit_page_leads_to_its_term(files: dict[str, bytes], method: Page) -> None:
    ids = {n.attributes["id"] for n in method.css("[id]")}
    links = [a.attributes["href"] or "" for a in Page(files["notes/a-0/audit/index.html"].decode()).css("h3 a")]
    assert links
    assert {link.partition("#")[2] for link in links} <= ids


def test_the_guide_leads_to_what_not_reported_means(files: dict[str, bytes], method: Page) -> None:
    links = [a.attributes["href"] or "" for a in Page(files["notes/b-1/index.html"].decode()).css("dt a")]
    assert "../../method/#null" in links
    assert method.css("#null")


def test_corrections_are_those_of_the_changelogs(files: dict[str, bytes], method: Page) -> None:
    paths = ["method/corrections/index.html", "method/corrections/2/index.html"]
    told = [n.text() for path in paths for n in Page(files[path].decode()).css("main dd")]
    assert told == [f"Brook a-0. Change {n}. It was wrong." for n in range(60)]
    assert [n.text() for n in method.css("#corrections ~ dl dd")] == told[:5]
    assert "All 60 changes" in (method.body.text() if method.body else "")


def test_a_log_is_the_newest_first(tmp_path: Path) -> None:
    def changed(day: str) -> list[dict[str, str]]:
        return [{"date": day, "what": f"On {day}.", "why": "So."}]

    records = [guide("a", changelog=changed("2025-01-02")), guide("b", changelog=changed("2025-02-01"))]
    files = files_of(written(tmp_path, records), tmp_path / ".cache")
    days = [n.attributes["datetime"] for n in Page(files["method/corrections/index.html"].decode()).css("main time")]
    assert days == ["2025-02-01", "2025-01-02"]


def test_bodies_may_link_to_every_term_and_to_nothing_else(tmp_path: Path, method: Page) -> None:
    assert terms.anchors() <= {n.attributes["id"] for n in method.css("[id]")}
    places = ["/sources/", "../../by/question/", "/sources.json", *(f"/method/#{a}" for a in sorted(terms.anchors()))]
    body = "It ran.\n\n" + "\n".join(f"- [x]({place})" for place in places) + "\n"
    files = files_of(written(tmp_path / "sound", [guide("a", body_markdown=body)]), tmp_path / ".cache")
    assert 'href="../../method/#null"' in files["notes/a/index.html"].decode()
    for wrong, code in (("/method/#nowhere", "dead-anchor"), ("/by/nowhere/", "dead-link")):
        project = written(tmp_path / code, [guide("a", body_markdown=f"[x]({wrong})")])
        with pytest.raises(Rejected) as told:
            files_of(project, tmp_path / ".cache")
        assert [p.code for p in told.value.problems] == [code]

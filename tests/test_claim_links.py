"""Claims on the page: quiet links from numbers to rows, the ledger, claims.json, and a coverage that adds up."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import markup
from site_src.pipeline import Options, site_files
from site_src.places import PER_PAGE
from tests.claim_samples import bind, bound, claims, project, put_claims, record, row

FOLDER = "notes/tarn/"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><path d="M0 0h40"/></svg>'
BODY = """Drafting off printed **329.010** tokens/s & drafting on 402.55 tok/s.

See [the 7.52 GiB of free memory](#memory-at-7-52-gib) and `81.30 GiB` of used memory.

## Memory at 7.52 GiB

The pool usage was 57 %. Four requests ran in FP8 with three repetitions. There were no OOMs.

![The rack.](/assets/rack.svg)

*The first token came after 4.71 s, <as told>.*

The rate per request is 82.25 tokens/s.

- The source was checked on 1 March 2025.
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("links")
    (folder / "assets").mkdir()
    (folder / "assets" / "rack.svg").write_text(SVG)
    found = bound(folder, record(BODY, answer="It printed 329.010 tokens/s & “more”."))
    made, _ = site_files(found, Options(cache=folder / "cache"))
    return made


@pytest.fixture(scope="module")
def guide(files: dict[str, bytes]) -> Page:
    return Page(files[f"{FOLDER}index.html"].decode())


def linked(number: int, written: str) -> str:
    return f'<a class="c" href="#result-{number}">{written}</a>'


def test_a_claim_in_the_body_is_a_link_around_its_value(files: dict[str, bytes]) -> None:
    first, second = linked(1, "329.010"), linked(2, "402.55")
    expected = f"Drafting off printed <strong>{first}</strong> tokens/s &amp; drafting on {second} tok/s.</p>"
    assert expected in files[f"{FOLDER}index.html"].decode()


def test_a_claim_in_the_answer_is_linked_and_escaped(files: dict[str, bytes]) -> None:
    html = files[f"{FOLDER}index.html"].decode()
    assert f"It printed {linked(1, '329.010')} tokens/s &amp; “more”.</p>" in html


def test_inside_a_link_the_value_alone_is_marked(guide: Page) -> None:
    (link,) = guide.css('p a[href="#memory-at-7-52-gib"]')
    assert link.html == ('<a href="#memory-at-7-52-gib">the <data value="7.52">7.52</data> GiB of free memory</a>')
    assert not guide.css("a a")


def test_headings_hold_no_links(guide: Page) -> None:
    (heading,) = guide.css("h2#memory-at-7-52-gib")
    assert heading.css("a.c, data") == []


def test_a_claim_in_a_caption_is_linked(guide: Page) -> None:
    (caption,) = (n.html or "" for n in guide.css("figcaption") if "4.71" in n.text())
    assert '<a class="c" href="#result-5">4.71</a> s, &lt;as told&gt;' in caption


@pytest.mark.parametrize(
    ("shown", "value", "href"),
    [
        ("57", "0.57", "#result-4"),
        ("Four", "4", "#result-1"),
        ("three", "3", "#result-1"),
        ("82.25", "82.25", "#derived-each"),
    ],
)
def test_values_are_those_of_the_field(guide: Page, shown: str, value: str, href: str) -> None:
    (link,) = (n for n in guide.css("a.c") if n.text() == shown)
    assert link.attributes["href"] == href
    told = [data.attributes["value"] for data in link.css("data")]
    assert told == ([] if shown == value else [value])


def test_names_dates_and_exempt_words_are_plain_text(guide: Page) -> None:
    shown = {n.text() for n in guide.css("a.c, data")}
    assert not shown & {"FP8", "no", "1 March 2025"}


def test_every_link_of_a_claim_leads_to_a_row_with_its_source(files: dict[str, bytes], guide: Page) -> None:
    links = guide.css("a.c")
    assert len(links) >= 8
    for link in links:
        (target,) = guide.css(link.attributes["href"] or "")
        row_of = target if target.tag == "tr" else target.parent
        assert row_of is not None
        below = row_of.html or ""
        assert "REPORT.md?plain=1#L" in below or target.attributes["id"] == "derived-each"
    assert not re.search(r'<script(?! type="application/ld\+json">)|onclick', files[f"{FOLDER}index.html"].decode())


# --- ledger, data and coverage


def test_the_ledger_lists_what_states_a_field(files: dict[str, bytes]) -> None:
    page = Page(files[f"{FOLDER}claims/index.html"].decode())
    rows = page.css("tr[id^=claim-]")
    told = [(r.css("th data")[0].text(), (r.css("th small")[0].text())) for r in rows]
    assert told == [
        ("329.010 tokens/s", "bound"),
        ("329.010 tokens/s", "bound"),
        ("402.55 tokens/s", "bound"),
        ("7.52 GiB", "bound"),
        ("81.30 GiB", "bound"),
        ("7.52 GiB", "bound"),
        ("57 %", "bound"),
        ("Four", "count"),
        ("three", "count"),
        ("4.71 s", "bound"),
        ("82.25 tokens/s", "derived"),
    ]
    first = rows[0]
    sentence, field, source = first.css("td")
    assert sentence.text().startswith("It printed 329.010 tokens/s & “more”.")
    assert field.text().startswith("329.010 tokens/s/reported_results/0/valueRow: drafting off")
    assert "Repetitions: 3" in field.text()
    assert [a.attributes["href"] for a in field.css("a")] == ["../#result-1"]
    (link,) = source.css("a")
    assert (link.attributes["href"] or "").endswith("REPORT.md?plain=1#L11")
    assert "derived" in rows[-1].css("td")[1].text()
    assert rows[-1].css("td")[2].text() == "computed here"


def test_the_guide_leads_to_the_ledger(guide: Page) -> None:
    (section,) = [n for n in guide.css("p") if "numbers in prose" in n.text()]
    assert section.text().startswith(
        "14 numbers in prose: 8 bound to a field, 1 derived, 2 counts, 1 name, 1 date, 1 exempt, 0 open."
    )
    assert [a.attributes["href"] for a in section.css("a")] == ["claims/", "../../method/#claims"]
    assert 'href="claims.json"' in (guide.html or "")


def test_claims_json_holds_every_number_once(files: dict[str, bytes]) -> None:
    told = json.loads(files[f"{FOLDER}claims.json"], parse_float=str)
    assert told["record"] == "tarn"
    assert told["coverage"] == {"claim": 8, "count": 2, "date": 1, "derived": 1, "name": 1, "open": 0, "plain": 1}
    assert len(told["claims"]) == sum(told["coverage"].values()) == 14
    by_number = {c["written"]: c for c in told["claims"]}
    assert by_number["402.55"] == {
        "field": "body",
        "section": None,
        "sentence": "Drafting off printed 329.010 tokens/s & drafting on 402.55 tok/s.",
        "written": "402.55",
        "unit": "tokens/s",
        "class": "claim",
        "reason": None,
        "pointer": "/reported_results/1/value",
        "value": "402.55",
        "value_unit": "tokens/s",
        "row": "drafting on",
        "source": by_number["402.55"]["source"],
    }
    assert by_number["402.55"]["source"]["url"].endswith("REPORT.md?plain=1#L12")
    assert by_number["402.55"]["source"]["line"] == 12
    assert by_number["57"]["value"] == "0.57"
    assert by_number["82.25"]["source"] is None
    assert by_number["no"]["reason"]
    assert by_number["1 March 2025"]["value"] == "2025-03-01"


def test_a_long_ledger_has_pages(tmp_path: Path) -> None:
    count = PER_PAGE + 5
    rows = [row(f"box {n}", "aggregate_output_rate", f"{n + 100}.25", "tokens/s", n) for n in range(1, count + 1)]
    body = "\n".join(f"- It printed {n + 100}.25 tokens/s." for n in range(1, count + 1))
    found = project(tmp_path, record(body, reported_results=rows, relations=[]))
    lines = [d.entry for d in bind(found).drafts]
    labels = [e for e in lines if e.field.endswith("/label")]
    kept = [e.model_dump(by_alias=True, exclude={"fits"}, exclude_defaults=True) for e in lines if e not in labels]
    named = [
        e.model_dump(by_alias=True, exclude={"fits", "pointer", "row"}, exclude_defaults=True)
        | {"class": "plain", "reason": "a number of the box"}
        for e in labels
    ]
    put_claims(found, [*named, *kept])
    files, _ = site_files(found, Options(cache=tmp_path / "cache"))
    pages = [Page(files[f"{FOLDER}claims/{part}index.html"].decode()) for part in ("", "2/")]
    assert f"{FOLDER}claims/3/index.html" not in files
    numbers = [[int((r.attributes["id"] or "")[6:]) for r in page.css("tr[id^=claim-]")] for page in pages]
    assert [len(n) for n in numbers] == [PER_PAGE, 5]
    assert [n for part in numbers for n in part] == list(range(1, count + 1))
    assert [a.attributes["href"] for a in pages[0].css("a") if a.text() == "Part 2"] == ["2/"]
    assert [a.attributes["href"] for a in pages[1].css("a") if a.text() == "Part 1"] == ["../"]
    assert f"{PER_PAGE + 1} to {count} of the {count} that state a field" in pages[1].text()


def test_without_a_lock_nothing_is_linked_or_published(tmp_path: Path) -> None:
    found = project(tmp_path, record("It printed 329.010 tokens/s."))
    files, _ = site_files(found, Options(cache=tmp_path / "cache"))
    assert not {p for p in files if "claims" in p.removeprefix(FOLDER)}
    page = Page(files[f"{FOLDER}index.html"].decode())
    assert page.css("a.c") == []
    assert not [n for n in page.css("p") if "in prose:" in n.text()]


def test_names_alone_make_no_ledger_and_no_link_to_one(tmp_path: Path) -> None:
    found = bound(tmp_path, record("It ran in FP8."))
    files, _ = site_files(found, Options(cache=tmp_path / "cache"))
    assert f"{FOLDER}claims/index.html" not in files
    assert f"{FOLDER}claims.json" in files
    assert 'href="claims/"' not in files[f"{FOLDER}index.html"].decode()


def test_a_claim_on_a_campaign_leads_to_its_first_result(tmp_path: Path) -> None:
    campaign = {"id": "both", "label": "Both settings", "conditions": {"context_tokens": Decimal(65530)}}
    rows: list[Any] = record()["reported_results"]
    rows[1]["campaign"] = "both"
    found = bound(tmp_path, record("The context held 65,530 tokens.", campaigns=[campaign], reported_results=rows))
    assert claims(found)[0]["pointer"] == "/campaigns/0/conditions/context_tokens"
    files, _ = site_files(found, Options(cache=tmp_path / "cache"))
    (link,) = Page(files[f"{FOLDER}index.html"].decode()).css("a.c")
    assert link.attributes["href"] == "#result-2"


@pytest.mark.parametrize(
    ("written", "raw", "href", "expected"),
    [
        ("4", "4", "#a", '<a class="c" href="#a">4</a>'),
        ("17,235.90", "17235.90", "#a", '<a class="c" href="#a">17,235.90</a>'),
        ("329,010", "329.010", "#a", '<a class="c" href="#a"><data value="329.010">329,010</data></a>'),
        ("four", "4", "#a", '<a class="c" href="#a"><data value="4">four</data></a>'),
        ("<4", '"4', "x?a&b", '<a class="c" href="x?a&amp;b"><data value="&quot;4">&lt;4</data></a>'),
        ("128K", "", "#a", '<a class="c" href="#a">128K</a>'),
        ("4", "4", "", '<data value="4">4</data>'),
        ("4", "", "", "4"),
    ],
)
def test_a_number_as_html(written: str, raw: str, href: str, expected: str) -> None:
    assert markup.number(written, raw, href) == expected


def test_a_number_in_a_cell_is_told_with_its_heads(tmp_path: Path) -> None:
    table = "| Option | Rate |\n|---|---|\n| drafting off | 329.010 tokens/s |\n"
    found, _ = site_files(bound(tmp_path, record(table)), Options())
    (claim,) = json.loads(found[f"{FOLDER}claims.json"])["claims"]
    assert (claim["sentence"], claim["cell"]) == ("329.010 tokens/s", "drafting off, Rate")
    assert b"Cell of the table: drafting off, Rate" in found[f"{FOLDER}claims/index.html"]

"""Citations for programs: BibTeX and CSL-JSON, read back by a parser and held against a schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from bibtexparser.entrypoint import parse_string
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src import bibliography
from site_src.hrefs import Hrefs
from tests.machine_samples import HASH, ODD, SITE_URL, forum, heron, hostile, record

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "csl.json").read_text("utf-8"))
HREFS = Hrefs(site_url=SITE_URL)
ANY = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=60).filter(str.strip)


def entries(data: dict[str, Any], site: str = "Notes") -> tuple[bibliography.Entry, ...]:
    return bibliography.entries(record(data), site, HREFS)


def parsed(data: dict[str, Any], site: str = "Notes") -> dict[str, dict[str, str]]:
    library = parse_string(bibliography.bibtex(entries(data, site)).decode())
    assert not library.failed_blocks
    return {e.key: {name: str(field.value) for name, field in e.fields_dict.items()} for e in library.entries}


def test_the_page_comes_first_then_each_source_by_its_number() -> None:
    found = parsed(hostile())
    assert list(found) == ["brook", "brook-src-1", "brook-src-2"]
    page, pinned, editable = found.values()
    assert (page["date"], page["year"], page["url"]) == ("2025-03-01", "2025", f"{SITE_URL}notes/brook/")
    assert pinned["url"].endswith("/REPORT.md")
    assert pinned["note"] == f"Fixed revision, read 2025-03-01, SHA-256 {HASH}"
    assert editable["note"] == f"Editable page, copy read 2025-03-01, SHA-256 {'c' * 64}"
    assert editable["urldate"] == "2025-03-01"


def test_a_source_without_a_date_of_its_own_gets_none() -> None:
    found = parsed(hostile())["brook-src-1"]
    assert not {"date", "year"} & set(found)
    dated = hostile()
    dated["sources"][0]["last_commit_at"] = "2025-02-03T04:05:06Z"
    assert parsed(dated)["brook-src-1"]["date"] == "2025-02-03"


def test_without_an_address_of_the_site_none_is_made_up() -> None:
    found = bibliography.entries(record(hostile()), "Notes", Hrefs())
    assert found[0].url == ""
    assert b"url " not in bibliography.bibtex(found[:1])
    assert "URL" not in json.loads(bibliography.csl(found[:1]))[0]


def test_characters_of_latex_are_escaped() -> None:
    title = parsed(hostile())["brook"]["title"]
    assert title.startswith(r"{Brook \& <Heron>: 50 \% of")
    assert r"\textbraceleft{}a\_b\textbraceright{}" in title


@settings(deadline=None)
@given(ANY, ANY)
def test_any_text_keeps_the_file_readable(title: str, publisher: str) -> None:
    data = hostile() | {"title": title}
    data["sources"][0]["publisher"] = publisher
    assert list(parsed(data, publisher)) == ["brook", "brook-src-1", "brook-src-2"]


@pytest.mark.parametrize("name", ["brook", "Brook_1.2", "Λάννερ", "a b", "a-b", "鷺"])
def test_keys_are_plain_and_keep_apart(name: str) -> None:
    keys = {entries(heron(id=other))[0].key for other in ("brook", "Brook_1.2", "Λάννερ", "a b", "a-b", "鷺")}
    assert len(keys) == 6
    assert entries(heron(id=name))[0].key.isascii()


@pytest.mark.parametrize("data", [hostile(), heron()], ids=["brook", "heron"])
def test_csl_follows_its_schema(data: dict[str, Any]) -> None:
    items = json.loads(bibliography.csl(entries(data)))
    jsonschema.validate(items, SCHEMA)
    assert items[0]["title"] == data["title"]
    assert items[0]["issued"] == {"date-parts": [[2025, 3, 1]]}
    assert [i["id"] for i in items] == list(parsed(data))
    assert {i["URL"] for i in items[1:]} >= {forum()["pinned_url"]} or data["id"] != "brook"


@pytest.mark.parametrize(
    "change",
    [
        {"type": "book"},
        {"author": "Notes"},
        {"issued": {"date-parts": [[2025, 13, 1]]}},
        {"doi": "10.1/x"},
        {"title": ""},
    ],
)
def test_the_schema_refuses_what_is_wrong(change: dict[str, Any]) -> None:
    items = json.loads(bibliography.csl(entries(hostile())))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([{**items[0], **change}, *items[1:]], SCHEMA)


def test_the_odd_title_is_the_one_of_the_record() -> None:
    assert json.loads(bibliography.csl(entries(hostile())))[0]["title"] == ODD

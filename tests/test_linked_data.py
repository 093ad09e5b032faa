"""JSON-LD: every type, property and kind of value is one that schema.org's vocabulary has for it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from selectolax.lexbor import LexborHTMLParser as Page

from site_src import linked_data, policy
from site_src.hrefs import Hrefs
from site_src.write import publish
from tests.browser import Serve
from tests.machine_samples import ODD, SITE_URL, built, draft, heron, hostile, record

VOCABULARY = json.loads((Path(__file__).parent / "schemas" / "schema-org.json").read_text("utf-8"))
DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?")
HREFS = Hrefs(site_url=SITE_URL)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return built(tmp_path_factory.mktemp("linked"), hostile(), heron(), draft())


def ancestors(name: str) -> Iterator[str]:
    yield name
    for parent in VOCABULARY[name]["parents"]:
        yield from ancestors(parent)


def faults(node: dict[str, Any], where: str = "") -> Iterator[str]:
    """Yield what schema.org does not know: a type, a property of a type, or a kind of value of a property."""
    kind = node.get("@type", "")
    if kind not in VOCABULARY:
        yield f"{where}: no type {kind}"
        return
    known: dict[str, list[str]] = {}
    for ancestor in ancestors(kind):
        known |= VOCABULARY[ancestor]["properties"]
    for name, value in node.items():
        if name.startswith("@"):
            continue
        if name not in known:
            yield f"{where}/{name}: no property of {kind}"
            continue
        for item in value if isinstance(value, list) else [value]:
            yield from _value_faults(item, known[name], f"{where}/{name}")


def _value_faults(item: Any, kinds: list[str], where: str) -> Iterator[str]:
    if isinstance(item, dict):
        if not set(ancestors(item["@type"]) if item.get("@type") in VOCABULARY else ()) & set(kinds):
            yield f"{where}: {item.get('@type')} is none of {kinds}"
        yield from faults(item, where)
    elif isinstance(item, str):
        fits = {
            "Text": True,
            "URL": not re.search(r"\s", item),
            "Date": bool(DATE.fullmatch(item)),
            "DateTime": "T" in item,
        }
        if not any(fits.get(kind) for kind in kinds):
            yield f"{where}: {item!r} is none of {kinds}"
    else:
        yield f"{where}: {item!r} has no kind that is known here"


def blocks(files: dict[str, bytes], path: str) -> list[str]:
    return re.findall(r'<script type="application/ld\+json">(.*?)</script>', files[path].decode(), re.S)


def documents(files: dict[str, bytes]) -> Iterator[dict[str, Any]]:
    for path, data in files.items():
        if path.endswith("dataset.jsonld"):
            yield json.loads(data)
            yield from map(json.loads, blocks(files, path.replace("dataset.jsonld", "index.html")))


def test_what_is_said_is_in_the_vocabulary(files: dict[str, bytes]) -> None:
    found = list(documents(files))
    assert [d["@type"] for d in found] == ["Dataset", "TechArticle"] * 2
    for document in found:
        assert document["@context"] == linked_data.CONTEXT
        assert list(faults(document)) == []


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({"@type": "Explainer"}, "no type Explainer"),
        ({"@type": "Dataset", "colour": "red"}, "no property of Dataset"),
        ({"@type": "Organization", "headline": "x"}, "no property of Organization"),
        ({"@type": "Dataset", "publisher": {"@type": "Dataset"}}, "is none of"),
        ({"@type": "Dataset", "datePublished": "last week"}, "is none of"),
        ({"@type": "DataDownload", "contentUrl": "a b"}, "is none of"),
        (
            {"@type": "Dataset", "isBasedOn": [{"@type": "CreativeWork", "unitText": "s"}]},
            "no property of CreativeWork",
        ),
    ],
)
def test_the_vocabulary_refuses_what_is_not_in_it(node: dict[str, Any], said: str) -> None:
    assert said in " ".join(faults(node))


def test_the_dataset_tells_files_variables_and_sources(files: dict[str, bytes]) -> None:
    found = json.loads(files["notes/brook/dataset.jsonld"])
    assert found["name"].endswith(ODD)
    assert {d["contentUrl"]: d["sha256"] for d in found["distribution"]} == {
        f"{SITE_URL}notes/brook/{name}": hashlib.sha256(files[f"notes/brook/{name}"]).hexdigest()
        for name in ("record.json", "results.csv")
    }
    assert [(v["propertyID"], v["unitText"]) for v in found["variableMeasured"]] == [
        ("reply_rate", "replies/min"),
        ("door_wait", "ms"),
    ]
    assert [w["identifier"]["value"] for w in found["isBasedOn"]] == ["b" * 64, "c" * 64]
    assert "dateModified" not in found["isBasedOn"][0], "nobody says when the document changed"
    assert found["dateModified"] == "2025-04-01T09:30:00+02:00"
    assert "Not rerun here." in found["description"]


def test_an_empty_record_says_nothing_that_it_does_not_hold() -> None:
    data = heron(reported_results=[], models=[], hardware=[])
    found = json.loads(linked_data.dataset(record(data), "Notes", HREFS, {}))
    assert not {"variableMeasured", "measurementTechnique", "distribution", "keywords"} & set(found)
    assert list(faults(found)) == []


def test_without_an_address_of_the_site_addresses_are_relative(tmp_path: Path) -> None:
    files = built(tmp_path, heron(), site_url="")
    found = json.loads(files["notes/heron/dataset.jsonld"])
    assert found["url"] == "./"
    assert found["distribution"][0]["contentUrl"] == "record.json"
    assert "image" not in json.loads(blocks(files, "notes/heron/index.html")[0])


def test_no_text_ends_the_block() -> None:
    data = heron(title='</script><img src=x onerror="x"> <!-- \u2028')
    line = linked_data.article(record(data), "</script>", "")
    assert "<" not in line
    assert json.loads(line)["headline"] == data["title"]
    assert "\n" not in line


def test_each_page_allows_its_own_block_and_nothing_else(files: dict[str, bytes]) -> None:
    seen = 0
    for path, data in files.items():
        if not path.endswith(".html"):
            continue
        page = Page(data.decode())
        said = page.css_first("meta[http-equiv]").attributes["content"] or ""  # type: ignore[union-attr]
        found = [f"'{policy.digest(block)}'" for block in blocks(files, path)]
        assert re.findall(r"'sha256-[^']+'", said) == found, path
        assert len(page.css("script:not([src])")) == len(found)
        assert ("unsafe" in said) == (path == "search/index.html")
        seen += len(found)
    assert seen == 2


def test_a_browser_reads_the_block_under_the_policy(
    files: dict[str, bytes], tmp_path: Path, chromium: Browser, serve: Serve
) -> None:
    publish(files, tmp_path / "_site")
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{serve(tmp_path / '_site')}/notes/brook/")
    read = page.evaluate("JSON.parse(document.querySelector('script[type=\"application/ld+json\"]').textContent)")
    assert read["headline"] == ODD
    assert complaints == []
    page.close()

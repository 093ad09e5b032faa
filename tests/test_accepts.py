"""What a record may look like: line ends, byte order marks, JSON and YAML, numbers as written, unknown keys, nulls.

One tiny record is built in several writings, each once; the pages and data files are compared.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from selectolax.lexbor import LexborHTMLParser

from site_src.cli import CONTENT, DONE, main

PAGE: Final = "notes/heron/index.html"
AUDIT: Final = "notes/heron/audit/index.html"
DATA: Final = "notes/heron/record.json"
TABLE: Final = "notes/heron/results.csv"
COMMIT: Final = "9d41c7e02b58f6a3c0e7715d84b92f60ae13d55c"
SHA256: Final = "e1a7" * 16

JSON: Final = f"""{{
  "schema_version": "1.0.0",
  "record_type": "source_backed_explainer",
  "id": "heron",
  "path": "/notes/heron/",
  "title": "Heron on Gaudi cards",
  "summary": "Rates of Heron.",
  "answer": "The log gives 329.010 tokens/s, without a spread.",
  "published_on": "2026-03-02",
  "modified_on": "2026-03-02",
  "source_checked_on": "2026-03-01",
  "evidence_state": "source_reported",
  "site_reproduced": false,
  "performance_ranking_allowed": false,
  "reviewed_by_hand": "the second reader",
  "sources": [
    {{
      "document_id": "decode-log",
      "publisher": "Example Org",
      "revision": "{COMMIT}",
      "document_path": "decode.md",
      "pinned_url": "https://github.com/example-org/bench-notes/blob/{COMMIT}/decode.md",
      "document_sha256": "{SHA256}",
      "checked_on": "2026-03-01",
      "mirror_state": "kept on the shelf"
    }}
  ],
  "reported_results": [
    {{
      "label": "small batch",
      "metric": "decode_rate",
      "value": 329.010,
      "unit": "tokens/s",
      "statistic": "median of five",
      "conditions": {{
        "driver_release": 3.10,
        "seed": "12e4567",
        "paging": "no",
        "slot": "017",
        "wall_clock": "12:30:45",
        "night": "2026-01-01",
        "overlap": true,
        "host_peak_RAM": null
      }},
      "evidence_state": "source_reported",
      "site_reproduced": false,
      "source_document_id": "decode-log",
      "source_line": 14,
      "reader_mark": "seen twice"
    }},
    {{
      "label": "first token",
      "metric": "first_token_time",
      "value": null,
      "unit": "s",
      "statistic": "not given",
      "conditions": {{}},
      "evidence_state": "source_reported",
      "site_reproduced": false,
      "source_document_id": "decode-log"
    }}
  ],
  "body_markdown": "A rate of 329.010 from *a* log.\\n\\nThe other is “open”.\\n"
}}
"""

YAML: Final = f"""# The same record. What only looks like a number, a date or a word of YAML 1.1 is text.
schema_version: 1.0.0
record_type: source_backed_explainer
id: heron
path: /notes/heron/
title: Heron on Gaudi cards
summary: Rates of Heron.
answer: The log gives 329.010 tokens/s, without a spread.
published_on: 2026-03-02
modified_on: 2026-03-02
source_checked_on: 2026-03-01
evidence_state: source_reported
site_reproduced: false
performance_ranking_allowed: false
reviewed_by_hand: the second reader
sources:
  - document_id: decode-log
    publisher: Example Org
    revision: {COMMIT}
    document_path: decode.md
    pinned_url: https://github.com/example-org/bench-notes/blob/{COMMIT}/decode.md
    document_sha256: {SHA256}
    checked_on: 2026-03-01
    mirror_state: kept on the shelf
reported_results:
  - label: small batch
    metric: decode_rate
    value: 329.010
    unit: tokens/s
    statistic: median of five
    conditions:
      driver_release: 3.10
      seed: 12e4567
      paging: no
      slot: 017
      wall_clock: 12:30:45
      night: 2026-01-01
      overlap: true
      host_peak_RAM:
    evidence_state: source_reported
    site_reproduced: false
    source_document_id: decode-log
    source_line: 14
    reader_mark: seen twice
  - label: first token
    metric: first_token_time
    value: null
    unit: s
    statistic: not given
    conditions: {{}}
    evidence_state: source_reported
    site_reproduced: false
    source_document_id: decode-log
body_markdown: |
  A rate of 329.010 from *a* log.

  The other is “open”.
"""

BOM: Final = b"\xef\xbb\xbf"
WITHOUT_BODY: Final = re.sub(r',\n  "body_markdown".*', "", JSON)
BODY: Final = json.loads(JSON)["body_markdown"]


def windows(text: str) -> bytes:
    """Write a text as an editor on Windows may: with a byte order mark, CRLF at every line end."""
    return BOM + text.replace("\n", "\r\n").encode()


# The lock is the same for every writing: it knows the words around a number, not the file they stand in.
LOCK: Final = """{"format": 1, "claims": [
{"field": "/answer", "left": "The log gives", "right": ", without a spread.", "sentence": "7e081e98", \
"written": "329.010", "unit": "tokens/s", "class": "claim", "pointer": "/reported_results/0/value", \
"row": "small batch"},
{"field": "body", "left": "A rate of", "right": "from a log.", "sentence": "1d524fbb", "written": "329.010", \
"class": "claim", "pointer": "/reported_results/0/value", "row": "small batch"}
]}
"""

WRITINGS: Final[dict[str, dict[str, bytes]]] = {
    "json": {"heron.json": JSON.encode()},
    "json on Windows": {"heron.json": windows(JSON)},
    "yaml": {"heron.yml": YAML.encode()},
    "yaml on Windows": {"heron.yml": windows(YAML)},
    "yaml, long ending": {"heron.yaml": YAML.encode()},
    "body beside": {"heron.json": WITHOUT_BODY.encode(), "heron.md": BODY.encode()},
    "body beside on Windows": {"heron.json": windows(WITHOUT_BODY), "heron.md": windows(BODY)},
}

Sites = dict[str, dict[str, bytes]]


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Build the record in every writing; the figures of the first are drawn, the others take them from its cache."""
    built: Sites = {}
    for name, files in WRITINGS.items():
        root = tmp_path_factory.mktemp("accepts", numbered=True) / "project"
        (root / "records").mkdir(parents=True)
        for file, data in files.items():
            (root / "records" / file).write_bytes(data)
        on_windows = name.endswith("on Windows")
        (root / "records" / "heron.claims.json").write_bytes(windows(LOCK) if on_windows else LOCK.encode())
        cache = tmp_path_factory.getbasetemp() / "accepts-cache"
        cache.mkdir(exist_ok=True)
        (root / ".cache").symlink_to(cache)
        assert main(["build", "--jobs", "1", "--quiet", "--strict", "--project", str(root)]) == DONE
        out = root / "_site"
        built[name] = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    return built


def text_of(page: bytes) -> str:
    body = LexborHTMLParser(page).body
    assert body is not None
    return re.sub(r"\s+", " ", body.text(separator=" "))


def outputs(site: dict[str, bytes]) -> dict[str, bytes]:
    """Return every file but the manifest, whose list of inputs holds the hashes of the record's own bytes."""
    return {path: data for path, data in site.items() if path != "manifest.json"}


@pytest.mark.parametrize("plain", ["json", "yaml", "body beside"])
def test_byte_order_mark_and_crlf_change_no_output(plain: str, sites: Sites) -> None:
    assert outputs(sites[f"{plain} on Windows"]) == outputs(sites[plain])


def test_yaml_gives_the_site_of_json(sites: Sites) -> None:
    assert outputs(sites["yaml"]) == outputs(sites["json"])
    assert outputs(sites["yaml, long ending"]) == outputs(sites["json"])


def test_manifest_differs_only_in_its_inputs(sites: Sites) -> None:
    manifests: list[dict[str, Any]] = [json.loads(sites[name]["manifest.json"]) for name in WRITINGS]
    records = [[e["path"] for e in m.pop("inputs") if e["path"].startswith("records/")] for m in manifests]
    assert records == [[f"records/{f}" for f in sorted([*files, "heron.claims.json"])] for files in WRITINGS.values()]
    assert all(m == manifests[0] for m, name in zip(manifests, WRITINGS, strict=True) if "beside" not in name)


def test_body_beside_the_record_gives_the_same_page(sites: Sites) -> None:
    assert sites["body beside"][PAGE] == sites["json"][PAGE]


@pytest.mark.parametrize("name", WRITINGS)
def test_claims_of_every_writing_are_linked_and_published(name: str, sites: Sites) -> None:
    page = LexborHTMLParser(sites[name][PAGE])
    assert [n.text() for n in page.css("a.c[href='#result-1']")] == ["329.010"] * 2
    claims = json.loads(sites[name]["notes/heron/claims.json"])
    assert claims["coverage"] == {"claim": 2, "open": 0}


@pytest.mark.parametrize("name", ["json", "yaml"])
def test_digits_are_kept_as_written(name: str, sites: Sites) -> None:
    shown = text_of(sites[name][PAGE])
    assert re.search(r"(?<![\d.,])329\.010(?!\d)", shown)
    assert re.search(r"(?<![\d.,])3\.10(?!\d)", shown)
    assert not re.search(r"(?<![\d.,])(329\.01|3\.1)(?!\d)", shown)
    data = sites[name][DATA].decode()
    assert '"value": 329.010,' in data
    assert '"driver_release": 3.10,' in data
    row = next(line for line in sites[name][TABLE].decode().splitlines() if line.startswith("small batch"))
    assert "329.010" in row.split(",")
    assert "3.10" in row.split(",")


@pytest.mark.parametrize(
    ("key", "text"),
    [("seed", "12e4567"), ("paging", "no"), ("slot", "017"), ("wall_clock", "12:30:45"), ("night", "2026-01-01")],
)
def test_plain_yaml_that_is_no_json_number_is_text(key: str, text: str, sites: Sites) -> None:
    record = json.loads(sites["yaml"][DATA])
    assert record["reported_results"][0]["conditions"][key] == text
    assert re.search(rf"(?<![\w.:-]){text}(?![\w.:-])", text_of(sites["yaml"][PAGE]))


def test_true_and_null_are_words_of_both(sites: Sites) -> None:
    for name in ("json", "yaml"):
        conditions = json.loads(sites[name][DATA])["reported_results"][0]["conditions"]
        assert conditions["overlap"] is True
        assert conditions["host_peak_RAM"] is None


def test_unknown_keys_stand_on_the_page(sites: Sites) -> None:
    shown = text_of(sites["json"][PAGE]) + text_of(sites["json"][AUDIT])
    pairs = {
        "Reviewed by hand": "the second reader",
        "Mirror state": "kept on the shelf",
        "Reader mark": "seen twice",
    }
    for label, value in pairs.items():
        assert label in shown
        assert value in shown


def test_null_is_written_out(sites: Sites) -> None:
    page = LexborHTMLParser(sites["json"][PAGE])
    row = next(r for r in page.css("tr") if "First token" in r.text() or "first token" in r.text())
    assert "not reported" in row.text()
    shown = text_of(sites["json"][PAGE])
    assert re.search(r"Host peak RAM:? not reported", shown)
    cells = next(line for line in sites["json"][TABLE].decode().splitlines() if line.startswith("first token")).split(
        ","
    )
    assert cells[2] == ""
    assert json.loads(sites["json"][DATA])["reported_results"][1]["value"] is None


# --- what only looks like a fault


def checked(root: Path, files: dict[str, bytes], command: str = "check") -> int:
    for name, data in {"records/heron.json": JSON.encode(), **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return main([command, "--quiet", "--project", str(root)])


def test_hidden_files_and_backups_are_no_input(tmp_path: Path) -> None:
    names = [".heron.json.swp", ".drafts/heron.json", "heron.json~", "old~/heron.json", ".site.yml"]
    assert checked(tmp_path, {f"records/{name}": b"{" for name in names}) == DONE


@pytest.mark.parametrize("language", ["en", "de", "pt-BR", "zh-Hant-TW", "de-CH-1996", "en-x-plain"])
def test_language_tags(language: str, tmp_path: Path) -> None:
    assert checked(tmp_path, {"records/site.yml": f"language: {language}\n".encode()}) == DONE


BODIES: Final = {
    "a table in a quotation": "> | a | b |\n> | - | - |\n> | 1 | 2 |\n",
    "a table in a quoted list": "> - | a | b |\n>   | - | - |\n>   | 1 | 2 |\n",
    "a table without outer bars": "a | b\n- | -\n1 | 2\n",
    "a query on another site": "[log](https://example.org/?page=2#end)",
    "a question mark in an anchor": "## Why\n\n[why](#why)",
    "a file beside the page": "[values](results.csv) and [all](record.json)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bodies(body: str, tmp_path: Path) -> None:
    files = {"records/heron.json": WITHOUT_BODY.encode(), "records/heron.md": body.encode()}
    assert checked(tmp_path, files) == DONE


def test_words_under_keys_of_addresses(tmp_path: Path) -> None:
    told = '"reviewed_by_hand": "data: see the log", "reference": "table 3", "links": ["https://example.org/a%20b?c#d"]'
    record = JSON.replace('"reviewed_by_hand": "the second reader"', told)
    assert record != JSON
    assert checked(tmp_path, {"records/heron.json": record.encode()}) == DONE


SVG: Final = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox='0 0 40,30'>
<style>path { fill: url("#shade") }</style><linearGradient id="shade"/><path id="p" d="M0 0h40"/>
<use xlink:href="#p"/><image href="data:image/png;base64,iVBORw0KGgo="/></svg>
"""


def test_a_drawing_that_refers_to_itself_and_a_style_of_the_project(tmp_path: Path) -> None:
    files = {
        "records/heron.json": WITHOUT_BODY.encode(),
        "records/heron.md": b"![The rack.](/assets/rack.svg)\n",
        "assets/rack.svg": SVG.encode(),
        "assets/style.css": b"@font-face { src: url( 'fonts/inter-400.woff2' ) }\n",
    }
    assert checked(tmp_path, files, "build") == DONE
    assert 'width="40" height="30"' in (tmp_path / "_site" / PAGE).read_text("utf-8")
    [style] = (tmp_path / "_site" / "assets").glob("style.*.css")
    assert re.search(r"url\(inter-400\.[0-9a-f]{10}\.woff2\)", style.read_text("utf-8"))


@pytest.mark.parametrize(("name", "opening"), [("deep.json", "["), ("deep.yml", "["), ("deeper.yml", "{a: ")])
def test_brackets_without_end_are_too_deep_and_no_traceback(
    name: str, opening: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Made here, not kept: other programs that read the folder would not survive the file."""
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / name).write_text(opening * 2_000)
    assert main(["check", "--project", str(tmp_path)]) == CONTENT
    err = capsys.readouterr().err
    assert err.startswith(f"records/{name}:1:")
    assert "[too-deep]" in err

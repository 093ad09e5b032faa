"""Figures of a German record: every word drawn, read out or printed under them is German or the record's own."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from site_src import interface, shape, words
from site_src.derive import derive
from site_src.drawing import Order, draw_all
from site_src.figure_entries import FigureEntry
from site_src.figures import select
from site_src.figures.asked import Asked
from site_src.figures.draw import laid_out
from site_src.figures.spec import FigureSpec, Kind
from site_src.interface import ENGLISH, Words
from site_src.model import Record
from site_src.reuse import Reuse
from tests.figure_samples import face
from tests.lists import files_of, guide, page, written
from tests.records import sound

GERMAN = interface.of("de")
SITE = "Bachnotizen"
_WORD = re.compile(r"[^\W\d_]{2,}")
# What a page says of files in every language, and the mark of a hash.
_ANYWHERE = {"svg", "png", "csv", "sha"}
CURVE = "kind: curve\n  x: bahnen\n  select: {metric: antworten}\n"


def pictured() -> dict[str, Any]:
    """Return a German record that has something to draw of every kind, nulls and missing cells among it."""
    record = guide("a", schema_version="1.1.0", lang="de", title="Bach", summary="Ein Wert.", answer="Er steht dort.")
    record["body_markdown"] = "Ein Lauf.\n"
    record["sources"].append(page())
    first = sound()["reported_results"][0]

    def result(label: str, value: str | None, lanes: int, **more: Any) -> dict[str, Any]:
        conditions = {"metric_denominator": "Wanduhr", "repetitions": Decimal(1), "bahnen": Decimal(lanes)}
        number = Decimal(value) if value else None
        own = {"label": label, "metric": "antworten", "value": number, "unit": "tokens/s", "statistic": "ein Lauf"}
        return {**first, **own, "conditions": {**conditions, **more}}

    record["reported_results"] = [
        result("klein", "17235.010", 1, dauer_seconds=Decimal("2.5")),
        result("mittel", "329.10", 2, dauer_seconds=None),
        result("offen", None, 4),
    ]
    free = {"kind": "frei_free", "value": Decimal("3.10"), "unit": "GiB", "source_document_id": "report"}
    used = {"kind": "belegt_used", "value": Decimal(1897), "unit": "MiB", "host": None, "source_document_id": "page-0"}
    record["memory_observations"] = [free, used]
    cells = [{"bahnen": Decimal(1), "rate": Decimal("2.50")}, {"bahnen": Decimal(2), "rate": None}]
    failed = {
        "id": "voll", "error": "Speicher voll", "slots_before": Decimal("0.18"), "slots_at_failure": Decimal("1.00"),
        "seiten_at_failure": Decimal("0.46"), "laufend_before": Decimal("0.5"), "max_requests": Decimal(12),
        "running_requests": Decimal(2), "queued_requests": Decimal(0), "source_document_id": "report",
    }  # fmt: skip
    left_out = {"bahnen": Decimal(8), "status": "not_run"}
    matrix = {"id": "dauer", "cells": cells, "omitted_cell": left_out, "source_document_id": "report"}
    record["case_reports"] = [failed, matrix]
    record["relations"] = [
        {
            "id": "fenster", "label": "Fenster", "expr": "a / b", "unit": "1", "places": 2,
            "inputs": {"a": {"pointer": "/profiles/0/pool_tokens"}, "b": {"pointer": "/profiles/0/window_tokens"}},
        }
    ]  # fmt: skip
    profile = {
        "id": "weit", "label": "weit", "scheduler_ceiling": Decimal(1600), "pool_tokens": Decimal(2493817),
        "pool_state": "reported", "window_tokens": Decimal(524288), "windows": "fenster", "short_evidence": "Keine.",
        "deepest": {"requests": Decimal(2), "prompt_tokens": Decimal(206630)},
    }  # fmt: skip
    record["profiles"] = [profile]
    return record


def specs(say: Words) -> dict[Kind, FigureSpec]:
    """Return a figure of every kind in one language."""
    data = pictured()
    record = shape.record("a.json", data)
    assert isinstance(record, Record), record
    derivations, problems, _ = derive("a.json", data, record)
    assert problems == []
    curve = FigureEntry.model_validate({"kind": "curve", "x": "bahnen", "select": {"metric": "antworten"}})
    found: dict[Kind, FigureSpec] = {}
    for kind in select.KINDS:
        asked = Asked(record, f"a-{kind}", SITE, derivations, say, curve if kind == "curve" else None)
        spec = select.select(asked, kind)
        assert spec is not None, kind
        found[kind] = spec
    return found


def own(part: Any) -> Iterator[str]:
    """Yield the words that a record brings along: its texts and the names of its fields."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _WORD.findall(words.label(key).replace("_", " "))
            yield from own(value)
    elif isinstance(part, list):
        for value in part:
            yield from own(value)
    elif isinstance(part, str):
        yield from _WORD.findall(part.replace("_", " "))


# Names of fields are the record's own words, in the language of its author.
KNOWN = (
    {w.lower() for text in GERMAN.texts.values() for w in _WORD.findall(re.sub(r"\{\w+\}", " ", text))}
    | {w.lower() for w in own(pictured())}
    | {w.lower() for w in _WORD.findall(SITE)}
    | _ANYWHERE
)


def foreign(*texts: str) -> set[str]:
    """Return the words that are neither German words of the interface nor the record's."""
    return {w for text in texts for w in _WORD.findall(text) if w.lower() not in KNOWN}


def drawn(spec: FigureSpec) -> list[str]:
    """Return the texts of both cuts, and those that a screen reader is given."""
    cuts = [laid_out(spec, face(), wide=wide) for wide in (True, False)]
    return [spec.title, spec.desc, *(label.text for cut in cuts for label in cut.labels)]


@pytest.mark.parametrize("kind", select.KINDS)
def test_a_german_figure_has_no_english_word(kind: Kind) -> None:
    assert foreign(*drawn(specs(GERMAN)[kind])) == set()


@pytest.mark.parametrize("kind", select.KINDS)
def test_an_english_word_in_a_figure_is_found(kind: Kind) -> None:
    assert foreign(*drawn(specs(ENGLISH)[kind])) != set()
    spec = specs(GERMAN)[kind]
    assert foreign(*drawn(replace(spec, title=f"{spec.title} measured"))) == {"measured"}


@pytest.mark.parametrize("kind", ["incident", "memory", "capacity"])
def test_an_english_word_that_a_drawing_writes_by_itself_is_found(kind: Kind) -> None:
    spec = replace(specs(GERMAN)[kind], say=interface.of_drawings("en"))
    assert foreign(*drawn(spec)) != set()


@pytest.mark.parametrize("kind", select.KINDS)
def test_the_digits_of_a_figure_are_those_of_the_record_in_both_languages(kind: Kind) -> None:
    def digits(say: Words) -> list[str]:
        texts = [*drawn(specs(say)[kind])]
        text = re.sub(r"\d{1,2}\.? \w+ 20\d\d", " ", " ".join(texts))
        return sorted(re.findall(r"\d+", re.sub(r"(?<=\d)[.,\u00a0](?=\d)", "", text)))

    assert digits(GERMAN) == digits(ENGLISH)


def test_german_figures_group_and_separate_as_the_page_does() -> None:
    found = specs(GERMAN)
    assert "17\u00a0235,010" in drawn(found["rates"])
    assert "0,75" in drawn(found["incident"])
    assert any("2\u00a0493\u00a0817 Tokens" in text for text in drawn(found["capacity"]))
    assert any("nicht angegeben" in text for text in drawn(found["curve"]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("pictured")
    settings = f"title: {SITE}\nlanguage: de\nsite_url: https://bach.example/\n"
    project = written(root / "project", [pictured()], settings)
    (root / "project" / "records" / "a.figures.yml").write_text(f"a-curve.webp:\n  {CURVE}", "utf-8")
    return files_of(project, root / "cache")


def test_alternatives_captions_titles_and_descriptions_are_german(site: dict[str, bytes]) -> None:
    parsed = LexborHTMLParser(site["notes/a/index.html"].decode())
    figures = parsed.css("figure")
    texts = [unescape(n.attributes["alt"] or "") for n in parsed.css("figure img")] + [
        n.text(separator=" ") for n in figures
    ]
    drawings = {p: ET.fromstring(d) for p, d in site.items() if re.search(r"-(wide|narrow)\.svg$", p)}
    assert len(drawings) == 2 * len(select.KINDS)
    told = [e.text or "" for d in drawings.values() for e in d if e.tag.endswith(("}title", "}desc"))]
    assert len(figures) == len(select.KINDS) and len(told) == 4 * len(select.KINDS)
    assert foreign(*texts, *told) == set()
    assert 'lang="en"' not in "".join(n.html or "" for n in figures)


def test_the_data_of_a_german_figure_and_its_twin_stay_as_programs_read_them(site: dict[str, bytes]) -> None:
    rates = site["assets/a-rates.csv"].decode()
    assert ",Bahnen: 1,17235.010,tokens/s,2.5 s" in rates
    assert "not run" in site["assets/a-matrix.csv"].decode()
    twin = site["notes/a/index.md"].decode()
    assert "Counters reported around one failure" in twin
    assert not re.search("Zähler|Hohle Marke|berichtete Zelle", twin)


def test_feed_and_llms_describe_a_german_site_in_german(site: dict[str, bytes]) -> None:
    told = GERMAN("index.description")
    assert f"<subtitle>{told}</subtitle>" in site["feed.xml"].decode()
    assert f"> {told}" in site["llms.txt"].decode()


class Shelf:
    """A store in memory."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self.held: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """Return what was kept."""
        return self.held.get(key)

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes."""
        self.held[key] = data


def test_a_german_figure_is_never_served_from_an_english_entry() -> None:
    # Both specs alike but for the words that the drawing writes by itself.
    german = specs(GERMAN)["memory"]
    english = replace(german, say=interface.of_drawings("en"))
    store = Shelf()

    def draw(spec: FigureSpec) -> tuple[bytes, tuple[str, ...]]:
        made = draw_all([Order("a", "a.json", "m.webp", spec)], store, None, 1, "salt", Reuse())
        return made.figures["a", "m.webp"].narrow, made.reused

    first, _ = draw(english)
    second, reused = draw(german)
    assert reused == () and second != first
    assert draw(german) == (second, ("m.webp",))

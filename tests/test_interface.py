"""The words of the interface: complete in every language, all of them used, and whole German pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from html import unescape
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from site_src import interface, terms, words
from site_src.claims.lock import CLASSES
from site_src.claims.mutations import KINDS
from site_src.codes import FINDINGS
from site_src.derive import Verdict
from site_src.explorer.facets import FACETS
from site_src.interface import ENGLISH, FOLDER, LanguageError, compare, read
from site_src.project import RESOURCES
from site_src.sources.receipt import Outcome
from tests.lists import files_of, guide, written
from tests.records import sound

LANGUAGES = sorted(p.stem for p in FOLDER.glob("*.yml"))
# Texts that are named by a code: of a finding, of a class of numbers, of a part of the page.
CODES: dict[str, set[str]] = {
    "finding": set(FINDINGS),
    "class": set(CLASSES),
    "verdict": {v.replace(" ", "_") for v in get_args(Verdict)},
    "receipt": {"declared", *(o.replace("-", "_") for o in get_args(Outcome) if o != "not-checked")},
    "guide": {"results", "derived", "capacity", "cases", "memory", "sustained"}
    | {"limits", "reading", "audit", "sources", "cite"},
    "capacity": {"configured", "reported"},
    "claims": {"caption", "title"},
    "derived": {"difference", "ratio", "percent_change"},
    "documents": {"pinned", "editable", "pinned_lede", "editable_lede"},
    "index": {f"{prefix}{f.noun}" for f in FACETS for prefix in ("", "all_")},
    "badge": {"not_rerun", "no_ranking"},
    "claim": set(CLASSES),
    "claimed": set(CLASSES),
    "slip": {terms.key(kind) for kind in KINDS},
    "slipped": {terms.key(kind) for kind in KINDS},
    "outcome": {terms.key(o) for o in get_args(Outcome)},
    "limit": set(terms.LIMITS),
    "term": {terms.key(i) for i in (*terms.RECORD, *terms.FIGURES)},
    "meaning": {terms.key(i) for i in (*terms.RECORD, *terms.FIGURES, *terms.NULLS)},
    "method": {*terms.PARTS, "caught", "tried", "exempt", "rerun", "ranking"} - {"corrections"},
    "facet": {f.noun for f in FACETS},
    "facets": {f.noun for f in FACETS},
    "explorer": {"unnamed", *(f"by_{f.noun}" for f in FACETS)},
    "count": {"guide", "model", "entry", "metric", "document"},
    "search": {f"all_{kind}" for kind in ("guides", "models", "hardware", "metrics", "sources")},
    "filter": {"row", "entry"},
    "turn": {"first", "previous", "next", "last"},
    "figure": {"at_commit", "at_version"},
    "unit": {"tokens", "tokens/s", "requests", "requests/s", "bytes", "per s"},
    "word": {"commit", "version", "not_reported", "not_applicable", "none_published"},
    "state": {"source_reported"},
}
# Families of counted texts beside `count`.
FAMILIES = {"class", "index", "explorer", "finder"}
# Sections that a script is given as a whole, with the script that says them.
SCRIPTED = {"finder": "search.js"}
_KEY = re.compile(r"[\"'](?P<key>[a-z]+\.(?!js\b|json|csv|bib\b|md\b|html\b|lock\b)[a-z_]+)[\"']")
_COUNTED = re.compile(r"say\.count\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?, \"(?P<noun>[a-z]+)\"\)")
_BUILT = re.compile(r"(?:say\(|self\(|get\()f[\"'](?P<family>[a-z]+)\.\{")
GERMAN = interface.of("de")


def code() -> Iterator[str]:
    yield from (p.read_text("utf-8") for p in (RESOURCES / "site_src").rglob("*.py"))
    yield from (p.read_text("utf-8") for p in (RESOURCES / "templates").glob("*.j2"))


def test_every_language_has_the_texts_of_english() -> None:
    assert LANGUAGES == ["de", "en"]
    for language in LANGUAGES:
        assert interface.of(language).texts.keys() == ENGLISH.texts.keys()


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"a.b": "{n} Werte"}, "lacks a.c"),
        ({"a.b": "{n} Werte", "a.c": "ja", "a.d": "nein"}, "unknown a.d"),
        ({"a.b": "Werte", "a.c": "ja"}, "a.b fills in"),
        ({"a.b": "{m} Werte", "a.c": "ja"}, "a.b fills in"),
    ],
)
def test_a_language_that_differs_from_english_is_refused(other: dict[str, str], said: str) -> None:
    with pytest.raises(LanguageError, match=re.escape(said)):
        compare({"a.b": "{n} values", "a.c": "yes"}, other)


def test_a_text_that_is_no_text_is_refused() -> None:
    with pytest.raises(LanguageError, match=r"a\.b"):
        read("a:\n  b: [x]\n")


def test_a_text_that_nobody_wrote_fails() -> None:
    with pytest.raises(KeyError):
        ENGLISH("guide.unheard_of")


def used() -> set[str]:
    """Return the keys that code and templates name."""
    text = "\n".join(code())
    keys = {m["key"] for m in _KEY.finditer(text)}
    keys |= {f"count.{m['noun']}" for m in _COUNTED.finditer(text) if m["noun"] not in FAMILIES}
    return keys | {bare(k) for section, script in SCRIPTED.items() for k in said(section, script)}


def said(section: str, script: str) -> Iterator[str]:
    """Yield the texts of a section that its script says, or counts."""
    source = (RESOURCES / "assets" / script).read_text("utf-8")
    for key in ENGLISH.texts:
        if key.startswith(f"{section}.") and re.search(rf'["`]{bare(key).partition(".")[2]}["`.]', source):
            yield key


def bare(key: str) -> str:
    return re.sub(r"\.(one|other)$", "", key)


def coded() -> set[str]:
    return {f"{family}.{name}" for family, names in CODES.items() for name in names}


def test_every_text_that_is_built_from_a_code_is_looked_at() -> None:
    assert {m["family"] for text in code() for m in _BUILT.finditer(text)} <= CODES.keys()


def test_no_text_is_unused() -> None:
    assert {bare(k) for k in ENGLISH.texts} - used() - coded() == set()


def test_every_text_that_is_used_exists() -> None:
    known, sections = {bare(k) for k in ENGLISH.texts}, {k.partition(".")[0] for k in ENGLISH.texts}
    assert {k for k in used() if k.partition(".")[0] in sections} | coded() <= known


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=3)


@given(NUMBERS)
def test_german_keeps_every_digit(value: Decimal) -> None:
    shown = GERMAN.number(value)
    assert shown.replace("\u00a0", "").replace(",", ".").replace("−", "-") == words.literal(value)


@given(NUMBERS)
def test_english_groups_the_digits_and_changes_none(value: Decimal) -> None:
    assert ENGLISH.plain(value) == words.number(value)
    assert ENGLISH.plain(value).replace(",", "").replace("−", "-") == words.literal(value)


def test_english_is_what_programs_read() -> None:
    low, high = Decimal("1.50"), Decimal(12000)
    held: tuple[Any, ...] = (None, True, False, [low, high], {"run_seconds": low}, "", " ", [], {}, "x", 3)
    assert [ENGLISH.plain(v) for v in held] == [
        "not reported", "yes", "no", "1.50, 12,000", "Run: 1.50 s", "empty text", "empty text", "none published",
        "none published", "x", "3",
    ]  # fmt: skip
    assert ENGLISH.field("run_seconds_range", [low, high]) == ("Run", "1.50 to 12,000 s")
    assert ENGLISH.field("run_seconds", None) == ("Run seconds", "not reported")
    assert ENGLISH.date("2025-03-09T10:00:00Z") == "9 Mar 2025"
    assert [ENGLISH.listed(list(names)) for names in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
    codes = (None, "not_run_too_long", "not_run", "not_applicable", "x_y")
    told = ["not reported", "not run: too long", "not run", "not applicable", "x y"]
    assert [ENGLISH.status(code_of) for code_of in codes] == told
    assert ENGLISH.state("source_reported") == "Source-reported"
    assert ENGLISH.state("one_thing") == "One-thing"


def test_a_unit_that_is_a_word_is_translated_and_no_other() -> None:
    assert GERMAN.field("prompt_tokens", Decimal("4096")) == ("Prompt", "4\u00a0096 Tokens")
    assert [GERMAN.unit(u) for u in ("requests/s", "MiB", "replies/min")] == ["Anfragen/s", "MiB", "replies/min"]


@pytest.mark.parametrize(
    ("written_in_english", "expected"),
    [
        ("329.010", "329,010"),
        ("17,235.90", "17\u00a0235,90"),
        ("−3.0", "−3,0"),
        ("v2.5.0", "v2.5.0"),
        ("2.5.0", "2.5.0"),
        ("3.10 to 4", "3.10 to 4"),
    ],
)
def test_only_a_number_is_printed_in_german(written_in_english: str, expected: str) -> None:
    assert GERMAN.digits(written_in_english) == expected


def test_german_counts_and_dates() -> None:
    assert [GERMAN.count(n, "value") for n in (0, 1, 1234)] == ["0 Werte", "1 Wert", "1\u00a0234 Werte"]
    assert GERMAN.date("2025-03-03") == "3. März 2025"
    assert GERMAN.plain([Decimal("1.50"), Decimal(2)], "x_range") == "1,50 bis 2"


@pytest.mark.parametrize(("tag", "own"), [("de-AT", "de"), ("DE", "de"), ("en-GB", "en"), ("fr", "en"), ("../x", "en")])
def test_language_of_a_tag(tag: str, own: str) -> None:
    assert interface.of(tag).tag == own
    assert interface.of(tag).is_missing == (own != tag.partition("-")[0].lower())


def german() -> dict[str, Any]:
    record = guide("a", lang="de", title="Bach", summary="Ein Wert.", answer="Er steht in der Quelle.")
    record["body_markdown"] = "Ein Lauf.\n"
    first = sound()["reported_results"][0] | {"value": Decimal("17235.010")}
    conditions = {"metric_denominator": "Wanduhr", "repetitions": Decimal(3), "power_limit_W": None, "load": True}
    second = first | {"label": "zweiter", "value": None, "conditions": conditions}
    record["reported_results"] = [first, second]
    record["relations"] = [
        {
            "id": "half", "label": "Hälfte", "expr": "a / b", "unit": "replies/min", "places": 3,
            "inputs": {"a": {"pointer": "/reported_results/0/value"}, "b": {"literal": Decimal(2), "reason": "Hälfte"}},
        }
    ]  # fmt: skip
    record["memory_observations"] = [{"kind": "peak", "value": Decimal("3.10"), "unit": "GiB"}]
    record["case_reports"] = [
        {"id": "soak", "cells": [{"lanes": Decimal(1), "rate": Decimal("2.50")}, {"lanes": Decimal(2), "rate": None}]}
    ]
    record["changelog"] = [{"date": "2025-03-03", "what": "Zahl.", "why": "Grund."}]
    return record


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("german")
    return files_of(written(root / "project", [german(), guide("b", lang="fr")]), root / "cache", offline=True)


def shown(html: bytes) -> str:
    """Return the words of a page but for those that say they are English."""
    page = LexborHTMLParser(html.decode())
    for node in page.css("[lang=en], script, style"):
        node.decompose()
    return unescape(re.sub(r" (?:id|class|href|aria-labelledby|data-units)=\"[^\"]*\"", "", page.html or ""))


PAGES = ("", "audit/", "cite/")


@pytest.mark.parametrize("page", PAGES)
def test_a_german_page_has_no_english_words(site: dict[str, bytes], page: str) -> None:
    text = shown(site[f"notes/a/{page}index.html"])
    told = {k: t for k, t in ENGLISH.texts.items() if "{" not in t and len(t) > 7 and t != GERMAN.texts[k]}
    left = {k for k, t in told.items() if re.search(rf"(?<![\w/#-]){re.escape(t)}(?![\w-])", text)}
    assert left == set()


def test_a_german_page_prints_numbers_dates_and_nulls_in_german(site: dict[str, bytes]) -> None:
    html = site["notes/a/index.html"].decode()
    assert '<html lang="de">' in html
    assert '<data value="17235.010">17\u00a0235,010</data>' in html
    assert "8\u00a0617,505" in html
    assert '<data value="3.10">3,10</data>' in html
    assert "nicht angegeben" in html
    assert "Berichtete Ergebnisse" in html
    assert re.search(r"\d{1,2}\. [A-Z][a-zä]+ 20\d\d</time>", html)
    assert "3. März 2025" in site["notes/a/audit/index.html"].decode()


def test_what_programs_read_stays_as_it_is(site: dict[str, bytes]) -> None:
    assert b"17235.010" in site["notes/a/results.csv"]
    twin = site["notes/a/index.md"].decode()
    assert "17,235.010" in twin
    assert "not reported" in twin
    assert "Reported results" in twin
    assert not re.search("nicht angegeben|Berichtete", twin)


def test_a_language_without_words_says_so_once(site: dict[str, bytes]) -> None:
    html = site["notes/b/index.html"].decode()
    assert html.count("there are none in fr yet") == 1
    assert "there are none" not in site["notes/a/index.html"].decode()
    assert "there are none" not in site["index.html"].decode()


@pytest.fixture(scope="module")
def german_site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    root = tmp_path_factory.mktemp("german-site")
    settings = "title: Bachnotizen\nlanguage: de\n"
    records = [german() | {"lang": None}, guide("b", lang="en")]
    return files_of(written(root / "project", records, settings), root / "cache", offline=True)


def test_no_page_of_a_german_site_has_english_words(german_site: dict[str, bytes]) -> None:
    pages = {p: d for p, d in german_site.items() if p.endswith(".html") and not p.startswith("notes/b/")}
    kinds = {"index.html", "404.html", "notes/a/index.html", "notes/a/audit/index.html", "notes/a/cite/index.html"}
    kinds |= {f"{p}/index.html" for p in ("sources", "method", "method/corrections", "search", "results")}
    assert (
        kinds | {f"{p}/index.html" for p in ("results/metrics/reply-rate", "by/model", "by/question")} <= pages.keys()
    )
    told = {k: english_words(k) for k, t in ENGLISH.texts.items() if len(t) > 7 and t != GERMAN.texts[k]}
    left = {(p, k) for p, d in pages.items() for k, words in told.items() if words and words.search(shown(d))}
    assert left == set()
    assert [p for p, data in pages.items() if b'<html lang="de">' not in data] == []


def english_words(key: str) -> re.Pattern[str] | None:
    """Return what finds an English text on a page, its fields standing for anything; None where too little is left."""
    pieces = re.split(r"\{\w+\}", ENGLISH.texts[key])
    if max(map(len, pieces)) < 8:
        return None
    return re.compile(r"(?<![\w/#-])" + ".{1,200}?".join(map(re.escape, pieces)) + r"(?![\w-])")


def test_the_language_of_a_record_stands_before_that_of_the_site(german_site: dict[str, bytes]) -> None:
    assert b'<html lang="en">' in german_site["notes/b/index.html"]
    assert b"Short answer" in german_site["notes/b/index.html"]

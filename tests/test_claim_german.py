"""Numbers in the prose of a German record: a comma stands before the decimals, and nothing else changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src.claims import forms
from site_src.claims.tokens import tokens
from site_src.project import Project
from tests.claim_samples import bound, codes, put, record, row

BODY = "## Lauf\n\nDer Lauf brauchte 329,010 s und gab 17.235,90 tokens/s aus.\n"


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("329,010", "329.010"),
        ("17.235,90", "17,235.90"),
        ("17\u00a0235,90", "17\u00a0235.90"),
        ("374.976", "374,976"),
        ("1.374.976", "1,374,976"),
        ("1,5", "1.5"),
        ("0,57", "0.57"),
        ("−3,10", "−3.10"),
        ("128", "128"),
        # Not German, and only one number can be meant.
        ("0.947", "0.947"),
        ("3.10", "3.10"),
        ("17,235.90", "17,235.90"),
    ],
)
def test_a_number_with_a_decimal_comma(written: str, plain: str) -> None:
    text = f"Es sind {written} Tokens."
    found = tokens(text, decimal_comma=True)
    assert [(t.written, t.plain) for t in found] == [(written, plain)]
    assert text[found[0].start : found[0].end] == written


@pytest.mark.parametrize("text", ["v2.5.0", "am 18.10.2026", "2.5.0", "http://x.org/1.500/2,5", "FP8,16", "12:30"])
def test_what_is_no_decimal_stays_one_token_as_written(text: str) -> None:
    assert [t.written for t in tokens(text, decimal_comma=True)] == [t.written for t in tokens(text)]


@given(st.text(alphabet="0123456789.,  \u00a0aKv-s", max_size=24))
def test_every_token_is_a_piece_of_its_text(text: str) -> None:
    for token in tokens(text, decimal_comma=True):
        assert text[token.start : token.end] == token.written


@given(st.text(max_size=40))
def test_english_is_as_it_was(text: str) -> None:
    assert all(t.english == "" and t.plain == t.written for t in tokens(text))


@pytest.mark.parametrize("field", ["32.500", "32,500", "bis 32.500 Tokens"])
@pytest.mark.parametrize("written", ["32.500", "32,500", "32\u00a0500"])
def test_a_text_that_reads_two_ways_proves_nothing(field: str, written: str) -> None:
    own, other = tokens(written, decimal_comma=True)[0], next(t for t in tokens(field))
    assert not forms.same(own, other)
    assert forms.same(tokens("12,5", decimal_comma=True)[0], tokens("12.5")[0])


def german(body: str = BODY, **changed: Any) -> dict[str, Any]:
    results = [
        row("Lauf", "wall_time", "329.010", "s", 3),
        row("Lauf", "output_rate", "17235.90", "tokens/s", 4),
    ]
    return record(body, lang="de", reported_results=results, relations=[], **changed)


@pytest.fixture
def lauf(tmp_path: Path) -> Project:
    return bound(tmp_path, german())


def test_german_numbers_are_proved(lauf: Project) -> None:
    assert codes(lauf) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("329,010", "329,01"), ("329,010", "329.010"), ("329,010", "329,011"), ("17.235,90", "17,235,90")],
)
def test_a_slip_in_german_is_found(lauf: Project, old: str, new: str) -> None:
    put(lauf.root, german(BODY.replace(old, new)))
    assert {"claim-differs", "claim-stale"} & {*codes(lauf)}


def test_the_same_words_in_an_english_record_are_refused(lauf: Project) -> None:
    put(lauf.root, {**german(), "lang": "en"})
    assert codes(lauf) != []

"""Texts → number tokens: what is one token, which shape, value and unit it has, and that no digit is left out."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src.claims import anchors, units
from site_src.claims.passages import Passage
from site_src.claims.tokens import tokens

# Text → its tokens as "written:shape", then the value where it is no name or date, then the unit.
TABLE: list[tuple[str, str]] = [
    # digits, thousands, signs
    ("17,235.90 tok/s", "17,235.90:number=17235.90 tokens/s"),
    ("17\u202f235.90", "17\u202f235.90:number=17235.90"),
    ("1\u2009234\u00a0567 MB", "1\u2009234\u00a0567:number=1234567 MB"),
    ("1,23", "1:number=1|23:number=23"),
    ("12,3456", "12:number=12|3456:number=3456"),
    ("\u22123.0 °C", "\u22123.0:number=-3.0 °C"),
    ("-3, +5 %", "-3:number=-3 (%)|+5:number=5 %"),
    ("line 12.", "12:number=12"),
    ("329.010 or 329.01", "329.010:number=329.010|329.01:number=329.01"),
    ("(≈2.65), <0.5", "2.65:number=2.65|0.5:number=0.5"),
    ("٣٫ and ١٢", "٣:number=3|١٢:number=12"),
    ("\u017fix of six", "six:word=6"),
    ("twenty-One-fold, seventeen, twenty-one", "twenty:word=20|seventeen:word=17|twenty-one:word=21"),
    # powers and fractions
    ("1.2e5 tokens", "1.2e5:number=120000 tokens"),
    ("1.2E-5 s", "1.2E-5:number=0.000012 s"),
    ("3.4×10^3", "3.4×10^3:number=3400"),
    ("3.4 × 10⁻³", "3.4 × 10⁻³:number=0.0034"),
    ("10² and 10⁻", "10²:number|10⁻:number"),
    ("1½ h, −2¾ or ⅓", "1½:number=1.5 h|−2¾:number=-2.75|⅓:number"),
    ("1e999999999", "1e999999999:number"),
    # ranges, lists and quotients
    ("93–107 s", "93:number=93 (s)|107:number=107 s"),
    ("93 to 107 s", "93:number=93 (s)|107:number=107 s"),
    ("1, 2 and 4 GiB", "1:number=1 (GiB)|2:number=2 (GiB)|4:number=4 GiB"),
    ("93 s-107 s", "93:number=93 s|107:number=107 s"),
    ("40/40", "40:number=40|40:number=40"),
    ("1.76–2.40×", "1.76:number=1.76 (×)|2.40:number=2.40 ×"),
    # labels
    ("128K", "128K:label=128000"),
    ("1.01M tokens", "1.01M:label=1010000 tokens"),
    ("4K/8K", "4K:label=4000|8K:label=8000"),
    ("27B", "27B:label=27000000000"),
    ("128K/s", "128:number=128"),
    # units
    ("8GB 24GiB", "8:number=8 GB|24:number=24 GiB"),
    ("57% 57 % 57 percent", "57:number=57 %|57:number=57 %|57:number=57 %"),
    ("38 percentage points", "38:number=38 percentage points"),
    ("4 x 96 GB", "4:number=4|96:number=96 GB"),
    ("1.7x", "1.7:number=1.7 ×"),
    ("2 tokens a second", "2:number=2 tokens/s"),
    ("five-minute", "five:word=5 min"),
    ("12 B of it", "12:number=12"),
    ("9 replies/min", "9:number=9"),
    # dates
    ("2026-10-18", "2026-10-18:date"),
    ("2026-10-18T08:15:00Z", "2026-10-18T08:15:00Z:date"),
    ("18 October 2026", "18 October 2026:date"),
    ("October 18, 2026", "October 18, 2026:date"),
    ("3. März 2026", "3. März 2026:date"),
    ("May 2026 and May 3", "May 2026:date|May 3:date"),
    ("in 2026, at 12:30", "2026:date|12:30:date"),
    # names
    ("v2.5.0, 0.4.29, v3", "v2.5.0:name|0.4.29:name|v3:name"),
    ("C16 TP4 FP8 E4M3 p50 W4A16", "C16:name|TP4:name|FP8:name|E4M3:name|p50:name|W4A16:name"),
    ("Qwen3.8-27B", "Qwen3.8-27B:name"),
    ("3b7e0a94c6d21f58", "3b7e0a94c6d21f58:name"),
    ("deadbeef", ""),
    ("https://example.org/a/3?b=4, www.a1.org.", "https://example.org/a/3?b=4:name|www.a1.org:name"),
    ("https://example.org/", ""),
    ("PR37619 of HTTP 200", "PR37619:name|200:number=200"),
    # words
    ("Four-request", "Four:word=4"),
    ("twenty-one runs, a dozen", "twenty-one:word=21|dozen:word=12"),
    ("no OOMs, none, someone, another", "no:word=0"),
    ("one's two", "two:word=2"),
    # nothing
    ("", ""),
    ("m² of it", ""),
]


def told(text: str) -> str:
    shown = []
    for token in tokens(text):
        value = "" if token.value is None else f"={token.value:f}"
        unit = f" {token.unit}" if token.unit else f" ({token.shared_unit})" if token.shared_unit else ""
        shown.append(f"{token.written}:{token.shape}{value}{unit}")
    return "|".join(shown)


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[t for t, _ in TABLE])
def test_tokens(text: str, expected: str) -> None:
    assert told(text) == expected


def test_a_token_knows_where_it_and_its_unit_stand() -> None:
    text = "It took 42.833 s in all."
    (token,) = tokens(text)
    assert text[token.start : token.end] == token.written == "42.833"
    assert text[token.start : token.unit_end] == "42.833 s"
    assert token.value == Decimal("42.833")


PIECES = (
    "12|3.40|1,000|four|no|FP8|128K|v2.5.0|2026-10-18|5 May 2026|1e5|10²|½|−7|s|GiB|%|tok/s|x|K|M|B|http://|\u202f|\u00a0"
    "|\n|²|_|#|in | |.|,|-|–|/|(|)|e|×10^|٣|ß|🦅"
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES.split("|")), max_size=14).map("".join))


@given(TEXTS)
def test_every_digit_lies_in_one_token_or_its_unit_and_tokens_stand_in_order(text: str) -> None:
    found = tokens(text)
    held: list[int] = []
    end = 0
    for token in found:
        assert end <= token.start < token.end <= token.unit_end <= len(text)
        assert text[token.start : token.end] == token.written
        held += range(token.start, token.unit_end)
        end = token.end
    digits = [at for at, c in enumerate(text) if c.isdecimal()]
    assert set(digits) <= set(held)


@given(TEXTS)
def test_units_reach_into_no_other_token(text: str) -> None:
    found = tokens(text)
    for token, following in pairwise(found):
        assert token.unit_end <= following.start


@given(TEXTS)
def test_anchors_of_any_text_differ(text: str) -> None:
    spots = anchors.spots([Passage("body", "", text, "a.md", "")])
    assert len({spot.anchor for spot in spots}) == len(spots) == len(tokens(text))
    for spot in spots:
        start, end = spot.bounds
        assert 0 <= start <= spot.token.start < spot.token.end <= end <= len(text)


@given(st.decimals(min_value=0, max_value=10**9, places=3).map(lambda d: f"{d:,}"), st.sampled_from(["", " s", " GiB"]))
def test_a_formatted_number_is_one_token_of_its_value(written: str, unit: str) -> None:
    (token,) = tokens(f"About {written}{unit}.")
    assert token.written == written
    assert token.value == Decimal(written.replace(",", ""))
    assert token.unit == unit.strip() == units.canonical(unit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1_000 tokens", [("1_000", "number")]),
        ("1_00 tokens", [("1", "number"), ("00", "number")]),
        ("at 0x1F and 0xdeadbeef", [("0x1F", "name"), ("0xdeadbeef", "name")]),
        ("snake_1_000", [("snake_1_000", "name")]),
    ],
)
def test_how_programs_write_numbers(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(t.written, t.shape) for t in tokens(text)] == expected


def test_a_digit_of_a_unit_is_part_of_what_must_agree() -> None:
    (one,), (other,) = tokens("5 tok/s/H100"), tokens("5 tok/s/H200")
    assert (one.unit, other.unit) == ("tokens/s/h100", "tokens/s/h200")
    assert not units.fits(one.unit, other.unit)
    assert not units.fits(one.unit, "tokens/s")

"""Records and bodies → passages of prose with section, context and place; their numbers → anchors that stay put."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src import prose
from site_src.claims import sentences
from site_src.claims.anchors import Spot, spots
from site_src.claims.passages import PROSE, Passage, is_prose, passages
from site_src.claims.tokens import tokens
from site_src.load import Document

TABLE = "| Setting | Rate 9 |\n|---|---|\n| off 1 | 2 |\n| on | **3** and 4 |\n"
BODY = f"""# Tarn

First words.

## Rates of 7

One *paragraph* with `12 s` of code
and [a link of 5](https://example.org/6), wrapped.

- item 8
  - inner item

{TABLE}
![A card with 10 rows](/assets/tarn-hero.webp)

*Caption with 11.*

```results
metrics: [rate]
caption: Shown are 13
```

```python
print(14)
```

> Quoted 15.
"""


def document(body: str, beside: bool = True, **data: Any) -> Document:
    if beside:
        return Document("records/tarn.yml", "tarn", data, "records/tarn.md", body)
    return Document("records/tarn.yml", "tarn", {**data, "body_markdown": body})


def of_body(body: str, *, beside: bool = True) -> list[Passage]:
    found = passages(document(body, beside), {}, prose.parse(body, "Tarn"))
    return [p for p in found if p.field.startswith("body")]


def numbers(body: str) -> list[Spot]:
    return list(spots(of_body(body)))


def test_every_passage_of_a_body_has_its_kind_and_section() -> None:
    told = [(p.field, p.section, p.text) for p in of_body(BODY)]
    assert told == [
        ("body", "", "First words."),
        ("body", "rates-of-7", "Rates of 7"),
        ("body", "rates-of-7", "One paragraph with 12 s of code and a link of 5, wrapped."),
        ("body", "rates-of-7", "item 8"),
        ("body", "rates-of-7", "inner item"),
        ("body", "rates-of-7", "Setting"),
        ("body", "rates-of-7", "Rate 9"),
        ("body", "rates-of-7", "off 1"),
        ("body", "rates-of-7", "2"),
        ("body", "rates-of-7", "on"),
        ("body", "rates-of-7", "3 and 4"),
        ("body alt", "rates-of-7", "A card with 10 rows"),
        ("body caption", "rates-of-7", "Caption with 11."),
        ("body caption", "rates-of-7", "Shown are 13"),
        ("body", "rates-of-7", "Quoted 15."),
    ]


def test_cells_know_their_heads_and_their_row() -> None:
    cells = {p.text: p for p in of_body(f"## Runs\n\n{TABLE}\nAfter it.")}
    assert cells["2"].context == "Runs Rate 9 off 1"
    assert cells["3 and 4"].context == "Runs Rate 9 on"
    assert cells["off 1"].row == cells["2"].row != cells["3 and 4"].row
    assert cells["After it."].row == ""
    assert cells["After it."].context == "Runs"


@pytest.mark.parametrize("beside", [True, False])
def test_passages_stand_in_the_file_that_holds_the_body(beside: bool) -> None:
    places = {(p.file, p.pointer) for p in of_body(BODY, beside=beside)}
    assert places == {("records/tarn.md", "") if beside else ("records/tarn.yml", "/body_markdown")}


def test_each_number_leads_to_its_characters_in_the_file() -> None:
    for spot in numbers(BODY):
        written = spot.token.written
        assert BODY[spot.offset : spot.offset + len(written)] == written, spot.passage.text


def test_prose_fields_of_a_record() -> None:
    data: dict[str, Any] = {
        "title": "Tarn 1",
        "summary": "two",
        "image": {"alt": "3", "caption": "4", "url": "/assets/5.webp"},
        "reported_results": [{"label": "six", "value": 7}, {"label": "8/9"}],
        "result_card": {"Mo/del": "10"},
        "changelog": [{"what": "11", "why": "12", "date": "2025-01-13"}],
        "notes": "14",
    }
    found = passages(document("It ran.", **data), data, prose.parse("It ran.", "Tarn"))
    assert {p.pointer: p.text for p in found if p.field != "body"} == {
        "/title": "Tarn 1",
        "/summary": "two",
        "/image/alt": "3",
        "/image/caption": "4",
        "/reported_results/0/label": "six",
        "/reported_results/1/label": "8/9",
        "/result_card/Mo~1del": "10",
        "/changelog/0/what": "11",
        "/changelog/0/why": "12",
    }
    assert all(is_prose(p.pointer) for p in found if p.field != "body")
    assert not is_prose("/reported_results/0/value")
    assert all(is_prose(pattern.replace("*", "0")) for pattern in PROSE)


def test_titles_of_figures_and_reasons_are_prose() -> None:
    found = Document(
        "records/tarn.yml",
        "tarn",
        {},
        audit_file="records/tarn.audit.yml",
        audit=[{"code": "two-units", "pointer": "/a", "reason": "Both 1 and 2."}, "odd"],
        figures_file="records/tarn.figures.yml",
        figures={"a.webp": {"title": "Of 3"}, "b.webp": {"kind": "rates"}, "c.webp": None},
    )
    told = [(p.field, p.text, p.file, p.pointer) for p in passages(found, {}, prose.parse("", "Tarn"))]
    assert told == [
        ("figure a.webp", "Of 3", "records/tarn.figures.yml", "/a.webp/title"),
        ("audit two-units /a", "Both 1 and 2.", "records/tarn.audit.yml", "/0/reason"),
    ]


def test_equal_cells_stand_apart() -> None:
    body = "| a | b |\n|---|---|\n| 4 | 4 |\n| 4 | 4 |\n"
    assert [s.offset for s in numbers(body)] == [m.start() for m in re.finditer("4", body)]


# --- anchors


def anchors(body: str) -> list[tuple[str, str, str, int]]:
    return [(s.anchor.section, s.anchor.left, s.anchor.right, s.anchor.ordinal) for s in numbers(body)]


def test_numbers_and_units_are_masked_in_the_words_beside() -> None:
    assert anchors("It took 42.8 s for 15,725 tokens in all of the runs.") == [
        ("", "It took", "for # in all", 0),
        ("", "It took # for", "in all of the", 0),
    ]
    changed = anchors("It took 9 ms for no requests in all of the runs.")
    assert [a[1] for a in changed] == ["It took", "It took # for"]


def test_words_of_other_sentences_are_not_beside() -> None:
    assert anchors("All of it ran. It took 4 s. Then it ended.") == [("", "It took", ".", 0)]


def test_equal_words_are_told_apart_by_their_order() -> None:
    assert [a[3] for a in anchors("- took 4 s\n- took 5 s\n\nIt took 6 s.")] == [0, 1, 0]
    assert [a[3] for a in anchors("took 4 s\n\n## Again\n\ntook 5 s")] == [0, 0]


def test_a_changed_number_moves_no_anchor() -> None:
    body = "It took 42.8 s for 15,725 tokens, and 9 of 12 boxes stayed at 57 %.\n\n" + TABLE
    for old, new in (("42.8 s", "7 GiB"), ("15,725", "1"), ("9 of", "nine of"), ("57 %", "0.5 s"), ("| 2 |", "| 99 |")):
        assert anchors(body.replace(old, new)) == anchors(body)


def test_a_moved_sentence_keeps_its_anchor() -> None:
    one, two = "It took 42.8 s for all.", "Then 12 boxes were free."
    assert sorted(anchors(f"{one} {two}")) == sorted(anchors(f"{two}\n\n{one}"))


def test_the_fingerprint_is_that_of_the_words_alone() -> None:
    (one,), (other,), (third,) = (numbers(t) for t in ("It took 4 s.", "It  took\n5 min.", "It took 4 s!"))
    assert one.sentence == other.sentence != third.sentence
    assert len(one.sentence) == 8


# --- sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It took 4 s. Then it ended.", "It took 4 s."),
        ("Ended. It took 4.5 s.", "It took 4.5 s."),
        ("See e.g. the 4 runs.", "See e.g. the 4 runs."),
        ("“It ended.” It took 4 s", "It took 4 s"),
        ("  It took 4 s", "It took 4 s"),
        ("Why 4? Because.", "Why 4?"),
        ("v2.5.0 has 4 parts", "v2.5.0 has 4 parts"),
    ],
)
def test_sentences(text: str, expected: str) -> None:
    token = next(t for t in tokens(text) if t.written.startswith("4"))
    start, end = sentences.bounds(text, token.start, token.end)
    assert text[start:end] == expected


# --- any body

WORDS = "It took four 12 s|3.40 GiB|**bold 5**|`code 6 s`|[a 7](/x/)|ends.|Then|no|\\*8.5\\*|&amp; 9|&lt;1,024"
LINES = st.lists(st.sampled_from(WORDS.split("|")), min_size=1, max_size=6).map(" ".join)
BLOCKS = st.one_of(
    LINES,
    LINES.map(lambda text: f"## {text}"),
    LINES.map(lambda text: f"- {text}\n- {text} 10"),
    LINES.map(lambda text: f"> {text}"),
    LINES.map(lambda text: f"1. {text}"),
    st.tuples(LINES, LINES).map(
        lambda cells: f"| a 1 | b |\n|---|---|\n| {cells[0]} | {cells[1]} |\n| 11 | {cells[0]} |"
    ),
    LINES.map(lambda text: f"![alt 12](/assets/a.webp)\n\n*{text.replace('*', '')}*"),
    LINES.map(lambda text: f"```text\n{text}\n```"),
    LINES.map(lambda text: f"Noted.[^1]\n\n[^1]: {text}"),
)
BODIES = st.lists(BLOCKS, max_size=6).map("\n\n".join)


@settings(deadline=None)
@given(BODIES)
def test_numbers_of_any_body_lead_to_their_characters(body: str) -> None:
    parsed = prose.parse(body, "Tarn")
    found = [p for p in passages(document(body), {}, parsed) if p.field.startswith("body")]
    everything = spots(found)
    assert len({s.anchor for s in everything}) == len(everything)
    for spot in everything:
        written = spot.token.written
        assert parsed.source[spot.offset : spot.offset + len(written)] == written
    assert len({s.offset for s in everything}) == len(everything)

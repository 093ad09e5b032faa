"""What a first binding proposes: one meaning is bound, two are left open, and look-alikes are bound to nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.claim_samples import drafts, record, row, told

R = "/reported_results"


def with_conditions(**conditions: int | str) -> dict[str, Any]:
    """Return changes of the sample: its first row has these conditions beside its own."""
    data = record()
    data["reported_results"][0]["conditions"] |= {k: Decimal(v) for k, v in conditions.items()}
    return {"reported_results": data["reported_results"], "relations": []}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("It printed 329.010 tokens/s.", {"329.010": f"claim {R}/0/value"}),
        ("It printed 402.55 tok/s then.", {"402.55": f"claim {R}/1/value"}),
        ("| Drafting | Rate |\n|-|-|\n| on | 402.55 |", {"402.55": f"claim {R}/1/value"}),
        ("At the end 7.52 GiB were free.", {"7.52": f"claim {R}/2/value"}),
        ("It took 41.75 s of wall time.", {"41.75": f"claim {R}/0/conditions/wall_seconds"}),
        ("The first token came after 4.71 s.", {"4.71": f"claim {R}/4/value"}),
        ("The pool usage was 57 %.", {"57": f"claim {R}/3/conditions/pool_usage"}),
        ("Of the 32K prompt", {"32K": f"claim {R}/4/conditions/prompt_length_label"}),
        ("the prompt of 32,011 tokens", {"32,011": f"claim {R}/4/conditions/prompt_tokens"}),
        ("The rate per request is 82.25 tokens/s.", {"82.25": "derived /relations/0"}),
        ("Four requests", {"Four": f"count {R}/0/conditions/concurrency"}),
        ("batches of four", {"four": f"count {R}/0/conditions/concurrency"}),
        ("with three repetitions each", {"three": f"count {R}/0/conditions/repetitions"}),
        ("one request was queued", {"one": "count /case_reports/0/queued_requests"}),
        ("The source was checked on 1 March 2025.", {"1 March 2025": "date /source_checked_on"}),
        ("The five results", {"five": f"count {R}"}),
    ],
)
def test_one_meaning_is_bound(body: str, expected: dict[str, str]) -> None:
    assert told(body) == expected


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        ("The 3.0 regular screens passed.", {"repetitions": 3}),
        ("In release 3.0 it was mended.", {"repetitions": 3}),
        ("The two CPU tests passed.", {"running_requests": 2}),
        ("Its two authors agree.", {"running_requests": 2}),
        ("The ten media checks passed.", {"rounds": 10}),
        ("Ten people asked.", {"rounds": 10}),
        ("The usage was 1.00 at the end.", {"queued": 1}),
        ("It answered 40/40 of the questions.", {"top_k": 40}),
        ("On page 40 it says more.", {"top_k": 40}),
        ("After 5 s it was ready.", {"lanes": 5}),
        ("It drew 360 W.", {"power_limit_seconds": 360}),
        ("It needs 24 GB.", {"pool_GiB": 24}),
    ],
)
def test_a_look_alike_is_left_open(body: str, conditions: dict[str, int | str]) -> None:
    assert set(told(body, **with_conditions(**conditions)).values()) == {"open"}


@pytest.mark.parametrize(
    ("body", "conditions", "pointer"),
    [
        ("There were no OOMs.", {"oom_count": 0}, "oom_count"),
        ("It saw no failures.", {"failures": 0}, "failures"),
        ("It sampled with top-k 40.", {"top_k": 40}, "top_k"),
        ("With top_k=40 it sampled.", {"top_k": 40}, "top_k"),
        ("The usage of 1.00 stayed.", {"pool_usage": "1.00"}, "pool_usage"),
        ("After ten rounds", {"rounds_completed": 10}, "rounds_completed"),
        ("It needs 24 GiB of the pool.", {"pool_GiB": 24}, "pool_GiB"),
    ],
)
def test_what_the_look_alikes_look_like_is_bound(body: str, conditions: dict[str, int | str], pointer: str) -> None:
    changed = with_conditions(**conditions) | {"case_reports": []}
    (found,) = told(body, **changed).values()
    assert found.split()[1] == f"{R}/0/conditions/{pointer}"


@pytest.mark.parametrize("body", ["There were no OOMs.", "no spread", "This one does not count.", "each one"])
def test_what_counts_nothing_is_exempt(body: str) -> None:
    assert set(told(body).values()) == {"plain"}


@pytest.mark.parametrize("body", ["No-op runs", "one of those", "one card"])
def test_what_may_count_something_is_left_open(body: str) -> None:
    assert set(told(body).values()) == {"open"}


@pytest.mark.parametrize(
    ("body", "lexicon", "expected"),
    [
        ("in FP8 and C16", (), {"FP8": "name", "C16": "name"}),
        ("the server said HTTP 200", (), {"200": "name"}),
        ("release v2.5.0, file run-3.json", (), {"v2.5.0": "name", "run-3.json": "name"}),
        ("on QX9", (), {"QX9": "open"}),
        ("on QX9", ("QX9",), {"QX9": "name"}),
        ("on QX9 and QX10", ("/QX\\d+/",), {"QX9": "name", "QX10": "name"}),
        ("on QX", ("/QX\\d+/",), {}),
        ("see https://example.org/a/3", (), {"https://example.org/a/3": "name"}),
    ],
)
def test_names(body: str, lexicon: tuple[str, ...], expected: dict[str, str]) -> None:
    assert told(body, lexicon) == expected


def test_a_value_that_two_rows_hold_is_open_until_words_tell_them_apart() -> None:
    rows = [
        row("box north", "aggregate_output_rate", "55.25", "tokens/s", 11),
        row("box south", "aggregate_output_rate", "55.25", "tokens/s", 12),
    ]
    changed: dict[str, Any] = {"reported_results": rows, "relations": []}
    (draft,) = drafts("It printed 55.25 tokens/s.", **changed)
    assert draft.entry.cls == draft.why == "open"
    assert [leaf.pointer for leaf in draft.fits] == [f"{R}/0/value", f"{R}/1/value"]
    assert draft.entry.fits == (f"{R}/0/value", f"{R}/1/value")
    assert told("In the south it printed 55.25 tokens/s.", **changed) == {"55.25": f"claim {R}/1/value"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("There are 17 arms.", "open"),
        ("There are 17 arms passed.", "claim /conditions/arms_passed"),
        ("The pool holds 393,321 tokens.", "claim /conditions/pool_tokens"),
        ("It held 393,321 of them.", "open"),
    ],
)
def test_words_that_name_another_field_better_leave_a_number_open(body: str, expected: str) -> None:
    arms = {"arms": Decimal(17), "arms_passed": Decimal(17)}
    tokens = {"pool_tokens": Decimal(393321), "context_limit_tokens": Decimal(393321)}
    (found,) = told(body, conditions=arms | tokens, case_reports=[]).values()
    assert found == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("It was published on 1 March 2025.", "date /published_on"),
        ("It was modified on 1 March 2025.", "date /modified_on"),
        ("It happened on 1 March 2025.", "date"),
    ],
)
def test_a_date_is_bound_where_words_tell_its_field(body: str, expected: str) -> None:
    assert told(body) == {"1 March 2025": expected}


@pytest.mark.parametrize(("body", "index"), [("eight lanes on one card", 0), ("eight lanes on two cards", 1)])
def test_of_rows_that_share_a_number_the_one_is_meant_that_holds_its_neighbours(body: str, index: int) -> None:
    rows = [
        row("small box", "aggregate_output_rate", "55.25", "tokens/s", 11, lanes=Decimal(8), cards=Decimal(1)),
        row("large box", "aggregate_output_rate", "66.25", "tokens/s", 12, lanes=Decimal(8), cards=Decimal(2)),
    ]
    found = told(f"It had {body}.", reported_results=rows, relations=[], case_reports=[])
    assert found["eight"] == f"count {R}/{index}/conditions/lanes"


def test_opposite_words_are_never_bound() -> None:
    assert told("At the end 81.30 GiB were free.") == {"81.30": "open"}
    assert told("At the end 7.52 GiB were used.") == {"7.52": "open"}


@pytest.mark.parametrize("written", ["329.01", "329.0100", "329", "329.010 ms", "0.329010", "3290.10"])
def test_another_form_is_another_number(written: str) -> None:
    assert set(told(f"It printed {written} at the rate.").values()) == {"open"}


def test_prose_proves_no_prose() -> None:
    changed: dict[str, Any] = {
        "summary": "A batch of 77 files.",
        "changelog": [{"date": "2025-03-01", "what": "77 files", "why": "77 were read"}],
    }
    assert told("It has 77 files.", **changed) == {"77": "open"}


def test_numbers_beside_one_that_is_sure_speak_of_its_row() -> None:
    wall = {"wall_seconds": Decimal("9.5")}
    rows = [
        row("box north", "aggregate_output_rate", "155.25", "tokens/s", 11, **wall),
        row("box south", "aggregate_output_rate", "166.35", "tokens/s", 12, **wall),
    ]
    body = "It printed 166.35 tokens/s over a wall time of 9.5 s."
    found = told(body, reported_results=rows, relations=[])
    assert found == {"166.35": f"claim {R}/1/value", "9.5": f"claim {R}/1/conditions/wall_seconds"}

"""Any prose with any record: a binding or located problems, never a traceback; and what `bind` writes is proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from site_src import binding, parse
from site_src.binding import Binding
from site_src.check import check
from site_src.claims import lock as locks
from site_src.load import Document, Loaded
from site_src.problems import Problem, Rejected
from tests.claim_samples import record, row

FILE, BODY_FILE, LOCK_FILE = "records/tarn.json", "records/tarn.md", "records/tarn.claims.json"
bounded = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])

WRITTEN = (
    "329.010|402.55 tok/s|7.52 GiB|81.30 GiB|4.71 s|four|Four|three|one|no|ten|32K|32,011 tokens|57 %|0.57|82.25|12"
    "|41.75 s|128K|FP8|v2.5.0|1 March 2025|2025-03-01|10²|1½ h|−3|+4|1e5|3.4×10^3|93–107 s|40/40|4K/8K|1,000"
    "|https://example.org/7"
)
WORDS = (
    "rate|free|used|memory|first token|requests|each|the pool usage|drafting on|drafting off|of|was|and|; |. Then"
    "|(|)|**|`|[a](/notes/tarn/)|\\*|&amp;|&lt;|#|lanes|seconds|repetitions|queued|per request|at|=|:|—|„|“|”|🦅|é"
)
LINES = st.lists(st.sampled_from([*WRITTEN.split("|"), *WORDS.split("|")]), min_size=1, max_size=9).map(" ".join)
BLOCKS = st.one_of(
    LINES,
    LINES.map(lambda text: f"## {text}"),
    LINES.map(lambda text: f"- {text}\n- {text}"),
    LINES.map(lambda text: f"> {text}"),
    st.tuples(LINES, LINES).map(lambda c: f"| Setting | Rate |\n|---|---|\n| {c[0]} | {c[1]} |\n| {c[1]} | {c[0]} |"),
    LINES.map(lambda text: f"Noted.[^1]\n\n[^1]: {text}"),
    LINES.map(lambda text: f"```results\nmetrics: [free_memory]\ncaption: {text!r}\n```"),
    # What the loader lets through: control characters are refused, line ends are those of Unix.
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30),
)
BODIES = st.lists(BLOCKS, max_size=5).map("\n\n".join)

NUMBERS = st.one_of(
    st.sampled_from(["329.010", "4", "3", "10", "0", "0.57", "-7", "12.50", "1000", "93", "107", "32011"]).map(Decimal),
    st.decimals(-(10**6), 10**6, places=2, allow_nan=False),
)
KEYS = st.sampled_from(
    ["concurrency", "wall_seconds", "pool_usage", "rounds", "lanes", "pool_GiB", "input_label", "note"]
)
CONDITIONS = st.dictionaries(KEYS, st.one_of(NUMBERS, LINES, st.none(), st.booleans()), max_size=4)
METRICS = st.sampled_from(["aggregate_output_rate", "free_memory", "used_memory", "first_token_time", "odd"])
UNITS = st.sampled_from(["tokens/s", "GiB", "MiB", "s", "ms", "%", "lanes", "1", "replies per minute"])
ROWS = st.lists(st.tuples(LINES, METRICS, NUMBERS, UNITS, CONDITIONS), max_size=4)


def result(number: int, drawn: tuple[str, str, Decimal, str, dict[str, Any]]) -> dict[str, Any]:
    label, metric, value, unit, conditions = drawn
    return row(label, metric, str(value), unit, number, **conditions)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Return the sample, or one with other rows and prose."""
    if draw(st.booleans()):
        return {k: v for k, v in record().items() if k != "body_markdown"}
    rows = [result(n, drawn) for n, drawn in enumerate(draw(ROWS), 1)]
    changed: dict[str, Any] = {"reported_results": rows, "relations": [], "title": draw(LINES), "answer": draw(LINES)}
    return {k: v for k, v in record(**changed).items() if k != "body_markdown"}


def document(data: dict[str, Any], body: str, lock: str | None = None) -> Document:
    made = Document(FILE, "tarn", data, BODY_FILE, body)
    return made if lock is None else replace(made, claims_file=LOCK_FILE, claims=parse.json_data(lock, LOCK_FILE))


def bound(data: dict[str, Any], body: str, lock: str | None = None) -> Binding | None:
    """Return what binding comes to in process, or None where the record is refused for another reason."""
    made = document(data, body, lock)
    try:
        checked = check(Loaded((made,), None, None), frozenset(), claims_proved=False)
    except Rejected as rejected:
        assert located(rejected.problems, body)
        return None
    (explainer,) = checked.explainers
    old = locks.Lock.model_validate(made.claims) if lock is not None else None
    binder = binding.binder_of(explainer, checked.settings)
    return Binding(explainer, binder, LOCK_FILE, tuple(binder.drafts(explainer.claims.spots, old)))


def refused(data: dict[str, Any], body: str, lock: str) -> Sequence[Problem]:
    try:
        check(Loaded((document(data, body, lock),), None, None), frozenset())
    except Rejected as rejected:
        return rejected.problems
    return ()


def located(problems: Sequence[Problem], body: str) -> bool:
    return all(
        p.file in {FILE, BODY_FILE, LOCK_FILE}
        and p.message
        and p.remedy
        and not (p.file == BODY_FILE and (p.offset or 0) > len(body))
        for p in problems
    )


@bounded
@given(records(), BODIES)
def test_what_bind_writes_is_proved_and_a_second_binding_changes_nothing(data: dict[str, Any], body: str) -> None:
    first = bound(data, body)
    if first is None:
        return
    found = refused(data, body, first.text)
    assert located(found, body)
    opened = [d for d in first.drafts if d.why]
    assert [p.code for p in found] == ["claim-open"] * len(opened)
    second = bound(data, body, first.text)
    assert second is not None
    assert second.text == first.text
    assert [d.why for d in second.drafts] == [d.why for d in first.drafts]


@bounded
@given(records(), BODIES, records(), BODIES)
def test_a_lock_of_other_prose_and_another_record_is_told_and_mended(
    old: dict[str, Any], old_body: str, data: dict[str, Any], body: str
) -> None:
    first = bound(old, old_body)
    if first is None:
        return
    assert located(refused(data, body, first.text), body)
    second = bound(data, body, first.text)
    if second is None:
        return
    answered = [d for d in second.drafts if not d.why]
    asked = [d for d in second.drafts if d.why]
    found = refused(data, body, second.text)
    assert located(found, body)
    # What bind is silent about is proved; every problem that is left belongs to a number that it asks about.
    spots = {(d.spot.passage.file, d.spot.passage.pointer, d.spot.offset) for d in asked}
    assert {(p.file, p.pointer, p.offset) for p in found} <= spots
    assert len(answered) + len(asked) == len(second.drafts)


@bounded
@given(BODIES, st.lists(st.sampled_from(["field", "left", "written", "class", "pointer", "row"]), max_size=3))
def test_a_lock_that_a_hand_has_edited_is_told_and_mended(body: str, dropped: list[str]) -> None:
    data = {k: v for k, v in record().items() if k != "body_markdown"}
    first = bound(data, body)
    if first is None:
        return
    edited = [d.entry.model_copy(update=_edit(dropped)) for d in first.drafts]
    text = locks.text(edited)
    assert located(refused(data, body, text), body)
    assert bound(data, body, text) is not None


def _edit(dropped: Sequence[str]) -> dict[str, Any]:
    values = {
        "field": "/nowhere",
        "left": "other words",
        "written": "5",
        "class": "plain",
        "pointer": "/x/1",
        "row": "",
    }
    return {("cls" if key == "class" else key): values[key] for key in dropped}

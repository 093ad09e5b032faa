"""The checker: a sound record with any values put anywhere into it, and with any sidecars."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from site_src.check import check
from site_src.load import CONTROL, Document, Loaded
from site_src.problems import Rejected
from site_src.serial import json_text
from tests.claim_samples import record
from tests.fuzz.target import of_cases, told
from tests.record_parts import pointers, put
from tests.records import REPORT

FILE = "records/tarn.json"
TEXTS = st.one_of(
    st.sampled_from(["", " ", "x", "/notes/tarn/", "2025-03-01", "javascript:alert(1)", "/reported_results/0/value"]),
    st.sampled_from(
        [REPORT, f"{REPORT}?plain=1#L9", "https://", "//h", "../..", "9" * 5000, "٣", "a/b", "* / +", "rate"]
    ),
    st.text(max_size=12).filter(lambda text: not CONTROL.search(text)),
)
NUMBERS = st.one_of(
    st.sampled_from(["0", "-1", "0.00", "9" * 100, "0." + "0" * 97 + "1", "329.010", "1024"]).map(Decimal),
    st.integers(-9, 10**6).map(Decimal),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(TEXTS, NUMBERS, st.none(), st.booleans()),
    lambda held: st.one_of(st.lists(held, max_size=3), st.dictionaries(TEXTS, held, max_size=3)),
    max_leaves=6,
)
EXTRAS: dict[str, Any] = {
    "decision": "Which card.", "scope": "One pool.", "aliases": ["/old/"], "draft": False,
    "changelog": [{"date": "2025-03-01", "what": "First.", "why": "New."}], "models": ["Tarn 7B"], "lang": "ar",
    "result_card": {"claim": "One."}, "evidence_boundary": ["One pool."], "facts": [],
    "generation": {"text": "by hand"},
    "long_context_cases": [{"case": "a", "source_document_id": "report"}],
}  # fmt: skip
SOUND = record() | EXTRAS
PLACES = pointers(SOUND)
CHANGES = st.lists(st.tuples(st.sampled_from(PLACES), VALUES), min_size=1, max_size=4)
SIDECARS = st.one_of(st.none(), VALUES)
BASES = st.sampled_from([record(), SOUND])


def _holds(case: tuple[dict[str, Any], list[tuple[str, Any]], Any, Any, Any, Any]) -> None:
    data, changes, audit, figures, receipt, anchors = case
    for pointer, value in changes:
        data = put(data, pointer, value)
    beside = {"audit": audit, "figures": figures, "receipt": receipt, "anchors": anchors}
    held = {k: v for k, v in beside.items() if v is not None}
    files = {f"{k}_file": f"records/tarn.{k}.yml" for k in held}
    try:
        check(Loaded((Document(FILE, "tarn", data, **held, **files),), None, None), frozenset({"tarn-own.png"}))
    except Rejected as rejected:
        own = [p for p in rejected.problems if p.file == FILE]
        told(own, FILE, json_text(data).encode())


TARGET = of_cases(st.tuples(BASES, CHANGES, SIDECARS, SIDECARS, SIDECARS, SIDECARS), _holds)

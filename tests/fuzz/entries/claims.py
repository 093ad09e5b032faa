"""Claims: any prose bound to a record; what `bind` proposes is taken, or refused with a place."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from site_src.claims.tokens import tokens
from tests.fuzz.target import of_cases
from tests.test_claim_properties import BODIES, bound, located, records, refused


def _holds(case: tuple[dict[str, Any], str, str, bool]) -> None:
    data, body, text, decimal_comma = case
    for token in tokens(text, decimal_comma=decimal_comma):
        assert text[token.start : token.end] == token.written
    first = bound(data, body)
    if first is None:
        return
    assert located(refused(data, body, first.text), body)
    second = bound(data, body, first.text)
    assert second is not None
    assert second.text == first.text


TARGET = of_cases(st.tuples(records(), BODIES, st.text(max_size=60), st.booleans()), _holds)

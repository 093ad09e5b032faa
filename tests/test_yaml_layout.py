"""Plain data → YAML in block layout: read back it is the same data, and one item more in a record is one item more."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src import edit, yaml_layout
from site_src.parse import json_data, yaml_data

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=12)
KEYS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=3).map(abs)
SCALARS = st.one_of(
    st.none(), st.booleans(), NUMBERS, TEXTS, st.sampled_from(["null", "1", "017", "- a", "a: b", "|", ""])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=10,
)
MAPPINGS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)


@settings(deadline=None, max_examples=300)
@given(MAPPINGS)
def test_any_data_is_read_back(data: dict[str, Any]) -> None:
    assert yaml_data(yaml_layout.block(data), "a.yml") == data


@settings(deadline=None, max_examples=200)
@given(
    st.lists(MAPPINGS, min_size=1, max_size=3),
    st.sampled_from(["{}", '{\n  "k": [\n    {"a": 1.10}\n  ]\n}\n', '{"k": []}']),
)
def test_any_items_are_added_to_json(items: list[dict[str, Any]], text: str) -> None:
    made = json_data(edit.extend(text, "json", "k", items), "a.json")
    assert made["k"] == [*json_data(text, "a.json").get("k", []), *items]


@settings(deadline=None, max_examples=200)
@given(
    st.lists(MAPPINGS, min_size=1, max_size=3),
    st.sampled_from(["a: 1\n", "k:\n  - a: 1.10\n\n# end\nz: 1\n", "k: []\n", "k: [{a: 1}]  # why\nz: 2"]),
)
def test_any_items_are_added_to_yaml(items: list[dict[str, Any]], text: str) -> None:
    made = yaml_data(edit.extend(text, "yaml", "k", items), "a.yml")
    assert made["k"] == [*(yaml_data(text, "a.yml").get("k") or []), *items]


def test_digits_and_lines_stay() -> None:
    data = {"value": Decimal("329.010"), "text": "two\nlines\n", "parts": [{"a": Decimal("1.0"), "b": None}]}
    assert yaml_layout.block(data) == ("value: 329.010\ntext: |\n  two\n  lines\nparts:\n  - a: 1.0\n    b: null\n")


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_no_items_change_nothing(kind: str) -> None:
    assert edit.extend("{}", kind, "k", []) == "{}"

"""One item added to a list of a JSON or YAML text: the data gains that item, and every other byte is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from site_src import edit, parse

ITEM: dict[str, Any] = {"id": "gap", "label": "Gap: “wide”", "inputs": {"a": {"pointer": "/x/0"}}, "places": 2}

JSON = [
    '{"a": 1.10, "relations": [{"id": "x"}], "z": []}',
    '{"a": 1.10, "relations": [], "z": []}',
    '{"a": 1.10}',
    "{}",
    '{\n  "a": 1,\n  "relations": [\n    {"id": "x"},\n    {"id": "]}"}\n  ]\n}\n',
    '{\n  "a": 1,\n  "relations": [\n  ]\n}\n',
    '{\n  "a": {"relations": [1]}\n}\n',
    '{"relations": [{"inputs": {"b": [1, 2]}}], "text": "relations: [}"}\n\n',
]
YAML = [
    "a: 1.10\nrelations:\n  - {id: x}\nz: []\n",
    "a: 1.10\nrelations:\n- id: x\n  expr: a / b\n- id: y\nz: 1\n",
    "a: 1.10\nrelations:\n    - id: x\n      inputs:\n        a: {pointer: /x}\n\n# the end\nz: 1\n",
    "a: 1.10\nrelations: [{id: x}]  # why\nz: 1\n",
    "a: 1.10\nrelations: []\nz: 1\n",
    "a: 1.10\nrelations:\n  []\n",
    "a: 1.10\nz: 1\n",
    "a: 1.10\nz: 1",
    "# first\na: 1\nrelations:\n  - id: x\n    label: |\n      two\n      lines\n",
    "a: 1\nrelations:\n  - {id: x}",
    "a: {relations: [1]}\n",
    "{a: 1.10, z: [1]}\n",
    "{a: 1.10,\n z: [1],\n}\n",
    "a: 1\nrelations: [{id: x},\n  {id: y},\n]\n",
    "{relations: [], a: 1}",
    "relations: [\n  {id: x}, # the first\n  {id: y} # the last\n]\n",
]


def with_item(data: Any) -> Any:
    return {**data, "relations": [*(data.get("relations") or []), ITEM]}


@pytest.mark.parametrize("text", JSON)
def test_json_gains_one_item(text: str) -> None:
    made = edit.append(text, "json", "relations", ITEM)
    assert json.loads(made) == with_item(json.loads(text))
    assert is_kept(text, made)


@pytest.mark.parametrize("text", YAML)
def test_yaml_gains_one_item(text: str) -> None:
    made = edit.append(text, "yaml", "relations", ITEM)
    assert yaml.safe_load(made) == with_item(yaml.safe_load(text))
    assert is_kept(text, made)
    assert parse.yaml_data(made, "a.yml")


def is_kept(before: str, after: str) -> bool:
    """Tell whether a text was only added to: what stood before stands, in order, at the start and at the end."""
    start = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    return after.endswith(before[start:].rstrip("\n")) or after.rstrip("\n").endswith(before[start:].rstrip("\n"))


def test_a_second_item_follows_the_first() -> None:
    for kind, text in (("json", "{}"), ("yaml", "a: 1\n")):
        once = edit.append(text, kind, "relations", ITEM)
        twice = edit.append(once, kind, "relations", ITEM | {"id": "other"})
        assert [r["id"] for r in yaml.safe_load(twice)["relations"]] == ["gap", "other"]


VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text('abé/~"', max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
RECORDS = st.dictionaries(st.text("ab", max_size=2), VALUES, max_size=4)
LISTS = st.one_of(st.none(), st.lists(st.dictionaries(st.text("xy", max_size=2), VALUES, max_size=2), max_size=3))


@given(RECORDS, LISTS, st.sampled_from([None, 2]), st.booleans())
def test_any_json_record(record: dict[str, Any], held: list[Any] | None, indent: int | None, ascii_only: bool) -> None:
    data = record if held is None else {**record, "relations": held}
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    assert json.loads(edit.append(text, "json", "relations", ITEM)) == with_item(data)


@given(RECORDS, LISTS, st.sampled_from([True, False, None]))
def test_any_yaml_record(record: dict[str, Any], held: list[Any] | None, flow: bool | None) -> None:
    data = {"first": 1, **record} if held is None else {"first": 1, **record, "relations": held, "zz": 1}
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    assert yaml.safe_load(edit.append(text, "yaml", "relations", ITEM)) == with_item(yaml.safe_load(text))

"""The layout of records and sidecars: the same file says the same on other lines, and twice changes nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src import skeleton
from site_src.claims import lock
from site_src.claims.lock import Count, Entry, Mutated
from site_src.layout.form import canonical
from site_src.locate import json_tokens
from site_src.model import Record
from site_src.parse import json_data, yaml_data
from site_src.project import RESOURCES
from site_src.serial import json_text
from site_src.sources import receipt
from site_src.sources.asked import questions
from tests.records import sound, turned

SHIPPED: Final = sorted(p for p in (RESOURCES / "records").iterdir() if p.suffix in {".json", ".yml"})
STARTERS: Final = sorted(p for p in (Path(skeleton.__file__).parent / "starter/records").iterdir() if p.suffix != ".md")


def said(text: str) -> Any:
    """Return what a YAML text says with every scalar as a text, keys in any order, by the reader of another module."""
    return _sorted(yaml.load(text, yaml.BaseLoader))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((key, _sorted(held)) for key, held in value.items())
    return [_sorted(held) for held in value] if isinstance(value, list) else value


# --- JSON

NUMERALS = st.sampled_from(["0", "-0.0", "329.010", "3.10", "1e3", "1.50E-7", "12345678901234567890"])
STRINGS = st.sampled_from(['""', '"a b"', '"\\u00e9\\n"', '"é"', '"1e3"', '"{[,:"', '"\\"\\\\"'])
GAPS = st.sampled_from(["", " ", "\n", "\t", "\n      "])


@st.composite
def json_texts(draw: st.DrawFn, depth: int = 3) -> str:
    def gap() -> str:
        return draw(GAPS)

    kind = draw(st.sampled_from("osa" if depth else "s"))
    if kind == "s":
        return draw(NUMERALS | STRINGS | st.sampled_from(["null", "true", "false"]))
    inner = draw(st.lists(json_texts(depth - 1), max_size=4))
    if kind == "a":
        return f"[{gap()}" + f"{gap()},{gap()}".join(inner) + f"{gap()}]"
    names = ["id", "title", "sources", "conditions", "$schema", "$other", "é", "a/b", ""]
    keys = draw(st.permutations(names))[: len(inner)]
    pairs = [f"{json.dumps(key)}{gap()}:{gap()}{held}" for key, held in zip(keys, inner, strict=True)]
    return f"{{{gap()}" + f"{gap()},{gap()}".join(pairs) + f"{gap()}}}"


@settings(deadline=None)
@given(json_texts(), st.sampled_from(["x.json", "x.claims.json", "x.verified.json"]))
def test_json_keeps_every_token_and_settles_at_once(text: str, name: str) -> None:
    made = canonical(text, f"records/{name}")
    assert sorted((t.pointer, t.raw) for t in json_tokens(made)) == sorted(
        (t.pointer, t.raw) for t in json_tokens(text)
    )
    assert json.loads(made) == json.loads(text)
    assert canonical(made, f"records/{name}") == made


def test_blanks_before_a_comma_lose_no_token() -> None:
    tokens = json_tokens('{"a": [1 , 2\n, 3] , "b": 4}')
    assert [t.pointer for t in tokens if not t.is_key] == ["", "/a", "/a/0", "/a/1", "/a/2", "/b"]


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_keys_is_that_of_the_schema(order: random.Random) -> None:
    record = {**sound(), "$schema": "record.schema.json", "own": 1, "another": 2}
    keys = list(record)
    order.shuffle(keys)
    mixed = json.dumps({key: record[key] for key in keys}, default=str)
    made = list(json_data(canonical(mixed, "records/brook.json"), ""))
    known = [*Record.model_json_schema()["properties"]]
    unknown = [key for key in keys if key in {"own", "another"}]
    assert made == ["$schema", *(key for key in known if key in record), *unknown]


def test_json_stands_one_key_a_line_with_its_digits() -> None:
    text = (
        '{"reported_results": [{"conditions": {"b": 329.010, "a": 1e3}, "label": "x", "n": 4}], "id": "x", "facts": []}'
    )
    assert canonical(text, "records/x.json") == (
        '{\n  "id": "x",\n  "reported_results": [\n    {\n      "label": "x",\n      "n": 4,\n      "conditions": {\n'
        '        "b": 329.010,\n        "a": 1e3\n      }\n    }\n  ],\n  "facts": []\n}\n'
    )


@pytest.mark.parametrize("path", [*SHIPPED, *STARTERS], ids=lambda p: str(p.name))
def test_shipped_records_are_laid_out(path: Path) -> None:
    text = path.read_text("utf-8")
    assert canonical(text, f"records/{path.name}") == text


@pytest.mark.parametrize("path", [p for p in SHIPPED if p.suffix == ".json"], ids=lambda p: str(p.name))
def test_a_shipped_file_is_found_again_from_one_line_with_its_keys_turned(path: Path) -> None:
    text = path.read_text("utf-8")
    made = canonical(json_text(turned(json_data(text, ""))), f"records/{path.name}")
    tokens = [sorted((t.pointer, t.raw) for t in json_tokens(one) if not t.raw.startswith('"')) for one in (text, made)]
    assert tokens[0] == tokens[1]
    assert json.loads(made) == json.loads(text)


@pytest.mark.parametrize("path", [p for p in SHIPPED if "." not in p.stem and p.stem != "site"], ids=lambda p: p.name)
def test_a_receipt_answers_a_shipped_record_whatever_the_order_of_its_keys(path: Path) -> None:
    data = (json_data if path.suffix == ".json" else yaml_data)(path.read_text("utf-8"), "")
    asked = [
        {wanted.pointer: digest for wanted, digest in questions(one, Record.model_validate(one))}
        for one in (data, turned(data))
    ]
    assert asked[0]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("entries", [[], [Entry(field="/title", written="4", cls="plain", reason="r")] * 2])
@pytest.mark.parametrize("is_mutated", [False, True])
def test_every_lock_and_receipt_is_laid_out(entries: list[Entry], is_mutated: bool) -> None:
    counts = Mutated(claims=lock.fingerprint(entries), kinds={"unit": Count(caught=1, tried=1)})
    text = lock.text(entries, counts if is_mutated else None)
    assert ("mutated" in text) == is_mutated
    assert canonical(text, "records/x.claims.json") == text
    found = receipt.Found(pointer="/x", asked="a", outcome="verified") if entries else None
    for unlined in ((), ("/a", "/b")):
        given = receipt.Receipt(format=1, sources=(), values=(found,) if found else (), unlined=unlined)
        text = receipt.text(given)
        assert canonical(text, "records/x.verified.json") == text


# --- YAML

PLAIN = [
    "a",
    "1",
    "329.010",
    "1e3",
    "null",
    "~",
    "",
    "true",
    "12:30:45",
    "a b",
    "x#y",
    '"q # r"',
    "'it''s'",
    "no",
    '"a\\n"',
]
FLOWS = ["{}", "[]", "[a, 329.010]", "{b: 1, a: [x, {y: }]}", '{"k": 1,"l":2}', "[a: b]", "{a, b: , c: 'd, e'}"]
WIDE = ["[" + ", ".join(["some words"] * 20) + "]", "{" + ", ".join(f"key{n}: {n}.10" for n in range(20)) + "}"]
KEYS = ["id", "title", "sources", "conditions", "relations", '"quoted"', "own key", "é", "'x'"]


class Writer:
    """Writes one YAML text of random layout; each comment is another one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw, self.remarks = draw, 0

    def one_of(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def remark(self) -> str:
        self.remarks += 1
        return f"# c{self.remarks}: [}}"

    def between(self, column: int) -> list[str]:
        """Return blank and comment lines at about a column."""
        chosen = self.draw(st.lists(st.sampled_from(["", "  ", "#", "#>"]), max_size=2))
        return [f"{' ' * (column + 2 * (c == '#>'))}{self.remark()}" if "#" in c else c for c in chosen]

    def tail(self) -> str:
        return self.one_of("", "", " ", "  ") and f"  {self.remark()}"

    def value(self, column: int, depth: int) -> list[str]:
        """Return what stands behind a key or dash at a column: the rest of its line, then lines of their own."""
        kind = self.one_of("plain", "flow", "open flow", "text", "folded", "mapping", "list")
        if kind == "flow":
            return [f" {self.one_of(*FLOWS, *WIDE)}{self.tail()}"]
        if kind == "open flow":
            return [
                " [a,",
                f"{' ' * (column + 1)}{self.remark()}",
                f"{' ' * (column + 3)}b{self.tail()}",
                f"{' ' * (column + 1)}]",
            ]
        if kind == "text":
            inner = " " * (column + self.one_of(1, 2, 5))
            mark = self.one_of("|", ">", "|-", ">+", "|+") + self.tail()
            return [
                f" {mark}",
                *(inner + t if t else "" for t in self.one_of(["x"], ["x", "", " # y", "z"], ["x ", "", ""])),
            ]
        if kind == "folded":
            return self.folded(" " * (column + self.one_of(1, 4)))
        if kind in {"mapping", "list"} and depth:
            first, write = self.tail(), self.mapping if kind == "mapping" else self.list
            step = self.one_of(1, 2, 4) if kind == "mapping" else self.one_of(2, 4)
            return [first, *write(column + step, depth - 1)]
        return [f" {self.one_of(*PLAIN)}{self.tail()}"]

    def folded(self, inner: str) -> list[str]:
        if self.one_of(True, False):
            return [" two", "", f"{inner}three{self.tail()}"]
        return [' "two', f"{inner}# three \\", f'{inner}  four"{self.tail()}']

    def mapping(self, column: int, depth: int) -> list[str]:
        found: list[str] = []
        for key in self.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True)):
            first, *rest = self.value(column, depth)
            found += [*self.between(column), f"{' ' * column}{key}:{first}", *rest]
        return found + self.between(column)

    def list(self, column: int, depth: int) -> list[str]:
        found: list[str] = []
        for _ in range(self.one_of(1, 2, 3)):
            if depth and self.one_of(True, False):
                lines = self.one_of(self.mapping, self.list)(column + 2, depth - 1)
                at = next(n for n, line in enumerate(lines) if line.strip() and not line.strip().startswith("#"))
                lines[at] = f"{' ' * column}- {lines[at][column + 2 :]}"
                found += [line[2:] if n < at else line for n, line in enumerate(lines)]
            else:
                first, *rest = self.value(column, 0)
                found += [f"{' ' * column}-{first}", *rest]
        return found


@st.composite
def yaml_texts(draw: st.DrawFn) -> tuple[str, int]:
    writer = Writer(draw)
    head = writer.one_of([], ["---"], ["# top", ""], ["%YAML 1.1", "---", "# top"])
    lines = [*head, *writer.one_of(writer.mapping, writer.list)(0, 3), *writer.one_of([], [""], ["..."])]
    return "\n".join(lines) + writer.one_of("", "\n", "\n\n"), writer.remarks


@settings(deadline=None, max_examples=300)
@given(yaml_texts(), st.sampled_from(["x.yml", "x.figures.yml", "x.audit.yml"]))
def test_yaml_keeps_data_and_comments_and_settles_at_once(given_text: tuple[str, int], name: str) -> None:
    text, remarks = given_text
    file = f"records/{name}"
    before = yaml_data(text, file)
    made = canonical(text, file)
    assert said(made) == said(text)
    assert repr(_sorted(yaml_data(made, file))) == repr(_sorted(before))
    assert all(made.count(f"# c{n}: [}}") == 1 for n in range(1, remarks + 1))
    assert canonical(made, file) == made

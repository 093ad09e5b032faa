"""What a preview remembers never reaches a page that a clean build would write otherwise."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from site_src.clashes import MANIFEST
from site_src.pipeline import Options, prepare, site_files
from site_src.problems import Problem, Rejected
from site_src.project import RESOURCES, Project
from site_src.recall import KeptFiles, Memory
from site_src.reuse import Inputs, Result, Reuse
from site_src.serial import json_text
from tests.records import sound

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} 9"/>'
NAMES = ("brook", "rill")


def record(name: str, value: str, words: str) -> dict[str, Any]:
    """Return a record whose title card is a file, so that nothing is drawn."""
    made = {**sound(), "id": name, "path": f"/notes/{name}/"}
    made["image"] = {"url": "/assets/card.svg", "alt": "A card", "width": Decimal(16), "height": Decimal(9)}
    made["reported_results"][0]["value"] = Decimal(value)
    made["body_markdown"] = f"## Part\n\n{words}"
    return made


def put(root: Path, file: str, text: str) -> None:
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text, "utf-8")


def start(root: Path) -> None:
    put(root, "records/brook.json", json_text(record("brook", "12.50", "It ran.")))
    put(root, "assets/card.svg", PICTURE.format(16))


def take(root: Path, file: str) -> None:
    (root / file).unlink(missing_ok=True)


def rename(root: Path, file: str, other: str) -> None:
    if (root / file).is_file():
        (root / file).rename(root / other)


values = st.sampled_from(["12.50", "12.5", "13"])
sayings = st.sampled_from(["It ran.", "It ran [again](/notes/rill/).", "See [there](#part).", "It ran 12.50 times."])
LISTED = "{% block main %}{% for g in site.guides %}{{ g.head.title }} {{ g.head.summary }}\n{% endfor %}{% endblock %}"
templates = st.sampled_from(
    [
        "{% extends 'base.html.j2' %}{% block main %}{{ guide.head.title }} of {{ site.title }}{% endblock %}",
        "{% extends 'base.html.j2' %}" + LISTED,
        "{% include 'part.txt' %}",
        "{{ site }}",
        "{{ site.motto }}",
    ]
)
edits = st.one_of(
    st.builds(
        lambda n, v, w: lambda root: put(root, f"records/{n}.json", json_text(record(n, v, w))),
        *(st.sampled_from(NAMES), values, sayings),
    ),
    st.builds(lambda n: lambda root: take(root, f"records/{n}.json"), st.sampled_from(NAMES)),
    st.just(lambda root: rename(root, "records/brook.json", "records/rill.json")),
    st.just(lambda root: put(root, "records/brook.json", "{")),
    st.builds(
        lambda t: lambda root: put(root, "records/site.yml", f"title: {t}\nlexicon: [ran 12.50]\n"),
        st.sampled_from(["Notes", "Runs", "''"]),
    ),
    st.just(lambda root: take(root, "records/site.yml")),
    st.builds(
        lambda r: (
            lambda root: put(
                root,
                "records/brook.audit.yml",
                f"- {{code: uncited-source, pointer: /, reason: {r}, date: 2025-03-01}}\n",
            )
        ),
        st.sampled_from(["It is so.", "It was so."]),
    ),
    st.builds(
        lambda r: (
            lambda root: put(
                root,
                "records/brook.audit.yml",
                f"- {{code: open-claims, pointer: '', reason: {r}, date: 2025-03-01}}\n",
            )
        ),
        st.sampled_from(["It is so.", "It was so."]),
    ),
    st.just(lambda root: take(root, "records/brook.audit.yml")),
    st.builds(lambda t: lambda root: put(root, "templates/guide.html.j2", t), templates),
    st.builds(lambda t: lambda root: put(root, "templates/part.txt", t), st.sampled_from(["one", "two"])),
    st.just(lambda root: shutil.rmtree(root / "templates", ignore_errors=True)),
    st.builds(
        lambda c: lambda root: put(root, "assets/style.css", f"a{{color:{c}}}"), st.sampled_from(["#111", "#222"])
    ),
    st.just(lambda root: take(root, "assets/style.css")),
    st.builds(lambda w: lambda root: put(root, "assets/card.svg", PICTURE.format(w)), st.sampled_from([16, 32])),
)


class Remembering:
    """Builds one project again and again, as a preview does."""

    def __init__(self, root: Path) -> None:
        self.project, self.memory, self.files = Project(root), Memory(), KeptFiles()
        self.reuse = Reuse(self.memory, self.files)

    def build(self) -> dict[str, bytes] | tuple[Problem, ...]:
        try:
            ready = prepare(self.project, Options(jobs=1), self.reuse)
            files, _ = ready.finish()
        except Rejected as rejected:
            return rejected.problems
        self.memory.settle()
        return files


def clean(root: Path) -> dict[str, bytes] | tuple[Problem, ...]:
    try:
        files, _ = site_files(Project(root), Options(jobs=1))
    except Rejected as rejected:
        return rejected.problems
    return files


def assert_same(again: Any, anew: Any) -> None:
    if isinstance(anew, dict):
        assert isinstance(again, dict), again
        assert [p for p in anew.keys() | again.keys() if p != MANIFEST and anew.get(p) != again.get(p)] == []
        assert (
            again[MANIFEST].partition(b"\n")[2].partition(b"\n")[2]
            == anew[MANIFEST].partition(b"\n")[2].partition(b"\n")[2]
        )
    else:
        assert again == anew


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(edits, min_size=2, max_size=8))
def test_any_edits_give_what_a_clean_build_gives(found: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        start(root)
        remembering = Remembering(root)
        remembering.build()
        for edit in found:
            edit(root)
            assert_same(remembering.build(), clean(root))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    start(tmp_path)
    return tmp_path


def test_a_zero_at_the_end_is_another_value(root: Path) -> None:
    remembering = Remembering(root)
    first = remembering.build()
    put(root, "records/brook.json", json_text(record("brook", "12.5", "It ran.")))
    second = remembering.build()
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert b'"value": 12.50' in first["notes/brook/record.json"]
    assert b'"value": 12.50' not in second["notes/brook/record.json"]


def test_what_did_not_change_is_the_same_object_and_what_did_is_not(root: Path) -> None:
    put(root, "records/rill.json", json_text(record("rill", "12.50", "It ran.")))
    remembering = Remembering(root)
    first = remembering.build()
    put(root, "records/brook.json", json_text(record("brook", "13", "It ran.")))
    second = remembering.build()
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    changed = {p for p in first if p in second and first[p] is not second[p] and p.endswith((".html", ".json", ".csv"))}
    assert "notes/brook/index.html" in changed
    assert {p for p in changed if p.startswith("notes/rill/")} == set()


def test_a_memory_that_mixes_up_inputs_would_be_seen(root: Path) -> None:
    """The comparison fails for a memory that takes equal values for the same."""

    class Careless(Memory):
        def __call__(self, step: Callable[[*Inputs], Result], *inputs: *Inputs) -> Result:
            held = self.__dict__.setdefault("held", {})
            result: Result = held.setdefault((step, repr(inputs)[:40]), step(*inputs))
            return result

    remembering = Remembering(root)
    remembering.reuse = Reuse(Careless(), remembering.files)
    remembering.build()
    put(root, "records/brook.json", json_text(record("brook", "13", "It ran on.")))
    with pytest.raises(AssertionError):
        assert_same(remembering.build(), clean(root))


def test_the_memory_forgets_what_two_builds_did_not_ask_for() -> None:
    memory, calls = Memory(), list[str]()

    def step(text: str) -> str:
        calls.append(text)
        return text

    assert [memory(step, "a"), memory(step, "a")] == ["a", "a"]
    assert calls == ["a"]
    for _ in range(3):
        memory.settle()
    memory(step, "a")
    assert calls == ["a", "a"]


def test_a_true_and_a_one_are_two_inputs() -> None:
    memory = Memory()

    def step(value: object) -> str:
        return repr(value)

    assert [memory(step, v) for v in (True, 1, "1", (1,), (True,))] == ["True", "1", "'1'", "(1,)", "(True,)"]


def test_a_page_is_made_again_only_for_fields_that_it_reads() -> None:
    memory, calls = Memory(), list[str]()

    def step(whole: Any, name: str) -> str:
        calls.append(name)
        return f"{getattr(whole, name)}"

    class Whole:
        def __init__(self, title: str, motto: str) -> None:
            self.title, self.motto = title, motto

    assert memory.reading(step, Whole("a", "b"), "title") == "a"
    assert memory.reading(step, Whole("a", "c"), "title") == "a"
    assert calls == ["title"]
    assert memory.reading(step, Whole("d", "c"), "title") == "d"
    assert len(calls) == 2


def test_a_file_that_keeps_its_size_and_times_is_read_again_while_it_is_young(tmp_path: Path) -> None:
    files, file = KeptFiles(), tmp_path / "a"
    file.write_bytes(b"one")
    assert files.read(file) == b"one"
    file.write_bytes(b"two")
    assert files.read(file) == b"two"
    assert files.read(file) is files.read(file)


def test_shipped_files_are_read_once() -> None:
    files, file = KeptFiles(), RESOURCES / "LICENSE"
    assert files.read(file) is files.read(file)

"""Publishing: all or nothing, nothing of others touched, nothing of ours left behind."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src.clashes import MANIFEST
from site_src.problems import Rejected, Surroundings
from site_src.rendering import Artifact
from site_src.staging import Written
from site_src.write import collect, manifest, publish


def site(**files: str) -> dict[str, bytes]:
    artifacts = [Artifact(name.replace("_", "/"), text.encode(), f"records/{name}") for name, text in files.items()]
    return collect(artifacts, {"records/a.json": "0" * 64}, "0")


def tree(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_manifest_lists_every_output_and_input(tmp_path: Path) -> None:
    publish(site(a="1", b_c="22"), tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert manifest["outputs"] == [
        {"path": "a", "size": 1, "sha256": hashlib.sha256(b"1").hexdigest()},
        {"path": "b/c", "size": 2, "sha256": hashlib.sha256(b"22").hexdigest()},
    ]
    assert manifest["inputs"] == [{"path": "records/a.json", "sha256": "0" * 64}]


def test_old_outputs_go_and_files_of_others_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    publish(site(a="1", old_page="2"), out)
    (out / "CNAME").write_text("example.org")
    (out / "old" / "mine").write_text("kept")
    publish(site(a="3"), out)
    found = tree(out)
    assert found.pop(MANIFEST)
    assert found == {"a": "3", "CNAME": "example.org", "old/mine": "kept"}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "photos"
    out.mkdir()
    (out / "cat.png").write_text("cat")
    with pytest.raises(Surroundings, match="no manifest of pinpress"):
        publish(site(a="1"), out)
    assert tree(out) == {"cat.png": "cat"}
    (out / MANIFEST).write_text("[]")
    with pytest.raises(Surroundings):
        publish(site(a="1"), out)


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    publish(site(a="1"), tmp_path / "out")
    assert tree(tmp_path / "out")["a"] == "1"


def test_a_failure_while_staging_leaves_the_last_site(tmp_path: Path) -> None:
    out = tmp_path / "out"
    publish(site(a="good"), out)
    before = tree(out)
    too_long = {"x" * 300: b"no file system takes this name", MANIFEST: b"{}"}
    with pytest.raises(Surroundings, match="The last site is as it was"):
        publish(too_long, out)
    assert tree(out) == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_staging_folder_of_a_killed_build_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".out.staging-999999999"
    left.mkdir()
    (left / "half").write_text("x")
    publish(site(a="1"), tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_readers_see_the_old_or_the_new_tree_only(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for n in range(20):
        publish(site(a=str(n), b=str(n)), out)
        handle = os.open(out, os.O_RDONLY)
        publish(site(a=str(n + 1), b=str(n + 1)), out)
        os.close(handle)
        assert (out / "a").read_text() == (out / "b").read_text() == str(n + 1)


def clashes() -> Iterator[tuple[str, str]]:
    yield "Page/index.html", "page/index.html"
    yield "caf\u00e9", "cafe\u0301"
    yield "a", "a"
    yield "guides", "guides/x"


@pytest.mark.parametrize(("first", "second"), list(clashes()))
def test_two_outputs_on_one_path_name_both_origins(first: str, second: str) -> None:
    with pytest.raises(Rejected) as rejected:
        collect([Artifact(first, b"1", "records/one.json"), Artifact(second, b"2", "records/two.json")], {}, "0")
    message = rejected.value.problems[0].message
    assert "records/one.json" in message
    assert ("records/two.json" in message) or "as a folder" in message


def test_two_origins_on_many_paths_are_one_problem() -> None:
    twice = [Artifact(f"a/{n}", b"", f"records/{who}.json, figure a") for who in ("one", "two") for n in range(3)]
    with pytest.raises(Rejected) as rejected:
        collect(twice, {}, "0")
    [problem] = rejected.value.problems
    assert problem.message.endswith("both write a/0 and 2 more")


def test_the_manifest_is_a_file_of_the_site() -> None:
    with pytest.raises(Rejected) as rejected:
        collect([Artifact("Manifest.json/index.html", b"", "records/one.json")], {}, "0")
    [problem] = rejected.value.problems
    assert (problem.file, problem.pointer, problem.code) == ("records/one.json", "/path", "output-clash")


def test_a_name_no_file_system_holds_is_told_once() -> None:
    long = [Artifact(f"assets/{'é' * 128}-{n}.svg", b"", "records/one.json, figure x") for n in "ab"]
    with pytest.raises(Rejected) as rejected:
        collect(long, {}, "0")
    assert [(p.file, p.code) for p in rejected.value.problems] == [("records/one.json", "bad-path")]


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(
    files=st.lists(st.builds(Written, _TEXT, st.just(""), st.just("ab"), st.integers(0)), max_size=4),
    inputs=st.dictionaries(_TEXT, st.just("cd"), max_size=4),
)
def test_a_manifest_is_json_as_the_standard_library_indents_it(files: list[Written], inputs: dict[str, str]) -> None:
    outputs = [{"path": f.path, "size": f.size, "sha256": f.sha256} for f in sorted(files)]
    sources = [{"path": path, "sha256": sha256} for path, sha256 in sorted(inputs.items())]
    whole = {"generator": "pinpress 1", "outputs": outputs, "inputs": sources}
    assert manifest(files, inputs, "1").data.decode() == json.dumps(whole, indent=1, ensure_ascii=False) + "\n"

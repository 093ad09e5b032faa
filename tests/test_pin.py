"""pin: a pasted link and a clone → a source entry. Every repository here is made by git, in the folder of the test."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from site_src import citations, permalinks
from site_src.check import check
from site_src.cli import CONTENT, DONE, SURROUNDINGS, USAGE, main
from site_src.load import Document, Loaded
from site_src.model import Source
from site_src.parse import yaml_data
from site_src.problems import Surroundings
from site_src.sources import clones
from site_src.sources.cloned import Clones
from site_src.sources.pin import NoAddress, SourceEntry, cleaned, entry
from tests.records import sound
from tests.repositories import commit, git

TODAY: Final = date(2026, 11, 30)
RESULTS: Final = b"# Runs\n\n| lanes | rate |\n|---|---|\n| 4 | **12.50** |\n"
ODD: Final = "a dir/é #1? 100%;.md"
HOME: Final = "https://github.com/brook-labs/runs"


class Origin:
    """A repository with a tag, an annotated tag, branches, a merge and odd names, and a clone of it.

    first ── second ──────── merge (main)      then, in the clone alone: local (main)
        └── side (runs/next) ──┘
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.clone = folder / "origin", folder / "clone"
        self.folder.mkdir()
        git(self.folder, "init", "-q")
        self.first = commit(self.folder, {"RESULTS.md": RESULTS}, "2026-11-02T10:30:00+01:00")
        git(self.folder, "tag", "v1")
        git(self.folder, "tag", "-a", "-m", "one", "v1-signed")
        git(self.folder, "switch", "-q", "-c", "runs/next")
        self.side = commit(self.folder, {ODD: b"odd\n", "d/x.json": b"{}"}, "2026-11-03T08:00:00+00:00")
        git(self.folder, "switch", "-q", "main")
        self.second = commit(self.folder, {"README.md": b"about\n"}, "2026-11-04T08:00:00+00:00")
        git(self.folder, "merge", "-q", "--no-ff", "-m", "both", "runs/next", day="2026-11-05T08:00:00+00:00")
        self.merge = git(self.folder, "rev-parse", "HEAD")
        git(folder, "clone", "-q", str(self.folder), str(self.clone))
        self.local = commit(self.clone, {"RESULTS.md": b"changed here\n"}, "2026-11-06T08:00:00+00:00")


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Origin:
    return Origin(tmp_path_factory.mktemp("runs"))


def pinned(origin: Origin, url: str, name: str = "brook-labs/runs") -> SourceEntry:
    known = Clones.of([(name, origin.clone)])
    return entry(url, known.obtain, read_on=TODAY, settle=known.settle, changed_at=known.changed_at)


# --- a complete entry


def test_a_link_at_a_commit(origin: Origin) -> None:
    found = pinned(origin, f"{HOME}/blob/{origin.first}/RESULTS.md?plain=1#L5")
    assert dict(found.fields) == {
        "document_id": "results",
        "publisher": "brook-labs",
        "repository": "brook-labs/runs",
        "platform": "github",
        "revision": origin.first,
        "document_path": "RESULTS.md",
        "pinned_url": f"{HOME}/blob/{origin.first}/RESULTS.md",
        "document_sha256": hashlib.sha256(RESULTS).hexdigest(),
        "last_commit_at": "2026-11-02T10:30:00+01:00",
        "url": HOME,
        "checked_on": "2026-11-30",
        "public_URL_is_immutable": True,
        "revision_kind": "Commit",
    }
    assert found.evidence == {"document": "results", "line": 5}
    assert found.is_complete
    assert found.notes == ()


def test_an_entry_stands_in_a_record_without_a_problem(origin: Origin) -> None:
    found = pinned(origin, permalinks.Blob("github", "github.com", "brook-labs/runs", "main", ODD).url())
    record = sound()
    record["sources"] = [*record["sources"], dict(found.fields)]
    check(Loaded((Document("records/brook.json", "brook", record),), None, None), frozenset())
    Source.model_validate(dict(found.fields))


MOVING = [
    ("main", "merge", "the branch main of origin as last fetched"),
    ("HEAD", "merge", "the default branch of origin as last fetched"),
    ("refs/heads/main", "merge", "the branch main of origin as last fetched"),
    ("v1", "first", "the tag v1"),
    ("refs/tags/v1-signed", "first", "the tag v1-signed"),
]


@pytest.mark.parametrize(("name", "commit_name", "words"), MOVING)
def test_a_branch_or_tag_becomes_its_commit(origin: Origin, name: str, commit_name: str, words: str) -> None:
    found = pinned(origin, f"https://raw.githubusercontent.com/brook-labs/runs/{name}/RESULTS.md")
    commit_hash = getattr(origin, commit_name)
    assert found.fields["pinned_url"] == f"{HOME}/blob/{commit_hash}/RESULTS.md"
    assert found.fields["document_sha256"] == hashlib.sha256(RESULTS).hexdigest(), "not what the clone has changed"
    assert found.notes == (f"In {origin.clone}, {name} is {words}: {commit_hash}.",)
    assert found.is_complete


def test_a_branch_with_a_slash_and_a_name_with_everything(origin: Origin) -> None:
    blob = permalinks.Blob("github", "github.com", "brook-labs/runs", "runs/next", ODD)
    found = pinned(origin, blob.url(permalinks.Lines(1)))
    assert found.fields["revision"] == origin.side
    assert found.fields["document_path"] == ODD
    assert found.fields["last_commit_at"] == "2026-11-03T08:00:00Z"
    assert found.fields["document_id"] == "e-1-100"
    assert found.evidence == {"document": "e-1-100", "line": 1}
    assert permalinks.parse(found.fields["pinned_url"]) == permalinks.Permalink(
        permalinks.Blob("github", "github.com", "brook-labs/runs", origin.side, ODD)
    )


def test_a_merge_changes_no_document(origin: Origin) -> None:
    found = pinned(origin, f"{HOME}/blob/{origin.merge}/d/x.json")
    assert found.fields["last_commit_at"] == "2026-11-03T08:00:00Z"
    assert found.fields["document_id"] == "x"
    assert pinned(origin, f"{HOME}/blob/{origin.merge}/README.md").fields["document_id"] == "runs-readme"


def test_a_short_hash_becomes_a_whole_one(origin: Origin) -> None:
    found = pinned(origin, f"{HOME}/blob/{origin.first[:9]}/RESULTS.md")
    assert found.fields["revision"] == origin.first
    assert "the short hash" in found.notes[0]


OTHERS = [
    ("https://gitlab.example.org/g/s/runs/-/blob/{}/RESULTS.md#L3-5", "g/s/runs", "gitlab", "g"),
    ("https://codeberg.org/brook/runs/src/branch/{}/RESULTS.md#L3-L5", "brook/runs", "codeberg", "brook"),
    ("https://bitbucket.org/brook/runs/src/{}/RESULTS.md#lines-3:5", "brook/runs", "bitbucket", "brook"),
    ("https://huggingface.co/datasets/b/runs/resolve/{}/RESULTS.md#L3-L5", "datasets/b/runs", "huggingface", "b"),
]


@pytest.mark.parametrize(("url", "repository", "platform", "publisher"), OTHERS)
def test_other_forges(origin: Origin, url: str, repository: str, platform: str, publisher: str) -> None:
    found = pinned(origin, url.format("main"), repository.removeprefix("datasets/"))
    assert found.is_complete, found.notes
    assert found.fields["repository"] == repository
    assert (found.fields["platform"], found.fields["publisher"]) == (platform, publisher)
    assert found.evidence == {"document": "results", "line": 3}
    blob = permalinks.parse_blob(found.fields["pinned_url"])
    assert blob is not None
    assert (blob.repository, blob.revision, blob.path) == (repository, origin.merge, "RESULTS.md")


def test_a_gist_is_told_by_the_name_in_its_anchor(origin: Origin) -> None:
    page = f"https://gist.github.com/brook/0c41ab/{origin.merge}#file-results-md-L5"
    found = pinned(origin, page, "0c41ab")
    assert found.is_complete, found.notes
    assert found.fields["document_path"] == "RESULTS.md"
    assert found.fields["pinned_url"].endswith(f"/brook/0c41ab/raw/{origin.merge}/RESULTS.md")
    assert found.fields["url"] == "https://gist.github.com/brook/0c41ab"
    lost = pinned(origin, page.replace("results", "other"), "0c41ab")
    assert "no file has the name of the link" in lost.notes[0]
    assert pinned(origin, f"https://gist.github.com/brook/0c41ab/{origin.first}", "brook/0c41ab").is_complete


def test_an_object_of_software_heritage_is_found_by_its_hash(origin: Origin) -> None:
    place = permalinks.Archived(permalinks.swhid(RESULTS), HOME, anchor=f"swh:1:rev:{origin.first}", path="RESULTS.md")
    found = pinned(origin, place.url(permalinks.Lines(5)))
    assert found.is_complete, found.notes
    assert found.fields["revision"] == origin.first
    assert found.fields["pinned_url"] == place.url()
    assert found.fields["last_commit_at"] == "2026-11-02T10:30:00+01:00"
    assert found.fields["repository"] == "brook-labs/runs"
    assert found.evidence == {"document": "results", "line": 5}
    bare = pinned(origin, permalinks.swhid(RESULTS))
    assert bare.is_complete, bare.notes
    assert bare.fields["publisher"] == "Software Heritage"
    assert "holds swh:1:cnt:" in pinned(origin, permalinks.swhid(b"never committed")).notes[0]


# --- the seam: bytes from anywhere

ANYWHERE: list[tuple[str, str, dict[str, Any]]] = [
    (
        f"{HOME}/blob/{'a' * 40}/RESULTS.md",
        f"https://raw.githubusercontent.com/brook-labs/runs/{'a' * 40}/RESULTS.md",
        {"revision": "a" * 40, "public_URL_is_immutable": True},
    ),
    (
        "https://arxiv.org/abs/2401.01234v2",
        "https://arxiv.org/pdf/2401.01234v2",
        {"revision": "v2", "publisher": "arXiv", "public_URL_is_immutable": False, "document_id": "arxiv-2401-01234v2"},
    ),
    (
        "https://zenodo.org/records/123/files/all runs.csv",
        "https://zenodo.org/records/123/files/all%20runs.csv?download=1",
        {"revision": "record 123", "publisher": "Zenodo", "public_URL_is_immutable": True, "document_id": "all-runs"},
    ),
    (
        "https://forum.example.org/t/17?page=2#:~:text=12.50%20tok%2Fs",
        "https://forum.example.org/t/17?page=2",
        {"revision": "copy read on 2026-11-30", "publisher": "forum.example.org", "public_URL_is_immutable": False},
    ),
]


@pytest.mark.parametrize(("url", "address", "told"), ANYWHERE, ids=lambda v: v if isinstance(v, str) else "")
def test_bytes_from_anywhere(url: str, address: str, told: dict[str, Any]) -> None:
    asked: list[str] = []

    def obtain(raw: str) -> bytes:
        asked.append(raw)
        return RESULTS

    found = entry(url, obtain, read_on=TODAY)
    assert asked == [address]
    assert found.is_complete, found.missing
    assert dict(found.fields).items() >= told.items()
    assert found.fields["document_sha256"] == hashlib.sha256(RESULTS).hexdigest()
    Source.model_validate(dict(found.fields))
    again = permalinks.parse(found.fields["pinned_url"])
    assert again
    assert again.place.raw == address


KEPT = [
    (f"{HOME}/blob/{'a' * 40}/RESULTS.md", f"{HOME}/blob/{'a' * 40}/RESULTS.md?plain=1#L5", ("commit", "a" * 7)),
    (
        f"swh:1:cnt:{'b' * 40}",
        f"https://archive.softwareheritage.org/swh:1:cnt:{'b' * 40};lines=5",
        ("version", f"swh:1:cnt:{'b' * 40}"),
    ),
    (
        "https://zenodo.org/records/123/files/a.csv",
        "https://zenodo.org/records/123/files/a.csv",
        ("version", "record 123"),
    ),
]


@pytest.mark.parametrize(("url", "line", "at"), KEPT)
def test_a_fixed_source_is_not_called_editable(url: str, line: str, at: tuple[str, str]) -> None:
    source = Source.model_validate(dict(entry(url, lambda raw: RESULTS, read_on=TODAY).fields))
    assert not citations.is_mutable(source)
    assert citations.Citation(1, source, 5).url == line
    assert citations.fixed_at(source) == at


@pytest.mark.parametrize("url", ["https://arxiv.org/abs/2401.01234v2", "https://example.org/t/17"])
def test_an_editable_source_is_called_so(url: str) -> None:
    source = Source.model_validate(dict(entry(url, lambda raw: RESULTS, read_on=TODAY).fields))
    assert citations.is_mutable(source)
    assert citations.Citation(1, source, 5).url == source.pinned_url


def test_a_quote_is_the_evidence_of_a_page() -> None:
    found = entry("https://example.org/t/17#:~:text=12.50%20tok%2Fs", lambda raw: RESULTS, read_on=TODAY)
    assert found.evidence == {"document": "example-17", "exact": "12.50 tok/s"}


def test_a_branch_is_never_read_for_its_bytes() -> None:
    def obtain(raw: str) -> bytes:
        raise AssertionError(raw)

    found = entry(f"{HOME}/blob/main/RESULTS.md#L5", obtain, read_on=TODAY)
    assert found.missing == ("revision", "pinned_url", "document_sha256", "last_commit_at")
    assert found.notes[0].startswith("'main' can move. To find the commit: press y")


INCOMPLETE = [
    ("https://arxiv.org/abs/2401.01234", ("revision",), "2401.01234v1"),
    ("https://doi.org/10.5281/zenodo.123", ("revision", "document_path", "document_sha256"), "newer version"),
    ("https://zenodo.org/records/123", ("document_path", "document_sha256"), "names no document"),
    (f"{HOME}/tree/{'a' * 40}", ("document_path", "pinned_url", "document_sha256", "last_commit_at"), "no document"),
    (
        f"https://gist.github.com/0c41ab/{'a' * 40}",
        ("publisher", "document_path", "pinned_url", "document_sha256", "last_commit_at"),
        "no document",
    ),
]


@pytest.mark.parametrize(("url", "missing", "note"), INCOMPLETE)
def test_what_a_link_does_not_tell_is_named(url: str, missing: tuple[str, ...], note: str) -> None:
    found = entry(url, lambda raw: RESULTS, read_on=TODAY)
    assert found.missing == missing
    assert not found.is_complete
    assert any(note in said for said in found.notes)


def test_the_pointer_of_a_large_file_is_not_the_file() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    found = entry(f"{HOME}/blob/{'a' * 40}/x.bin", lambda raw: pointer, read_on=TODAY)
    assert "document_sha256" in found.missing
    assert "pointer" in found.notes[0]


@pytest.mark.parametrize("line", [5, 6, 9])
def test_a_line_that_the_document_lacks(line: int) -> None:
    found = entry(f"{HOME}/blob/{'a' * 40}/x.md#L{line}", lambda raw: RESULTS, read_on=TODAY)
    assert (found.fault == "") == (line == 5)
    assert line == 5 or found.fault == f"The link names line {line}, and the document has 5 lines."
    assert found.is_complete == (line == 5)


def test_what_is_around_a_pasted_link_is_left_out() -> None:
    assert cleaned(" <https://example.org/a b|c> \n") == "https://example.org/a%20b%7Cc"
    with pytest.raises(NoAddress, match="neither a web address"):
        entry("main", lambda raw: b"", read_on=TODAY)


# --- clones


def test_what_a_clone_does_not_hold(origin: Origin) -> None:
    at = origin.clone
    assert clones.show(at, origin.first, "README.md") is None
    assert clones.why_not(at, origin.first, "README.md").startswith(f"At {origin.first[:12]}, README.md is no document")
    assert clones.show(at, origin.merge, "d") is None
    assert "d is a folder" in clones.why_not(at, origin.merge, "d")
    assert clones.show(at, "f" * 40, "RESULTS.md") is None
    assert (
        clones.why_not(at, "f" * 40, "x")
        == f"{at} has no commit ffffffffffff: git fetch origin {'f' * 40} may bring it."
    )
    assert clones.why_not(at, "gone", "x") == f"{at} has no commit, branch or tag named gone."
    assert clones.changed_at(at, "gone", "RESULTS.md") is None
    assert clones.changed_at(at, origin.first, "README.md") is None


@pytest.mark.parametrize(
    "name",
    [
        "--output=x",
        "-x",
        "main~1",
        "main^",
        ":/run",
        "main:d",
        "HEAD@{1}",
        "a..b",
        "",
        "ma*",
        "main\n",
        "@",
        "a\\b",
        "x/",
    ],
)
def test_expressions_and_options_are_no_revisions(origin: Origin, name: str) -> None:
    assert clones.find(origin.clone, name) is None


@pytest.mark.parametrize("path", ["", "/RESULTS.md", "./RESULTS.md", "d/../RESULTS.md", "d//x.json", "--help", "a\0b"])
def test_what_is_no_path(origin: Origin, path: str) -> None:
    assert clones.show(origin.clone, origin.merge, path) is None
    assert clones.changed_at(origin.clone, origin.merge, path) is None
    assert "is no path" in clones.why_not(origin.clone, origin.merge, path)


def test_names_that_git_would_take_for_patterns(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    star = commit(tmp_path, {"*": b"star", ":(top)x": b"magic"}, "2026-11-02T00:00:00Z")
    last = commit(tmp_path, {"other": b"other"}, "2026-11-03T00:00:00Z")
    assert clones.show(tmp_path, last, ":(top)x") == b"magic"
    assert clones.changed_at(tmp_path, last, "*") == "2026-11-02T00:00:00Z"
    assert clones.commit_of(tmp_path, star) == star


def test_a_branch_and_a_tag_of_one_name(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, {"a": b"1"}, "2026-11-02T00:00:00Z")
    git(tmp_path, "tag", "main")
    assert clones.commit_of(tmp_path, "main") == first, "both at one commit"
    second = commit(tmp_path, {"a": b"2"}, "2026-11-03T00:00:00Z")
    with pytest.raises(Surroundings, match=f"{second} or {first}"):
        clones.find(tmp_path, "main")
    assert clones.commit_of(tmp_path, "refs/heads/main") == second
    assert clones.commit_of(tmp_path, "refs/tags/main") == first


def test_a_bare_mirror_is_read_too(origin: Origin, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--mirror", str(origin.folder), "mirror.git")
    found = clones.find(tmp_path / "mirror.git", "main")
    assert found == clones.Commit(origin.merge, "the local branch main")
    assert clones.show(tmp_path / "mirror.git", "v1", "RESULTS.md") == RESULTS


def test_a_shallow_clone_does_not_know_the_last_change(origin: Origin, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", origin.folder.as_uri(), "shallow")
    known = Clones.of([("brook-labs/runs", tmp_path / "shallow")])
    found = entry(
        f"{HOME}/blob/main/RESULTS.md",
        known.obtain,
        read_on=TODAY,
        settle=known.settle,
        changed_at=known.changed_at,
    )
    assert found.is_complete
    assert "last_commit_at" not in found.fields
    assert "last_commit_at is left out" in found.notes[-1]


def test_a_replaced_object_does_not_deceive(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, {"a": b"true"}, "2026-11-02T00:00:00Z")
    (tmp_path / "b").write_bytes(b"false")
    git(tmp_path, "replace", git(tmp_path, "rev-parse", f"{first}:a"), git(tmp_path, "hash-object", "-w", "b"))
    assert git(tmp_path, "cat-file", "blob", f"{first}:a") == "false"
    assert clones.show(tmp_path, first, "a") == b"true"


def test_the_environment_does_not_lead_elsewhere(
    origin: Origin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    assert clones.show(origin.clone, origin.first, "RESULTS.md") == RESULTS
    assert not (tmp_path / "trace").exists()


def test_programs_of_a_hostile_clone_do_not_run(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, {"a": b"1"}, "2026-11-02T00:00:00Z")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path / 'sprung'}\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "gpg.program", "core.sshCommand", "diff.external", "core.editor"):
        git(tmp_path, "config", key, str(trap))
    git(tmp_path, "config", "log.showSignature", "true")
    assert clones.show(tmp_path, first, "a") == b"1"
    assert clones.changed_at(tmp_path, "main", "a") == "2026-11-02T00:00:00Z"
    assert clones.paths(tmp_path, "main") == ("a",)
    assert not (tmp_path / "sprung").exists()


def test_what_is_no_clone(origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, words in [
        (tmp_path / "absent", "is no folder"),
        (tmp_path, "is not the top folder of a git repository"),
        (origin.clone / "d", "is not the top folder of a git repository"),
    ]:
        with pytest.raises(Surroundings, match=words):
            clones.commit_of(folder, "main")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Surroundings, match="apt-get install git"):
        clones.commit_of(origin.clone, "main")


# --- the command


def test_pin_prints_an_entry(
    origin: Origin, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(origin.folder)
    assert main(["pin", f"{HOME}/blob/main/RESULTS.md#L5", "--clone", f"brook-labs/runs={origin.clone}"]) == DONE
    said = capsys.readouterr()
    printed: Any = yaml_data(said.out, "")
    assert printed["evidence"] == {"document": "results", "line": 5}
    (source,) = printed["sources"]
    assert source["revision"] == origin.merge
    assert source["checked_on"] == date.today().isoformat()
    Source.model_validate(source)
    note, summary = said.err.splitlines()
    assert note == f"In {origin.clone}, main is the branch main of origin as last fetched: {origin.merge}."
    assert re.fullmatch(r"1 source, complete in \d+\.\d s", summary)


def test_pin_prints_json(origin: Origin, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"{HOME}/blob/{origin.first}/RESULTS.md#L5"
    assert main(["pin", url, "--json", "--clone", f"brook-labs/runs={origin.clone}"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["source", "evidence", "missing", "notes"]
    assert told["source"]["document_sha256"] == hashlib.sha256(RESULTS).hexdigest()
    assert (told["evidence"], told["missing"], told["notes"]) == ({"document": "results", "line": 5}, [], [])


def test_pin_says_what_it_cannot_tell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", f"{HOME}/blob/{'a' * 40}/RESULTS.md"]) == SURROUNDINGS
    said = capsys.readouterr()
    assert yaml_data(said.out, "")["sources"][0]["revision"] == "a" * 40
    assert "    # document_sha256: not known yet\n" in said.out
    assert said.err == (
        "To read it from this disk, name a clone: --clone brook-labs/runs=PATH.\n"
        "The entry is not complete without document_sha256, last_commit_at.\n"
    )


FAILING: list[tuple[Callable[[Origin], list[str]], int, str]] = [
    (lambda o: ["main"], USAGE, "main is neither a web address"),
    (lambda o: [f"{HOME}/blob/{o.first}/RESULTS.md#L99"], CONTENT, "The link names line 99, and the document has 5"),
    (lambda o: [f"{HOME}/blob/{o.first}/GONE.md"], SURROUNDINGS, "GONE.md is no document"),
    (lambda o: [f"{HOME}/blob/gone/RESULTS.md"], SURROUNDINGS, "no commit, branch or tag named gone"),
    (lambda o: [f"{HOME}/blob/{'f' * 40}/RESULTS.md"], SURROUNDINGS, "has no commit ffffffffffff"),
    (lambda o: [f"{HOME}/blob/main/R.md", "--clone", "brook-labs/runs=/absent"], SURROUNDINGS, "/absent is no folder"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), FAILING, ids=lambda v: v if isinstance(v, str) else "")
def test_pin_fails_with_a_sentence(
    origin: Origin,
    arguments: Callable[[Origin], list[str]],
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url, *more = arguments(origin)
    assert main(["pin", url, "--clone", f"brook-labs/runs={origin.clone}", *more]) == code
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("given", ["brook-labs/runs", "=/x", "brook-labs/runs="])
def test_a_clone_is_named_with_its_repository(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["pin", HOME, "--clone", given])
    assert stopped.value.code == USAGE
    assert "is not OWNER/REPO=PATH" in capsys.readouterr().err


@pytest.mark.parametrize("digits", ["1" * 40, "0" * 39 + "1", "1e" + "5" * 38])
def test_texts_that_look_like_numbers_stay_texts(digits: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["pin", f"{HOME}/blob/{digits}/yes: [no], %23.md"])
    (source,) = yaml_data(capsys.readouterr().out, "")["sources"]
    assert (source["revision"], source["document_path"]) == (digits, "yes: [no], #.md")

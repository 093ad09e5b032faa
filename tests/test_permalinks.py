"""Addresses on forges: parsed, built, and told from what can move."""

from __future__ import annotations

import pytest

from site_src import permalinks

SHA = "0123456789abcdef0123456789abcdef01234567"

LINES = [
    (f"https://github.com/o/r/blob/{SHA}/a/RESULTS.md", f"https://github.com/o/r/blob/{SHA}/a/RESULTS.md?plain=1#L7"),
    (f"https://raw.githubusercontent.com/o/r/{SHA}/a.md", f"https://github.com/o/r/blob/{SHA}/a.md?plain=1#L7"),
    (f"https://gitlab.com/g/s/p/-/blob/{SHA}/a.md", f"https://gitlab.com/g/s/p/-/blob/{SHA}/a.md#L7"),
    (
        f"https://codeberg.org/o/r/src/commit/{SHA}/a%20b.md",
        f"https://codeberg.org/o/r/src/commit/{SHA}/a%20b.md?display=source#L7",
    ),
    (f"https://bitbucket.org/o/r/src/{SHA}/a.md", f"https://bitbucket.org/o/r/src/{SHA}/a.md#lines-7"),
    (f"https://huggingface.co/o/r/blob/{SHA}/a.md", f"https://huggingface.co/o/r/blob/{SHA}/a.md?code=true#L7"),
    (
        f"https://huggingface.co/datasets/o/r/resolve/{SHA}/ü.md",
        f"https://huggingface.co/datasets/o/r/blob/{SHA}/%C3%BC.md?code=true#L7",
    ),
]


@pytest.mark.parametrize(("url", "expected"), LINES)
def test_line_addresses(url: str, expected: str) -> None:
    blob = permalinks.parse_blob(url)
    assert blob is not None
    assert blob.is_pinned
    assert blob.url(7) == expected
    again = permalinks.parse_blob(expected)
    assert again is not None
    assert (again.repository, again.revision, again.path) == (blob.repository, blob.revision, blob.path)
    assert permalinks.line_in(expected) == 7


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/o/r",
        "https://github.com/o/r/pull/7#issuecomment-8",
        "https://example.org/blob/main/a.md",
        "https://[broken",
    ],
)
def test_other_addresses_are_no_blobs(url: str) -> None:
    assert permalinks.parse_blob(url) is None


@pytest.mark.parametrize("revision", ["main", "v1.0", SHA[:7], SHA.upper(), f"{SHA}0"])
def test_what_can_move_is_not_pinned(revision: str) -> None:
    blob = permalinks.parse_blob(f"https://github.com/o/r/blob/{revision}/a.md")
    assert blob is not None
    assert not blob.is_pinned


def test_anchors_that_github_ignores() -> None:
    base = f"https://github.com/o/r/blob/{SHA}/"
    assert permalinks.anchor_is_ignored(f"{base}a.md#L3")
    assert not permalinks.anchor_is_ignored(f"{base}a.md?plain=1#L3")
    assert not permalinks.anchor_is_ignored(f"{base}a.json#L3")
    assert not permalinks.anchor_is_ignored(f"{base}a.md#section")
    assert not permalinks.anchor_is_ignored(f"https://gitlab.com/o/r/-/blob/{SHA}/a.md#L3")
    assert permalinks.anchor_is_ignored(f"https://codeberg.org/o/r/src/commit/{SHA}/a.md#L3")
    assert not permalinks.anchor_is_ignored(f"https://codeberg.org/o/r/src/commit/{SHA}/a.md?display=source#L3")
    assert permalinks.anchor_is_ignored(f"https://huggingface.co/o/r/blob/{SHA}/README.md#L3")
    assert not permalinks.anchor_is_ignored(f"https://huggingface.co/o/r/blob/{SHA}/README.md?code=true#L3")


ON_A_BRANCH = [
    "https://github.com/o/r/tree/main",
    "https://github.com/o/r/tree/main/",
    "https://github.com./o/r/blob/main/a.md",
    "HTTPS://WWW.GitHub.com//o//r/blob//main/a.md",
    "https://github.com/o/r/%62lob/main/a.md",
    "https://github.com/o/r/blame/main/a.md",
    "https://media.githubusercontent.com/media/o/r/main/a.md",
    "https://gitlab.example.org/g/s/p/-/tree/main",
    "https://codeberg.org/o/r/src/branch/main",
    "https://huggingface.co/o/r/tree/main",
    "https://hf.co/o/r/resolve/main/a.md",
    "https://bitbucket.org/o/r/src/main/",
]


@pytest.mark.parametrize("url", ON_A_BRANCH)
def test_writings_of_an_address_on_a_branch(url: str) -> None:
    blob = permalinks.parse_blob(url)
    assert blob is not None
    assert (blob.revision, blob.is_pinned) == ("main", False)
    assert blob.path in {"", "a.md"}
    assert url[blob.at :].startswith("main")


@pytest.mark.parametrize("name", ["refs/heads/main", "refs/tags/v1.0"])
def test_a_reference_is_named_whole(name: str) -> None:
    blob = permalinks.parse_blob(f"https://raw.githubusercontent.com/o/r/{name}/a/b.md")
    assert blob is not None
    assert (blob.revision, blob.path) == (name, "a/b.md")


def test_a_gist_stands_at_a_commit_or_at_none() -> None:
    moving = permalinks.parse_blob("https://gist.githubusercontent.com/o/0c41/raw/a_b.md")
    assert moving is not None
    assert (moving.revision, moving.is_pinned, moving.path) == ("", False, "a_b.md")
    pinned = permalinks.parse_blob(f"https://gist.githubusercontent.com/o/0c41/raw/{SHA}/a_b.md")
    assert pinned is not None
    assert pinned.is_pinned
    assert pinned.url(7) == f"https://gist.github.com/o/0c41/{SHA}#file-a_b-md-L7"
    assert permalinks.line_in(pinned.url(7)) == 7


REPOSITORIES = [
    f"https://github.com/o/r/tree/{SHA}",
    f"https://gitlab.com/g/p/-/tree/{SHA}",
    f"https://codeberg.org/o/r/src/commit/{SHA}",
    f"https://bitbucket.org/o/r/src/{SHA}/",
    f"https://huggingface.co/o/r/tree/{SHA}",
]


@pytest.mark.parametrize("url", REPOSITORIES)
def test_a_whole_repository_at_a_commit(url: str) -> None:
    blob = permalinks.parse_blob(url)
    assert blob is not None
    assert blob.is_pinned
    assert blob.url() == url


def test_a_malformed_address_has_no_line_and_no_anchor() -> None:
    assert permalinks.line_in("https://[example.org/a.md#L5") is None
    assert not permalinks.anchor_is_ignored("https://[example.org/a.md#L5")
    assert permalinks.without_line("https://[example.org/a.md#L5") == "https://[example.org/a.md#L5"

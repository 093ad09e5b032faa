"""Addresses on forges: parsed, built, and told from what can move."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from urllib.parse import quote as percent_encoded

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src import permalinks
from site_src.project import RESOURCES
from site_src.urls import fault_of_url

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


# --- each forge, both ways: (address, its place, its address with line 5, with lines 5 to 7, of the bytes)

Blob, Lines = permalinks.Blob, permalinks.Lines
ODD = "a dir/é #1?/100% [x]+&;.md"
ODD_ENCODED = "a%20dir/%C3%A9%20%231%3F/100%25%20%5Bx%5D%2B%26%3B.md"
FORGES = [
    (
        f"https://github.com/o/r/blob/{SHA}/a/b.py",
        Blob("github", "github.com", "o/r", SHA, "a/b.py"),
        f"https://github.com/o/r/blob/{SHA}/a/b.py?plain=1#L5",
        f"https://github.com/o/r/blob/{SHA}/a/b.py?plain=1#L5-L7",
        f"https://raw.githubusercontent.com/o/r/{SHA}/a/b.py",
    ),
    (
        f"https://github.com/o/r/blob/{SHA}/{ODD_ENCODED}",
        Blob("github", "github.com", "o/r", SHA, ODD),
        f"https://github.com/o/r/blob/{SHA}/{ODD_ENCODED}?plain=1#L5",
        f"https://github.com/o/r/blob/{SHA}/{ODD_ENCODED}?plain=1#L5-L7",
        f"https://raw.githubusercontent.com/o/r/{SHA}/{ODD_ENCODED}",
    ),
    (
        f"https://gitlab.example.org:8443/g/s/p/-/blob/{SHA}/{ODD_ENCODED}",
        Blob("gitlab", "gitlab.example.org:8443", "g/s/p", SHA, ODD),
        f"https://gitlab.example.org:8443/g/s/p/-/blob/{SHA}/{ODD_ENCODED}#L5",
        f"https://gitlab.example.org:8443/g/s/p/-/blob/{SHA}/{ODD_ENCODED}#L5-7",
        f"https://gitlab.example.org:8443/g/s/p/-/raw/{SHA}/{ODD_ENCODED}",
    ),
    (
        f"https://codeberg.org/o/r/src/commit/{SHA}/a.py",
        Blob("forgejo", "codeberg.org", "o/r", SHA, "a.py"),
        f"https://codeberg.org/o/r/src/commit/{SHA}/a.py#L5",
        f"https://codeberg.org/o/r/src/commit/{SHA}/a.py#L5-L7",
        f"https://codeberg.org/o/r/raw/commit/{SHA}/a.py",
    ),
    (
        f"https://git.example.org/o/r/src/commit/{SHA}/{ODD_ENCODED}",
        Blob("forgejo", "git.example.org", "o/r", SHA, ODD),
        f"https://git.example.org/o/r/src/commit/{SHA}/{ODD_ENCODED}?display=source#L5",
        f"https://git.example.org/o/r/src/commit/{SHA}/{ODD_ENCODED}?display=source#L5-L7",
        f"https://git.example.org/o/r/raw/commit/{SHA}/{ODD_ENCODED}",
    ),
    (
        f"https://bitbucket.org/o/r/src/{SHA}/{ODD_ENCODED}",
        Blob("bitbucket", "bitbucket.org", "o/r", SHA, ODD),
        f"https://bitbucket.org/o/r/src/{SHA}/{ODD_ENCODED}#lines-5",
        f"https://bitbucket.org/o/r/src/{SHA}/{ODD_ENCODED}#lines-5:7",
        f"https://bitbucket.org/o/r/raw/{SHA}/{ODD_ENCODED}",
    ),
    (
        f"https://huggingface.co/o/r/blob/{SHA}/README.md",
        Blob("huggingface", "huggingface.co", "o/r", SHA, "README.md"),
        f"https://huggingface.co/o/r/blob/{SHA}/README.md?code=true#L5",
        f"https://huggingface.co/o/r/blob/{SHA}/README.md?code=true#L5-L7",
        f"https://huggingface.co/o/r/resolve/{SHA}/README.md",
    ),
    (
        f"https://huggingface.co/datasets/o/r/blob/{SHA}/d/x.jsonl",
        Blob("huggingface", "huggingface.co", "datasets/o/r", SHA, "d/x.jsonl"),
        f"https://huggingface.co/datasets/o/r/blob/{SHA}/d/x.jsonl#L5",
        f"https://huggingface.co/datasets/o/r/blob/{SHA}/d/x.jsonl#L5-L7",
        f"https://huggingface.co/datasets/o/r/resolve/{SHA}/d/x.jsonl",
    ),
    (
        f"https://huggingface.co/spaces/o/r/blob/{SHA}/app.py",
        Blob("huggingface", "huggingface.co", "spaces/o/r", SHA, "app.py"),
        f"https://huggingface.co/spaces/o/r/blob/{SHA}/app.py#L5",
        f"https://huggingface.co/spaces/o/r/blob/{SHA}/app.py#L5-L7",
        f"https://huggingface.co/spaces/o/r/resolve/{SHA}/app.py",
    ),
    (
        f"https://huggingface.co/gpt2/blob/{SHA}/config.json",
        Blob("huggingface", "huggingface.co", "gpt2", SHA, "config.json"),
        f"https://huggingface.co/gpt2/blob/{SHA}/config.json#L5",
        f"https://huggingface.co/gpt2/blob/{SHA}/config.json#L5-L7",
        f"https://huggingface.co/gpt2/resolve/{SHA}/config.json",
    ),
]


@pytest.mark.parametrize(("url", "blob", "line", "span", "raw"), FORGES, ids=lambda v: v if isinstance(v, str) else "")
def test_each_forge_both_ways(url: str, blob: permalinks.Blob, line: str, span: str, raw: str) -> None:
    assert permalinks.parse(url) == permalinks.Permalink(blob)
    assert blob.url() == url
    assert blob.url(5) == blob.url(Lines(5)) == line
    assert blob.url(Lines(5, 7)) == span
    assert blob.raw == raw
    assert permalinks.parse(line) == permalinks.Permalink(blob, Lines(5))
    assert permalinks.parse(span) == permalinks.Permalink(blob, Lines(5, 7))
    assert permalinks.parse(raw) == permalinks.Permalink(blob)
    assert permalinks.without_line(line) == permalinks.without_line(span) == url
    assert not permalinks.anchor_is_ignored(line)
    assert blob.is_fixed
    assert blob.same_bytes


@pytest.mark.parametrize(
    ("fragment", "lines"),
    [
        ("L5", Lines(5)),
        ("L5-L7", Lines(5, 7)),
        ("L5-7", Lines(5, 7)),
        ("L7-L5", Lines(5, 7)),
        ("L5-L5", Lines(5)),
        ("L5C2-L7C10", Lines(5, 7)),
        ("L5C2", Lines(5)),
        ("lines-5:7", Lines(5, 7)),
        ("file-a-md-L5-L7", Lines(5, 7)),
        ("L0", None),
        ("L1234567890", None),
        ("L", None),
        ("line-5", None),
        ("L5-L", None),
        ("section-L5", None),
    ],
)
def test_lines_in_a_fragment(fragment: str, lines: permalinks.Lines | None) -> None:
    url = f"https://example.org/a#{fragment}"
    assert permalinks.lines_in(url) == lines
    assert permalinks.line_in(url) == (lines.first if lines else None)


# --- gists: the page hides the path, its anchor holds the name made plain

GIST = permalinks.Blob("gist", "gist.github.com", "o/0c41ab", SHA, "a_b.md")


def test_a_gist_both_ways() -> None:
    assert GIST.raw == f"https://gist.githubusercontent.com/o/0c41ab/raw/{SHA}/a_b.md"
    assert permalinks.parse(GIST.raw) == permalinks.Permalink(GIST)
    assert GIST.url(Lines(5, 7)) == f"https://gist.github.com/o/0c41ab/{SHA}#file-a_b-md-L5-L7"
    page = permalinks.Blob("gist", "gist.github.com", "o/0c41ab", SHA, "")
    assert permalinks.parse(GIST.url(Lines(5, 7))) == permalinks.Permalink(page, Lines(5, 7), "a_b-md")
    assert permalinks.parse(f"https://gist.github.com/o/0c41ab/{SHA}#file-a_b-md") == permalinks.Permalink(
        page, None, "a_b-md"
    )


def test_a_gist_without_commit_or_owner() -> None:
    found = permalinks.parse("https://gist.github.com/o/0c41ab")
    assert found == permalinks.Permalink(permalinks.Blob("gist", "gist.github.com", "o/0c41ab", "", ""))
    assert not found.place.is_fixed
    nameless = permalinks.parse(f"https://gist.github.com/0c41ab/{SHA}")
    assert nameless
    assert nameless.place.raw is None
    assert permalinks.parse_blob(f"https://gist.github.com/o/0c41ab/{SHA}") is None, "rules look at documents alone"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        (".bashrc", "bashrc"),
        ("RESULTS.md", "results-md"),
        ("a  b--c.tar.gz", "a-b-c-tar-gz"),
        ("Übersicht.md", "ubersicht-md"),
        ("日本.md", "md"),
    ],
)
def test_names_in_the_anchors_of_gists(name: str, slug: str) -> None:
    assert permalinks.gist_slug(name) == slug


# --- archives

CNT = f"swh:1:cnt:{SHA}"
REV = f"swh:1:rev:{SHA[::-1]}"
SNP = f"swh:1:snp:{SHA}"
SWH = "https://archive.softwareheritage.org/"
ARCHIVED = [
    (CNT, permalinks.Archived(CNT), None),
    (f"{CNT};lines=5", permalinks.Archived(CNT), Lines(5)),
    (
        f"{CNT};origin=https://github.com/o/r;visit={SNP};anchor={REV};path=/a/b.md;lines=5-7",
        permalinks.Archived(CNT, "https://github.com/o/r", SNP, REV, "a/b.md"),
        Lines(5, 7),
    ),
    (
        f"{CNT};origin=https://example.org/a%3Bb%25c;anchor={REV};path=/a%20%3B%25%23.md",
        permalinks.Archived(CNT, "https://example.org/a;b%c", "", REV, "a ;%#.md"),
        None,
    ),
]


@pytest.mark.parametrize(("identifier", "place", "lines"), ARCHIVED)
def test_software_heritage_both_ways(
    identifier: str, place: permalinks.Archived, lines: permalinks.Lines | None
) -> None:
    wanted = permalinks.Permalink(place, lines)
    assert place.identifier(lines) == identifier
    assert permalinks.parse(identifier) == permalinks.parse(place.url(lines)) == wanted
    assert permalinks.parse(f"{SWH}{identifier}/") == wanted or "%25" in identifier, "encoded once, with a slash"
    assert place.raw == f"{SWH}api/1/content/sha1_git:{SHA}/raw/"
    assert permalinks.without_line(place.url(lines)) == place.url()
    assert place.is_fixed


def test_other_addresses_of_software_heritage() -> None:
    seen = permalinks.Archived(CNT, "https://github.com/o/r", path="a/b.md")
    url = f"{SWH}browse/content/sha1_git:{SHA}/?origin_url=https://github.com/o/r&path=a/b.md#L5-L7"
    assert permalinks.parse(url) == permalinks.Permalink(seen, Lines(5, 7))
    assert permalinks.parse(f"{SWH}api/1/content/sha1_git:{SHA}/raw/") == permalinks.Permalink(permalinks.Archived(CNT))
    assert permalinks.parse(f"{CNT};anchor={REV};visit={SNP};bytes=1-2") == permalinks.Permalink(
        permalinks.Archived(CNT)
    ), "qualifiers out of place are ignored"
    tree = permalinks.parse(f"swh:1:dir:{SHA};lines=5")
    assert tree == permalinks.Permalink(permalinks.Archived(f"swh:1:dir:{SHA}"))
    assert tree.place.raw is None
    assert permalinks.parse("swh:1:cnt:0123") is None


ARTICLES = [
    ("https://arxiv.org/abs/2401.01234v2", "2401.01234", "2"),
    ("https://www.arxiv.org/pdf/2401.01234v2.pdf", "2401.01234", "2"),
    ("https://export.arxiv.org/abs/2401.01234v12#S1", "2401.01234", "12"),
    ("https://arxiv.org/html/2401.01234", "2401.01234", ""),
    ("https://arxiv.org/abs/hep-th/9901001v1", "hep-th/9901001", "1"),
    ("https://arxiv.org/abs/math.GT/0309136", "math.GT/0309136", ""),
    ("https://doi.org/10.48550/arXiv.2401.01234", "2401.01234", ""),
    ("arXiv:2401.01234v3", "2401.01234", "3"),
]


@pytest.mark.parametrize(("url", "number", "version"), ARTICLES)
def test_articles_on_arxiv(url: str, number: str, version: str) -> None:
    place = permalinks.Article(number, version)
    assert permalinks.parse(url) == permalinks.Permalink(place)
    assert permalinks.parse(place.url()) == permalinks.parse(place.raw or "") == permalinks.Permalink(place)
    assert place.is_fixed == bool(version)
    assert not place.same_bytes, "a PDF is made anew"


DEPOSITS = [
    ("https://zenodo.org/records/123", permalinks.Deposit("123")),
    ("https://zenodo.org/record/123/files/a%20b%25.csv?download=1", permalinks.Deposit("123", "a b%.csv")),
    ("https://zenodo.org/records/123/preview/a.md?include_deleted=0", permalinks.Deposit("123", "a.md")),
    ("https://zenodo.org/api/records/123/files/a.md/content", permalinks.Deposit("123", "a.md")),
    ("https://doi.org/10.5281/zenodo.123", permalinks.Deposit("123", doi=True)),
    ("https://zenodo.org/doi/10.5281/zenodo.123", permalinks.Deposit("123", doi=True)),
    ("https://zenodo.org/records/123/latest", permalinks.Deposit("123", doi=True)),
]


@pytest.mark.parametrize(("url", "place"), DEPOSITS)
def test_deposits_on_zenodo(url: str, place: permalinks.Deposit) -> None:
    assert permalinks.parse(url) == permalinks.Permalink(place)
    assert permalinks.parse(place.url(5)) == permalinks.Permalink(place)
    assert permalinks.parse(place.raw or place.url()) == permalinks.Permalink(place)
    assert place.is_fixed != place.doi, "a DOI may be a concept's"
    assert place.same_bytes == bool(place.file)


# --- any other page

QUOTES = [
    (permalinks.Quote.of("14.71 tok/s"), "#:~:text=14.71%20tok%2Fs"),
    (permalinks.Quote.of("TP-4, A&B\n  50 %"), "#:~:text=TP%2D4%2C%20A%26B%2050%20%25"),
    (permalinks.Quote.of("12", prefix="rate -", suffix="- tokens"), "#:~:text=rate%20%2D-,12,-%2D%20tokens"),
    (permalinks.Quote("from", "to"), "#:~:text=from,to"),
    (permalinks.Quote.of("größe 漢"), "#:~:text=gr%C3%B6%C3%9Fe%20%E6%BC%A2"),
]


@pytest.mark.parametrize(("quote", "fragment"), QUOTES)
def test_quotes_from_pages(quote: permalinks.Quote, fragment: str) -> None:
    page = permalinks.Page("https://example.org/t/17?x=1", quote)
    assert page.url(5) == f"https://example.org/t/17?x=1{fragment}"
    assert permalinks.parse(page.url()) == permalinks.Permalink(page)
    anchored = permalinks.Page("https://example.org/t/17#post-3", quote)
    assert permalinks.parse(anchored.url()) == permalinks.Permalink(anchored)
    assert anchored.raw == "https://example.org/t/17"
    assert not page.is_fixed


@pytest.mark.parametrize("directive", ["text=", "text=a,b,c", "other=1", "text=a-,", ""])
def test_a_malformed_directive_names_no_quote(directive: str) -> None:
    found = permalinks.parse(f"https://example.org/#:~:{directive}")
    assert found == permalinks.Permalink(permalinks.Page("https://example.org/"))


@pytest.mark.parametrize("text", ["", "main", "mailto:a@example.org", "https://", "https://[x", "https://a:b/", "a/b"])
def test_what_is_no_address(text: str) -> None:
    assert permalinks.parse(text) is None


# --- whatever is built is parsed to the same

_CHARACTERS = st.characters(codec="utf-8", exclude_characters="/")
_STEPS = st.text(_CHARACTERS, min_size=1, max_size=12).filter(lambda s: s not in {".", ".."})
_PATHS = st.lists(_STEPS, min_size=1, max_size=4).map("/".join)
_COMMITS = st.text("0123456789abcdef", min_size=40, max_size=40) | st.text("0123456789abcdef", min_size=64, max_size=64)
_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.]{0,9}[A-Za-z0-9]", fullmatch=True).filter(
    lambda s: s not in {"datasets", "spaces"}
)
_LINES = st.none() | st.builds(
    lambda first, more: Lines.between(first, first + more), st.integers(1, 10**6), st.integers(0, 50)
)


@st.composite
def blobs(draw: st.DrawFn) -> permalinks.Blob:
    forge = draw(st.sampled_from(["github", "gitlab", "forgejo", "bitbucket", "huggingface", "gist"]))
    own = draw(st.sampled_from(["gitlab.com", "git.example.org", "forge.example.org:3000"]))
    fixed = {"github": "github.com", "bitbucket": "bitbucket.org", "huggingface": "huggingface.co"}
    host = {**fixed, "gist": "gist.github.com"}.get(forge, own)
    depth = draw(st.integers(2, 4)) if forge == "gitlab" else 2
    repository = "/".join(draw(st.lists(_NAMES, min_size=depth, max_size=depth)))
    if forge == "gist":
        repository = f"{draw(_NAMES)}/{draw(st.text('0123456789abcdef', min_size=20, max_size=32))}"
    kind = draw(st.sampled_from(["", "datasets/", "spaces/"])) if forge == "huggingface" else ""
    return permalinks.Blob(forge, host, kind + repository, draw(_COMMITS), draw(_PATHS))


@given(blobs(), _LINES)
def test_addresses_on_forges_come_back(blob: permalinks.Blob, lines: permalinks.Lines | None) -> None:
    assert permalinks.parse(blob.raw or "") == permalinks.Permalink(blob)
    again = permalinks.parse(blob.url(lines))
    if blob.forge == "gist":
        slug = permalinks.gist_slug(blob.path) if lines else ""
        assert again == permalinks.Permalink(replace(blob, path=""), lines, slug)
    else:
        assert again == permalinks.Permalink(blob, lines)
        assert permalinks.without_line(blob.url(lines)) == blob.url()
    assert fault_of_url(blob.url(lines)) is None


@given(_COMMITS.filter(lambda c: len(c) == 40), _PATHS, st.text(_CHARACTERS, max_size=9), st.booleans(), _LINES)
def test_identifiers_come_back(
    digest: str, path: str, rest: str, anchored: bool, lines: permalinks.Lines | None
) -> None:
    origin = f"https://example.org/{rest}" if rest else ""
    visit = f"swh:1:snp:{digest}" if origin else ""
    place = permalinks.Archived(f"swh:1:cnt:{digest}", origin, visit, f"swh:1:rev:{digest}" if anchored else "", path)
    assert permalinks.parse(place.identifier(lines)) == permalinks.Permalink(place, lines)
    assert permalinks.parse(place.url(lines)) == permalinks.Permalink(place, lines)
    assert fault_of_url(place.url(lines)) is None


@given(st.integers(1, 10**9), _STEPS)
def test_files_of_deposits_come_back(record: int, name: str) -> None:
    place = permalinks.Deposit(str(record), name)
    assert permalinks.parse(place.url()) == permalinks.parse(place.raw or "") == permalinks.Permalink(place)


@given(st.text(st.characters(codec="utf-8"), min_size=1), st.text("a-,&% ~", max_size=5), _PATHS)
def test_quotes_come_back(text: str, around: str, path: str) -> None:
    quote = permalinks.Quote.of(text, around, around)
    page = permalinks.Page(f"https://example.org/{percent_encoded(path)}", quote)
    assert permalinks.parse(page.url()) == permalinks.Permalink(page if quote.start else replace(page, quote=None))


@given(st.text(max_size=60) | st.text("https://gist.hub.com/swh:1:cnt;=#L-,&%~0a[]", max_size=60))
def test_no_text_breaks_the_reading(text: str) -> None:
    for url in (text, f"https://{text}", f"https://github.com/{text}", f"https://gist.github.com/{text}", SWH + text):
        found = permalinks.parse(url)
        assert found is None or found.place.url(found.lines)


# --- the identifier of bytes


def test_the_identifier_is_what_git_gives() -> None:
    assert permalinks.swhid(b"") == "swh:1:cnt:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert permalinks.swhid(b"| lanes | 12.50 |\n") == f"swh:1:cnt:{git_hash(b'| lanes | 12.50 |' + bytes([10]))}"


def git_hash(data: bytes) -> str:
    done = subprocess.run(["git", "hash-object", "--stdin"], input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


SHARED = RESOURCES.parent / "shared" / "sources" / "jpezzulli" / "sglang-rtxpro6000"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the cited documents are not at hand")
def test_the_identifier_of_a_cited_document() -> None:
    (results,) = SHARED.glob("*/RESULTS.md")
    assert permalinks.swhid(results.read_bytes()) == "swh:1:cnt:40fc13ba7aa8711509ba20ecdfbc2f63d179fadc"


# --- how to find a commit

WAYS = [
    ("https://github.com/o/r/blob/main/a.md", "press y", "git ls-remote https://github.com/o/r main"),
    ("https://gitlab.com/g/p/-/blob/main/a.md", "press y", "git ls-remote https://gitlab.com/g/p.git main"),
    ("https://codeberg.org/o/r/src/tag/v1/a.md", "Permalink", "git ls-remote https://codeberg.org/o/r.git v1 'v1^{}'"),
    ("https://bitbucket.org/o/r/src/HEAD/a.md", "named above", "git ls-remote https://bitbucket.org/o/r HEAD"),
    (
        "https://huggingface.co/datasets/o/r/blob/main/a.md",
        "History",
        "git ls-remote https://huggingface.co/datasets/o/r main",
    ),
    (
        "https://gist.githubusercontent.com/o/0c41/raw/a.md",
        "Revisions",
        "git ls-remote https://gist.github.com/0c41.git HEAD",
    ),
    ("https://github.com/o/r/blob/0123456/a.md", "press y", "in a clone, git rev-parse 0123456"),
    ("https://github.com/o/r/blob/$(x)/a.md", "press y", "git ls-remote https://github.com/o/r"),
    ("https://a;x/o/r/src/branch/main/a.md", "Permalink", "git ls-remote 'https://a;x/o/r.git' main"),
]


@pytest.mark.parametrize(("url", "on_page", "with_git"), WAYS)
def test_ways_to_a_commit(url: str, on_page: str, with_git: str) -> None:
    blob = permalinks.parse_blob(url)
    assert blob is not None
    ways = permalinks.how_to_find(blob)
    assert on_page in ways
    assert ways.endswith(with_git)

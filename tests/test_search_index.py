"""The indexes behind the search: keys of texts, lists of names, what is shipped, what a build says that cannot."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_src import assets, indexing, pipeline, words
from site_src.cache import FolderStore
from site_src.check import Checked, Explainer, check
from site_src.hrefs import Hrefs
from site_src.interface import ENGLISH
from site_src.load import load
from site_src.pipeline import Options, site_files
from site_src.places import places
from site_src.problems import Surroundings
from site_src.project import RESOURCES, Project
from site_src.search import exact, listing, pagefind, prose, terms
from site_src.search.holdings import Place
from tests.search_samples import project

KNOWN: Final = terms.Units(["replies/min", "MiB"])
SEPARATORS: Final = [",", "'", "’", "\u00a0", "\u2009", "\u202f"]


def keys(text: str) -> list[tuple[str, str]]:
    return [(key.text, key.unit) for key in terms.keys(text, KNOWN)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("388,512 MiB, 4.62 tok/s", [("388512", "MiB"), ("4.62", "tokens/s")]),
        ("12.50 replies/min.", [("12.50", "replies/min")]),
        ("−3.0 pp and -12", [("-3.0", "percentage points"), ("-12", "")]),
        ("v2.7.1's, v2.7.1rc1 and v3.0", [("2.7.1", ""), ("2.7.1rc1", ""), ("3.0", "")]),
        (
            "0.1.dev311+g7f1a2b3c4",
            [("0.1.dev311+g7f1a2b3c4", ""), ("dev311", ""), ("g7f1a2b3c4", ""), ("7f1a2b3c4", "")],
        ),
        ("fp8_e5m2", [("fp8_e5m2", ""), ("fp8", ""), ("e5m2", "")]),
        ("Kite3.8-Flash", [("kite3.8-flash", ""), ("kite3.8", "")]),
        ("PR 40417, pull request #7 and #9", [("pr40417", ""), ("pr7", ""), ("9", "")]),
        ("C24–C2; lanes=8", [("c24", ""), ("c2", ""), ("8", "")]),
        ("from 2026-10-11, 10-20 or 4,71", [("2026-10-11", ""), ("10-20", ""), ("4.71", "")]),
        ("96GB at 38.2%", [("96", "GB"), ("38.2", "%")]),
        ("no digit at all", []),
    ],
)
def test_keys(text: str, expected: list[tuple[str, str]]) -> None:
    assert keys(text) == expected


def test_words_of_names() -> None:
    assert list(terms.words("Kite3.8-Flash, run_notes.md")) == [
        *("kite3.8-flash", "kite3.8", "flash", "run_notes.md", "run", "notes", "md")
    ]
    assert list(terms.words("文脈 и")) == ["文脈", "脈", "и"]
    assert list(terms.spoken("The watchdog's 3 resets, C24")) == ["the", "watchdog", "resets"]


@given(st.decimals(-(10**9), 10**9, allow_nan=False, places=3), st.sampled_from(SEPARATORS))
def test_a_number_is_one_key_in_any_thousands_writing(value: Decimal, separator: str) -> None:
    literal = words.literal(value)
    for written in (literal, words.number(value), words.number(value).replace(",", separator)):
        assert keys(f"It was {written} s.") == [(literal, "s")], written


@given(st.integers(0, 10**6), st.integers(1, 99), st.integers(1, 999))
def test_no_part_of_a_number_is_a_key(whole: int, before: int, fraction: int) -> None:
    longer = f"{before}{whole}.{fraction:03}"
    assert keys(f"{longer} or x-{whole}.{fraction:03}")[0] == (longer, "")
    assert (f"{whole}.{fraction:03}", "") not in keys(f"{longer} or x-{whole}.{fraction:03}")


def unpacked(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the parts of a deflated index by their name."""
    return {Path(p).stem: zlib.decompress(d, -zlib.MAX_WBITS).decode() for p, d in files.items()}


def test_the_index_of_two_places() -> None:
    row = Place("/a/", "result-1", "Rate: first", values=[("207.040", "tokens/s")], texts=["rate 207.040, C2"])
    guides = [("A", [Place("/a/", "", "A", names=["A guide"]), row]), ("B", [Place("/b/", "", "B", texts=["C2"])])]
    known = terms.Units(["tokens/s"])
    found = [exact.found(title, held, known) for title, held in guides]
    made = exact.exact(found, known, scripts=False)
    unit = f"v{exact._base36([names[0] for names in made.units].index('tokens/s'))}"
    assert unpacked(made.files) == {
        "k0": f"207.040\t{unit}=0.1\nc2\tt=0.1,1.0\nguide\tn=0.0",
        "g0": '[["A",["/a/"],[[0,"","A"],[0,"result-1","Rate: first"]]],["B",["/b/"],[[0,"","B"]]]]',
    }
    assert made.starts == ("207.040",)
    scripts = exact.exact(found, known, scripts=True)
    assert scripts.folder == made.folder
    for path, script in scripts.files.items():
        name, content = json.loads(f"[{script.decode().removeprefix('pinpressExact(').rstrip()[:-1]}]")
        assert content == unpacked(made.files)[name] == unpacked(made.files)[Path(path).stem]


def test_ranges_of_keys_are_cut_and_keep_their_order() -> None:
    texts = [f"n{n:06}" for n in range(20_000)]
    known = terms.Units()
    made = exact.exact([exact.found("A", [Place("/a/", "", "A", texts=texts)], known)], known, scripts=False)
    parts = unpacked(made.files)
    ranges = [parts[f"k{n}"].split("\n") for n in range(len(made.starts))]
    assert len(ranges) > 3
    assert [r[0].partition("\t")[0] for r in ranges] == list(made.starts)
    assert [line.partition("\t")[0] for r in ranges for line in r] == texts


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    made = project(tmp_path_factory.mktemp("listed") / "site")
    return check(load(made), assets.own_names(made))


def rows_of(explainers: Sequence[Explainer]) -> dict[str, Mapping[int, str]]:
    """Return the routes of the rows of each record."""
    return {e.record.id: places(e, Hrefs()).results for e in explainers}


def test_names_are_listed_from_a_to_z(checked: Checked) -> None:
    lists = {found.id: found for found in listing.listings(ENGLISH, checked.explainers, rows_of(checked.explainers))}
    assert [line.name for line in lists["guides"].lines] == ["Bach: Φορτίο и Лаборатория", "Brook"]
    assert [(line.name, line.note, line.anchor) for line in lists["metrics"].lines] == [
        ("Drift", "%", "result-6"),
        ("First token wait", "s", "result-3"),
        ("Output rate", "tokens/s", "result-1"),
        ("Reply rate", "replies/min", "result-1"),
        ("Used memory", "MiB", "result-5"),
    ]
    assert "models" not in lists


def test_a_long_list_moves_to_pages_and_loses_nothing(checked: Checked) -> None:
    first = checked.explainers[0]
    many = [
        replace(first, record=first.record.model_copy(update={"title": f"Guide {n:04}", "path": f"/g/{n}/"}))
        for n in range(1000)
    ]
    lists = {found.id: found for found in listing.listings(ENGLISH, many, rows_of(many))}
    guides = lists["guides"]
    assert (guides.lines, len(guides.pages), guides.total) == ((), 10, "1,000 guides")
    assert [p.route for p in guides.pages][:2] == ["/search/guides/", "/search/guides/2/"]
    assert [line.name for p in guides.pages for line in p.lines] == [f"Guide {n:04}" for n in range(1000)]
    assert (guides.pages[1].first, guides.pages[1].last) == ("Guide 0100", "Guide 0199")


def test_only_what_the_page_loads_of_pagefind_is_shipped(tmp_path: Path) -> None:
    files, _ = site_files(project(tmp_path / "site"))
    names = sorted(re.sub(r"_[0-9a-f]+", "_X", p) for p in files if p.startswith("search/pagefind/"))
    assert names == [
        f"search/pagefind/{n}"
        for n in (
            *("guides.json", "index/en_X.pf_index", "pagefind-entry.json", "pagefind.en_X.pf_meta", "pagefind.js"),
            "wasm.en.pagefind",
        )
    ]
    routes = json.loads(files["search/pagefind/guides.json"])
    assert sorted(routes.values()) == ["/notes/bach/", "/notes/brook/"]


def test_a_language_that_pagefind_does_not_know_has_a_program_too(tmp_path: Path) -> None:
    files = pagefind.index({"a/index.html": b"<!DOCTYPE html><html><body><p>ord</p></body></html>"}, "tlh", tmp_path)
    assert [p for p in files if p.startswith("wasm.")] == ["wasm.unknown.pagefind"]


def test_the_index_does_not_depend_on_order_threads_time_or_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = "<!DOCTYPE html><html><body><h2>head {0}</h2><p>some words {0} and others {1}</p></body></html>"
    pages = {f"g{n:03}/index.html": body.format(f"x{chr(97 + n % 26)}y", n * "z").encode() for n in range(60)}
    first = pagefind.index(pages, "en", tmp_path)
    monkeypatch.setenv("RAYON_NUM_THREADS", "1")
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("PAGEFIND_KEEP_INDEX_URL", "true")
    monkeypatch.setenv("TMPDIR", "/var/tmp")
    assert pagefind.index(dict(reversed(pages.items())), "en", tmp_path / ".else" / "where") == first


class Counted(FolderStore):
    """A store that knows how often something was kept."""

    kept = 0

    def put(self, key: str, data: bytes) -> None:
        self.kept += 1
        super().put(key, data)


def pages_of(made: Project) -> Mapping[str, bytes]:
    site = pipeline.prepare(made).rendering.site
    return {prose.path_of(guide): prose.page_of(guide, site.language) for guide in site.guides}


def test_unchanged_prose_is_not_indexed_again(tmp_path: Path) -> None:
    made = project(tmp_path / "site")
    store = Counted(tmp_path / "kept")
    first = indexing.prose_index("en", store, tmp_path, pages_of(made))
    assert indexing.prose_index("en", store, tmp_path, pages_of(made)) == first
    assert store.kept == 1
    record = made.records / "bach.json"
    record.write_text(record.read_text("utf-8").replace("watchdog", "sentinel"), "utf-8")
    changed = indexing.prose_index("en", store, tmp_path, pages_of(made))
    assert store.kept == 2
    assert changed != first


@pytest.mark.parametrize(
    ("program", "said"),
    [
        pytest.param(None, "its package holds none for this system", id="no-program"),
        pytest.param("no program at all", "which does not run here: Exec format error", id="other-system"),
        pytest.param("#!/bin/sh\necho out of luck >&2\nexit 3\n", "failed with code 3: out of luck", id="fails"),
        pytest.param("#!/bin/sh\nexit 0\n", "failed with code 0: it said nothing", id="writes-nothing"),
    ],
)
def test_without_pagefind_the_build_says_so_and_writes_nothing(tmp_path: Path, program: str | None, said: str) -> None:
    made, fake = project(tmp_path / "site"), tmp_path / "fake" / "pagefind_bin"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("")
    if program is not None:
        (fake / "pagefind").write_text(program)
        (fake / "pagefind").chmod(0o755)
    command = [sys.executable, str(RESOURCES / "build.py"), "build", "--project", str(made.root)]
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "fake")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stdout + done.stderr
    assert said in done.stderr
    assert "--offline" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (made.root / "_site").exists()
    done = subprocess.run([*command, "--offline"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_temporary_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    with pytest.raises(Surroundings, match=r"file: File exists\. The search is built there"):
        pagefind.index({"a/index.html": b"<p>word</p>"}, "en", tmp_path / "file")


def test_a_package_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)
    with pytest.raises(Surroundings, match="its package is not installed"):
        pagefind.program()


def test_two_builds_give_the_same_search(tmp_path: Path) -> None:
    made = project(tmp_path / "site")
    first, _ = site_files(made, Options(cache=tmp_path / "one", jobs=1))
    second, _ = site_files(made, Options(cache=tmp_path / "two", jobs=2))
    assert {p: d for p, d in first.items() if p.startswith("search/")} == {
        p: d for p, d in second.items() if p.startswith("search/")
    }

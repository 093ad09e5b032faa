"""Weighs and times the search of a site of many guides: `python -m tests.bench.search [COUNT]`.

The figures of the first guide stand in for those of all others, because drawing thousands would tell nothing of the
search. Everything else is made as a build makes it. "Text" is what a reader sees in the main part of the guides and
of the pages below them, in UTF-8 bytes; the index is everything that the search page may load except Pagefind's own
program.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from selectolax.lexbor import LexborHTMLParser

from site_src import assets, indexing, pipeline, templating
from site_src.cache import FolderStore, NoStore
from site_src.check import Checked, check
from site_src.drawing import Drawings
from site_src.guide_outputs import guides
from site_src.load import load
from site_src.project import Project
from site_src.render import render
from site_src.rendering import Rendering
from site_src.reuse import Reuse
from site_src.search import pages, prose
from tests.bench import search_corpus as corpus

T = TypeVar("T")
PROGRAM = re.compile(r"search/pagefind/(?:pagefind\.js|wasm\.[\w-]+\.pagefind)")


def timed(what: str, made: Callable[[], T]) -> T:
    """Return what `made` makes; print how long that took, and how much of a processor, children included."""
    started, used = time.perf_counter(), sum(os.times()[:4])
    found = made()
    took, used = time.perf_counter() - started, sum(os.times()[:4]) - used
    print(f"{what:<30}{took:8.1f} s, {used:8.1f} s of a processor", flush=True)
    return found


def drawings(project: Project, checked: Checked) -> Drawings:
    """Draw the figures of the first explainer; those of the others are the same by their kind."""
    first = pipeline.draw(project, replace(checked, explainers=checked.explainers[:1]))
    by_kind = {
        s.kind: first.figures[e.record.id, n] for e in checked.explainers[:1] for n, s in e.placed.figures.items()
    }
    named = {(e.record.id, n): s.kind for e in checked.explainers for n, s in e.placed.figures.items()}
    return replace(first, figures={key: by_kind[kind] for key, kind in named.items()})


def sizes(files: Iterable[bytes]) -> tuple[int, int]:
    """Return the bytes of files as they lie there, and each by itself in gzip."""
    held = list(files)
    return sum(map(len, held)), sum(min(len(f), len(gzip.compress(f, 6, mtime=0))) for f in held)


def text_of(html: bytes) -> int:
    """Return how many UTF-8 bytes a reader sees in the main part of a page."""
    main = LexborHTMLParser(html).css_first("main")
    return len(re.sub(r"\s+", " ", main.text(separator=" ")).encode()) if main else 0


def measure(root: Path, count: int) -> None:
    """Print sizes and times for a corpus of `count` guides."""
    project = Project(corpus.write(root, count))
    checked = timed("load and check", lambda: check(load(project), assets.own_names(project)))
    rendering = timed("draw one guide, resolve all", lambda: _rendering(project, checked))
    without = timed("render without search", lambda: sum(1 for _ in _rendered(rendering)))
    found = timed("search in each guide", lambda: rendering.searched)
    copies = {prose.path_of(g): s.page for g, s in zip(rendering.site.guides, found, strict=True)}
    store = FolderStore(root / "kept")
    index = timed("Pagefind over the prose", lambda: indexing.prose_index("en", store, store.folder, copies))
    again = timed("the same from the cache", lambda: indexing.prose_index("en", store, store.folder, copies))
    assert again == index
    assert timed("Pagefind once more", lambda: indexing.prose_index("en", NoStore(), root, copies)) == index
    own = timed("exact index and lists", lambda: dict(_own(rendering)))
    texts = sum(text_of(a.data) for a in guides(rendering))
    _told(texts, copies, index, own, without)


def _told(texts: int, copies: dict[str, bytes], index: dict[str, bytes], own: dict[str, bytes], without: int) -> None:
    exact = [d for a, d in own.items() if "/exact-" in a]
    found = [d for a, d in index.items() if not PROGRAM.fullmatch(a.lstrip("/"))]
    program = [d for a, d in index.items() if PROGRAM.fullmatch(a.lstrip("/"))]
    pages_ = {a: d for a, d in own.items() if a.endswith("/")}
    print(
        f"{without:,} files without search; text {texts:,} bytes, words in the prose {sum(map(len, copies.values())):,}"
    )
    rows = [("exact index", exact), ("Pagefind index", found), ("both", exact + found), ("Pagefind program", program)]
    for name, held in rows:
        raw, packed = sizes(held)
        print(f"{name:<20}{len(held):6,} files{raw:12,} bytes {raw / texts:6.1%} of the text; gzip {packed:,}")
    for address, page in sorted(pages_.items(), key=lambda entry: -len(entry[1]))[:3]:
        print(f"{address:<28}{len(page):8,} bytes, gzip {sizes([page])[1]:,}")


def _rendering(project: Project, checked: Checked) -> Rendering:
    return pipeline._rendering(
        project, checked, drawings(project, checked), templating.read(project, Reuse()), False, Reuse()
    )


def _rendered(rendering: Rendering) -> Iterable[Any]:
    return (a for a in render(rendering) if not a.path.startswith("search/"))


def _own(rendering: Rendering) -> Iterable[tuple[str, bytes]]:
    r = rendering
    return pages.files(r.site, r.checked, r.places, r.searched, r.units, {"x": b""}, r.hrefs, r.templates.render)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "site", int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

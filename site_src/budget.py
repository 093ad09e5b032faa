"""Finished files → what is heavier than a reader's connection should bear. Weights are bytes after gzip -6.

A page over its budget is a problem of its record: what is too much moves to sub-pages or figures, or is left out.
The limits are those of the design: a phone on a slow line shows a guide of this weight in about two seconds.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from html.parser import HTMLParser
from typing import Final

from .links import target
from .problems import Problem
from .rendering import Artifact
from .reuse import FRESH, Keep
from .urls import is_external

HTML: Final = 15_000
CSS: Final = 6_000
FONTS: Final = 30_000
SVG: Final = 30_000
GUIDE: Final = 250_000
REQUESTS: Final = 14
CODE: Final = "over-budget"
_NAMED: Final = 3
_FROM_RECORDS: Final = "records/"
_LOADING: Final = re.compile(rb"<(?:link|img|source)\b[^>]*>", re.I)
_HEADING: Final = re.compile(r"<h([1-3])\b[^>]*>(.*?)</h\1>", re.S)


def faults(artifacts: Iterable[Artifact], guides: frozenset[str], keep: Keep = FRESH) -> Iterator[Problem]:
    """Yield a problem for each page of a record, and for style and fonts, over budget; `guides` as in `of_record`."""
    found = [*artifacts]
    yield from of_all(found, keep)
    yield from of_record(found, guides, (), keep)


def of_record(
    artifacts: Iterable[Artifact], guides: frozenset[str], beside: Iterable[Artifact] = (), keep: Keep = FRESH
) -> Iterator[Problem]:
    """Yield a problem for each page of a record over budget; pages may load what lies `beside` as well.

    `guides` are the routes of the guides: they are judged with everything that they load, other pages by themselves.
    """
    own = {f"/{a.path}": a for a in artifacts}
    files = {**{f"/{a.path}": a for a in beside}, **own}
    for path, artifact in own.items():
        if path.endswith(".html") and artifact.origin.startswith(_FROM_RECORDS):
            if keep(weigh, artifact.data, HTML) > HTML:
                yield _heavy(artifact)
            route = path.removesuffix("index.html")
            if route in guides:
                yield from _guide(artifact, keep(_Loads, route, artifact.data), files, keep)


def weigh(data: bytes, limit: int) -> int:
    """Return the weight of a file on the wire; where it is surely within `limit`, a number that is too."""
    # The fast level never packs tighter than the usual one by more than a few bytes, and most pages are far below.
    quick = len(zlib.compress(data, 1)) if len(data) > limit else len(data)
    return quick if quick <= limit - 100 else min(len(data), _gzip(data))


def _gzip(data: bytes) -> int:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return len(packer.compress(data)) + len(packer.flush())


def of_all(artifacts: Iterable[Artifact], keep: Keep = FRESH) -> Iterator[Problem]:
    """Yield a problem for style or fonts that are too heavy; every page loads all of them."""
    files = {f"/{a.path}": a for a in artifacts}
    for kind, ending, limit in (("the style sheet", ".css", CSS), ("the set of fonts", ".woff2", FONTS)):
        found = [a for path, a in files.items() if path.startswith("/assets/") and path.endswith(ending)]
        total = sum(keep(weigh, a.data, 0) for a in found)
        if total > limit:
            heaviest = max(found, key=lambda a: (weigh(a.data, 0), a.origin))
            yield _over(heaviest.origin, kind, total, limit, f"{a_name(heaviest)} is the heaviest", "Make it smaller.")


def a_name(artifact: Artifact) -> str:
    """Return the name of a file without its folders."""
    return artifact.path.rpartition("/")[2]


def _heavy(artifact: Artifact) -> Problem:
    """Name the parts of a page, from heading to heading, that weigh most."""
    html = artifact.data.decode()
    heads = [*_HEADING.finditer(html)]
    starts = [0, *(m.start() for m in heads)]
    names = ["what stands before the first heading"]
    names += [f"“{unescape(re.sub('<[^>]*>', '', m[2])).strip()}”" for m in heads]
    whole = _gzip(artifact.data)
    ends = [*starts[1:], len(html)]
    parts = [(whole - _gzip((html[:a] + html[b:]).encode()), n) for a, b, n in zip(starts, ends, names, strict=True)]
    heaviest = sorted(parts, key=lambda part: -part[0])[:_NAMED]
    named = ", ".join(f"{name} {size:,}" for size, name in heaviest)
    remedy = "Show less in these parts: fewer rows, conditions or cases, or shorter texts."
    return _over(artifact.origin, f"/{artifact.path}", whole, HTML, f"the heaviest parts are {named}", remedy)


def _guide(artifact: Artifact, loads: _Loads, files: Mapping[str, Artifact], keep: Keep) -> Iterator[Problem]:
    """Yield what is too much of all that a guide loads: one drawing, their sum, their number."""
    used = [files[p] for p in loads.files if p in files]
    narrow = [files[p] for p in loads.narrow if p in files]
    sizes = {a.path: keep(weigh, a.data, SVG if a.path.endswith(".svg") else 0) for a in used}
    for path, size in {**sizes, **{a.path: keep(weigh, a.data, SVG) for a in narrow}}.items():
        if path.endswith(".svg") and size > SVG:
            remedy = "Show fewer values in it, or split it."
            yield _over(artifact.origin, f"the figure {path.rpartition('/')[2]}", size, SVG, "", remedy)
    total = keep(weigh, artifact.data, 0) + sum(sizes.values())
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:_NAMED]
    named = "the heaviest files are " + ", ".join(f"{p.rpartition('/')[2]} {size:,}" for p, size in heaviest)
    if total > GUIDE:
        yield _over(artifact.origin, f"/{artifact.path} with all it loads", total, GUIDE, named, "Show fewer images.")
    requests = len(used) + 1
    if requests > REQUESTS:
        message = f"/{artifact.path} needs {requests} requests, at most {REQUESTS}; it shows {loads.images} images"
        yield Problem(artifact.origin, "", None, CODE, message, "Show fewer images.")


def _over(file: str, what: str, size: int, limit: int, parts: str, remedy: str) -> Problem:
    told = f": {parts}" if parts else ""
    message = f"{what} weighs {size:,} bytes after gzip, at most {limit:,}{told}"
    return Problem(file, "", None, CODE, message, remedy)


class _Loads(HTMLParser):
    """The files of the site that a page loads, each once; on a phone `narrow` cuts take the place of the wide ones."""

    def __init__(self, route: str, html: bytes) -> None:
        super().__init__()
        self.route, self.images = route, 0
        self.files, self.narrow = dict[str, None](), dict[str, None]()
        for element in _LOADING.findall(html):
            self.feed(element.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        is_loaded = {"stylesheet", "icon", "preload"} & set((said.get("rel") or "").split())
        href = said.get("href") if is_loaded else said.get("src")
        self.images += tag == "img"
        for address, found in ((href, self.files), (said.get("srcset"), self.narrow)):
            if address and not is_external(address):
                found[target(self.route, address)[0]] = None

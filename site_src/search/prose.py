"""Guides → the pages that Pagefind reads: the words of their prose, each once, without numbers and tables.

Served pages do not change for the search, and the index holds no copy of their text: the search page draws its
excerpts from the guide itself. That is what keeps the index small beside the text. Numbers are the exact index's.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from html import escape

from ..view import Figure, Guide, Html, Listing
from .holdings import text_of
from .terms import spoken

_FRAGMENT = "fragment/"
_MAGIC = b"pagefind_dcd"


def path_of(guide: Guide) -> str:
    """Return the path of a guide's page among those that Pagefind reads."""
    return f"{guide.head.route.strip('/')}/index.html"


def page_of(guide: Guide, language: str) -> bytes:
    """Return the page of one guide."""
    heads = dict.fromkeys(word for text in _headings(guide) for word in spoken(text))
    rest = dict.fromkeys(word for text in _prose(guide) for word in spoken(text) if word not in heads)
    start = f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><meta charset="utf-8"><title></title></head><body>'
    return f"{start}<h2>{escape(' '.join(heads))}</h2>\n<p>{escape(' '.join(rest))}</p></body></html>\n".encode()


def _headings(guide: Guide) -> Iterator[str]:
    yield guide.head.title
    yield from (text_of(passage.heading) for passage in guide.body)


def _prose(guide: Guide) -> Iterator[str]:
    yield text_of(guide.head.answer)
    yield text_of(guide.head.lede)
    for passage in guide.body:
        for block in passage.blocks:
            if isinstance(block, Html):
                yield text_of(block.html)
            elif isinstance(block, Figure):
                yield text_of(block.caption)
            elif isinstance(block, Listing):
                yield from (f"{f.label} {f.text}" for f in block.facts)
    yield from guide.foot.limits


def without_fragments(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return an index with one list, `guides.json`, in place of its fragments: a result's id → the guide's address."""
    kept = {path: data for path, data in files.items() if not path.startswith(_FRAGMENT)}
    routes = {
        path.removeprefix(_FRAGMENT).partition(".")[0]: json.loads(gzip.decompress(data).removeprefix(_MAGIC))["url"]
        for path, data in sorted(files.items())
        if path.startswith(_FRAGMENT)
    }
    return {**kept, "guides.json": (json.dumps(routes, ensure_ascii=False, indent=0) + "\n").encode()}

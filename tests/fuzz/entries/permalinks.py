"""Permalinks: any address → the place it names; an address made of a place names it again."""

from __future__ import annotations

from site_src import permalinks
from site_src.permalinks.lines import Lines
from site_src.urls import fault_of_link, fault_of_url
from tests.fuzz.target import of_bytes
from tests.records import COMMIT, REPORT


def _one(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    fault_of_link(text)
    permalinks.anchor_is_ignored(text)
    permalinks.without_line(text)
    found = permalinks.parse(text)
    if found is None or fault_of_url(text):
        return
    assert fault_of_url(found.url) is None, found.url
    found.place.url(Lines(3, 7))
    again = permalinks.parse(found.url)
    assert again is not None
    assert again.url == found.url, (found.url, again.url)


TARGET = of_bytes(
    _one,
    f"{REPORT}?plain=1#L9-L12".encode(),
    f"https://gitlab.example.org/a/b/-/blob/{COMMIT}/x%20y.md#L3-4".encode(),
    f"https://codeberg.org/a/b/src/commit/{COMMIT}/r.md?display=source#L9".encode(),
    f"https://bitbucket.org/a/b/src/{COMMIT}/r.md#lines-3:9".encode(),
    f"https://huggingface.co/datasets/a/b/resolve/{COMMIT}/r.json".encode(),
    b"https://gist.github.com/a/0123456789abcdef#file-r-md-L3",
    f"swh:1:cnt:{COMMIT};origin=https://example.org/a;lines=3-4".encode(),
    b"https://arxiv.org/abs/2501.00001v2",
    b"https://doi.org/10.5281/zenodo.1234567",
    b"https://example.org/a?b#c:~:text=x-,start,end,-y",
)

"""The name of a file → its content type, and whether packing makes it smaller."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

CHARSET: Final = "; charset=utf-8"
UNKNOWN: Final = "application/octet-stream"
FEED: Final = "feed.xml"
# The feed has a type of its own; the sitemap is plain XML.
_OF_NAME: Final = {FEED: "application/atom+xml", "_headers": "text/plain", "_redirects": "text/plain"}
OF_ENDING: Final = {
    ".avif": "image/avif",
    ".bib": "application/x-bibtex",
    ".css": "text/css",
    ".csv": "text/csv",
    ".gif": "image/gif",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".idx": UNKNOWN,
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".jsonld": "application/ld+json",
    ".md": "text/markdown",
    ".pagefind": UNKNOWN,
    ".pdf": "application/pdf",
    ".pf_fragment": UNKNOWN,
    ".pf_index": UNKNOWN,
    ".pf_meta": UNKNOWN,
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
# JSON has no such parameter (RFC 8259, section 11); XML and SVG name their encoding, and the parameter agrees with it.
_WITH_CHARSET: Final = frozenset({"application/atom+xml", "application/x-bibtex", "application/xml", "image/svg+xml"})
_PACKED: Final = frozenset({"application/json", "application/ld+json", "application/wasm", "image/x-icon"})


def has_charset(kind: str) -> bool:
    """Tell whether a type is sent with its encoding."""
    return kind.startswith("text/") or kind in _WITH_CHARSET


def kind_of(path: str) -> str:
    """Return the content type of a file by its name, without its encoding; `UNKNOWN` for an ending nobody knows."""
    name = PurePosixPath(path)
    return _OF_NAME.get(path) or OF_ENDING.get(name.suffix.lower(), UNKNOWN)


def content_type(path: str) -> str:
    """Return the content type of a file as a header holds it."""
    kind = kind_of(path)
    return kind + CHARSET * has_charset(kind)


def is_packable(path: str) -> bool:
    """Tell whether a file is of a type that gzip makes smaller: images, fonts and indexes are packed already."""
    kind = kind_of(path)
    return has_charset(kind) or kind in _PACKED

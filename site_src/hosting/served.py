"""The files of a site → what each is sent with: type, caching, policy; and what its old addresses lead to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from ..caching import EACH_TIME, FOR_GOOD, is_named_by_content
from ..policy import HEADER_ONLY
from ..rendering import file_of, route_of
from ..robots import ALWAYS, HEADERS, page
from .kinds import content_type

REDIRECTS: Final = "_redirects"
NOT_FOUND: Final = "404.html"


@dataclass(frozen=True)
class File:
    """One file of a site: its path and bytes, how long it is kept, its policy if it is a page, where it leads."""

    path: str
    data: bytes
    is_for_good: bool
    policy: str = ""
    moved_to: str = ""

    @property
    def is_page(self) -> bool:
        """Whether it is a page, which holds a policy."""
        return self.path.endswith(".html")

    @property
    def caching(self) -> str:
        """The header Cache-Control."""
        return FOR_GOOD if self.is_for_good else EACH_TIME


@dataclass(frozen=True)
class Served:
    """A site as it is to be served: the path it lies below, and its files by path order."""

    base: str
    files: tuple[File, ...]

    def address(self, path: str) -> str:
        """Return the decoded path of the file's request."""
        return self.base + path


def served(files: Mapping[str, bytes]) -> Served:
    """Return how the files of a site, its manifest included, are to be served. It asks the site alone."""
    base = _base(files.get(file_of(HEADERS), b"").decode())
    moved = dict(_moved(files.get(REDIRECTS, b"").decode()))
    return Served(base, tuple(_file(base, path, data, moved) for path, data in sorted(files.items())))


def _base(headers: str) -> str:
    """Return the path that the site was built for, with a slash at its end: the first rule is for all files."""
    first = headers.partition("\n")[0]
    return unquote(first.removesuffix("*")) if first.startswith("/") and first.endswith("/*") else "/"


def _moved(redirects: str) -> Iterator[tuple[str, str]]:
    """Yield the old addresses, decoded, and where each leads, as it is sent."""
    for line in redirects.splitlines():
        old, new, _ = line.split(" ")
        yield unquote(old), new


def _file(base: str, path: str, data: bytes, moved: Mapping[str, str]) -> File:
    if not path.endswith(".html"):
        return File(path, data, is_named_by_content(path, hashlib.sha256(data).hexdigest()))
    policy = page(route_of(path), data).policy
    moved_to = moved.get(base + path.removesuffix("index.html"), "")
    return File(path, data, False, f"{policy}; {HEADER_ONLY}" if policy else "", moved_to)


def listing(site: Served) -> bytes:
    """Return the headers of every file as JSON, for stores that keep them with each file."""
    files = [
        {
            "path": f.path,
            "sha256": hashlib.sha256(f.data).hexdigest(),
            "content_type": content_type(f.path),
            "cache_control": f.caching,
            **({"content_security_policy": f.policy} if f.policy else {}),
            **({"redirect": f.moved_to} if f.moved_to else {}),
        }
        for f in site.files
    ]
    told = {"base": site.base, "not_found": NOT_FOUND, "headers": dict(ALWAYS), "files": files}
    return (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode()

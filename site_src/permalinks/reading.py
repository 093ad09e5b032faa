"""Addresses on forges → the document they name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from .forges import COMMIT, FORGES, Blob, is_rendered
from .lines import line_in

_END: Final = r"/(?P<rev>refs/(?:heads|tags)/[^/]+|[^/]+)(?:/(?P<path>.+))?"
# Old models of the hub have a name without an owner.
_HUB_REPO: Final = r"/(?P<repo>(?:datasets/|spaces/)?[^/]+(?:/[^/]+)?)"
_PAIR: Final = r"/(?P<repo>[^/]+/[^/]+)"
_COMMIT_OR_NONE: Final = rf"(?:/(?P<rev>{COMMIT.pattern}))?(?:/(?P<path>.+))?"
# (forge, hosts, pattern of the path); hosts None: any host whose path has the forge's own marker.
_FORMS: Final = (
    ("github", ("github.com",), _PAIR + "/(?:blob|raw|tree|blame|edit)" + _END),
    ("github", ("raw.githubusercontent.com",), _PAIR + _END),
    ("github", ("media.githubusercontent.com",), "/media" + _PAIR + _END),
    ("gist", ("gist.githubusercontent.com", "gist.github.com"), _PAIR + "/raw" + _COMMIT_OR_NONE),
    ("huggingface", ("huggingface.co", "hf.co"), _HUB_REPO + "/(?:blob|raw|resolve|tree|blame)" + _END),
    ("bitbucket", ("bitbucket.org",), _PAIR + "/(?:src|raw|annotate)" + _END),
    ("gitlab", None, "/(?P<repo>.+?)/-/(?:blob|raw|tree|blame)" + _END),
    ("forgejo", None, _PAIR + "/(?:src|raw|media|blame)/(?:commit|branch|tag)" + _END),
)
_GIST_PAGE: Final = re.compile(rf"/(?P<repo>(?:[^/]+/)?[0-9a-f]{{4,32}})(?:/(?P<rev>{COMMIT.pattern}))?")
_SLUG: Final = re.compile(r"file-([\w-]*?)(?:-L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?)?")
_DEFAULT_PORTS: Final = (None, 80, 443)


def split(url: str) -> SplitResult | None:
    """Return the parts of an address, or None where it is malformed: `bad-url` says so."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def host_of(parts: SplitResult) -> str:
    """Return the host as a forge reads it: in lower case, without a final dot or www."""
    return (parts.hostname or "").rstrip(".").removeprefix("www.")


@lru_cache(maxsize=8192)
def parse_blob(url: str) -> Blob | None:
    """Return what a forge's blob, raw or tree address points to; None for any other address.

    The address is read as a forge reads it: host without a final dot, steps decoded, empty steps left out.
    """
    parts = split(url)
    if parts is None:
        return None
    host = host_of(parts)
    steps = [(unquote(m.group()), m.start()) for m in re.finditer("[^/]+", parts.path)]
    path = "".join(f"/{step}" for step, _ in steps)
    for forge, hosts, pattern in _FORMS:
        match = re.fullmatch(pattern, path, re.S) if hosts is None or host in hosts else None
        if match:
            found = match.groupdict()
            before = path[: match.start("rev")].count("/") - 1 if found["rev"] else len(steps)
            inside = steps[before][1] if before < len(steps) else len(parts.path)
            at = url.find(parts.path, len(parts.scheme) + 3 + len(parts.netloc)) + inside
            served = host if parts.port in _DEFAULT_PORTS else f"{host}:{parts.port}"
            where = FORGES[forge].host or served
            return Blob(forge, where, found["repo"], found["rev"] or "", found["path"] or "", at)
    return None


def parse_gist_page(url: str) -> tuple[Blob, str] | None:
    """Return the gist that an address shows, and how its anchor names the file; the path is not in the address."""
    parts = split(url)
    match = (
        _GIST_PAGE.fullmatch(unquote(parts.path.rstrip("/"))) if parts and host_of(parts) == "gist.github.com" else None
    )
    if parts is None or match is None:
        return None
    slug = _SLUG.fullmatch(parts.fragment)
    return Blob("gist", "gist.github.com", match["repo"], match["rev"] or "", ""), slug[1] if slug else ""


def anchor_is_ignored(url: str) -> bool:
    """Tell whether the forge drops the line anchor: a rendered document without the query that shows its source."""
    blob, parts = parse_blob(url), split(url)
    if blob is None or parts is None or line_in(url) is None or not is_rendered(blob.path):
        return False
    view = blob.source_view.removeprefix("?")
    return bool(view) and view not in parts.query.split("&")


def without_line(url: str) -> str:
    """Return the address of the document itself: line anchor and source view removed, other fragments kept."""
    if re.match(r"https://archive\.softwareheritage\.org/swh:1:cnt:", url):
        return re.sub(r";lines=\d+(-\d+)?(?=;|$)", "", url)
    blob = parse_blob(url)
    if blob is None:
        return url
    return url.partition("#")[0].removesuffix(FORGES[blob.forge].source_view).removesuffix("?plain=1")

"""Addresses of documents on forges: parse a blob address, and build the address of a line at a commit.

Line anchors as each forge really honours them: GitHub ignores #L5 on rendered Markdown unless ?plain=1 stands
before it (seen in its pages, 2026). Commit hashes are SHA-1 or SHA-256, written in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlsplit

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Blob:
    """A document on a forge: where, at which revision (a commit, a branch or a tag), under which path."""

    forge: str
    host: str
    repository: str
    revision: str
    path: str

    @property
    def is_pinned(self) -> bool:
        """Whether the revision is a full commit hash."""
        return is_commit(self.revision)

    def url(self, line: int | None = None) -> str:
        """Return the human address of the document, or of one of its lines."""
        path = quote(self.path)
        base = {
            "github": f"https://github.com/{self.repository}/blob/{self.revision}/{path}",
            "gitlab": f"https://{self.host}/{self.repository}/-/blob/{self.revision}/{path}",
            "forgejo": f"https://{self.host}/{self.repository}/src/commit/{self.revision}/{path}",
            "bitbucket": f"https://bitbucket.org/{self.repository}/src/{self.revision}/{path}",
            "huggingface": f"https://huggingface.co/{self.repository}/blob/{self.revision}/{path}",
        }[self.forge]
        if line is None:
            return base
        anchor = {"github": f"?plain=1#L{line}", "bitbucket": f"#lines-{line}"}
        return base + anchor.get(self.forge, f"#L{line}")


_REV_PATH: Final = r"/(?P<rev>[^/]+)/(?P<path>.+)"
_HUB_REPO: Final = r"/(?P<repo>(?:datasets/|spaces/)?[^/]+/[^/]+)"
_PAIR: Final = r"/(?P<repo>[^/]+/[^/]+)"
# (forge, hosts, pattern of the path); hosts None: any host whose path has the forge's own marker.
_FORMS: Final = (
    ("github", ("github.com",), _PAIR + "/(?:blob|raw|tree)" + _REV_PATH),
    ("github", ("raw.githubusercontent.com",), _PAIR + _REV_PATH),
    ("huggingface", ("huggingface.co",), _HUB_REPO + "/(?:blob|raw|resolve|tree)" + _REV_PATH),
    ("bitbucket", ("bitbucket.org",), _PAIR + "/(?:src|raw)" + _REV_PATH),
    ("gitlab", None, "/(?P<repo>.+?)/-/(?:blob|raw|tree)" + _REV_PATH),
    ("forgejo", None, _PAIR + "/(?:src|raw)/(?:commit|branch|tag)" + _REV_PATH),
)


def is_commit(revision: str) -> bool:
    """Tell whether a revision is a full commit hash."""
    return bool(_COMMIT.fullmatch(revision))


def parse_blob(url: str) -> Blob | None:
    """Return what a forge's blob, raw or tree address points to; None for any other address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.")
    for forge, hosts, pattern in _FORMS:
        match = re.fullmatch(pattern, parts.path) if hosts is None or host in hosts else None
        if match:
            found = match.groupdict()
            return Blob(forge, host, unquote(found["repo"]), unquote(found["rev"]), unquote(found["path"]))
    return None


def line_in(url: str) -> int | None:
    """Return the line that an address's fragment names, or None."""
    match = re.fullmatch(r"(?:L|lines-)(\d{1,9})(?:C\d+)?(?:-L?\d+)?", urlsplit(url).fragment)
    return int(match.group(1)) if match else None


def anchor_is_ignored(url: str) -> bool:
    """Tell whether GitHub drops the line anchor: a rendered document without ?plain=1."""
    parts = urlsplit(url)
    blob = parse_blob(url)
    if blob is None or blob.forge != "github" or line_in(url) is None:
        return False
    rendered = blob.path.lower().endswith((".md", ".markdown", ".rst", ".adoc", ".org", ".ipynb"))
    return rendered and "plain=1" not in parts.query.split("&")


def without_line(url: str) -> str:
    """Return the address of the document itself: line anchor and ?plain=1 removed, other fragments kept."""
    if parse_blob(url) is None:
        return url
    return url.partition("#")[0].removesuffix("?plain=1")

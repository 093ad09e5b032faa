"""Addresses of documents on forges: parse a blob address, and build the address of a line at a commit.

Line anchors as each forge really honours them: GitHub ignores #L5 on rendered Markdown unless ?plain=1 stands
before it (seen in its pages, 2026). Commit hashes are SHA-1 or SHA-256, written in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Blob:
    """A document on a forge: where, at which revision (a commit, a branch or a tag), under which path.

    `path` is empty for the repository as a whole, `revision` for an address that names none. `at` is where the
    revision begins in the address that was read.
    """

    forge: str
    host: str
    repository: str
    revision: str
    path: str
    at: int = field(default=0, compare=False)

    @property
    def is_pinned(self) -> bool:
        """Whether the revision is a full commit hash."""
        return is_commit(self.revision)

    def url(self, line: int | None = None) -> str:
        """Return the human address of the document, or of one of its lines."""
        path = f"/{quote(self.path)}" if self.path else ""
        kind = "blob" if path else "tree"
        base = {
            "github": f"https://github.com/{self.repository}/{kind}/{self.revision}{path}",
            "gist": f"https://gist.github.com/{self.repository}/{self.revision}",
            "gitlab": f"https://{self.host}/{self.repository}/-/{kind}/{self.revision}{path}",
            "forgejo": f"https://{self.host}/{self.repository}/src/commit/{self.revision}{path}",
            "bitbucket": f"https://bitbucket.org/{self.repository}/src/{self.revision}{path or '/'}",
            "huggingface": f"https://huggingface.co/{self.repository}/{kind}/{self.revision}{path}",
        }[self.forge]
        if line is None:
            return base
        file = re.sub(r"\W+", "-", self.path.lower())
        anchor = {"github": f"?plain=1#L{line}", "bitbucket": f"#lines-{line}", "gist": f"#file-{file}-L{line}"}
        return base + anchor.get(self.forge, f"#L{line}")


_END: Final = r"/(?P<rev>refs/(?:heads|tags)/[^/]+|[^/]+)(?:/(?P<path>.+))?"
_HUB_REPO: Final = r"/(?P<repo>(?:datasets/|spaces/)?[^/]+/[^/]+)"
_PAIR: Final = r"/(?P<repo>[^/]+/[^/]+)"
_COMMIT_OR_NONE: Final = rf"(?:/(?P<rev>{_COMMIT.pattern}))?(?:/(?P<path>.+))?"
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


def is_commit(revision: str) -> bool:
    """Tell whether a revision is a full commit hash."""
    return bool(_COMMIT.fullmatch(revision))


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, or None where it is malformed: `bad-url` says so."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def parse_blob(url: str) -> Blob | None:
    """Return what a forge's blob, raw or tree address points to; None for any other address.

    The address is read as a forge reads it: host without a final dot, steps decoded, empty steps left out.
    """
    parts = _split(url)
    if parts is None:
        return None
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    steps = [(unquote(m.group()), m.start()) for m in re.finditer("[^/]+", parts.path)]
    path = "".join(f"/{step}" for step, _ in steps)
    for forge, hosts, pattern in _FORMS:
        match = re.fullmatch(pattern, path) if hosts is None or host in hosts else None
        if match:
            found = match.groupdict()
            before = path[: match.start("rev")].count("/") - 1 if found["rev"] else len(steps)
            inside = steps[before][1] if before < len(steps) else len(parts.path)
            at = url.find(parts.path, len(parts.scheme) + 3 + len(parts.netloc)) + inside
            return Blob(forge, host, found["repo"], found["rev"] or "", found["path"] or "", at)
    return None


def line_in(url: str) -> int | None:
    """Return the line that an address's fragment names, or None."""
    parts = _split(url)
    fragment = parts.fragment if parts else ""
    match = re.fullmatch(r"(?:L|lines-|file-[\w-]+-L)(\d{1,9})(?:C\d+)?(?:-L?\d+)?", fragment)
    return int(match.group(1)) if match else None


def anchor_is_ignored(url: str) -> bool:
    """Tell whether GitHub drops the line anchor: a rendered document without ?plain=1."""
    blob = parse_blob(url)
    if blob is None or blob.forge != "github" or line_in(url) is None:
        return False
    rendered = blob.path.lower().endswith((".md", ".markdown", ".rst", ".adoc", ".org", ".ipynb"))
    return rendered and "plain=1" not in urlsplit(url).query.split("&")


def without_line(url: str) -> str:
    """Return the address of the document itself: line anchor and ?plain=1 removed, other fragments kept."""
    if parse_blob(url) is None:
        return url
    return url.partition("#")[0].removesuffix("?plain=1")

"""Archives that keep what they once took in: Software Heritage, arXiv, Zenodo. Addresses both ways.

Where the rules come from (October 2026):

- A SWHID and its qualifiers: ISO/IEC 18670, chapters 4 and 6. In `origin` and `path` the characters ; and % are written
  %3B and %25. The archive decodes the address first and the qualifiers then, so an address holds them encoded twice, as
  its own links do; readers here accept both.
- An arXiv address without vN shows the newest version. Even a version's PDF is made anew from time to time, so that its
  hash does not stay (seen by people who hashed all of them): the version is fixed, the bytes are not.
- zenodo.org/records/N is one version, and its files stay; corrections in the first days are said to be possible. The
  number of a concept leads on to the newest version, and cannot be told from a version's: hence a DOI, which may be a
  concept's, is not fixed. Documents here have no lines to point to.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from .lines import Lines, lines_in, lines_of
from .reading import host_of, split

_SWH: Final = "https://archive.softwareheritage.org"
_CORE: Final = re.compile(r"swh:1:(cnt|dir|rev|rel|snp):[0-9a-f]{40}")
_RANGE: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
# What the archive leaves unencoded in the addresses of its own links.
_SAFE_IN_ADDRESS: Final = "/~:@!$&'()*+,;="
_ARXIV_ID: Final = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v(?P<version>[1-9]\d*))?"
_ARXIV_PATH: Final = re.compile(rf"/(?:abs|pdf|html|format)/{_ARXIV_ID}(?:\.pdf)?/?")
_ZENODO: Final = re.compile(r"(?:/api)?/records?/(?P<n>\d+)(?:/(?:files|preview)/(?P<file>.+?))?(?:/content)?/?", re.S)
_ZENODO_DOI: Final = re.compile(r"(?:/doi)?/10\.5281/zenodo\.(?P<n>\d+)/?", re.I)
_ZENODO_LATEST: Final = re.compile(r"(?:/api)?/records?/(?P<n>\d+)/(?:versions/)?latest/?")
_DOI_HOSTS: Final = ("doi.org", "dx.doi.org")
_ARXIV_DOI: Final = re.compile(rf"/10\.48550/arxiv\.{_ARXIV_ID}/?", re.I)


def swhid(data: bytes) -> str:
    """Return the Software Heritage identifier of a document's bytes: the SHA-1 that git gives them."""
    header = b"blob %d\0" % len(data)
    return f"swh:1:cnt:{hashlib.sha1(header + data, usedforsecurity=False).hexdigest()}"


@dataclass(frozen=True)
class Archived:
    """An object in Software Heritage: its core identifier, and where it was seen. `path` has no slash before it."""

    core: str
    origin: str = ""
    visit: str = ""
    anchor: str = ""
    path: str = ""

    platform = "software-heritage"
    is_fixed = same_bytes = True

    @property
    def commit(self) -> str:
        """The commit under which the path was seen, or ""."""
        return self.anchor.removeprefix("swh:1:rev:") if self.anchor.startswith("swh:1:rev:") else ""

    @property
    def repository(self) -> str:
        """OWNER/NAME of the repository it was seen in, or ""."""
        steps = [s for s in urlsplit(self.origin).path.removesuffix(".git").split("/") if s]
        return "/".join(steps) if len(steps) > 1 else ""

    @property
    def raw(self) -> str | None:
        """The address of the bytes; None for what is no document."""
        digest = self.core.removeprefix("swh:1:cnt:")
        return f"{_SWH}/api/1/content/sha1_git:{digest}/raw/" if digest != self.core else None

    def identifier(self, line: int | Lines | None = None) -> str:
        """Return the identifier with its qualifiers in the canonical order."""
        lines = lines_of(line) if self.raw else None
        qualifiers = {
            "origin": self.origin.replace("%", "%25").replace(";", "%3B"),
            "visit": self.visit,
            "anchor": self.anchor,
            "path": quote(f"/{self.path}") if self.path else "",
            "lines": f"{lines.first}-{lines.last}" if lines and lines.last else str(lines.first) if lines else "",
        }
        return self.core + "".join(f";{key}={value}" for key, value in qualifiers.items() if value)

    def url(self, line: int | Lines | None = None) -> str:
        """Return the address at which the archive shows the object, or lines of it."""
        return f"{_SWH}/{quote(self.identifier(line), safe=_SAFE_IN_ADDRESS)}"


@dataclass(frozen=True)
class Article:
    """An article on arXiv: its identifier and the number of its version, "" for the newest one."""

    id: str
    version: str = ""

    platform = "arxiv"
    same_bytes = False

    @property
    def is_fixed(self) -> bool:
        """Whether one version is named."""
        return bool(self.version)

    @property
    def name(self) -> str:
        """Identifier and version."""
        return f"{self.id}v{self.version}" if self.version else self.id

    @property
    def raw(self) -> str | None:
        """The address of the PDF."""
        return f"https://arxiv.org/pdf/{self.name}"

    def url(self, line: int | Lines | None = None) -> str:
        """Return the address of the abstract; there are no lines."""
        return f"https://arxiv.org/abs/{self.name}"


@dataclass(frozen=True)
class Deposit:
    """A record on Zenodo and one of its files. With `doi` the number may be a concept's, which leads on."""

    record: str
    file: str = ""
    doi: bool = False

    platform = "zenodo"

    @property
    def is_fixed(self) -> bool:
        """Whether one version is named."""
        return not self.doi

    @property
    def same_bytes(self) -> bool:
        """Whether the address serves one file of one version."""
        return not self.doi and bool(self.file)

    @property
    def raw(self) -> str | None:
        """The address of the file's bytes."""
        return f"{self.url()}?download=1" if self.file else None

    def url(self, line: int | Lines | None = None) -> str:
        """Return the address of the file, the record or the DOI; there are no lines."""
        if self.doi:
            return f"https://doi.org/10.5281/zenodo.{self.record}"
        return f"https://zenodo.org/records/{self.record}" + (f"/files/{quote(self.file)}" if self.file else "")


def parse_archived(text: str) -> tuple[Archived, Lines | None] | None:
    """Return the object, and the lines of it, that an identifier or an address of Software Heritage names."""
    if text.startswith("swh:1:"):
        return _identified(text)
    parts = split(text)
    if parts is None or host_of(parts) != "archive.softwareheritage.org":
        return None
    path = unquote(parts.path).removeprefix("/").removeprefix("browse/")
    if path.startswith("swh:1:"):
        # The archive ends its addresses in a slash, unless an origin stands there, which may have one of its own.
        return _identified(path if re.search(";origin=[^;]*$", path) else path.rstrip("/"))
    match = re.fullmatch(r"(?:api/1/)?content/sha1_git:([0-9a-f]{40})(?:/raw)?/?", path)
    if match is None:
        return None
    asked = parse_qs(parts.query)
    seen = {key: asked.get(key, [""])[0] for key in ("origin_url", "path")}
    # Here a path begins with the name of the root directory where no origin is given.
    found = seen["path"].strip("/") if seen["origin_url"] else seen["path"].strip("/").partition("/")[2]
    return Archived(f"swh:1:cnt:{match[1]}", seen["origin_url"], path=found), lines_in(text)


def _identified(text: str) -> tuple[Archived, Lines | None] | None:
    """Read an identifier. Qualifiers out of place are ignored, as the standard asks."""
    core, *rest = text.split(";")
    if not _CORE.fullmatch(core):
        return None
    told = {key: value for key, _, value in (q.partition("=") for q in rest)}
    origin, path = unquote(told.get("origin", "")), unquote(told.get("path", "")).removeprefix("/")
    span = _RANGE.fullmatch(told.get("lines", "")) if core.startswith("swh:1:cnt:") else None
    visit = told.get("visit", "") if origin and _CORE.fullmatch(told.get("visit", "")) else ""
    anchor = told.get("anchor", "") if path and _CORE.fullmatch(told.get("anchor", "")) else ""
    lines = Lines.between(int(span[1]), int(span[2]) if span[2] else None) if span else None
    return Archived(core, origin, visit, anchor, path), lines


def parse_article(text: str) -> Article | None:
    """Return the article that an arXiv identifier (arXiv:2401.01234v2), an address or a DOI names."""
    if match := re.fullmatch(rf"arxiv:{_ARXIV_ID}", text, re.I):
        return Article(match["id"], match["version"] or "")
    parts = split(text)
    if parts is None:
        return None
    pattern = {"arxiv.org": _ARXIV_PATH, "export.arxiv.org": _ARXIV_PATH, **dict.fromkeys(_DOI_HOSTS, _ARXIV_DOI)}
    match = _matched(pattern.get(host_of(parts)), parts)
    return Article(match["id"], match["version"] or "") if match else None


def parse_deposit(text: str) -> Deposit | None:
    """Return the record or the file that an address on Zenodo or a DOI of Zenodo names."""
    parts = split(text)
    if parts is None or host_of(parts) not in {"zenodo.org", *_DOI_HOSTS}:
        return None
    if match := _matched(_ZENODO_DOI, parts) or _matched(_ZENODO_LATEST, parts):
        return Deposit(match["n"], doi=True)
    match = _matched(_ZENODO, parts) if host_of(parts) == "zenodo.org" else None
    return Deposit(match["n"], match["file"] or "") if match else None


def _matched(pattern: re.Pattern[str] | None, parts: SplitResult) -> re.Match[str] | None:
    return pattern.fullmatch(unquote(parts.path)) if pattern else None

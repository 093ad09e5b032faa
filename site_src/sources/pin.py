"""A link that somebody pasted → a source entry of a record, with everything that can be told of it.

The bytes come from anywhere: `entry` is given a function from the address of the bytes to the bytes, one that turns a
branch or tag into its commit, and one that tells when a document was last changed. `cloned.py` has all three for
clones on this disk. What cannot be told is named in `missing`, never guessed.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from ..model import Source
from ..permalinks import Archived, Article, Blob, Deposit, Page, Permalink, Place, how_to_find, parse
from ..problems import Surroundings
from . import large

Obtain = Callable[[str], bytes]
"""The address of a document's bytes → the bytes. Raises Surroundings where they cannot be had."""
Settle = Callable[[Permalink], tuple[Permalink, str]]
"""A link on a branch or tag → the same at its commit, and a sentence that says so ("" if it stood at one)."""
ChangedAt = Callable[[Place], str | None]
"""A document at its commit → the date of its last change, or None."""

_TELLS_NOTHING: Final = frozenset({"", "readme", "index", "main", "document"})


class NoAddress(Exception):
    """What was given names nothing that could be a source. The text is for a person."""


@dataclass(frozen=True)
class SourceEntry:
    """What goes into `sources`, and into `evidence` of a value on the line of the link.

    `missing` names fields that a complete entry has and nobody could tell; `notes` are sentences for the editor;
    `fault` is what is wrong with the link itself, or "".
    """

    fields: Mapping[str, Any]
    evidence: Mapping[str, Any] | None = None
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fault: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether the entry can stand in a record as it is."""
        return not self.missing and not self.fault


def nothing_obtained(address: str) -> bytes:
    """Stand in for a way to the bytes, where there is none."""
    raise Surroundings("Its bytes were not read.")


def as_it_stands(link: Permalink) -> tuple[Permalink, str]:
    """Leave a branch a branch."""
    return link, ""


def cleaned(pasted: str) -> str:
    """Return a pasted address without what is around it, blanks and other forbidden characters percent-encoded."""
    return re.sub(r"[\x00-\x20\"\\^`{|}<>]", lambda m: quote(m.group()), pasted.strip().strip("<>"))


def entry(
    url: str,
    obtain: Obtain = nothing_obtained,
    *,
    read_on: date,
    settle: Settle = as_it_stands,
    changed_at: ChangedAt = lambda place: None,
) -> SourceEntry:
    """Return the source entry of a link. Raises NoAddress where the text is none."""
    link = parse(cleaned(url))
    if link is None:
        raise NoAddress(f"{url} is neither a web address nor an identifier of Software Heritage or arXiv.")
    notes: list[str] = []
    try:
        link, said = settle(link)
        notes += [said] if said else []
    except Surroundings as failure:
        notes.append(str(failure))
    place = link.place
    fields = {key: value for key, value in _told(place, link, read_on).items() if value not in {None, ""}}
    notes += _moving(place)
    data = _bytes(place, obtain, notes)
    if data is not None:
        fields["document_sha256"] = hashlib.sha256(data).hexdigest()
    if changed := changed_at(place) if data is not None else None:
        fields["last_commit_at"] = changed
    elif data is not None and isinstance(place, Blob):
        notes.append("When the document was last changed is not known, so last_commit_at is left out.")
    missing = tuple(key for key in _needed(place, data is not None) if key not in fields)
    fault, evidence = _evidence(link, fields["document_id"], data)
    ordered = {key: fields[key] for key in Source.model_fields if key in fields}
    return SourceEntry(ordered, evidence, missing, tuple(dict.fromkeys(notes)), fault)


def _bytes(place: Place, obtain: Obtain, notes: list[str]) -> bytes | None:
    """Return the bytes of a document; None, with a note, where there are none or they are a stand-in."""
    if isinstance(place, Blob) and not place.is_pinned:
        return None
    if place.raw is None:
        notes.append("The link names no document.")
        return None
    try:
        data = obtain(place.raw)
    except Surroundings as failure:
        notes.append(str(failure))
        return None
    if large.is_pointer(data):
        notes.append(large.WHY)
        return None
    return data


def _moving(place: Place) -> list[str]:
    """Return how to find the fixed address of a place that can move."""
    if isinstance(place, Blob) and not place.is_pinned:
        moving = f"{place.revision!r} can move" if place.revision else "The link names no commit"
        return [f"{moving}. To find the commit: {how_to_find(place)}."]
    if isinstance(place, Article) and not place.is_fixed:
        return [f"The newest version changes. Write the one that you read: {place.url()}v1."]
    if isinstance(place, Deposit) and not place.is_fixed:
        return ["A DOI may lead on to a newer version. Open it, and take the address zenodo.org/records/NUMBER."]
    return []


def _needed(place: Place, was_read: bool) -> tuple[str, ...]:
    """Return the fields that a complete entry has; a shallow clone excuses the date of the last change."""
    dated = ("last_commit_at",) if isinstance(place, Blob) and not was_read else ()
    return ("publisher", "revision", "document_path", "pinned_url", "document_sha256", *dated)


def _told(place: Place, link: Permalink, read_on: date) -> dict[str, Any]:
    """Return what the address alone tells."""
    told = {"checked_on": read_on.isoformat(), "platform": place.platform, "public_URL_is_immutable": place.same_bytes}
    if isinstance(place, Blob):
        return told | _of_blob(place, link.slug)
    if isinstance(place, Archived):
        return told | _of_archived(place)
    if isinstance(place, Article):
        return told | _of_article(place)
    if isinstance(place, Deposit):
        return told | _of_deposit(place)
    return told | _of_page(place, read_on)


def _of_blob(place: Blob, slug: str) -> dict[str, Any]:
    owner, _, name = place.repository.removeprefix("datasets/").removeprefix("spaces/").rpartition("/")
    pinned = {
        "revision": place.revision,
        # The page of a gist does not name its file; the address of the bytes does.
        "pinned_url": (place.raw if place.forge == "gist" else place.url()) if place.path else None,
        "revision_kind": "Commit",
    }
    return {
        "document_id": _id(place.path or slug, name),
        # The address of a gist need not name its owner; an old model of the hub has none but itself.
        "publisher": owner.partition("/")[0] or (None if place.forge == "gist" else name),
        "repository": place.repository,
        "document_path": place.path,
        "url": place.home,
        "public_URL_is_immutable": place.same_bytes if place.is_pinned else None,
        **(pinned if place.is_pinned else {}),
    }


def _of_archived(place: Archived) -> dict[str, Any]:
    repository = place.repository
    return {
        "document_id": _id(place.path, repository.rpartition("/")[2] or "archived"),
        "publisher": repository.partition("/")[0] or "Software Heritage",
        "repository": repository,
        "revision": place.commit or place.core,
        "document_path": place.path or place.core,
        "pinned_url": place.url(),
        "url": place.origin,
        "revision_kind": "Software Heritage identifier of the content",
    }


def _of_article(place: Article) -> dict[str, Any]:
    return {
        "document_id": _slug(f"arxiv-{place.name}"),
        "publisher": "arXiv",
        "revision": f"v{place.version}" if place.version else None,
        "document_path": f"pdf/{place.name}",
        "pinned_url": place.raw,
        "url": place.url(),
        "revision_kind": "Version on arXiv; its PDF may be made anew" if place.version else "Newest version on arXiv",
    }


def _of_deposit(place: Deposit) -> dict[str, Any]:
    return {
        "document_id": _id(place.file, f"zenodo-{place.record}"),
        "publisher": "Zenodo",
        "revision": None if place.doi else f"record {place.record}",
        "document_path": place.file,
        "pinned_url": place.url(),
        "url": f"https://doi.org/10.5281/zenodo.{place.record}",
        "revision_kind": "DOI, which may lead on to a newer version" if place.doi else "Version on Zenodo",
    }


def _of_page(place: Page, read_on: date) -> dict[str, Any]:
    parts = urlsplit(place.address)
    path = unquote(parts.path).strip("/")
    host = (parts.hostname or "").removeprefix("www.")
    return {
        "document_id": _id(path, host.partition(".")[0]),
        "publisher": host,
        "revision": f"copy read on {read_on.isoformat()}",
        "document_path": path or "/",
        "pinned_url": place.raw,
        "revision_kind": "Editable page; saved copy with date and hash",
    }


def _evidence(link: Permalink, document: str, data: bytes | None) -> tuple[str, dict[str, Any] | None]:
    """Return what is wrong with the lines of a link, and the evidence entry for them."""
    if isinstance(link.place, Page) and link.place.quote and not link.place.quote.end:
        return "", {"document": document, "exact": link.place.quote.start}
    if link.lines is None:
        return "", None
    # A line of a forge ends in a line feed; the last one need not.
    count = len(data.removesuffix(b"\n").split(b"\n")) if data is not None else None
    if count is not None and link.lines.end > count:
        lines = f"{count} line{'s' * (count != 1)}"
        return f"The link names line {link.lines.end}, and the document has {lines}.", None
    return "", {"document": document, "line": link.lines.first}


def _id(path: str, otherwise: str) -> str:
    """Return a name for a document: that of its file, with the repository's where that says nothing."""
    name = path.rstrip("/").rpartition("/")[2]
    stem = _slug(name.rpartition(".")[0] or name)
    return _slug(f"{otherwise}-{stem}") if stem in _TELLS_NOTHING or stem.isdecimal() else stem


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "document"

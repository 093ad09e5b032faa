"""A guide and its sources → entries of a bibliography, as BibTeX and as CSL-JSON.

The first entry is the page, the others its sources in the order in which the page numbers them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from . import citations, serial
from .hrefs import Hrefs
from .model import Record, Source

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_"},
}


@dataclass(frozen=True)
class Entry:
    """One cited work. Dates are ISO texts; `issued` is "" where nobody says when it was published."""

    key: str
    kind: str
    title: str
    author: str
    container: str
    issued: str
    accessed: str
    url: str
    version: str
    language: str
    note: str


def entries(record: Record, site: str, hrefs: Hrefs) -> tuple[Entry, ...]:
    """Return the page as published by `site`, then each of its sources."""
    key = _key(record.id)
    page = Entry(
        key=key,
        kind="webpage",
        title=record.title,
        author=site,
        container=site,
        issued=record.published_on,
        accessed="",
        url=hrefs.absolute(record.path),
        version=record.modified_on,
        language=record.lang or "en",
        note=f"Sources checked {record.source_checked_on}",
    )
    return (page, *(_source(f"{key}-src-{n}", source) for n, source in citations.numbered(record)))


def bibtex(found: tuple[Entry, ...]) -> bytes:
    """Return the entries as BibTeX, in the fields of biblatex that BibTeX ignores where it does not know them."""
    return "\n".join(map(_bibtex, found)).encode()


def csl(found: tuple[Entry, ...]) -> bytes:
    """Return the entries as CSL-JSON."""
    return (serial.json_text([_csl(entry) for entry in found]) + "\n").encode()


def _source(key: str, source: Source) -> Entry:
    blob = citations.blob_of(source)
    kind = "Editable page, copy read" if citations.is_mutable(source) else "Fixed revision, read"
    return Entry(
        key=key,
        kind="document",
        title=source.document_path,
        author=source.publisher,
        container=source.repository or "",
        issued=source.last_commit_at or "",
        accessed=source.checked_on,
        url=blob.url() if blob else source.pinned_url,
        version=source.revision,
        language="",
        note=f"{kind} {source.checked_on[:10]}, SHA-256 {source.document_sha256}",
    )


def _key(record_id: str) -> str:
    """Return a citation key that every program reads; an id that had to change keeps apart from others by its hash."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", record_id).strip("-")
    if plain == record_id:
        return plain
    tag = hashlib.sha256(record_id.encode()).hexdigest()[:8]
    return f"{plain}-{tag}" if plain else f"record-{tag}"


def _bibtex(entry: Entry) -> str:
    fields = [*_bibtex_fields(entry)]
    width = max(len(name) for name, _ in fields)
    lines = [f"  {name.ljust(width)} = {{{value}}}," for name, value in fields]
    return "\n".join([f"@misc{{{entry.key},", *lines, "}"]) + "\n"


def _bibtex_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "title", f"{{{_latex(entry.title)}}}"
    # A second pair of braces: a body is no person whose last word would be a surname.
    yield "author", f"{{{_latex(entry.author)}}}"
    named = [("howpublished", _latex(entry.container)), ("date", entry.issued[:10]), ("year", entry.issued[:4])]
    named += [("url", _verbatim(entry.url)), ("urldate", entry.accessed[:10]), ("version", _latex(entry.version))]
    named += [("langid", _latex(entry.language)), ("note", _latex(entry.note))]
    yield from ((name, value) for name, value in named if value)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(c, c) for c in re.sub(r"\s+", " ", text))


def _verbatim(url: str) -> str:
    """Return an address without the characters that would end the field."""
    return re.sub(r"[{}\\\s]", lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), url)


def _csl(entry: Entry) -> dict[str, Any]:
    named = {"container-title": entry.container, "URL": entry.url, "version": entry.version}
    named |= {"language": entry.language, "note": entry.note}
    dated = {"issued": entry.issued, "accessed": entry.accessed}
    return {
        "id": entry.key,
        "type": entry.kind,
        "title": entry.title,
        "author": [{"literal": entry.author}],
        **{name: {"date-parts": [_parts(date)]} for name, date in dated.items() if date},
        **{name: text for name, text in named.items() if text},
    }


def _parts(date: str) -> list[int]:
    return [int(part) for part in date[:10].split("-")]

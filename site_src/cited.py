"""The sources of all guides → one entry for each cited document: its state, its dates, and who cites it for what.

Two sources are one document where address, revision, hash and kind are equal: another copy of an editable page is
another entry. A source is stale where it was last read long before the newest date of the records, where it changed
after it was read, or where the receipt says that the bytes are others. There is no clock: an old site does not age.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from . import citations
from .check import Explainer
from .days import between, day
from .evidence import Evidence
from .fields import Part
from .interface import ENGLISH, Words
from .model import Measurement, Record, Source
from .reuse import FRESH, Keep
from .serial import Raw, json_text

STALE_AFTER: Final = 180
"""Days between the last reading of a document and the newest date of the records from which on it is stale."""
MOST_GUIDES: Final = 20
"""Guides that one document names on the page; the data names all of them."""
_FREE: Final = ("case_reports", "memory_observations", "long_context_cases")
_OTHER_BYTES: Final = frozenset({"drifted", "hash-differs"})


@dataclass(frozen=True)
class Use:
    """One guide that cites a document: for how many values of results and how many other parts, and what it knows.

    `anchor` and `href` are of the document, `source` is as the guide describes it.

    `read_on` is when the guide's record says the document was read, `looked_on` when a receipt last saw its bytes,
    "" if none did; `outcome` is the receipt's, "" without one; `cited_for` is what it is cited for in words.
    """

    anchor: str
    href: str
    source: Source
    mutable: bool
    route: str
    title: str
    language: str
    number: int
    values: int
    others: int
    read_on: str
    looked_on: str
    outcome: str
    state: str
    cited_for: str


class Cites(NamedTuple):
    """What one guide cites, its sources in their order, and the newest day that its record and its receipt name."""

    uses: tuple[Use, ...] = ()
    newest: str = ""


class Cited(NamedTuple):
    """One cited document of the site: its anchor, and `source` as the first guide describes it."""

    id: str
    source: Source
    href: str
    mutable: bool
    publishers: tuple[str, ...]
    changed: tuple[str, ...]
    uses: tuple[Use, ...]
    stale: tuple[str, ...]

    @property
    def fixed_at(self) -> tuple[str, str]:
        """What fixes the document, and its name."""
        return citations.fixed_at(self.source)

    @property
    def read_on(self) -> str:
        """When a guide last read it, by its record."""
        return max((u.read_on for u in self.uses), key=day)

    @property
    def states(self) -> tuple[str, ...]:
        """What receipts say of it, each answer once, in the order of the guides."""
        return tuple(dict.fromkeys(u.state for u in self.uses))

    @property
    def shown(self) -> tuple[Use, ...]:
        """The guides that the page names."""
        return self.uses[:MOST_GUIDES]

    @property
    def more(self) -> int:
        """How many guides the page does not name."""
        return len(self.uses) - len(self.shown)


def cites(say: Words, explainer: Explainer) -> Cites:
    """Return what one guide cites, for what in words of `say`."""
    return Cites(tuple(_uses(say, explainer)), max(map(day, _dates(explainer))))


def cited(found: Sequence[Cites], say: Words = ENGLISH) -> tuple[Cited, ...]:
    """Return every cited document once: the pinned ones, then the editable ones, each by publisher and path."""
    today = newest_date(found)
    by_anchor: dict[str, list[Use]] = {}
    for use in (use for one in found for use in one.uses):
        by_anchor.setdefault(use.anchor, []).append(use)
    return tuple(sorted((_cited(say, tuple(uses), today) for uses in by_anchor.values()), key=_order))


def newest_date(found: Iterable[Cites]) -> str:
    """Return the newest day that any record or receipt names; "" where there is no record."""
    return max((one.newest for one in found), default="")


def as_json(documents: Sequence[Cited], newest: str, keep: Keep = FRESH) -> bytes:
    """Return the documents as data, every guide with its own dates and counts."""
    listed = ",\n".join(keep(_as_text, d) for d in documents)
    listed = f"[\n{listed}\n  ]" if listed else "[]"
    whole = {"newest_date": newest or None, "stale_after_days": STALE_AFTER, "documents": Raw(listed)}
    return (json_text(whole) + "\n").encode()


def anchor(source: Source) -> str:
    """Return the anchor of a source on the page of sources. It depends on the document alone, so links to it last."""
    kind = "editable" if citations.is_mutable(source) else "pinned"
    whole = "\n".join((_href(source), source.revision, source.document_sha256, kind))
    return f"doc-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"


def _href(source: Source) -> str:
    blob = citations.blob_of(source)
    return blob.url() if blob else source.pinned_url


def _order(document: Cited) -> tuple[object, ...]:
    source = document.source
    names = (document.publishers[0], source.document_path, document.href, source.revision)
    return (document.mutable, *(n.casefold() for n in names), *names, source.document_sha256)


def _dates(explainer: Explainer) -> Iterator[str]:
    record = explainer.record
    yield from (record.published_on, record.modified_on, record.source_checked_on)
    yield from (s.checked_on for s in record.all_sources)
    yield from (c.on for c in explainer.receipts.sources.values() if c.on)


def _uses(say: Words, explainer: Explainer) -> Iterator[Use]:
    """Yield each source of a guide with what the guide cites it for."""
    record, receipts = explainer.record, explainer.receipts
    values = Counter(c.number for r in record.reported_results if (c := citations.of_result(record, r)))
    others = Counter(_other_citations(record))
    for number, source in citations.numbered(record):
        receipt = receipts.sources.get(source.pinned_url)
        yield Use(
            anchor=anchor(source),
            href=_href(source),
            source=source,
            mutable=citations.is_mutable(source),
            route=record.path,
            title=record.title,
            language=record.lang or "",
            number=number,
            values=values[number],
            others=others[number],
            read_on=source.checked_on,
            looked_on=(receipt.on or "") if receipt else "",
            outcome=receipt.outcome if receipt else "",
            state=receipts.of_source(say, source),
            cited_for=_cited_for(say, values[number], others[number]),
        )


def _cited_for(say: Words, values: int, others: int) -> str:
    found = ((values, say.count(values, "value")), (others, say.count(others, "part")))
    return say.listed([told for n, told in found if n]) or say("documents.no_value")


def _other_citations(record: Record) -> Iterator[int]:
    """Yield the number of the source behind everything but the values of results: cases, readings, evidence."""
    parts = [part for name in _FREE for part in getattr(record, name)]
    cited_by = [citations.of_reading(record, part) for part in parts]
    cited_by += [citations.of_evidence(record, entry) for entry in _evidence(record)]
    yield from (c.number for c in cited_by if c)


def _evidence(part: Any) -> Iterator[Evidence]:
    """Yield every evidence entry below a part of a record but that of the value of a result."""
    if isinstance(part, Evidence):
        yield part
    elif isinstance(part, Part):
        for name, value in part:
            if not (isinstance(part, Measurement) and name == "evidence"):
                yield from _evidence(value)
    elif isinstance(part, dict | list | tuple):
        for value in part.values() if isinstance(part, dict) else part:
            yield from _evidence(value)


def _cited(say: Words, uses: tuple[Use, ...], today: str) -> Cited:
    first = uses[0]
    changed = sorted({d for u in uses if (d := u.source.last_commit_at)}, key=lambda d: (day(d), d))
    publishers = tuple(dict.fromkeys(u.source.publisher for u in uses))
    stale = tuple(_stale(say, uses, changed, today))
    return Cited(first.anchor, first.source, first.href, first.mutable, publishers, tuple(changed), uses, stale)


def _stale(say: Words, uses: Sequence[Use], changed: Sequence[str], today: str) -> Iterator[str]:
    """Yield why a document is stale, in words."""
    seen = [u.read_on for u in uses] + [u.looked_on for u in uses if u.outcome == "verified"]
    last = max(map(day, seen))
    age = between(last, today)
    if age >= STALE_AFTER:
        yield say("documents.old", days=say.count(age, "day"), newest=say.date(today))
    read = max(day(u.read_on) for u in uses)
    if changed and day(changed[-1]) > read:
        yield say("documents.changed", day=say.date(day(changed[-1])), read=say.date(read))
    if any(u.outcome in _OTHER_BYTES for u in uses):
        yield say("documents.bytes")


def _as_text(document: Cited) -> str:
    return f"    {json_text(_as_data(document), 2)}"


def _as_data(document: Cited) -> dict[str, Any]:
    source = document.source
    return {
        "id": document.id,
        "state": "editable" if document.mutable else "pinned",
        "publishers": document.publishers,
        "repository": source.repository,
        "path": source.document_path,
        "url": document.href,
        "pinned_url": source.pinned_url,
        "revision": source.revision,
        "revision_kind": source.revision_kind,
        "sha256": source.document_sha256,
        "last_changed": document.changed,
        "stale": document.stale,
        "used_by": [
            {
                "guide": use.route,
                "title": use.title,
                "source_number": use.number,
                "values": use.values,
                "other_parts": use.others,
                "checked_on": use.read_on,
                "verification": use.outcome or None,
                "verification_on": use.looked_on or None,
            }
            for use in document.uses
        ],
    }

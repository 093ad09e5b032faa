"""A verification receipt beside its record → what is known of each source and each value, and what is found amiss.

A receipt speaks of the pins and values it was made for. What was changed since is as if it had not been verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from . import citations, shape, words
from .interface import ENGLISH, Words
from .load import Document
from .model import Record, Source
from .pointers import at_pointer
from .problems import Finding, Problem
from .sources.asked import questions
from .sources.receipt import Checked, Found, Outcome, Receipt

_CONDITION: Final = "/condition_evidence/"
# What a page says of a value.
_SAID: Final = frozenset({"verified", "line-moved", "value-absent", "hash-differs", "drifted"})


@dataclass(frozen=True)
class Receipts:
    """What the receipt of one record says of its sources, by address, and of its values, by pointer."""

    sources: Mapping[str, Checked] = field(default_factory=dict)
    values: Mapping[str, Found] = field(default_factory=dict)

    def of_source(self, say: Words, source: Source) -> str:
        """Return the state of a source in words."""
        found = self.sources.get(source.pinned_url)
        if found is None or found.outcome == "not-checked" or found.on is None:
            reason = found.reason if found is not None else ""
            unread = say("receipt.because", state=say("receipt.unreachable"), reason=reason)
            return unread if reason else say("receipt.declared")
        day, size = say.date(found.on), say.count(found.size or 0, "byte")
        if found.outcome == "verified":
            return say("receipt.verified_on", day=day, size=size)
        if found.outcome == "drifted":
            return say("receipt.drifted_on", day=day, size=size)
        return say("receipt.differs_on", day=day, size=size)

    def of_value(self, say: Words, pointer: str) -> str:
        """Return the state of a value in words; "" where nobody looked."""
        found = self.values.get(pointer)
        return _said(say, found.outcome, found.line) if found and found.outcome in _SAID else ""


def _said(say: Words, outcome: str, line: int | str | None) -> str:
    return say(f"receipt.{outcome.replace('-', '_')}", line=line)


def word(say: Words, outcome: Outcome) -> str:
    """Return how a page calls an outcome of verification, with N for a line."""
    said = _said(say, "declared" if outcome == "not-checked" else outcome, "N")
    return said[:1].upper() + said[1:]


def read(document: Document, record: Record) -> tuple[Receipts, list[Problem], list[Finding]]:
    """Return what a record's receipt says of it as it stands, and what is amiss."""
    if document.receipt_file is None:
        return Receipts(), [], []
    receipt = shape.receipt(document.receipt_file, document.receipt)
    if not isinstance(receipt, Receipt):
        # Nobody writes a receipt by hand: what is wrong with one is wrong with all of it.
        again = f"Take {document.receipt_file} away, and run verify again."
        return Receipts(), [replace(receipt[0], remedy=again)], []
    pins = {s.pinned_url: s.document_sha256 for s in record.all_sources}
    sources = {s.source: s for s in receipt.sources if pins.get(s.source) == s.pin}
    asked = {one.pointer: digest for one, digest in questions(document.data, record)}
    current = {v.pointer: v for v in receipt.values if asked.get(v.pointer) == v.asked}
    findings = [*_stale(document, receipt, sources, current), *_amiss(document, record, sources, current)]
    findings += _unlined(document, receipt)
    return Receipts(sources, current), [], findings


def _stale(
    document: Document, receipt: Receipt, sources: Mapping[str, Checked], values: Mapping[str, Found]
) -> Iterator[Finding]:
    old = [s.source for s in receipt.sources if s.source not in sources]
    old += [v.pointer for v in receipt.values if v.pointer not in values]
    if old:
        message = f"the receipt tells of what the record no longer says: {ENGLISH.listed(old[:3])}"
        message += f" and {len(old) - 3} more" if len(old) > 3 else ""
        yield Finding(document.receipt_file or "", "", "receipt-stale", message, "Run verify again.")


def _amiss(
    document: Document, record: Record, sources: Mapping[str, Checked], values: Mapping[str, Found]
) -> Iterator[Finding]:
    for number, source in citations.numbered(record):
        found = sources.get(source.pinned_url)
        own = len(record.sources)
        at = f"/sources/{number - 1}" if number <= own else f"/supplemental_sources/{number - 1 - own}"
        if found and found.outcome == "drifted":
            message = f"{source.pinned_url} no longer serves the copy that was read"
            yield Finding(document.file, at, "source-drifted", message, "Read it again, or keep to the saved copy.")
        elif found and found.outcome == "hash-differs":
            message = f"{source.document_path} at its revision has other bytes than the pin says"
            yield Finding(document.file, at, "hash-differs", message, "Correct the revision, the path or the hash.")
    for pointer, value in values.items():
        yield from _of_value(document, pointer, value)
        yield from _elsewhere(document, pointer, value, values)


def _of_value(document: Document, pointer: str, found: Found) -> Iterator[Finding]:
    if found.outcome == "line-moved":
        message = f"the value stands on line {found.line}"
        yield Finding(document.file, pointer, "line-moved", message, f"Write line {found.line}.")
    elif found.outcome == "value-absent":
        message = f"the document does not print {found.value or 'these words'} there, in that unit"
        yield Finding(
            document.file, pointer, "value-absent", message, "Correct the value, its unit, or where it stands."
        )


def _elsewhere(document: Document, pointer: str, found: Found, values: Mapping[str, Found]) -> Iterator[Finding]:
    """A condition that stands in another section or document than the value it belongs to."""
    row, is_condition, _ = pointer.partition(_CONDITION)
    value = values.get(f"{row}/evidence")
    if not is_condition or value is None or found.line is None or value.line is None:
        return
    here = _document(document.data, pointer)
    there = _document(document.data, f"{row}/evidence")
    if here != there or found.section != value.section:
        where = f"in {here}" if here != there else "in another section"
        message = f"the condition stands {where}, line {found.line}; its value on line {value.line}"
        yield Finding(document.file, pointer, "condition-elsewhere", message, "Make sure that it is of the same run.")


def _unlined(document: Document, receipt: Receipt) -> Iterator[Finding]:
    """A condition whose number stands on no line that the record names, nor in the section of its value."""
    for pointer in receipt.unlined:
        held = at_pointer(document.data, pointer)
        if isinstance(held, Decimal):
            message = (
                f"{words.number(held)} stands nowhere in the section of its value, and the condition names no line"
            )
            yield Finding(document.file, pointer, "condition-without-line", message, "Name its line, or take it out.")


def _document(data: Any, pointer: str) -> str:
    held = at_pointer(data, f"{pointer}/document")
    return held if isinstance(held, str) else "the source of its row"

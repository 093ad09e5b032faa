"""The `verify` command: obtains each source, writes the receipt of each record, and tells what it came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from . import assets, shape
from .check import Explainer, check
from .edited import replace_text
from .load import load
from .model import Source
from .problems import Surroundings
from .project import Project
from .sources import receipt as receipts
from .sources.obtain import Places
from .sources.receipt import Found, Receipt
from .sources.verify import Obtained, verify

_NOT_HAD: Final = frozenset({"not-checked", "unreachable"})


@dataclass(frozen=True)
class Verified:
    """What verifying one record came to: its `receipt`, and what of it is `new`."""

    record: str
    file: str
    receipt: Receipt
    new: Receipt

    @property
    def contradictions(self) -> list[str]:
        """What the documents say against the record."""
        found = [f"{s.source}: its fixed revision has other bytes" for s in self.receipt.sources if _differs(s.outcome)]
        return found + [_told(v) for v in self.receipt.values if v.outcome in {"value-absent", "line-moved"}]

    @property
    def unreachable(self) -> list[str]:
        """What was asked for and could not be had."""
        return [f"{s.source}: {s.reason}" for s in self.new.sources if s.outcome == "unreachable"]

    @property
    def unchecked(self) -> list[str]:
        """What nobody asked for."""
        return [s.source for s in self.new.sources if s.outcome == "not-checked"]

    def counts(self) -> tuple[Counter[str], Counter[str]]:
        """Return how many sources and how many values came to what."""
        return Counter(s.outcome for s in self.receipt.sources), Counter(v.outcome for v in self.receipt.values)

    def as_plain(self) -> dict[str, Any]:
        """Return the receipt with its counts as plain data."""
        sources, values = self.counts()
        counts = {"sources": dict(sources), "values": dict(values)}
        return {"record": self.record, "counts": counts, "receipt": self.receipt.model_dump(exclude_none=True)}


def _differs(outcome: str) -> bool:
    return outcome == "hash-differs"


def _told(found: Found) -> str:
    if found.outcome == "line-moved":
        return f"{found.pointer}: the value stands on line {found.line}"
    return f"{found.pointer}: the document does not print {found.value or 'these words'} there"


def run(project: Project, ids: Sequence[str], places: Places, today: str) -> list[Verified]:
    """Verify the named records, or all; a receipt is written as soon as its record is done. Raises Rejected."""
    checked = check(load(project), assets.own_names(project), drafts=True, claims_proved=False)
    known = {e.record.id for e in checked.explainers}
    for name in ids:
        if name not in known:
            raise Surroundings(f"No record has the id {name}. There are: {', '.join(sorted(known))}.")
    return [_verified(project, e, places, today) for e in checked.explainers if not ids or e.record.id in ids]


def _verified(project: Project, explainer: Explainer, places: Places, today: str) -> Verified:
    document = explainer.document
    stopping = _Stopping(places)
    before = document.receipt if document.receipt_file else None
    earlier = shape.receipt(document.receipt_file or "", before) if before is not None else None
    new = verify(document.data, explainer.record, stopping.obtain, today)
    receipt = merged(new, earlier) if isinstance(earlier, Receipt) else new
    file = f"{Path(document.file).with_suffix('').as_posix()}.verified.json"
    text = receipts.text(receipt)
    path = project.root / file
    if not path.is_file() or path.read_text("utf-8") != text:
        replace_text(path, text)
    if stopping.is_stopped:
        raise KeyboardInterrupt
    return Verified(explainer.record.id, file, receipt, new)


class _Stopping:
    """Obtains until the editor stops; what was had until then still enters the receipt."""

    def __init__(self, places: Places) -> None:
        self.places, self.is_stopped = places, False

    def obtain(self, source: Source) -> Obtained:
        if self.is_stopped:
            return Obtained()
        try:
            return self.places.obtain(source)
        except KeyboardInterrupt:
            self.is_stopped = True
            return Obtained()


def merged(new: Receipt, old: Receipt) -> Receipt:
    """Return a receipt that keeps what an earlier one says of sources that were not had this time."""
    before = {(s.source, s.pin): s for s in old.sources if s.outcome not in _NOT_HAD}
    sources = tuple(before.get((s.source, s.pin), s) if s.outcome in _NOT_HAD else s for s in new.sources)
    seen = {(v.pointer, v.asked): v for v in old.values if v.outcome not in _NOT_HAD}
    values = tuple(seen.get((v.pointer, v.asked), v) if v.outcome in _NOT_HAD else v for v in new.values)
    not_read = any(v.outcome in _NOT_HAD for v in new.values)
    unlined = tuple(dict.fromkeys([*new.unlined, *(old.unlined if not_read else ())]))
    return Receipt(format=new.format, sources=sources, values=values, unlined=unlined)


def report(found: Sequence[Verified]) -> str:
    """Return a Markdown table for a pull request: a line a source, then what contradicts the record."""
    lines = ["| record | source | outcome | bytes | SHA-256 |", "|---|---|---|---:|---|"]
    for one in found:
        for source in one.receipt.sources:
            size = f"{source.size:,}" if source.size is not None else ""
            lines.append(
                f"| {one.record} | {source.source} | {source.outcome} | {size} | {(source.sha256 or '')[:16]} |"
            )
    lines += ["", "| record | values | outcome |", "|---|---:|---|"]
    for one in found:
        _, values = one.counts()
        lines += [f"| {one.record} | {count} | {outcome} |" for outcome, count in sorted(values.items())]
    against = [f"- {one.record}: {told}" for one in found for told in one.contradictions]
    return "\n".join([*lines, *([""] if against else []), *against])

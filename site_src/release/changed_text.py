"""What changed between two sites → lines for a person, the same as JSON, and a summary of one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from ..locate import printable
from .changes import Changes, GuideChanges, Sorted
from .record_changes import Change

_MOST: Final = 160
_NOT_THERE: Final = "(not there)"


def lines(found: Changes) -> Iterator[str]:
    """Yield what a person reads: pages, guides with their values, figures, then how many other files."""
    yield from _listed("page", found.pages)
    if found.markup:
        yield f"page    {len(found.markup)} changed in markup or addresses alone"
    for guide in found.guides:
        yield from _guide(guide)
    for route in found.unread:
        yield f"guide   {printable(route)} changed; name folders or archives, and not manifests, to see its values"
    yield from _listed("figure", found.figures, changed="changed: it shows other data")
    for name in found.redrawn:
        yield f"figure  redrawn, with the same data: {printable(name)}"
    files = found.files
    if counts := [f"{len(part)} {word}" for word, part in vars(files).items() if part]:
        yield f"files   other than pages and figures: {', '.join(counts)}"


def _listed(what: str, found: Sorted, changed: str = "changed") -> Iterator[str]:
    for word, names in (("added", found.added), ("removed", found.removed), (changed, found.changed)):
        for name in names:
            yield f"{what:6}  {word}  {printable(name)}"


def _guide(guide: GuideChanges) -> Iterator[str]:
    if guide.old is None or guide.new is None:
        word, where = ("added", guide.new) if guide.old is None else ("removed", guide.old)
        yield f"guide   {word}  {printable(str(where))}  (record {printable(guide.record)})"
        return
    moved = f"  moved from {printable(guide.old)}" if guide.old != guide.new else ""
    yield f"guide   {printable(guide.new)}  (record {printable(guide.record)}){moved}"
    for change in guide.changes:
        yield f"  {change.kind:6}  {_change(change)}"


def _change(change: Change) -> str:
    where = f"{change.where}: " if change.where else ""
    field = "" if change.field == "value" and change.kind == "value" else f"{change.field}: "
    return f"{printable(where + field)}{_side(change.old)} → {_side(change.new)}"


def _side(text: str | None) -> str:
    if text is None:
        return _NOT_THERE
    told = printable(" ".join(text.split()))
    return told if len(told) <= _MOST else f"{told[:_MOST]}…"


def as_json(found: Changes) -> str:
    """Return everything as JSON, in ASCII; null stands for what is not there."""
    told: dict[str, Any] = {"format": 1, **asdict(found)}
    return json.dumps(told, indent=1)


def summary(found: Changes) -> str:
    """Return how much changed, in one line."""
    pages = sum(len(part) for part in vars(found.pages).values())
    kinds = [change.kind for guide in found.guides for change in guide.changes]
    figures = sum(len(part) for part in vars(found.figures).values()) + len(found.redrawn)
    parts = [(pages, "page"), *((kinds.count(k), k) for k in ("value", "source", "date", "field")), (figures, "figure")]
    counted = ", ".join(f"{n} {noun}{'s' * (n != 1)}" for n, noun in parts)
    return f"{counted} differ"

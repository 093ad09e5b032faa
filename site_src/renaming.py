"""Old addresses and old heading ids of guides: what is wrong with them, and where each leads.

A guide that was renamed keeps its old addresses in `aliases`, a heading the ids it had before in `anchors`. The sidecar
ID.anchors.json remembers the ids that headings had when it was written, so that none of them vanishes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from markdown_it.token import Token

from . import shape
from .load import Document
from .model import Anchors, Record
from .pointers import escape
from .problems import AT_KEY, Problem
from .prose import OLD_IDS, Body, Picture, Text, is_own_id
from .rules import fault_of_path, folded


def aliases_stay_inside(document: Document, record: Record) -> Iterator[Problem]:
    """Every old address has the form of the address of a page."""
    for number, alias in enumerate(record.aliases):
        for offset, message, remedy in fault_of_path(alias):
            yield Problem(document.file, f"/aliases/{number}", offset, "bad-path", message, remedy)


def taken(records: Iterable[tuple[str, str, tuple[str, ...]]]) -> Iterator[Problem]:
    """Yield a problem for each old address that is in use. A record is given by its file, its path and its aliases."""
    held = list(records)
    owners = {folded(path): (file, {*map(folded, aliases)}) for file, path, aliases in held}
    seen: dict[str, str] = {}
    for file, path, aliases in held:
        for number, alias in enumerate(aliases):
            at, key = f"/aliases/{number}", folded(alias)
            owner, owned = owners.get(key, ("", set()))
            if key == folded(path):
                message = "the old address is the page's own: it would lead to itself"
                yield Problem(file, at, None, "alias-loop", message, "Remove it, or write the address it had before.")
            elif folded(path) in owned:
                message = f"{owner} has this path, and {path} among its own aliases: each would lead to the other"
                yield Problem(file, at, None, "alias-loop", message, "Keep each address in one of the two records.")
            elif owner:
                message, remedy = f"{owner} has this path", "Remove the alias, or give that page another path."
                yield Problem(file, at, None, "alias-taken", message, remedy)
            elif key in seen:
                first = seen[key] if seen[key] != file else "this record"
                message, remedy = f"{first} has the same old address", "Keep it in one place: it leads to one page."
                yield Problem(file, at, None, "alias-taken", message, remedy)
            else:
                seen[key] = file


def anchor_faults(document: Document, record: Record, body: Body) -> Iterator[Problem]:
    """Yield a problem for each old heading id that leads nowhere, and for each remembered one that is gone."""
    ids = {heading.id for heading in body.headings}
    for old, new in record.anchors.items():
        at = f"/anchors/{escape(old)}"
        if fault := _fault_of_old(old, ids):
            yield Problem(document.file, at, AT_KEY, "anchor-alias", *fault)
        elif new not in ids:
            yield Problem(document.file, at, None, "anchor-alias", *_nowhere(new, record.anchors, ids))
    yield from _vanished(document, record, ids)


def _fault_of_old(old: str, ids: set[str]) -> tuple[str, str] | None:
    if old in ids:
        return f"#{old} is the id of a heading of this page", "Remove the entry: links to it land already."
    if is_own_id(old):
        return f"#{old} is the id of a part that pages have of their own", "Remove the entry."
    if not old or re.search(r"\s", old):
        return "an id is not empty and holds no blank", "Write the id as it stood behind the # of a link."
    return None


def _nowhere(new: str, anchors: Mapping[str, str], ids: set[str]) -> tuple[str, str]:
    if new in anchors:
        last = anchors[new] if anchors[new] in ids else "the id of a heading"
        return f"#{new} is an old id itself: old ids form no chain and no loop", f"Write {last}."
    known = ", ".join(sorted(ids)) or "none"
    return f"no heading of this page has the id #{new}", f"Write the id of one of its headings: {known}."


def _vanished(document: Document, record: Record, ids: set[str]) -> Iterator[Problem]:
    """Yield what is wrong with the sidecar, or a problem for each id in it that the page no longer has."""
    if document.anchors_file is None:
        return
    remembered = shape.anchors(document.anchors_file, document.anchors)
    if isinstance(remembered, list):
        yield from remembered
        return
    fresh = ids - {*remembered.headings, *record.anchors.values()}
    # The one heading that is new is most likely the one that was renamed.
    now = fresh.pop() if len(fresh) == 1 else "ID"
    for number, old in enumerate(remembered.headings):
        if old not in ids and old not in record.anchors:
            message = f"no heading has the id #{old} any more, and links to it would end at the top of the page"
            remedy = f"Write `{old}: {now}` under `anchors` in {document.file}, with the id of the heading it is now."
            yield Problem(document.anchors_file, f"/headings/{number}", None, "vanished-anchor", message, remedy)


def kept(document: Document) -> tuple[str, ...]:
    """Return the ids that the sidecar of a sound record remembers, each once."""
    found = shape.anchors(document.anchors_file, document.anchors) if document.anchors_file else []
    return tuple(dict.fromkeys(found.headings)) if isinstance(found, Anchors) else ()


def to_remember(document: Document, body: Body) -> tuple[str, ...]:
    """Return the ids to remember: those the sidecar holds, then those that headings have now, in their order."""
    return tuple(dict.fromkeys([*kept(document), *(heading.id for heading in body.headings)]))


def with_old_ids(blocks: Sequence[Text | Picture], anchors: Mapping[str, str]) -> tuple[Text | Picture, ...]:
    """Return the blocks of a body with the ids that each heading had before."""
    before: dict[str, list[str]] = {}
    for old, new in anchors.items():
        before.setdefault(new, []).append(old)
    if not before:
        return tuple(blocks)
    return tuple(b if isinstance(b, Picture) else replace(b, tokens=_marked(b.tokens, before)) for b in blocks)


def _marked(tokens: Sequence[Token], before: Mapping[str, list[str]]) -> tuple[Token, ...]:
    return tuple(
        t.copy(meta={**t.meta, OLD_IDS: tuple(before[str(t.attrGet("id"))])})
        if t.type == "heading_open" and t.attrGet("id") in before
        else t
        for t in tokens
    )

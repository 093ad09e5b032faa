"""A record → the fields that a number in prose may stand for: values, conditions, texts, lists and relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, Literal

from ..derive import Derivations, Derived
from ..pointers import at_pointer, escape
from ..words import label, literal
from . import units
from .passages import is_prose
from .vocabulary import stems, widened, words

Kind = Literal["number", "text", "list", "relation"]

# What says nothing of the runs: prose about them, how the page is made, and where things stand in documents.
_NO_EVIDENCE: Final = (
    r"/(schema_version|record_type|id|path|body_markdown|generation|image|key_figures|changelog|aliases|anchors)(/.*)?"
    r"|.*/(evidence|condition_evidence|source_line|resolution|places)(/.*)?"
)
_REFUSED: Final = re.compile(_NO_EVIDENCE)
# Proposed to nobody, or by a walk of their own.
_SKIPPED: Final = re.compile(
    rf"{_NO_EVIDENCE}|/(comparisons|relations|facts|metrics)(/.*)?|.*/(uncertainty|windows|combined|remaining)(/.*)?"
)
_NO_TEXT: Final = re.compile(r".*(sha256|url|state|record_id|document_id|reason|campaign|digest)s?", re.I)
_SOURCES: Final = re.compile(r"/(supplemental_)?sources/\d+")


@dataclass(frozen=True)
class Leaf:
    """One field: its pointer, its number or text, its unit, the stems that name it (`terms`) or tell its row (`rows`).

    `row` is the label of the part of the record it lies in. A list counts its items; a relation holds what its
    arithmetic comes to. `key` is its last key, or the metric of a result's value.
    """

    pointer: str
    kind: Kind
    key: str
    value: Decimal | None = None
    text: str = ""
    unit: str = ""
    terms: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    row: str = ""
    derived: Derived | None = field(default=None, compare=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems that name it, with what else this field calls them."""
        return widened(self.terms)

    @property
    def is_condition(self) -> bool:
        """Tell whether rows may share the field: it is no result's own value."""
        return not re.fullmatch(r"/reported_results/\d+/(value|value_text|also_printed/\d+/value)", self.pointer)


def leaves(data: Any, derivations: Derivations) -> tuple[Leaf, ...]:
    """Return the fields of a record's own data (campaigns not merged in), in record order, then its relations."""
    return (*_walk(data, data, ""), *_comparisons(data, derivations), *_relations(data, derivations))


def leaf_at(data: Any, derivations: Derivations, pointer: str) -> Leaf | None:
    """Return the field that a pointer of the lock names, or None where there is none that could prove a number.

    Prose proves no prose.
    """
    if not pointer.startswith("/") or _REFUSED.fullmatch(pointer) or is_prose(pointer):
        return None
    steps = pointer.split("/")
    if len(steps) > 2 and steps[1] == "relations" and steps[2].isdecimal():
        found = _relation(data, derivations, int(steps[2])) if int(steps[2]) < len(data.get("relations") or ()) else ()
        return next((leaf for leaf in found if leaf.pointer == pointer), None)
    if re.fullmatch(r"/comparisons/\d+", pointer):
        return next((leaf for leaf in _comparisons(data, derivations) if leaf.pointer == pointer), None)
    return _leaf(data, pointer, at_pointer(data, pointer))


def row_of(data: Any, pointer: str) -> str:
    """Return the label of the part of the record that a pointer leads into: a result, a case, a profile."""
    steps = pointer.split("/")
    part = at_pointer(data, "/".join(steps[:3])) if len(steps) > 2 else None
    if not isinstance(part, dict):
        return ""
    named = (part.get(k) for k in ("label", "id", "title", "classification", "document_id", "document_path"))
    return next((text for text in named if isinstance(text, str)), "")


def _walk(data: Any, value: Any, pointer: str) -> Iterator[Leaf]:
    if _SKIPPED.fullmatch(pointer) or is_prose(pointer):
        return
    if isinstance(value, dict):
        # An object counts its keys too, where a lock names it; it is proposed to nobody.
        for key, item in value.items():
            yield from _walk(data, item, f"{pointer}/{escape(key)}")
    elif isinstance(value, list):
        if not _SOURCES.match(pointer) and (leaf := _leaf(data, pointer, value)):
            yield leaf
        for index, item in enumerate(value):
            yield from _walk(data, item, f"{pointer}/{index}")
    elif leaf := _leaf(data, pointer, value):
        yield leaf


def _leaf(data: Any, pointer: str, value: Any) -> Leaf | None:
    """Return one field, or None for what no number can stand for: null, yes and no."""
    steps = pointer.split("/")
    key = next((s for s in reversed(steps) if not s.isdecimal()), "")
    parent = at_pointer(data, pointer.rpartition("/")[0])
    beside = parent if isinstance(parent, dict) else {}
    is_value = key in {"value", "value_text"}
    name = str(beside.get("metric") or beside.get("kind") or steps[-2]) if is_value else key
    metric = str(beside.get("metric", "")) or name
    of_unit = str(beside.get("unit") or "") if is_value else ""
    terms = frozenset(words(" ".join([label(name), *of_unit.split()[:-1]])))
    unit = units.canonical(str(beside["unit"])) if is_value and "unit" in beside else units.of_key(key)
    rows = frozenset([*_row_stems(data, steps), *words(" ".join(steps[3:-1]))])
    row = row_of(data, pointer)
    if isinstance(value, Decimal):
        return Leaf(pointer, "number", metric, value, literal(value), unit, terms, rows, row)
    if isinstance(value, list | dict):
        # What is counted is the last word of the key: reported_results are results.
        counted = frozenset(words(label(key))[-1:])
        return Leaf(pointer, "list", key, Decimal(len(value)), "", "", counted, rows, row)
    if isinstance(value, str) and not _NO_TEXT.fullmatch(key):
        return Leaf(pointer, "text", metric, None, value, unit, terms, rows, row)
    return None


def _row_stems(data: Any, steps: Sequence[str]) -> Iterator[str]:
    """Yield stems of the texts that tell a part of the record from its neighbours."""
    part = at_pointer(data, "/".join(steps[:3])) if len(steps) > 2 else None
    if not isinstance(part, dict):
        return
    yield from stems(label(steps[1].rstrip("s")))
    campaigns: Sequence[dict[str, Any]] = data.get("campaigns") or ()
    campaign = next((c for c in campaigns if c.get("id") == part.get("campaign")), {})
    own = {k: v for k, v in part.items() if k in {"id", "label", "title", "classification", "metric", "statistic"}}
    for texts in (own, part.get("conditions") or {}, {"id": campaign.get("id"), "label": campaign.get("label")}):
        if isinstance(texts, Mapping):
            for item in texts.values():
                if isinstance(item, str) and len(item) <= 80:
                    yield from stems(item)


def _comparisons(data: Any, derivations: Derivations) -> Iterator[Leaf]:
    """Yield one counting field for the pairs of each comparison."""
    for index, comparison in enumerate(data.get("comparisons") or ()):
        pairs = derivations.pairs.get(comparison.get("id"), ())
        counted = frozenset(words(f"pairs {comparison.get('show', '')}"))
        at = f"/comparisons/{index}"
        row = row_of(data, at)
        rows = stems(f"{row} {label(str(comparison.get('metric', '')))}")
        yield Leaf(at, "list", "pairs", Decimal(len(pairs)), "", "", counted, rows, row)


def _relations(data: Any, derivations: Derivations) -> Iterator[Leaf]:
    for index in range(len(data.get("relations") or ())):
        yield from _relation(data, derivations, index)


def _relation(data: Any, derivations: Derivations, index: int) -> Iterator[Leaf]:
    """Yield the result of a relation, its literal inputs, and the number that somebody stated for it.

    A relation whose arithmetic cannot be computed has no result; what an editor wrote into it stands all the same.
    """
    at, relation = f"/relations/{index}", data["relations"][index]
    found = derivations.values.get(relation.get("id"))
    terms = frozenset(words(f"{relation.get('label', '')} {relation.get('id', '')}"))
    unit = units.canonical(relation.get("unit"))
    row, key = row_of(data, at), str(relation.get("id", ""))
    if found is not None:
        yield Leaf(at, "relation", key, None, found.text, unit, terms, terms, row, found)
    for name, entry in (relation.get("inputs") or {}).items():
        if isinstance(entry.get("literal"), Decimal):
            named = terms | frozenset(words(f"{label(name)} {entry.get('reason', '')}"))
            where = f"{at}/inputs/{escape(name)}/literal"
            yield Leaf(where, "number", name, entry["literal"], literal(entry["literal"]), "", named, terms, row)
    stated = relation.get("stated") or {}
    if isinstance(stated.get("value"), Decimal) and not stated.get("pointer"):
        value = stated["value"]
        yield Leaf(f"{at}/stated/value", "number", key, value, literal(value), unit, terms, terms, row)

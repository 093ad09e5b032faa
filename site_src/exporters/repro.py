"""A checked record → a folder that claims-cli judges: repro.yaml, and the texts and data that it pins.

The manifest states each row of the ledger a second time, in terms that need nothing of pinpress: the sentence is
quoted from prose.md, the number is read by pointer from record.json, and what pinpress computed from derived.json.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from .. import citations, locate, serial
from ..check import Explainer
from ..claims import forms
from ..claims.anchors import Spot
from ..claims.leaves import Leaf
from ..claims.proof import Bound
from ..pointers import escape
from . import documents
from .documents import Documents, places
from .quotations import Quoted, bare, joined

MANIFEST: Final = "repro.yaml"
RECORD, DERIVED, PROSE, ABOUT = "record.json", "derived.json", "prose.md", "README.md"
_LONG: Final = Context(prec=18)
# What a record may hold and JSON allows in a string, but YAML does not, or reads as the end of a line.
_NOT_YAML: Final = re.compile("[\x80-\x9f\u2028\u2029\ufeff]")


def files(explainer: Explainer, found: Documents, version: str) -> dict[str, bytes]:
    """Return the files of the export by name. `found` are the cited documents whose bytes are at hand."""
    export = _Export(explainer, found)
    texts = {RECORD: export.record.text, DERIVED: export.derived, PROSE: export.prose.text}
    manifest = {
        "schema_version": "repro/1",
        "project": explainer.record.id,
        "provenance": {"generated_by": f"pinpress {version}, export repro {explainer.record.id}"},
        "artifacts": [
            *(_artifact(name, text) for name, text in texts.items()),
            *(documents.artifact(number, document) for number, document in sorted(found.items())),
        ],
        "claims": [*export.claims()],
        "set_aside": [*export.set_aside()],
    }
    told = {**texts, ABOUT: "\n".join(_about(explainer, found)) + "\n", MANIFEST: _yaml(manifest)}
    return {name: text.encode() for name, text in told.items()}


def _artifact(name: str, text: str) -> dict[str, Any]:
    stem, _, ending = name.rpartition(".")
    digest = hashlib.sha256(text.encode()).hexdigest()
    media_type = documents.MEDIA_TYPES[f".{ending}"]
    return {"id": stem, "path": name, "media_type": media_type, "digest": {"algorithm": "sha256", "value": digest}}


def _yaml(manifest: dict[str, Any]) -> str:
    """Return the manifest as JSON, which is YAML once what YAML does not allow is escaped."""
    return _NOT_YAML.sub(lambda m: f"\\u{ord(m[0]):04x}", serial.json_text(manifest)) + "\n"


@dataclass(frozen=True)
class _Export:
    explainer: Explainer
    documents: Documents

    @cached_property
    def record(self) -> Quoted:
        """The record as the site publishes it."""
        return Quoted(serial.json_text(self.explainer.document.data) + "\n")

    @cached_property
    def offsets(self) -> dict[str, int]:
        """JSON pointer → where its value begins in the record's text."""
        return {t.pointer: t.start for t in locate.json_tokens(self.record.text) if not t.is_key}

    @cached_property
    def paragraphs(self) -> dict[int, int]:
        """Passage, by identity → its number in prose.md."""
        passages = dict.fromkeys(id(spot.passage) for spot in self.explainer.claims.spots)
        return {passage: number for number, passage in enumerate(passages, 1)}

    @cached_property
    def prose(self) -> Quoted:
        """Every passage with a number in it, one a line, a blank line between two, each with its number in brackets."""
        passages = {id(s.passage): s.passage for s in self.explainer.claims.spots}
        return Quoted("\n\n".join(joined([_mark(n), passages[p].text]) for p, n in self.paragraphs.items()) + "\n")

    @cached_property
    def derived(self) -> str:
        """What pinpress computed or counted, as JSON."""
        leaves = {b.leaf.pointer: b.leaf for b in self.explainer.claims.stated if b.leaf is not None}
        relations = {leaf.key: _computed(leaf) for leaf in leaves.values() if leaf.kind == "relation"}
        counts = {pointer: leaf.value for pointer, leaf in leaves.items() if leaf.kind == "list"}
        return serial.json_text({"relations": relations, "counts": counts}) + "\n"

    def claims(self) -> Iterator[dict[str, Any]]:
        """Yield one claim for each row of the ledger, under the row's own name."""
        for number, bound in enumerate(self.explainer.claims.stated, 1):
            spot = bound.spot
            sentence = joined([spot.passage.text[slice(*spot.bounds)]])
            yield {
                "id": f"claim-{number}",
                "text": f"“{joined([spot.token.written, spot.token.unit])}” in: {sentence}{_whose(bound)}",
                "where": " ".join(filter(None, (spot.anchor.field, spot.anchor.section))),
                "evidence": [
                    {"kind": "quote", "artifact": "prose", "text": self._quotation(spot, *spot.bounds)},
                    *self._held(bound),
                    *documents.evidence(self.explainer.record, self.documents, bound),
                ],
            }

    def _quotation(self, spot: Spot, start: int, end: int) -> str:
        """Return a part of the passage of a number; with all that stands before it where it is not the only one."""
        text = spot.passage.text
        part = joined([text[start:end]])
        if self.prose.is_unique(part):
            return part
        return joined([_mark(self.paragraphs[id(spot.passage)]), text[:end]])

    def _held(self, bound: Bound) -> Iterator[dict[str, Any]]:
        """Yield what the record or its arithmetic holds for a number of the prose."""
        token, leaf = bound.spot.token, bound.leaf
        assert leaf is not None
        reported = forms.digits_of(token) if token.value is not None else ""
        if leaf.kind == "text":
            yield {"kind": "quote", "artifact": "record", "text": self._line_of(leaf)}
        elif leaf.kind == "number":
            percent = {"conversion": "percent"} if _is_converted(bound, leaf) else {}
            yield _metric("record", leaf.key, leaf.pointer, reported) | percent
        elif leaf.kind == "list":
            yield _metric("derived", leaf.key, f"/counts/{escape(leaf.pointer)}", reported)
        else:
            yield _of_relation(leaf, reported)
            yield from self._inputs(leaf)

    def _line_of(self, leaf: Leaf) -> str:
        return self.record.of_line(self.record.line_at(self.offsets[leaf.pointer]))

    def _inputs(self, leaf: Leaf) -> Iterator[dict[str, Any]]:
        """Yield the numbers that a relation computes with, as the record holds them."""
        for name, entry in leaf.derived.relation.inputs.items() if leaf.derived else ():
            at = self.offsets.get(entry.pointer) if entry.pointer else None
            held = re.match(r"-?[\d.]+", self.record.text[at:]) if at is not None else None
            if entry.pointer and held:
                yield _metric("record", f"input {name}", entry.pointer, held[0])

    def set_aside(self) -> Iterator[dict[str, Any]]:
        """Yield the words around each number that states nothing a program can read as a number, with the reason."""
        stated = {b.spot.anchor: f"claim-{n}" for n, b in enumerate(self.explainer.claims.stated, 1)}
        told: dict[str, str] = {}
        for bound in self.explainer.claims.bound:
            if bound.spot.anchor not in stated or (bound.leaf is not None and bound.leaf.kind == "text"):
                told.setdefault(self._around(bound.spot), _reason(bound, stated))
        for text, reason in told.items():
            yield {"artifact": "prose", "text": text, "reason": reason}

    def _around(self, spot: Spot) -> str:
        """Return a number with the words to its sides, up to the next numbers of its sentence."""
        beside = [s.token for s in self.explainer.claims.spots if s.passage is spot.passage]
        at = beside.index(spot.token)
        start = max(beside[at - 1].end, spot.bounds[0]) if at else spot.bounds[0]
        end = min(beside[at + 1].start, spot.bounds[1]) if at + 1 < len(beside) else spot.bounds[1]
        words = joined([spot.passage.text[start:end]])
        return words if bare(words) != bare(spot.token.written) else self._quotation(spot, start, end)


def _mark(number: int) -> str:
    return f"[{number}]"


def _metric(artifact: str, name: str, pointer: str, reported: str) -> dict[str, Any]:
    return {"kind": "metric", "artifact": artifact, "name": name, "pointer": pointer, "reported": reported,
            "places": places(reported)}  # fmt: skip


def _is_converted(bound: Bound, leaf: Leaf) -> bool:
    return forms.is_percent(bound.spot.token, leaf) and leaf.value != bound.spot.token.value


def _decimal(value: Fraction) -> Decimal:
    """Return a fraction as a decimal number of 18 digits at most."""
    return _LONG.divide(Decimal(value.numerator), Decimal(value.denominator))


def _computed(leaf: Leaf) -> dict[str, Any]:
    """Return a relation's arithmetic and its result, inside the rounding of its inputs."""
    assert leaf.derived is not None
    relation, interval = leaf.derived.relation, leaf.derived.interval
    told = {"label": relation.label, "expr": relation.expr, "unit": relation.unit}
    numbers = {"value": interval.mid, "without_sign": abs(interval.mid), "low": interval.low, "high": interval.high}
    return told | {name: _decimal(value) for name, value in numbers.items()}


def _of_relation(leaf: Leaf, reported: str) -> dict[str, Any]:
    """Return the result of a relation as evidence: rounded as it is written, else inside the rounding of its inputs."""
    assert leaf.derived is not None
    interval = leaf.derived.interval
    is_mirrored = interval.mid < 0 < Decimal(reported)
    mid = abs(interval.mid) if is_mirrored else interval.mid
    pointer = f"/relations/{escape(leaf.key)}/{'without_sign' if is_mirrored else 'value'}"
    metric = _metric("derived", leaf.key, pointer, reported)
    step = Fraction(1, 10 ** metric["places"])
    off = abs(mid - Fraction(Decimal(reported)))
    if off * 2 < step:
        return metric
    del metric["places"]
    widest = max(off, (interval.high - interval.low + step) / 2)
    return metric | {"mode": "absolute", "tolerance": format(_decimal(widest).next_plus(_LONG), "f")}


def _whose(bound: Bound) -> str:
    """Return what a claim must admit: that no source states what pinpress computed or counted."""
    leaf = bound.leaf
    if leaf is not None and leaf.derived is not None:
        return f" Computed by pinpress: {leaf.derived.relation.expr}."
    return f" Counted by pinpress: the items at {leaf.pointer}." if leaf is not None and leaf.kind == "list" else ""


def _reason(bound: Bound, stated: dict[Any, str]) -> str:
    entry, named = bound.entry, stated.get(bound.spot.anchor)
    if named:
        return f"stated by the text at {entry.pointer}, see {named}"
    words = {"name": "a name", "date": "a date"}.get(entry.cls, entry.reason)
    return f"{words}, as at {entry.pointer}" if entry.pointer else words or "a name"


def _about(explainer: Explainer, found: Documents) -> Iterator[str]:
    """Yield the lines of the README: what the files are, how they are judged, which documents are not among them."""
    record = explainer.record
    yield from (
        f"# Claims of {record.id}",
        "",
        "Judge them with claims-cli (PyPI), in this folder:",
        "",
        "    claims verify repro.yaml --policy strict",
        "    claims numbers repro.yaml",
        "",
        "- `repro.yaml`: one claim for each number of the prose that states a field, and why the others state none",
        "- `prose.md`: every passage of the prose that holds a number, each with a number of its own in brackets",
        "- `record.json`: the record, digits as written",
        "- `derived.json`: what pinpress computed or counted; no source states it",
    )
    absent = [(n, s) for n, s in citations.numbered(record) if n not in found]
    if absent:
        yield from ("", "Cited documents that are not pinned here, not at hand or no plain text:", "")
    for number, source in absent:
        where = documents.origin(source)
        told = f"{where['repository']}, commit {where['commit']}, {where['path']}" if where else source.pinned_url
        yield f"- source {number}: {told}, SHA-256 {source.document_sha256 or 'not recorded'}"

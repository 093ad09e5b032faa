"""Defects of the evidence that a record alone shows: the rules in their order. Published, never hidden.

Every rule is one small function in `evidence_rules/` with a stable code. It fires on what it names and says nothing
about a sound record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from .evidence_rules import conditions, lengths, sources, values, wording
from .fences import placed_figures
from .interface import ENGLISH
from .load import Document
from .model import Record
from .problems import Finding
from .prose import Body

Rule = Callable[[Document, Record, Body], Iterator[Finding]]

RULES: Final[tuple[Rule, ...]] = (
    values.denominator_contradicts_metric,
    values.unit_contradicts_kind,
    values.two_units,
    values.zero_not_measured,
    values.value_despite_not_run,
    conditions.condition_on_wrong_row,
    sources.dangling_source,
    sources.uncited_source,
    sources.ignored_line_anchor,
    sources.stored_url_differs,
    sources.address_without_source,
    values.duplicated_observation,
    sources.mutable_source,
    sources.snapshot_incomplete,
    sources.newer_than_checked,
    lengths.nominal_length,
    lengths.label_as_length,
    lengths.submitted_not_running,
    wording.submitted_as_running,
    wording.ranking_words,
    wording.claims_own_measurement,
    wording.left_unwritten,
)


def image_without_hash(
    document: Document, record: Record, body: Body, declared: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Images of the body have no declared hash, neither in the record nor (`declared`) in its figures sidecar."""
    hero = {record.image.url} if record.image and record.image.sha256 else set[str]()
    known = hero | {f"/assets/{name}" for name in declared}
    shown = {p.src for p in body.pictures} | {f"/assets/{name}" for name in placed_figures(body)}
    bare = sorted(shown - known)
    if bare:
        file, at = (document.body_file, "") if document.body_file else (document.file, "/body_markdown")
        message = f"no hash is declared for {ENGLISH.listed(bare)}"
        yield Finding(file, at, "image-without-hash", message, "Declare the SHA-256 of each image.")


def audit(
    document: Document, record: Record, body: Body, declared: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """Return every finding of one record by rule. `declared` are image names whose hash a sidecar declares."""
    found = [finding for rule in RULES for finding in rule(document, record, body)]
    return (*found, *image_without_hash(document, record, body, declared))

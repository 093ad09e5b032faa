"""Defects of the evidence that a record alone shows: one small function each. Published, never hidden.

Every rule has a stable code, fires on what it names and says nothing about a sound record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from . import citations, permalinks, words
from .fences import placed_figures
from .load import Document
from .model import Record
from .problems import Finding
from .prose import Body

Rule = Callable[[Document, Record, Body], Iterator[Finding]]
# What a word of a metric's name may be called in a denominator.
_SAME: Final = {"ttft": {"ttft", "first"}, "first": {"ttft", "first"}}
_LENGTH: Final = re.compile(r"input|prompt|context", re.I)
_LABEL: Final = re.compile(r"label|nominal|approximate", re.I)
_RUNNING: Final = re.compile(r"running|simultaneous|observed|overlap|decoding", re.I)


def denominator_contradicts_metric(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A denominator excludes the very thing its metric measures."""
    for index, result in enumerate(record.reported_results):
        excluded = re.findall(r"exclud\w*\s+([\w/ ]+)", result.denominator or "", re.I)
        names = {w for part in excluded for w in re.split(r"\W+", part.lower())}
        parts = {same for w in result.metric.lower().split("_") for same in _SAME.get(w, {w})}
        if clash := sorted(parts & names):
            message = f"the metric is {result.metric}, its denominator says “{result.denominator}” ({clash[0]})"
            at = f"/reported_results/{index}/conditions/metric_denominator"
            yield Finding(document.file, at, "denominator-contradicts-metric", message, "Write what it was divided by.")


def dangling_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A measurement names a document that no source entry has."""
    for index, result in enumerate(record.reported_results):
        name = result.source_document_id
        if name and citations.by_document(record, name) is None:
            found = citations.of_result(record, result)
            how = f"source {found.number} has its hash" if found else "no source has its hash or address either"
            message = f"no source has the document_id “{name}”; {how}"
            at = f"/reported_results/{index}/source_document_id"
            yield Finding(document.file, at, "dangling-source", message, "Give that source the document_id.")


def uncited_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A source that no measurement, case, observation or link of the body cites."""
    parts = (*record.case_reports, *record.memory_observations, *record.long_context_cases)
    cited = {c.number for r in record.reported_results for c in citations.cited_by(record, r)}
    cited |= {c.number for p in parts if (c := citations.of_part(record, p))}
    linked = [link.href for link in body.links] + [url for p in parts for _, url in citations.addresses(p)]
    cited |= {found[0] for url in linked if (found := citations.by_url(record, url))}
    for number, source in citations.numbered(record):
        if number not in cited:
            group, index = _place(record, number)
            message = f"nothing cites {source.document_id or source.document_path}"
            yield Finding(document.file, f"/{group}/{index}", "uncited-source", message, "Cite it or remove it.")


def _place(record: Record, number: int) -> tuple[str, int]:
    own = len(record.sources)
    return ("sources", number - 1) if number <= own else ("supplemental_sources", number - 1 - own)


def ignored_line_anchor(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A stored address whose line anchor the forge does not honour; the page links to one that works."""
    for index, result in enumerate(record.reported_results):
        if result.evidence_url and permalinks.anchor_is_ignored(result.evidence_url):
            message = f"GitHub ignores #L{permalinks.line_in(result.evidence_url)} on a rendered document"
            at = f"/reported_results/{index}/evidence_url"
            yield Finding(document.file, at, "ignored-line-anchor", message, "Write ?plain=1 before the anchor.")


def address_without_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """An address in the record or its body that no source entry covers."""
    known = {u for s in record.all_sources for u in (s.pinned_url, s.url, s.report_url) if u}
    rest = {k: v for k, v in document.data.items() if k not in {"sources", "supplemental_sources", "body_markdown"}}
    found = [*citations.addresses(rest)]
    in_body = document.body_file or document.file
    seen: set[str] = set()
    for pointer, url in [*found, *(("", link.href) for link in body.links if link.href.startswith("http"))]:
        if permalinks.without_line(url) in known or url in seen:
            continue
        seen.add(url)
        file, at = (document.file, pointer) if pointer else (in_body, "" if document.body_file else "/body_markdown")
        message = f"no source entry covers {url}"
        yield Finding(file, at, "address-without-source", message, "Add it to the sources with date and hash.")


def duplicated_observation(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A memory observation that repeats a value held elsewhere, and may drift from it."""
    held = [(r.value, r.unit, f"reported_results/{i}") for i, r in enumerate(record.reported_results)]
    for case_index, case in enumerate(record.case_reports):
        for key, part in case.items():
            if isinstance(part, dict):
                held.append((part.get("value"), part.get("unit", ""), f"case_reports/{case_index}/{key}"))
    for index, seen in enumerate(record.memory_observations):
        for value, unit, where in held:
            if isinstance(seen.get("value"), Decimal) and (seen["value"], seen.get("unit")) == (value, unit):
                message = f"{words.number(seen['value'])} {unit} is held in {where} as well"
                at = f"/memory_observations/{index}"
                yield Finding(document.file, at, "duplicated-observation", message, "Keep the value in one place.")
                break


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
        message = f"no hash is declared for {words.listed(bare)}"
        yield Finding(file, at, "image-without-hash", message, "Declare the SHA-256 of each image.")


def mutable_source(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A source whose address can serve other bytes tomorrow."""
    for number, source in citations.numbered(record):
        if citations.is_mutable(source):
            group, index = _place(record, number)
            message = f"{source.pinned_url} can change; the copy read on {source.checked_on[:10]} has a saved hash"
            remedy = "Keep a copy, and verify it again before relying on it."
            yield Finding(document.file, f"/{group}/{index}", "mutable-source", message, remedy)


def nominal_length(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A prompt length that is only a label, while the counted tokens are not reported."""
    for pointer, part in _condition_sets(record):
        labels = [k for k, v in part.items() if _LENGTH.search(k) and _LABEL.search(k) and v is not None]
        counts = [k for k, v in part.items() if "token" in k.lower() and _LENGTH.search(k) and v is None]
        counts = [k for k in counts if not re.search(r"cap|limit|max|pool", k, re.I)]
        # A label of the prompt tells of the prompt's tokens, before a label of the whole context does.
        labels.sort(key=lambda k: not re.search(r"input|prompt", k, re.I))
        if labels and counts:
            message = f"“{part[labels[0]]}” is a label; {counts[0]} is not reported"
            yield Finding(document.file, pointer, "nominal-length", message, "Never show the label as a token count.")


def submitted_not_running(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """Requests were submitted together, and nobody reports how many ran together."""
    for pointer, part in _condition_sets(record):
        submitted = [k for k, v in part.items() if "submitted" in k.lower() and isinstance(v, Decimal)]
        running = [k for k, v in part.items() if _RUNNING.search(k) and v is None]
        if submitted and running:
            message = f"{words.number(part[submitted[0]])} were submitted; {running[0]} is not reported"
            yield Finding(document.file, pointer, "submitted-not-running", message, "Never call them concurrent.")


def _condition_sets(record: Record) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, result in enumerate(record.reported_results):
        yield f"/reported_results/{index}/conditions", result.conditions
    for name in ("case_reports", "long_context_cases"):
        for index, part in enumerate(getattr(record, name)):
            yield f"/{name}/{index}", part


RULES: Final[tuple[Rule, ...]] = (
    denominator_contradicts_metric,
    dangling_source,
    uncited_source,
    ignored_line_anchor,
    address_without_source,
    duplicated_observation,
    mutable_source,
    nominal_length,
    submitted_not_running,
)


def audit(
    document: Document, record: Record, body: Body, declared: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """Return every finding of one record by rule. `declared` are image names whose hash a sidecar declares."""
    found = [finding for rule in RULES for finding in rule(document, record, body)]
    return (*found, *image_without_hash(document, record, body, declared))

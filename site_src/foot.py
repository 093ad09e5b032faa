"""The foot of a page: limits, audit, the record itself, sources, changes, how to cite and reuse."""

from __future__ import annotations

from collections.abc import Iterator

from . import audit, citations, citing, facts, history, ledger, robust, words
from .check import Explainer
from .fields import Part
from .figures.select_hero import nulls_in
from .hrefs import Hrefs
from .interface import Words
from .model import Record, Source
from .receipts import Receipts
from .view import Document, Fact, Foot

# The title card is on the page itself; manifest.json and the record's JSON hold the lock of its bytes.
_CARD_TOLD = frozenset(("url", "alt", "caption", "width", "height", "sha256", "pixels_sha256", "platform"))

# Shown elsewhere on the page.
_TOLD = frozenset(
    (
        *("id", "path", "title", "summary", "answer", "published_on", "modified_on", "source_checked_on"),
        *("sources", "supplemental_sources", "reported_results", "case_reports", "memory_observations"),
        *("long_context_cases", "image", "body_markdown", "conditions", "campaigns", "relations", "comparisons"),
        *("key_figures", "changelog", "result_card", "claims", "profiles", "envelope", "envelope_note"),
        *("evidence_boundary", "named_sources", "draft", "decision", "scope", "models", "hardware"),
        *("aliases", "anchors"),  # addresses, no statement
        "$schema",  # a hint for the editor's program, no statement
    )
)


def limits(say: Words, record: Record) -> list[str]:
    """Return what the page cannot show, from the record's own state, counts and conditions."""
    results = record.reported_results
    single = sum(r.repetitions == 1 for r in results)
    unknown = sum(r.repetitions is None for r in results)
    nulls = nulls_in(record)
    said = [] if record.site_reproduced else [say("limits.not_measured")]
    if not record.performance_ranking_allowed:
        said.append(say("limits.not_ranked"))
    if single:
        said.append(say("limits.single", results=say.count(single, "result"), all=len(results)))
    if unknown:
        said.append(say("limits.uncounted", results=say.count(unknown, "result")))
    if nulls:
        said.append(say("limits.nulls", fields=say.count(nulls, "field")))
    return said + [f"{f.label}: {f.text}." for f in facts.facts(say, record.conditions)]


def about(say: Words, explainer: Explainer) -> tuple[Fact, ...]:
    """Return the state of the record in words, how it was made, and keys this version does not know."""
    record, data = explainer.record, explainer.document.data
    shown = {k: v for k, v in data.items() if k not in _TOLD}
    for key in ("facts", "metrics"):
        shown[key] = say.none_published if shown.get(key) in (None, [], {}) else shown[key]
    if all(r.uncertainty is None for r in record.reported_results):
        shown["uncertainty"] = say.none_published
    image = {k: v for k, v in (data.get("image") or {}).items() if k not in _CARD_TOLD}
    listed = facts.facts(say, {"id": record.id, **shown, **({"title_card": image} if image else {})})
    return listed + tuple(_unknown(say, record))


def _unknown(say: Words, record: Record) -> Iterator[Fact]:
    """Yield keys this version does not know, inside parts whose known keys stand elsewhere on the page."""
    for name, value in record:
        if isinstance(value, tuple) and name not in {"sources", "supplemental_sources", "reported_results"}:
            for number, part in enumerate(value, 1):
                if isinstance(part, Part):
                    yield from facts.facts(say, part.unknown, prefix=f"{words.label(name)} {number}, ")


def documents(say: Words, record: Record, receipts: Receipts) -> tuple[Document, ...]:
    """Return the cited documents, numbered, with what is known of each and how many values it carries."""
    used = [c.number for r in record.reported_results if (c := citations.of_result(record, r))]
    return tuple(_document(say, n, source, used.count(n), receipts) for n, source in citations.numbered(record))


def _document(say: Words, number: int, source: Source, uses: int, receipts: Receipts) -> Document:
    mutable = citations.is_mutable(source)
    blob = citations.blob_of(source)
    version, name = citations.fixed_at(source)
    shown = {"publisher", "document_path", "pinned_url", "document_sha256", "last_commit_at", "checked_on"}
    rest = {k: v for k, v in source.model_dump(exclude_unset=True).items() if k not in shown}
    return Document(
        id=f"src-{number}",
        number=number,
        title=source.document_path,
        publisher=source.publisher,
        href=blob.url() if blob else source.pinned_url,
        mutable=mutable,
        version=say(f"word.{version}"),
        revision=source.revision if mutable else name,
        full_revision=source.revision,
        robust=robust.attributes(source),
        changed=(source.last_commit_at, say.date(source.last_commit_at)) if source.last_commit_at else None,
        checked=(source.checked_on, say.date(source.checked_on)),
        sha256=source.document_sha256,
        state=receipts.of_source(say, source),
        used=say.count(uses, "value") if uses else "",
        facts=facts.facts(say, rest),
    )


def foot(say: Words, explainer: Explainer, site: str, hrefs: Hrefs) -> Foot:
    """Return the foot of a page."""
    record = explainer.record
    return Foot(
        limits=tuple(limits(say, record)),
        about=about(say, explainer),
        audit=audit.groups(say, explainer.findings),
        coverage=ledger.coverage(say, explainer),
        ledger=hrefs.to(record.path, ledger.route(record)) if explainer.claims.stated else "",
        audit_page=hrefs.to(record.path, audit.route(record.path)),
        documents=documents(say, record, explainer.receipts),
        changes=history.changes(say, record.changelog),
        newest=history.changes(say, history.newest(record.changelog)),
        citation=citation(say, record, site, hrefs),
        downloads=citing.downloads(say, explainer, hrefs),
        files=citing.files(say, explainer, hrefs, record.path),
    )


def citation(say: Words, record: Record, site: str, hrefs: Hrefs) -> str:
    """Return how to cite the page."""
    checked = say.date(record.source_checked_on)
    address = hrefs.absolute(record.path) or record.path
    year = record.published_on[:4]
    return say("cite.checked", site=site, year=year, title=record.title, date=checked, address=address)

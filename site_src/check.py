"""Documents → Explainers: shape first, then one small function per rule, then the findings of the evidence.

All problems of a stage are raised together: shapes, then rules over sound shapes, then acknowledgements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from . import campaigns, fences, findings, links, printed_values, prose, receipts, rules, shape
from .claims.examine import Claims, examine
from .derive import Derivations, derive
from .load import Document, Loaded
from .model import Acknowledgement, Record, Settings
from .placing import ASSETS, Placed, Placing, hero_name, place_of_body
from .problems import Finding, Problem, Rejected
from .prose import Body
from .receipts import Receipts
from .reuse import FRESH, Keep
from .urls import fault_of_url


@dataclass(frozen=True)
class Explainer:
    """One checked record: a page to be. `data` is the record as plain data, campaigns merged in."""

    document: Document
    record: Record
    data: Any
    body: Body
    derivations: Derivations
    placed: Placed = field(default_factory=Placed)
    findings: tuple[Finding, ...] = ()
    acknowledged: tuple[Acknowledgement, ...] = ()
    claims: Claims = field(default_factory=Claims)
    receipts: Receipts = field(default_factory=Receipts)

    @property
    def hero(self) -> str:
        """The name of the title card."""
        return hero_name(self.record)


@dataclass(frozen=True)
class Checked:
    """The sound input of a site: settings and explainers in path order."""

    settings: Settings
    explainers: tuple[Explainer, ...]


def check(
    loaded: Loaded,
    asset_names: frozenset[str],
    *,
    drafts: bool = False,
    claims_proved: bool = True,
    keep: Keep = FRESH,
) -> Checked:
    """Check all documents, `drafts` too if wanted. `asset_names` are the project's own asset files. Raises Rejected.

    Claims that do not hold are no problem where they are about to be bound: `claims_proved` is False then.
    """
    settings, all_records = _shapes(loaded, keep)
    records = [(document, record) for document, record in all_records if drafts or not record.draft]
    _stop([*(p for d, r in records for p in keep(_faults, d, r)), *rules.distinct(records)])
    examined = [keep(_examined, d, r, settings, asset_names) for d, r in records]
    problems = [p for e in examined for p in (*e.problems, *(e.disagreements if claims_proved else ()))]
    _stop([*problems, *links.dangling([e.page for e in examined], _images(e.explainer for e in examined))])
    accepted = [keep(_acknowledged, e.explainer) for e in examined]
    _stop(p for _, found in accepted for p in found)
    return Checked(settings, tuple(explainer for explainer, _ in accepted))


def _faults(document: Document, record: Record) -> tuple[Problem, ...]:
    """Return what breaks a rule in one record of sound shape."""
    return tuple(p for rule in (*rules.RULES, *campaigns.RULES) for p in rule(document, record))


@dataclass(frozen=True)
class _Examined:
    """One record examined by itself: its page as a place of links, and what is wrong, claims apart."""

    explainer: Explainer
    page: links.Page
    problems: tuple[Problem, ...]
    disagreements: tuple[Problem, ...]


def _examined(document: Document, record: Record, settings: Settings, asset_names: frozenset[str]) -> _Examined:
    """Explain one record, prove its claims, read its receipt."""
    explainer, found = _explained(document, campaigns.merged(record), settings, asset_names)
    claims, disagreements, open_claims = examine(document, explainer.body, explainer.derivations, settings)
    receipt, malformed, amiss = receipts.read(document, explainer.record)
    findings_so_far = (*explainer.findings, *open_claims, *amiss)
    explainer = replace(explainer, claims=claims, receipts=receipt, findings=findings_so_far)
    page = links.Page(explainer.record, explainer.body, place_of_body(document), claims.is_locked)
    # A number changed in the record alone is told where the source prints it and where prose states it.
    printed = [p for rule in printed_values.RULES for p in rule(document, record)]
    return _Examined(explainer, page, (*malformed, *printed, *found), tuple(disagreements))


def _stop(problems: Iterable[Problem]) -> None:
    found = list(problems)
    if found:
        raise Rejected(found)


def _shapes(loaded: Loaded, keep: Keep) -> tuple[Settings, list[tuple[Document, Record]]]:
    """Return settings and records of sound shape, or raise with every shape problem of the site."""
    settings = keep(shape.settings, loaded.settings_file or "", loaded.settings)
    problems = [*settings] if isinstance(settings, list) else [*_site_url(loaded, settings)]
    records: list[tuple[Document, Record]] = []
    for document in loaded.documents:
        checked = keep(shape.record, document.file, document.data)
        if isinstance(checked, list):
            problems += checked
        else:
            records.append((document, checked))
    _stop(problems)
    assert isinstance(settings, Settings)
    return settings, records


def _site_url(loaded: Loaded, settings: Settings) -> Iterator[Problem]:
    fault = fault_of_url(settings.site_url) if settings.site_url else None
    if not fault and settings.site_url and not re.fullmatch(r"[^?#]*/", settings.site_url):
        fault = "the address of the site must end with / and hold no ? or #"
    if fault:
        yield Problem(loaded.settings_file or "", "/site_url", None, "bad-url", fault, "Write https://HOST/ or deeper.")


def _explained(
    document: Document, record: Record, settings: Settings, assets: frozenset[str]
) -> tuple[Explainer, list[Problem]]:
    """Parse the body, recompute the relations, decide what stands behind each image."""
    data = campaigns.merged_data(document.data, record)
    body = prose.parse(document.body or record.body_markdown or "", record.title)
    derivations, problems, found = derive(document.file, data, record)
    place = place_of_body(document)
    problems += [Problem(*place, f.offset, f.code, f.message, f.remedy) for f in body.faults]
    problems += fences.faults(body, record, derivations, place)
    placed, faults = Placing(document, record, body, derivations, settings.title, assets).place()
    explainer = Explainer(document, record, data, body, derivations, placed, tuple(found))
    return explainer, problems + faults


def _images(explainers: Iterable[Explainer]) -> frozenset[str]:
    """Return the addresses of images that the site will hold."""
    return frozenset(ASSETS + n for e in explainers for n in (*e.placed.figures, *e.placed.files))


def _acknowledged(explainer: Explainer) -> tuple[Explainer, tuple[Problem, ...]]:
    """Find the record's findings and read its audit sidecar. What a build alone can find is matched later."""
    document = explainer.document
    declared = frozenset(name for name, entry in explainer.placed.entries.items() if entry.sha256)
    declared |= frozenset(explainer.placed.files)  # a file is what it is; the manifest holds its hash
    audited = findings.audit(document, explainer.record, explainer.body, declared)
    found = [*audited, *explainer.findings]
    if document.audit_file is None:
        return replace(explainer, findings=tuple(found)), ()
    entries = shape.acknowledgements(document.audit_file, document.audit or [])
    problems = tuple(e for e in entries if isinstance(e, Problem))
    accepted = tuple(e for e in entries if isinstance(e, Acknowledgement))
    return replace(explainer, findings=settle(found, accepted), acknowledged=accepted), problems


def settle(found: Iterable[Finding], accepted: Iterable[Acknowledgement]) -> tuple[Finding, ...]:
    """Write the reason of its acknowledgement into each finding that has one."""
    accepted = tuple(accepted)
    settled = []
    for finding in found:
        entry = next((a for a in accepted if matches(a, finding)), None)
        settled.append(replace(finding, reason=entry.reason, acknowledged_on=entry.date) if entry else finding)
    return tuple(settled)


def matches(entry: Acknowledgement, finding: Finding) -> bool:
    """Tell whether an acknowledgement is of a finding: its code, and its pointer with * for any one step."""
    pattern = "[^/]+".join(re.escape(part) for part in entry.pointer.split("*"))
    return entry.code == finding.code and re.fullmatch(pattern, finding.pointer) is not None


def unmatched(explainer: Explainer, found: Iterable[Finding], codes_of_build: frozenset[str]) -> Iterator[Problem]:
    """Yield a problem for each acknowledgement of nothing; `check` skips codes that only a build finds."""
    found = tuple(found)
    for index, entry in enumerate(explainer.acknowledged):
        if entry.code not in codes_of_build and not any(matches(entry, f) for f in found):
            message = f"nothing is found under {entry.code} at {entry.pointer or 'the whole file'}"
            file = explainer.document.audit_file or ""
            yield Problem(file, f"/{index}", None, "stale-acknowledgement", message, "Remove the entry.")

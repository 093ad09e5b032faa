"""Documents → Explainers: shape first, then one small function per rule, then the findings of the evidence.

All problems of a stage are raised together: shapes, then rules over sound shapes, then acknowledgements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from . import campaigns, fences, findings, interface, links, printed_values, prose, receipts, renaming, rules, shape
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


class Stage(IntEnum):
    """How far a record came by itself before something was wrong with it; each stage asks for the one before."""

    FILES = 0
    SHAPE = 1
    RULES = 2
    CONTENT = 3
    ACKNOWLEDGED = 4
    SOUND = 5


@dataclass(frozen=True)
class Card:
    """What the site must know of one record to judge it among the others, small and plain.

    `problems` are those of its `stage`, claims apart, whose `disagreements` are no problem where they are about to be
    bound. `page` is there from the stage CONTENT on, as `images` and `own` are: addresses of all images it will
    have, and the names of those that are files of the project.
    """

    file: str
    stage: Stage = Stage.SOUND
    problems: tuple[Problem, ...] = ()
    disagreements: tuple[Problem, ...] = ()
    id: str = ""
    path: str = ""
    draft: bool = False
    aliases: tuple[str, ...] = ()
    page: links.Page | None = None
    images: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


@dataclass(frozen=True)
class Examined:
    """One record examined by itself: its card, and the explainer where it is sound."""

    card: Card
    explainer: Explainer | None = None


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
    settings, wrong = keep(read_settings, loaded.settings_file or "", loaded.settings)
    examined = [keep(examine_alone, document, settings, asset_names) for document in loaded.documents]
    agree([e.card for e in examined], wrong, drafts=drafts, claims_proved=claims_proved)
    return Checked(settings, tuple(e.explainer for e in examined if e.explainer and (drafts or not e.card.draft)))


def agree(
    cards: Iterable[Card],
    wrong: Sequence[Problem] = (),
    *,
    unread: Sequence[Problem] = (),
    drafts: bool = False,
    claims_proved: bool = True,
) -> None:
    """Raise Rejected with all that is wrong at the first stage where anything is.

    `wrong` are problems of the settings, `unread` those of files that are no record or could not be read.
    """
    cards = list(cards)
    _stop([*unread, *_at(Stage.FILES, cards)])
    _stop([*wrong, *_at(Stage.SHAPE, cards)])
    wanted = [c for c in cards if drafts or not c.draft]
    _stop([*_at(Stage.RULES, wanted), *rules.distinct([(c.file, c.path, c.id) for c in wanted]), *_aliases(wanted)])
    unproved = [p for c in wanted for p in c.disagreements] if claims_proved else []
    pages = [c.page for c in wanted if c.page]
    images = frozenset(i for c in wanted for i in c.images)
    _stop([*_at(Stage.CONTENT, wanted), *unproved, *links.dangling(pages, images)])
    _stop(_at(Stage.ACKNOWLEDGED, wanted))


def _aliases(cards: Iterable[Card]) -> Iterator[Problem]:
    return renaming.taken([(c.file, c.path, c.aliases) for c in cards])


def _at(stage: Stage, cards: Iterable[Card]) -> list[Problem]:
    return [p for c in cards if c.stage is stage for p in c.problems]


def read_settings(file: str, data: Any) -> tuple[Settings, tuple[Problem, ...]]:
    """Return the settings of a site, those of none where they are wrong, and what is wrong."""
    settings = shape.settings(file, data)
    if isinstance(settings, list):
        return Settings(), tuple(settings)
    return settings, (*_site_url(file, settings), *_license(file, settings))


def examine_alone(document: Document, settings: Settings, asset_names: frozenset[str]) -> Examined:
    """Examine one record as far as it is sound; what depends on other records is left to `agree`."""
    record = shape.record(document.file, document.data)
    card = Card(document.file)
    if isinstance(record, list):
        return Examined(replace(card, stage=Stage.SHAPE, problems=tuple(record)))
    card = replace(card, id=record.id, path=record.path, draft=record.draft, aliases=record.aliases)
    if faults := [
        p for rule in (*rules.RULES, *campaigns.RULES, renaming.aliases_stay_inside) for p in rule(document, record)
    ]:
        return Examined(replace(card, stage=Stage.RULES, problems=tuple(faults)))
    explainer, found, disagreements = _examined(document, record, settings, asset_names)
    card = _with_page(card, explainer, disagreements)
    if found:
        return Examined(replace(card, stage=Stage.CONTENT, problems=tuple(found)))
    explainer, amiss = _acknowledged(explainer)
    if amiss:
        return Examined(replace(card, stage=Stage.ACKNOWLEDGED, problems=amiss))
    return Examined(card, explainer)


def _with_page(card: Card, explainer: Explainer, disagreements: Iterable[Problem]) -> Card:
    placed, place = explainer.placed, place_of_body(explainer.document)
    page = links.page(explainer.record, explainer.body, place, is_locked=explainer.claims.is_locked)
    images = tuple(ASSETS + n for n in (*placed.figures, *placed.files))
    return replace(card, page=page, images=images, own=tuple(placed.files), disagreements=tuple(disagreements))


def _examined(
    document: Document, record: Record, settings: Settings, asset_names: frozenset[str]
) -> tuple[Explainer, list[Problem], list[Problem]]:
    """Explain one record, prove its claims, read its receipt; return what is wrong, and which claims do not hold."""
    explainer, found = _explained(document, campaigns.merged(record), settings, asset_names)
    claims, disagreements, open_claims = examine(document, explainer.body, explainer.derivations, settings)
    receipt, malformed, amiss = receipts.read(document, explainer.record)
    findings_so_far = (*explainer.findings, *open_claims, *amiss)
    explainer = replace(explainer, claims=claims, receipts=receipt, findings=findings_so_far)
    # A number changed in the record alone is told where the source prints it and where prose states it.
    printed = [p for rule in printed_values.RULES for p in rule(document, record)]
    return explainer, [*malformed, *printed, *found], list(disagreements)


def _stop(problems: Iterable[Problem]) -> None:
    found = list(problems)
    if found:
        raise Rejected(found)


def _site_url(file: str, settings: Settings) -> Iterator[Problem]:
    fault = fault_of_url(settings.site_url) if settings.site_url else None
    if not fault and settings.site_url and not re.fullmatch(r"[^?#]*/", settings.site_url):
        fault = "the address of the site must end with / and hold no ? or #"
    if fault:
        yield Problem(file, "/site_url", None, "bad-url", fault, "Write https://HOST/ or deeper.")


def _license(file: str, settings: Settings) -> Iterator[Problem]:
    if fault := fault_of_url(settings.license) if settings.license else None:
        yield Problem(file, "/license", None, "bad-url", fault, "Write the whole https address of the licence.")


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
    problems += renaming.anchor_faults(document, record, body)
    say = interface.of(record.lang or settings.language)
    placed, faults = Placing(document, record, body, derivations, settings.title, assets, say).place()
    explainer = Explainer(document, record, data, body, derivations, placed, tuple(found))
    return explainer, problems + faults


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

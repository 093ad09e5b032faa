"""Documents → Explainers: shape first, then one small function per rule, then the findings of the evidence.

All problems of a stage are raised together: shapes, then rules over sound shapes, then acknowledgements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from . import findings, links, prose, rules, shape
from .figures import select
from .figures.spec import FigureSpec
from .load import Document, Loaded
from .model import Acknowledgement, Record, Settings
from .problems import Finding, Problem, Rejected
from .prose import Body
from .urls import fault_of_url, is_external

ASSETS: Final = "/assets/"


@dataclass(frozen=True)
class Explainer:
    """One checked record: a page to be. `figures` maps image names to what is drawn under them."""

    document: Document
    record: Record
    body: Body
    figures: dict[str, FigureSpec] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    acknowledged: tuple[Acknowledgement, ...] = ()

    @property
    def hero(self) -> str:
        """The name of the title card."""
        return hero_name(self.record)

    @property
    def body_place(self) -> tuple[str, str]:
        """The file and pointer of the body."""
        return place_of_body(self.document)


@dataclass(frozen=True)
class Checked:
    """The sound input of a site: settings and explainers in path order."""

    settings: Settings
    explainers: tuple[Explainer, ...]


def check(loaded: Loaded, asset_names: frozenset[str], *, drafts: bool = False) -> Checked:
    """Check all documents, `drafts` too if wanted. `asset_names` are the project's own asset files. Raises Rejected."""
    settings, all_records = _shapes(loaded)
    records = [(document, record) for document, record in all_records if drafts or not record.draft]
    problems = [p for document, record in records for rule in rules.RULES for p in rule(document, record)]
    _stop([*problems, *rules.distinct(records)])
    explainers, faults = [], list[Problem]()
    for document, record in records:
        body = prose.parse(document.body or record.body_markdown or "", record.title)
        explainer, found = _with_figures(Explainer(document, record, body), settings.title, asset_names)
        explainers.append(explainer)
        faults += found
    faults += [p for e in explainers for p in _body_faults(e)]
    faults += links.dangling([links.Page(e.record, e.body, e.body_place) for e in explainers], _files(explainers))
    _stop(faults)
    accepted, unsound = zip(*map(_acknowledged, explainers), strict=True) if explainers else ((), ())
    _stop(p for found in unsound for p in found)
    return Checked(settings, tuple(accepted))


def _stop(problems: Iterable[Problem]) -> None:
    found = list(problems)
    if found:
        raise Rejected(found)


def _shapes(loaded: Loaded) -> tuple[Settings, list[tuple[Document, Record]]]:
    """Return settings and records of sound shape, or raise with every shape problem of the site."""
    settings = shape.settings(loaded.settings_file or "", loaded.settings)
    problems = [*settings] if isinstance(settings, list) else [*_site_url(loaded, settings)]
    records: list[tuple[Document, Record]] = []
    for document in loaded.documents:
        checked = shape.record(document.file, document.data)
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


def place_of_body(document: Document) -> tuple[str, str]:
    """Return the file and pointer of a document's body."""
    return (document.body_file, "") if document.body_file else (document.file, "/body_markdown")


def _body_faults(explainer: Explainer) -> Iterator[Problem]:
    file, pointer = explainer.body_place
    for fault in explainer.body.faults:
        yield Problem(file, pointer, fault.offset, fault.code, fault.message, fault.remedy)


def hero_name(record: Record) -> str:
    """Return the name of a record's title card: as the record says, else after its id."""
    return record.image.url.removeprefix(ASSETS) if record.image else f"{record.id}-hero.webp"


def _with_figures(explainer: Explainer, site: str, assets: frozenset[str]) -> tuple[Explainer, list[Problem]]:
    """Decide for each image of a page what stands behind its name: a file, or a figure to draw."""
    record = explainer.record
    figures: dict[str, FigureSpec] = {}
    files: list[str] = []
    problems: list[Problem] = []
    file, pointer = explainer.body_place
    wanted: list[tuple[str, tuple[str, str, int | None]]]
    wanted = [(p.src, (file, pointer, p.offset)) for p in explainer.body.pictures]
    hero = explainer.hero
    wanted.insert(0, (ASSETS + hero, (explainer.document.file, "/image/url", None)))
    for src, place in wanted:
        name = src.removeprefix(ASSETS)
        spec, fault = _figure(record, src, site, assets, hero)
        if fault:
            problems.append(Problem(*place, *fault))
        elif spec:
            figures.setdefault(name, spec)
        elif name not in files:
            files.append(name)
    shown = {s.kind for s in figures.values()}
    for kind in select.KINDS:
        extra = select.select(record, kind, f"{record.id}-{kind}", site) if kind not in shown | {"hero"} else None
        if extra:
            figures[f"{extra.stem}.webp"] = extra
    return replace(explainer, figures=figures, files=tuple(files)), problems


def _figure(
    record: Record, src: str, site: str, assets: frozenset[str], hero: str
) -> tuple[FigureSpec | None, tuple[str, str, str] | None]:
    """Return the figure behind an image name, or what is wrong; neither where a file of that name exists."""
    name = src.removeprefix(ASSETS)
    if is_external(src):
        return None, ("foreign-image", f"the image {src} lies on another site", "Put the file into assets/.")
    if not src.startswith(ASSETS) or "/" in name:
        return None, ("missing-asset", f"{src} is no image of this site", "Write /assets/NAME.")
    if name in assets:
        return None, None
    kind = "hero" if name == hero else select.kind_of(name)
    if kind is None:
        known = ", ".join(select.ENDINGS)
        return None, (
            "unknown-image",
            f"no file assets/{name}, and its name tells no kind",
            f"End it in {known}.",
        )
    if not name.endswith(select.FORMATS):
        return None, ("image-format", f"{name} has no ending that can be drawn", "Use .webp, .png or .svg.")
    spec = select.select(record, kind, select.stem_of(name), site)
    if spec is None:
        return None, (
            "empty-figure",
            f"the record holds nothing to draw as {kind}",
            "Add the values or drop the image.",
        )
    return spec, None


def _files(explainers: Iterable[Explainer]) -> frozenset[str]:
    """Return the addresses of images that the site will hold."""
    names = {n for e in explainers for n in (*e.figures, *e.files)}
    return frozenset(ASSETS + n for n in names)


def _acknowledged(explainer: Explainer) -> tuple[Explainer, list[Problem]]:
    """Find the record's findings and read its audit sidecar. What a build alone can find is matched later."""
    document = explainer.document
    found = findings.audit(document, explainer.record, explainer.body)
    if document.audit_file is None:
        return replace(explainer, findings=found), []
    entries = shape.acknowledgements(document.audit_file, document.audit)
    problems = [e for e in entries if isinstance(e, Problem)]
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
    """Yield a problem for each acknowledgement that matches no finding; `check` skips codes only a build finds."""
    found = tuple(found)
    for index, entry in enumerate(explainer.acknowledged):
        if entry.code not in codes_of_build and not any(matches(entry, f) for f in found):
            message = f"nothing is found under {entry.code} at {entry.pointer or 'the whole file'}"
            file = explainer.document.audit_file or ""
            yield Problem(file, f"/{index}", None, "stale-acknowledgement", message, "Remove the entry.")

"""One record's way from its files to its pages, by itself: what it came to is told by small values.

Everything but the record itself is in the frame, which is the same for all records. So records can be made side by
side, in any order and in other processes, and one that has not changed need not be made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from pathlib import Path
from typing import NoReturn

from . import aside, assets, budget, guide_outputs, image_hashes, robots
from .check import Card, Explainer, Stage, examine_alone, settle, unmatched
from .clashes import long_names
from .drawing import Drawings, Order, Progress, draw_all, silent
from .figures.spec import Drawn
from .hrefs import Hrefs
from .interface import ENGLISH, site_description
from .listing import Seat
from .load import Document, load_one
from .model import Settings
from .parts import Part, packed
from .problems import Finding, Problem, Rejected
from .project import Project
from .rendering import Artifact, route_of
from .resolve import guide_of
from .reuse import FRESH, Reuse, Store
from .staging import Staging, Written
from .templating import Templates
from .view import Guide


class WholeSite(BaseException):
    """A page of one record asks for the other guides of the site, which are not known yet. No template catches it."""


@dataclass(frozen=True)
class Front:
    """The site as the pages of one record see it: its name and address, and nothing of the other guides."""

    title: str
    description: str
    language: str
    base: str
    site_url: str

    @property
    def guides(self) -> NoReturn:
        """Raise WholeSite."""
        raise WholeSite


@dataclass(frozen=True)
class Frame:
    """All that a record's pages depend on beside the record. `links` are the files below `records/` that are links.

    `shipped` are style, scripts and fonts, which every page loads; `salt` is what drawings depend on beside their
    specs; parts of what was made are kept in the folder `kept`. `drawers` figures of a record are drawn at once, and
    `hear` hears of each.
    """

    project: Project
    links: frozenset[str]
    settings: Settings
    asset_names: frozenset[str]
    hrefs: Hrefs
    templates: Templates
    shipped: tuple[Artifact, ...]
    salt: str
    figures: Store
    kept: Path
    drafts: bool
    drawers: int = 1
    hear: Progress = silent

    @property
    def front(self) -> Front:
        """The site as the pages of one record see it."""
        told = self.settings
        return Front(told.title, site_description(told), told.language, self.hrefs.base, self.hrefs.site_url)


class Step(IntEnum):
    """What comes after the check of a record; each step asks for the one before."""

    FIGURES = 0
    ACCOUNTS = 1
    IMAGES = 2
    PAGES = 3
    WEIGHT = 4
    DONE = 5


@dataclass(frozen=True)
class Made:
    """What one record came to: what is wrong at its `step`, what was found, its files as they were written.

    `pages` are its pages as lists for programs know them, `anchors` those of its sources, `images` the project's own
    files that it shows, with their SHA-256. `open` says that its pages want the whole site, and are not made yet.
    """

    step: Step = Step.DONE
    problems: tuple[Problem, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[Written, ...] = ()
    pages: tuple[robots.Page, ...] = ()
    drawn: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    images: Mapping[str, str] = field(default_factory=dict)
    open: bool = False


@dataclass(frozen=True)
class Entry:
    """One record of a site: its files with their SHA-256, its card, what was made, and where its parts are kept."""

    seat: Seat
    inputs: Mapping[str, str]
    card: Card
    made: Made | None = None
    key: str = ""
    parts: Mapping[str, Part] = field(default_factory=dict)


def make(frame: Frame, staging: Staging, seat: Seat) -> Entry:
    """Make one record as far as it is sound, and write its files into `staging`. Raises Surroundings, OSError."""
    document, problems, inputs = load_one(frame.project, seat, frame.links)
    if problems:
        return Entry(seat, inputs, Card(seat.file, Stage.FILES, problems))
    examined = examine_alone(document, frame.settings, frame.asset_names)
    if examined.explainer is None or (examined.card.draft and not frame.drafts):
        return Entry(seat, inputs, examined.card)
    making = _Making(frame, staging, examined.explainer)
    try:
        made = making.make()
    except Rejected as rejected:
        return Entry(seat, inputs, examined.card, Made(making.step, rejected.problems))
    data, parts = packed(making.fields())
    return Entry(seat, inputs, examined.card, made, _keep(frame.kept, data), parts)


class _Making:
    """One sound record on its way; `step` is the one that it is at."""

    def __init__(self, frame: Frame, staging: Staging, explainer: Explainer) -> None:
        self.frame, self.staging, self.explainer = frame, staging, explainer
        self.step = Step.FIGURES
        self.guide: Guide | None = None

    def make(self) -> Made:
        """Draw, resolve, render and weigh. Raises Rejected, with `step` where it was."""
        frame = self.frame
        drawings = self._drawn()
        drawn = tuple((n, drawings.figures[self.explainer.record.id, n]) for n in self.explainer.placed.figures)
        self.explainer, notes = compared(self.explainer, drawn)
        self._at(Step.ACCOUNTS, stale(self.explainer, frozenset()))
        self.step = Step.IMAGES
        own = assets.own(frame.project, frozenset(self.explainer.placed.files), Reuse())
        sizes = tuple(assets.sizes(own, FRESH).items())
        self.step = Step.PAGES
        settings = frame.settings
        self.guide = guide_of(self.explainer, drawn, sizes, frame.hrefs, settings.title, settings.language)
        data = [
            *guide_outputs.beside(self.guide, self.explainer, settings.title, frame.hrefs),
            *guide_outputs.figure_files(self.explainer, tuple(d for _, d in drawn)),
        ]
        images = [Artifact(a.address.lstrip("/"), a.data, a.origin) for a in own.values()]
        try:
            pages = guide_outputs.own_pages(frame.front, frame.templates, self.guide, self.explainer, frame.hrefs)
        except WholeSite:
            pages = ()
        self._at(Step.PAGES, long_names([*pages, *data]))
        self._at(Step.WEIGHT, budget.of_record([*pages, *data], self._route(pages), [*frame.shipped, *images]))
        self.step = Step.DONE
        return Made(
            findings=self.explainer.findings,
            notes=notes,
            files=self.staging.put_all([*pages, *data]),
            pages=tuple(robots.page(route_of(a.path), a.data) for a in pages),
            drawn=drawings.drawn,
            reused=drawings.reused,
            anchors=tuple(use.anchor for use in self.guide.cites.uses),
            images={name: hashlib.sha256(asset.data).hexdigest() for name, asset in own.items()},
            open=not pages,
        )

    def fields(self) -> dict[str, object]:
        """Return what pages of the whole site may ask of this record: little of the explainer, all of the guide."""
        explainer = self.explainer
        bare = Document(explainer.document.file, explainer.document.id, None)
        record = explainer.record.model_copy(update={"body_markdown": None})
        found: dict[str, object] = {
            "explainer.document": bare,
            "explainer.record": record,
            "explainer.claims": explainer.claims,
            "explainer.receipts": explainer.receipts,
            "explainer.findings": explainer.findings,
        }
        return found | {f"guide.{f.name}": getattr(self.guide, f.name) for f in fields(Guide)}

    def _drawn(self) -> Drawings:
        frame, explainer = self.frame, self.explainer
        orders = [
            Order(explainer.record.id, explainer.document.file, n, s) for n, s in explainer.placed.figures.items()
        ]
        return draw_all(orders, frame.figures, frame.project.own_fonts, frame.drawers, frame.salt, Reuse(), frame.hear)

    def _at(self, step: Step, problems: Iterable[Problem]) -> None:
        self.step = step
        if found := [*problems]:
            raise Rejected(found)

    def _route(self, pages: Iterable[Artifact]) -> frozenset[str]:
        return frozenset([self.explainer.record.path] if pages else [])


def compared(explainer: Explainer, drawn: tuple[tuple[str, Drawn], ...]) -> tuple[Explainer, tuple[str, ...]]:
    """Add what only drawing can find: declared hashes that are not those of the images, and notes about them."""
    figures = {(explainer.record.id, name): figure for name, figure in drawn}
    found, told = image_hashes.compared(explainer, figures)
    findings = settle([*explainer.findings, *found], explainer.acknowledged)
    return replace(explainer, findings=findings), tuple(told)


def stale(explainer: Explainer, skip: frozenset[str]) -> tuple[Problem, ...]:
    """Return a problem for each acknowledgement of nothing."""
    return tuple(unmatched(explainer, explainer.findings, skip))


def left_out(drafts: Iterable[str]) -> Iterator[str]:
    """Yield a note that names the drafts of a build without them, if there are any."""
    if names := sorted(drafts):
        told = f"{len(names)} draft{'s are' if len(names) > 1 else ' is'} left out: {ENGLISH.listed(names)}"
        yield f"{told}. Drafts are shown by preview, and published by build --drafts."


def _keep(folder: Path, data: bytes) -> str:
    """Keep a file of parts under the hash of its bytes, whole or not at all, and return its name."""
    key = hashlib.sha256(data).hexdigest()
    # Written even where there is one of this name: that may have been damaged since.
    aside.put(folder / key, data)
    return key

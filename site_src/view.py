"""What templates see: pages as finished texts, rows and addresses. No template computes or looks up anything."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from .history import Changes
from .problems import Finding

if TYPE_CHECKING:
    from .cited import Cites
    from .corrections import Correction
    from .method import Counted
    from .places import Places


@dataclass(frozen=True)
class Ref:
    """A link to evidence. `hidden` is read out before `text`; `note` is printed after it."""

    href: str
    text: str
    hidden: str = ""
    note: str = ""


@dataclass(frozen=True)
class Fact:
    """A label and its value in words; `raw` is the number as written, where the value is one number."""

    label: str
    text: str
    raw: str = ""
    numeric: bool = False
    null: bool = False
    href: str = ""


@dataclass(frozen=True)
class Cell:
    """A table cell: its main text, then secondary lines; `derived` marks a value this site computed."""

    text: str = ""
    _: KW_ONLY
    id: str = ""
    derived: bool = False
    raw: str = ""
    unit: str = ""
    null: bool = False
    numeric: bool = False
    gap: int = 0
    small: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    refs: tuple[Ref, ...] = ()


@dataclass(frozen=True)
class Row:
    """A table row: its header cell, its cells, the evidence of its values, and facts across the whole width."""

    id: str
    head: Cell
    cells: tuple[Cell, ...]
    refs: tuple[Ref, ...] = ()
    below: tuple[Fact, ...] = ()

    @property
    def is_derived(self) -> bool:
        """Whether this site computed a value of the row."""
        return any(c.derived for c in self.cells)


@dataclass(frozen=True)
class Facts:
    """A folded list of facts under a summary line."""

    summary: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Column:
    """A column head."""

    text: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    """A generated table; `notes` say what holds for all its rows, `folded` the conditions behind
    them, `sourced` whether a column of evidence follows.
    """

    id: str
    caption: str
    notes: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    folded: tuple[Facts, ...] = ()
    sourced: bool = True


@dataclass(frozen=True)
class Figure:
    """A figure on the page: addresses of its two cuts and of its downloads."""

    id: str
    number: int
    wide: str
    narrow: str
    wide_size: tuple[int, int]
    narrow_size: tuple[int, int]
    alt: str
    caption: str
    downloads: tuple[Ref, ...]


@dataclass(frozen=True)
class Photo:
    """An image file of the project, shown as it is."""

    src: str
    size: tuple[int, int]
    alt: str
    caption: str


@dataclass(frozen=True)
class Html:
    """A finished run of the body."""

    html: str


@dataclass(frozen=True)
class Editable:
    """A badge beside a section that leans on an address which can change."""

    ref: Ref
    saved_on: str
    sha256: str


@dataclass(frozen=True)
class Listing:
    """A list of short facts, placed by a body."""

    facts: tuple[Fact, ...]


Block: TypeAlias = Html | Figure | Photo | Table | Listing


@dataclass(frozen=True)
class Passage:
    """The part of a body under one second-level heading (or before the first)."""

    heading: str
    blocks: tuple[Block, ...]
    editable: tuple[Editable, ...]


@dataclass(frozen=True)
class KeyFigure:
    """One figure under the short answer: number, unit, what it is, denominator, n, evidence.

    `name` and `lines` are finished HTML.
    """

    text: str
    raw: str
    unit: str
    name: str
    lines: tuple[str, ...]
    refs: tuple[Ref, ...]
    null: bool = False
    derived: bool = False


@dataclass(frozen=True)
class Case:
    """A case report or a run: a table where it has cells, its figure, what it reports, its setup folded."""

    id: str
    title: str
    editable: tuple[Editable, ...]
    refs: tuple[Ref, ...]
    said: str
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    facts: tuple[Fact, ...]
    setup: Facts | None


@dataclass(frozen=True)
class Document:
    """A cited document in the list of sources; `robust` is what its link says to programs that revive dead ones."""

    id: str
    number: int
    title: str
    publisher: str
    href: str
    mutable: bool
    version: str
    revision: str
    full_revision: str
    robust: tuple[tuple[str, str], ...]
    changed: tuple[str, str] | None
    checked: tuple[str, str]
    sha256: str
    state: str
    used: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class FindingGroup:
    """Findings of one code that were accepted together, or not at all: what was found, what to do, why it stands.

    `title` counts all findings of the code; the group before may have the same.
    """

    code: str
    title: str
    findings: tuple[Finding, ...]
    remedy: str
    reason: str
    accepted_on: str


@dataclass(frozen=True)
class SubPage:
    """A page below a guide with rows that would make the guide too heavy."""

    route: str
    title: str
    lede: str
    tables: tuple[Table, ...]
    folded: tuple[Facts, ...]
    more: tuple[Ref, ...] = ()


@dataclass(frozen=True)
class Head:
    """What stands before the body, and what lists say of a guide. `lede` and `answer` are finished HTML.

    `short` is the first sentence of the answer as text; `questions` are ids and titles of the body's own parts.
    """

    route: str
    language: str
    title: str
    summary: str
    lede: str
    scope: str
    crumb: str
    states: tuple[str, ...]
    dates: tuple[tuple[str, str, str], ...]
    answer: str
    decision: tuple[Fact, ...]
    keys: tuple[KeyFigure, ...]
    contents: tuple[tuple[str, str], ...]
    checked_on: str
    counts: str
    models: tuple[str, ...]
    hardware: tuple[str, ...]
    short: str
    questions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Sections:
    """What is generated after the body; what a sub-page shows instead is linked by `more_…`."""

    results: tuple[Table, ...]
    shared: Facts | None
    result_figures: tuple[Figure, ...]
    more_results: tuple[Ref, ...]
    derived: tuple[Table, ...]
    more_derived: tuple[Ref, ...]
    capacity: tuple[Table | Listing, ...]
    cases: tuple[Case, ...]
    memory: Table | None
    memory_figures: tuple[Figure, ...]
    sustained: tuple[Case, ...]

    @property
    def present(self) -> frozenset[str]:
        """The ids of the sections that hold anything."""
        held = {
            "results": self.results or self.result_figures or self.more_results,
            "derived": self.derived or self.more_derived,
            "capacity": self.capacity,
            "cases": self.cases,
            "memory": self.memory or self.memory_figures,
            "sustained": self.sustained,
        }
        return frozenset(name for name, content in held.items() if content)


@dataclass(frozen=True)
class Foot:
    """What a page says of its record and sources, and how to cite and reuse it.

    `coverage` counts the numbers of the prose by class; `ledger` and `audit_page` lead to the pages below the guide.
    `downloads` are the files that the guide links, `files` all there are.
    """

    limits: tuple[str, ...]
    about: tuple[Fact, ...]
    audit: tuple[FindingGroup, ...]
    coverage: str
    ledger: str
    audit_page: str
    documents: tuple[Document, ...]
    changes: tuple[Changes, ...]
    newest: tuple[Changes, ...]
    citation: str
    downloads: tuple[Ref, ...]
    files: tuple[Ref, ...]


@dataclass(frozen=True)
class Property:
    """A meta element: its name, its content, and the attribute that holds the name."""

    name: str
    content: str
    attribute: str = "property"


@dataclass(frozen=True)
class Guide:
    """One guide page; `hero_in_body` tells whether the title card opens the body.

    `thumb` is the route of the title card in small, "" where it was not drawn here. `properties` describe it to those
    who link it, `data` is its block of JSON-LD. `places` say on which page each row stands. `english` is the same guide
    in English where it is in another language. What pages of the whole site tell of the guide is here, too: `cites` for
    the list of sources, `counted` for the method page, `changes` for the log, `units` for the search.
    """

    head: Head
    hero: Figure | Photo | None
    hero_in_body: bool
    body: tuple[Passage, ...]
    sections: Sections
    foot: Foot
    subpages: tuple[SubPage, ...]
    properties: tuple[Property, ...]
    data: str
    places: Places
    cites: Cites
    counted: Counted
    changes: tuple[Correction, ...]
    units: tuple[str, ...]
    thumb: str = ""
    english: Guide | None = None

    @property
    def plain(self) -> Guide:
        """The guide in English words and numbers, for programs and for the search."""
        return self.english or self


@dataclass(frozen=True)
class Site:
    """The whole site as templates see it."""

    title: str
    description: str
    language: str
    base: str
    site_url: str
    guides: tuple[Guide, ...] = field(default=())

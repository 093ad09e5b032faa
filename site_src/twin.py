"""A guide → its Markdown twin, index.md: the author's body as written, everything generated as lists and tables.

It holds what the page and its sub-pages of rows hold: every value with its unit, nulls in words, limits, sources with
their hashes. Links inside the site lead to the pages, since Markdown has no anchors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from . import fences, ledger, markdown
from .check import Explainer
from .hrefs import Hrefs
from .links import TWIN, target
from .prose import Picture, Text
from .urls import is_external
from .view import Case, Document, Figure, Guide, Html, KeyFigure, Listing, Photo, SubPage, Table

Shown = Table | Listing | Figure | Photo


def route(guide_route: str) -> str:
    """Return the address of the twin of a guide."""
    return guide_route + TWIN


def twin(explainer: Explainer, guide: Guide, hrefs: Hrefs) -> bytes:
    """Return the guide as Markdown (CommonMark with tables)."""
    return _Twin(explainer, guide, hrefs).text().encode()


class _Twin:
    """One guide on its way to Markdown."""

    def __init__(self, explainer: Explainer, guide: Guide, hrefs: Hrefs) -> None:
        self.explainer, self.record, self.guide, self.hrefs = explainer, explainer.record, guide, hrefs
        self.here = route(guide.head.route)
        self.to = self.from_page(guide.head.route)

    def from_page(self, page: str) -> markdown.Linker:
        """Return what turns the addresses of a page below the guide into those of the twin."""
        return partial(self._address, page)

    def _address(self, page: str, href: str) -> str:
        return href if is_external(href) else self.hrefs.to(self.here, *target(page, href))

    def text(self) -> str:
        """Put the parts together in the order of the page."""
        parts = [*self._head(), *self._body(), *self._sections(), *self._foot()]
        lines: list[str] = []
        for line in parts:
            if line or (lines and lines[-1]):
                lines.append(line)
        return "\n".join(lines).strip() + "\n"

    def _head(self) -> Iterator[str]:
        head, record = self.guide.head, self.record
        yield from (f"# {markdown.text(head.title)}", "", markdown.text(record.summary), "", head.scope, "")
        address = self.hrefs.absolute(record.path)
        yield from [f"- Page: <{address}>"] * bool(address)
        yield f"- State: {'. '.join(map(markdown.text, head.states))}."
        yield from (f"- {name}: {iso}" for name, iso, _ in head.dates)
        yield from ("", "## Short answer", "", markdown.text(record.answer), "")
        yield from markdown.facts(head.decision, self.to)
        if head.keys:
            yield from ("", "## Key figures", "", *map(self._key, head.keys), "")

    def _key(self, key: KeyFigure) -> str:
        value = f"{markdown.text(key.text)} {markdown.text(key.unit)}".strip()
        name = markdown.words(key.name) + (", derived" if key.derived else "")
        said = [f"- **{value}**: {name}.", *map(markdown.words, key.lines), markdown.refs(key.refs, self.to)]
        return " ".join(filter(None, said))

    def _body(self) -> Iterator[str]:
        """Yield the body as written, with what its fenced blocks place, and links that lead on from here."""
        body = self.explainer.body
        starts = [0, *(i + 1 for i, c in enumerate(body.source) if c == "\n")]
        edits: list[tuple[int, int, str]] = []
        for offset, href in {(link.offset, link.href) for link in body.links}:
            if not is_external(href) and body.source.startswith(href, offset):
                edits.append((offset, offset + len(href), self.to(href)))
        shown = iter(b for p in self.guide.body for b in p.blocks if not isinstance(b, Html))
        opening = body.pictures[0] if self.guide.hero_in_body else None
        for part in _places(self.explainer):
            # The title card stands above the body on the page, and where it was written here.
            block = next(shown) if part is not opening else None
            if isinstance(part, Picture):
                if body.source.startswith(part.src, part.offset):
                    edits.append((part.offset, part.offset + len(part.src), self.to(part.src)))
            elif block is not None:
                first, last = part
                end = starts[last] if last < len(starts) else len(body.source)
                edits.append((starts[first], end, "\n".join(markdown.block(block, self.to)).strip() + "\n"))
        yield from ("", _edited(body.source, body.start, edits), "")

    def _sections(self) -> Iterator[str]:
        """Yield what the page generates behind the body, rows of sub-pages included."""
        sections = self.guide.sections
        below = [p for p in self.guide.subpages if not p.route.startswith(ledger.route(self.record))]
        derived = [p for p in below if p.route == f"{self.record.path}derived/"]
        results = [p for p in below if p not in derived]
        if "results" in sections.present:
            yield from ("## Reported results", "")
            if sections.shared:
                yield from markdown.folded(sections.shared, self.to)
            yield from self._shown((*sections.result_figures, *sections.results))
            yield from self._pages(results, is_shared=sections.shared is not None)
        if "derived" in sections.present:
            yield from ("## Derived values", "", "Arithmetic over reported values. Nothing here was measured.", "")
            yield from self._shown(sections.derived)
            yield from self._pages(derived)
        if sections.capacity:
            yield from ("## Capacity and its limits", "", *self._shown(sections.capacity))
        yield from self._cases("Cases", sections.cases)
        if "memory" in sections.present:
            tables = (sections.memory,) if sections.memory else ()
            yield from ("## Memory observations", "", *self._shown((*sections.memory_figures, *tables)))
        yield from self._cases("Sustained and long-context runs", sections.sustained)

    def _shown(self, found: Sequence[Shown]) -> Iterator[str]:
        for one in found:
            yield from markdown.block(one, self.to)

    def _pages(self, pages: Sequence[SubPage], *, is_shared: bool = False) -> Iterator[str]:
        """Yield the tables of sub-pages; the conditions that all share are told once."""
        for number, page in enumerate(pages):
            to = self.from_page(page.route)
            for more in page.folded if number == 0 and not is_shared else ():
                yield from markdown.folded(more, to)
            for one in page.tables:
                yield from markdown.table(one, to)

    def _cases(self, title: str, cases: Sequence[Case]) -> Iterator[str]:
        yield from (f"## {title}", "") if cases else ()
        for case in cases:
            yield from (f"### {markdown.text(case.title)}", "")
            for mark in case.editable:
                yield from (f"Editable page, copy saved {mark.saved_on}, SHA-256 `{mark.sha256}`.", "")
            if case.refs:
                yield from (f"{case.said} {markdown.refs(case.refs, self.to)}", "")
            yield from self._shown((*case.figures, *case.tables))
            yield from (*markdown.facts(case.facts, self.to), "")
            if case.setup:
                yield from markdown.folded(case.setup, self.to)

    def _foot(self) -> Iterator[str]:
        foot = self.guide.foot
        yield from ("## Limits", "", *(f"- {markdown.text(limit)}" for limit in foot.limits), "")
        yield from ("## Audit of this record", "", markdown.text(foot.coverage), "")
        for group in foot.audit:
            accepted = f" Accepted on {group.accepted_on}: {group.reason}" if group.reason else ""
            yield f"- {markdown.text(f'{group.title}: {group.remedy}{accepted}')}"
        yield from [] if foot.audit else ["A check of the record found nothing."]
        about = markdown.facts(foot.about, self.from_page(f"{self.record.path}audit/"))
        yield from ("", "## About this record", "", *about)
        for found in foot.changes:
            yield from (f"- Changed {found.iso}: {markdown.text(what)}" for what in found.told)
        yield from ("", "## Sources", "", *map(_source, foot.documents), "", "## Cite and reuse", "")
        yield from (markdown.text(foot.citation), "")
        yield from (f"- {markdown.link(d.text, self.to(d.href))}" for d in foot.files)


def _source(document: Document) -> str:
    """Return a cited document as an item of a numbered list."""
    kind = "Editable" if document.mutable else f"Fixed {document.version}"
    changed = f"Last changed {document.changed[0]}. " if document.changed else ""
    used = f"Cited for {document.used}. " if document.used else ""
    return (
        f"{document.number}. {markdown.link(document.title, document.href)}, {markdown.text(document.publisher)}. "
        f"{kind}, revision {markdown.text(document.full_revision)}. {changed}Checked {document.checked[0]}. {used}"
        f"SHA-256 `{document.sha256}`. {markdown.text(document.state)}."
    )


def _places(explainer: Explainer) -> Iterator[Picture | tuple[int, int]]:
    """Yield the pictures and the lines of fenced blocks of a body, in order."""
    for run in explainer.body.blocks:
        if isinstance(run, Picture):
            yield run
        elif isinstance(run, Text):
            yield from ((t.map[0], t.map[1]) for t in run.tokens if fences.is_fence(t) and t.map)


def _edited(source: str, start: int, edits: list[tuple[int, int, str]]) -> str:
    """Return a text from `start` on, with each (start, end, new) put in."""
    parts, at = [], start
    for first, last, new in sorted(edits):
        if first >= at:
            parts += [source[at:first], new]
            at = last
    return "".join([*parts, source[at:]]).strip("\n")

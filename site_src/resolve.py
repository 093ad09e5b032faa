"""Explainers and their drawn figures → Site: references answered, numbers worded, addresses made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import audit, body, citations, facts, pictures, tables, words
from .check import Checked, Explainer
from .figures.select_cases import cells_of
from .figures.select_hero import nulls_in, states
from .figures.spec import Drawn
from .hrefs import Hrefs
from .links import SCHEMA_ROUTE, guide_files
from .model import Measurement, Record, Source
from .view import Case, Document, Editable, Fact, Facts, Figure, Guide, KeyFigure, Photo, Ref, Site

Drawings = Mapping[tuple[str, str], Drawn]
_TOLD = frozenset(
    [
        "id",
        "path",
        "title",
        "summary",
        "answer",
        "published_on",
        "modified_on",
        "source_checked_on",
        "sources",
        "supplemental_sources",
        "reported_results",
        "case_reports",
        "memory_observations",
        "long_context_cases",
        "image",
        "body_markdown",
    ]
)


def resolve(checked: Checked, drawings: Drawings, sizes: Mapping[str, tuple[int, int]], hrefs: Hrefs) -> Site:
    """Return the site: guides by path, every text and address final. `sizes` are of the project's image files."""
    settings = checked.settings
    guides = tuple(_Resolving(e, drawings, sizes, hrefs, settings.title).guide() for e in checked.explainers)
    return Site(
        title=settings.title,
        description=settings.description,
        language=settings.language,
        base=hrefs.base,
        site_url=hrefs.site_url,
        guides=tuple(sorted(guides, key=lambda g: g.route)),
    )


@dataclass(frozen=True)
class _Resolving:
    """One explainer on its way to a page."""

    explainer: Explainer
    drawings: Drawings
    sizes: Mapping[str, tuple[int, int]]
    hrefs: Hrefs
    site: str

    @property
    def record(self) -> Record:
        return self.explainer.record

    def cite(self, part: Mapping[str, Any] | Measurement) -> Ref | None:
        """Return the evidence link of a measurement or a part."""
        found = citations.of_result(self.record, part) if isinstance(part, Measurement) else None
        found = found or (citations.of_reading(self.record, part) if isinstance(part, Mapping) else None)
        return ref(found) if found else None

    def guide(self) -> Guide:
        """Put the page together, block by block in the order of the page."""
        record = self.record
        gallery = pictures.Gallery(self.explainer, self.drawings, self.sizes, self.hrefs)
        passages = body.passages(self.explainer, gallery, self.hrefs)
        # Figures are numbered as they are asked for, so in the order of the page.
        result_figures = gallery.extra("rates")
        cases = self._cases(gallery)
        hero = gallery.hero()
        results = tables.result_tables(record, self.cite)
        sustained = tuple(self._case("sustained", n, c) for n, c in enumerate(record.long_context_cases, 1))
        return Guide(
            route=record.path,
            language=str(record.unknown.get("lang") or "en"),
            title=record.title,
            summary=record.summary,
            scope=self._scope(),
            crumb=words.label(record.record_type),
            states=states(record),
            dates=tuple(_dates(record)),
            answer=record.answer,
            keys=self._keys(),
            contents=self._contents(),
            hero=hero,
            hero_in_body=gallery.hero_in_body,
            body=passages,
            results=results,
            shared=self._shared(),
            result_figures=result_figures,
            cases=cases,
            memory=tables.memory_table(record, self.cite),
            memory_figures=gallery.extra("memory"),
            sustained=sustained,
            limits=tuple(self._limits()),
            about=self._about(),
            audit=audit.groups(self.explainer.findings),
            documents=self._documents(),
            citation=self._citation(),
            downloads=self._downloads(),
            checked_on=record.source_checked_on,
            counts=self._counts(),
            thumbnail=_thumbnail(hero),
        )

    def _scope(self) -> str:
        sources = self.record.all_sources
        publishers = len({s.publisher for s in sources})
        editable = sum(citations.is_mutable(s) for s in sources)
        fixed = f"{len(sources) - editable} at a fixed commit, {editable} editable"
        return f"{words.count(len(sources), 'document')} from {words.count(publishers, 'publisher')}: {fixed}."

    def _keys(self) -> tuple[KeyFigure, ...]:
        """The first result of each metric, four at most, in record order."""
        first: dict[str, tuple[int, Measurement]] = {}
        for index, result in enumerate(self.record.reported_results, 1):
            first.setdefault(result.metric, (index, result))
        return tuple(self._key(result) for _, result in list(first.values())[:4])

    def _key(self, result: Measurement) -> KeyFigure:
        cell = tables.value_cell(result.value)
        lines = [f"{result.label}."]
        if result.denominator:
            lines.append(f"Denominator: {result.denominator}.")
        lines.append(f"{tables.n_words(result) or result.statistic}.")
        name = words.label(result.metric)
        return KeyFigure(cell.text, cell.raw, result.unit, name, tuple(lines), self.cite(result), cell.null)

    def _contents(self) -> tuple[tuple[str, str], ...]:
        record = self.record
        own = [(h.id, h.text) for h in self.explainer.body.headings if h.level == 2]
        parts = [
            ("results", "Reported results", record.reported_results),
            ("cases", "Cases", record.case_reports),
            ("memory", "Memory observations", record.memory_observations),
            ("sustained", "Sustained and long-context runs", record.long_context_cases),
        ]
        fixed = [
            ("limits", "Limits"),
            ("reading", "How to read these numbers"),
            ("audit", "Audit of this record"),
        ]
        fixed += [("about", "About this record"), ("sources", "Sources"), ("cite", "Cite and reuse")]
        return tuple([*own, *((i, t) for i, t, present in parts if present), *fixed])

    def _shared(self) -> Facts | None:
        shared = tables.shared_by_all(self.record)
        n = len(self.record.reported_results)
        return Facts(f"Conditions of all {n} results ({len(shared)})", facts.facts(shared)) if shared else None

    def _cases(self, gallery: pictures.Gallery) -> tuple[Case, ...]:
        """Case reports; the figure of a matrix or failure stands in the first case it can be of."""
        cases = []
        left: dict[str, tuple[Figure, ...]] = {k: gallery.extra(k) for k in ("matrix", "incident")}
        for number, case in enumerate(self.record.case_reports, 1):
            figures = left.pop("matrix", ()) if cells_of(case) else ()
            figures += left.pop("incident", ()) if case.get("error") else ()
            cases.append(self._case("case", number, case, figures))
        return tuple(cases)

    def _case(self, kind: str, number: int, case: dict[str, Any], figures: tuple[Figure, ...] = ()) -> Case:
        found = citations.of_part(self.record, case)
        link = ref(found) if found else None
        slug = f"{kind}-{number}"
        has_cells = bool(cells_of(case))
        told = {"cells", "omitted_cell", "omitted_cells"} if has_cells else set()
        listed = facts.facts(case, skip=told)
        setup = tuple(f for f in listed if not _is_reported(f))
        title = case.get("title") or case.get("classification") or case.get("id") or slug
        return Case(
            id=slug,
            title=words.label(str(title)),
            editable=(editable(found.number, found.source),) if found and citations.is_mutable(found.source) else (),
            ref=link,
            tables=tables.case_tables(case, slug, link),
            figures=figures,
            facts=tuple(f for f in listed if _is_reported(f)),
            setup=Facts(f"Setup and provenance ({len(setup)})", setup) if setup else None,
        )

    def _limits(self) -> list[str]:
        record = self.record
        single = sum(r.repetitions == 1 for r in record.reported_results)
        unknown = sum(r.repetitions is None for r in record.reported_results)
        nulls = nulls_in(record)
        said = []
        if not record.site_reproduced:
            said.append("No value on this page was measured again by this site.")
        if not record.performance_ranking_allowed:
            said.append("Values stand in the order of the record. They are not ranked, and no gain is computed.")
        if single:
            said.append(
                f"{words.count(single, 'result')} of {len(record.reported_results)}: one observation, no spread."
            )
        if unknown:
            said.append(f"{words.count(unknown, 'result')}: the record gives no count of runs.")
        if nulls:
            said.append(f"{words.count(nulls, 'field')} of the evidence: not reported by any source, and left open.")
        said += [f"{f.label}: {f.text}." for f in facts.facts(record.conditions)]
        return said

    def _about(self) -> tuple[Fact, ...]:
        """The state of the record in words, then how it was made, then keys this version does not know."""
        record = self.record
        dumped = {k: v for k, v in self.explainer.document.data.items() if k not in _TOLD and k != "conditions"}
        for key in ("facts", "metrics"):
            empty = dumped.get(key) in (None, [], {})
            dumped[key] = words.NONE_PUBLISHED if empty else dumped[key]
        uncertain = [r for r in record.reported_results if r.uncertainty is not None]
        if not uncertain:
            dumped["uncertainty"] = words.NONE_PUBLISHED
        image = self.explainer.document.data.get("image") or {}
        extra = {k: v for k, v in image.items() if k not in {"url", "alt", "caption"}}
        return facts.facts({"id": record.id, **dumped, **({"title_card": extra} if extra else {})})

    def _documents(self) -> tuple[Document, ...]:
        record = self.record
        used = [c.number for r in record.reported_results if (c := citations.of_result(record, r))]
        return tuple(_document(n, source, used.count(n)) for n, source in citations.numbered(record))

    def _citation(self) -> str:
        record = self.record
        checked = words.date(record.source_checked_on)
        address = self.hrefs.absolute(record.path) or record.path
        return f"{self.site} ({record.published_on[:4]}). {record.title}. Sources checked {checked}. {address}"

    def _downloads(self) -> tuple[Ref, ...]:
        here = self.record.path
        record_file, results_file = guide_files(self.record)
        links = [Ref(self.hrefs.to(here, record_file), "This record, JSON")]
        if self.record.reported_results:
            links.append(Ref(self.hrefs.to(here, results_file), "Reported results with their conditions, CSV"))
        links.append(Ref(self.hrefs.to(here, SCHEMA_ROUTE), "JSON Schema of the record"))
        links.append(Ref(self.hrefs.to(here, "/manifest.json"), "SHA-256 of every file of this site"))
        return tuple(links)

    def _counts(self) -> str:
        record = self.record
        values = words.count(len(record.reported_results), "value")
        return (
            f"{values}, {words.count(len(record.all_sources), 'source')}, {words.count(nulls_in(record), 'null')} kept"
        )


def _is_reported(fact: Fact) -> bool:
    """Tell what a case reports (numbers, yes and no, what is open, the failure itself) from how it was set up."""
    return fact.numeric or fact.null or fact.text in {"yes", "no"} or fact.label in {"Error", "Outcome"}


def ref(citation: citations.Citation) -> Ref:
    """Return the visible link of a citation: the line at its commit, or the editable page by its number."""
    source = citation.source
    if citations.is_mutable(source):
        return Ref(citation.url, f"source {citation.number}", f"{source.publisher}, ", "editable")
    hidden = f"{source.document_path} at {source.revision[:7]}, "
    if citation.line is None:
        return Ref(citation.url, f"source {citation.number}", hidden, "line not recorded")
    return Ref(citation.url, f"line {citation.line}", hidden)


def editable(number: int, source: Source) -> Editable:
    """Return the badge of an address that can change."""
    return Editable(Ref(f"#src-{number}", f"source {number}"), words.date(source.checked_on), source.document_sha256)


def _dates(record: Record) -> list[tuple[str, str, str]]:
    named = [("Published", record.published_on), ("Sources checked", record.source_checked_on)]
    if record.modified_on != record.published_on:
        named.insert(1, ("Changed", record.modified_on))
    return [(name, iso, words.date(iso)) for name, iso in named]


def _document(number: int, source: Source, uses: int) -> Document:
    mutable = citations.is_mutable(source)
    blob = citations.blob_of(source)
    shown = {"publisher", "document_path", "pinned_url", "document_sha256", "last_commit_at", "checked_on"}
    rest = {k: v for k, v in source.model_dump(exclude_unset=True).items() if k not in shown}
    return Document(
        id=f"src-{number}",
        number=number,
        title=source.document_path,
        publisher=source.publisher,
        href=blob.url() if blob else source.pinned_url,
        mutable=mutable,
        revision=source.revision if mutable else source.revision[:7],
        changed=(source.last_commit_at, words.date(source.last_commit_at)) if source.last_commit_at else None,
        checked=(source.checked_on, words.date(source.checked_on)),
        sha256=source.document_sha256,
        used=words.count(uses, "value") if uses else "",
        facts=facts.facts(rest),
    )


def _thumbnail(hero: Figure | Photo | None) -> str:
    return hero.wide if isinstance(hero, Figure) else hero.src if hero else ""

"""Explainers and their drawn figures → Site: references answered, numbers worded, addresses made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from . import (
    body,
    case_tables,
    citations,
    derived_tables,
    facts,
    fences,
    head,
    interface,
    ledger,
    linked_data,
    pictures,
    social,
    tables,
    words,
)
from .check import Checked, Explainer
from .claim_links import ClaimLinks
from .evidence import Evidence
from .evidence_links import cite, editable, ref
from .figures.select_cases import cells_of
from .figures.spec import Drawn
from .foot import foot
from .hrefs import Hrefs
from .interface import ENGLISH, Words
from .model import Measurement, Record
from .pivot import pivot_table
from .places import Places, placed_relations, places
from .reuse import FRESH, Keep
from .told import told
from .view import Block, Case, Fact, Facts, Figure, Guide, Listing, Ref, Sections, Site, SubPage, Table

Drawings = Mapping[tuple[str, str], Drawn]


def resolve(
    checked: Checked,
    drawings: Drawings,
    sizes: Mapping[str, tuple[int, int]],
    hrefs: Hrefs,
    keep: Keep = FRESH,
) -> Site:
    """Return the site: guides by path, every text and address final. `sizes` are of the project's image files."""
    settings = checked.settings
    guides = []
    for e in checked.explainers:
        drawn = tuple((n, drawings[e.record.id, n]) for n in e.placed.figures)
        measured = tuple((n, sizes[n]) for n in e.placed.files)
        guides.append(keep(guide_of, e, drawn, measured, hrefs, settings.title, settings.language))
    return Site(
        title=settings.title,
        description=interface.site_description(settings),
        language=settings.language,
        base=hrefs.base,
        site_url=hrefs.site_url,
        guides=tuple(sorted(guides, key=lambda g: g.head.route)),
    )


def guide_of(
    explainer: Explainer,
    drawn: tuple[tuple[str, Drawn], ...],
    sizes: tuple[tuple[str, tuple[int, int]], ...],
    hrefs: Hrefs,
    title: str,
    language: str,
) -> Guide:
    """Return the page of one explainer; it depends on no other."""
    drawings = {(explainer.record.id, name): figure for name, figure in drawn}
    say = interface.of(explainer.record.lang or language)
    of_site = told(interface.of(language), explainer)
    resolving = _Resolving(explainer, drawings, dict(sizes), hrefs, title, say, places(explainer, hrefs), of_site)
    guide = resolving.guide()
    return guide if say.tag == ENGLISH.tag else replace(guide, english=replace(resolving, say=ENGLISH).guide())


@dataclass(frozen=True)
class _Resolving:
    """One explainer on its way to a page."""

    explainer: Explainer
    drawings: Drawings
    sizes: Mapping[str, tuple[int, int]]
    hrefs: Hrefs
    site: str
    say: Words
    places: Places
    told: Mapping[str, Any]
    lists_sources: bool = True

    @property
    def record(self) -> Record:
        return self.explainer.record

    def cite(self, part: Mapping[str, Any] | Measurement | Evidence) -> tuple[Ref, ...]:
        """Return the evidence link of a part of this record, with what its receipt says of a measurement."""
        refs = cite(self.say, self.record, part, lists_sources=self.lists_sources)
        if not isinstance(part, Measurement) or not refs:
            return refs
        state = self.explainer.receipts.of_value(self.say, f"/reported_results/{self.numbers[id(part)]}/evidence")
        return (replace(refs[0], text=", ".join(filter(None, (refs[0].text, state)))), *refs[1:])

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Measurement → its index in the record."""
        return {id(result): index for index, result in enumerate(self.record.reported_results)}

    def guide(self) -> Guide:
        """Put the page together in its order: figures are numbered as they are asked for."""
        claims = ClaimLinks(self.explainer, self.places)
        linked = replace(self.explainer, body=claims.marked(self.explainer.body))
        gallery = pictures.Gallery(linked, self.drawings, self.sizes, self.hrefs, self.say)
        passages = body.passages(self.say, linked, gallery, self.hrefs, partial(self._placed_table, set()))
        subpages = tuple(replace(self, lists_sources=False)._subpages())
        sections = self._sections(gallery, subpages)
        return Guide(
            head=head.head(self.say, self.explainer, self.places, claims, sections.present),
            hero=gallery.hero(),
            hero_in_body=gallery.hero_in_body,
            body=passages,
            sections=sections,
            foot=foot(self.say, self.explainer, self.site, self.hrefs),
            subpages=(*subpages, *ledger.pages(self.say, self.explainer, self.places)),
            thumb=gallery.thumb(),
            properties=social.properties(self.explainer, self.drawings, self.sizes, self.hrefs),
            data=self._data(),
            places=self.places,
            **self.told,
        )

    def _data(self) -> str:
        """Return the page as linked data, with its title card where that has a public address."""
        card = social.image(self.explainer, self.drawings, self.sizes)
        return linked_data.article(self.record, self.site, self.hrefs.absolute(card[0]) if card else "")

    def _sections(self, gallery: pictures.Gallery, subpages: tuple[SubPage, ...]) -> Sections:
        """Return what is generated after the body; rows on sub-pages are linked."""
        record, route = self.record, self.record.path
        here = [n for n, place in self.places.results.items() if place == route]
        unplaced = [n for n in here if n - 1 not in fences.shown_results(self.explainer.body, record)]
        more = tuple(Ref(self.hrefs.to(route, p.route), p.title) for p in subpages)
        of_results = len(self.places.pages)
        return Sections(
            results=tables.result_tables(self.say, record, self.cite, unplaced),
            shared=self._shared(unplaced),
            result_figures=gallery.extra("rates") + gallery.extra("curve") + gallery.extra("capacity"),
            more_results=more[:of_results],
            derived=tuple(self._derived(route)),
            more_derived=more[of_results:],
            capacity=tuple(self._capacity()),
            cases=self._cases(gallery),
            memory=case_tables.memory_table(self.say, record, self.cite),
            memory_figures=gallery.extra("memory"),
            sustained=tuple(self._case("sustained", n, c) for n, c in enumerate(record.long_context_cases, 1)),
        )

    def _placed_table(self, taken: set[str], block: fences.ResultsBlock) -> Block:
        """Return what a fenced block of the body asks for; ids in `taken` stand on the page already."""
        derivations, here = self.explainer.derivations, self.record.path
        slug = f"table-b{1 + sum(t.startswith('table-b') for t in taken)}"
        taken.add(slug)
        if block.comparison:
            found = next(c for c in self.record.comparisons if c.id == block.comparison)
            return derived_tables.comparison_table(self.record, found, derivations, self._links(here), slug)
        if block.relations:
            values = [derivations.values[i] for i in block.relations]
            caption = block.caption or self.say("guide.derived")
            return derived_tables.relations_table(values, self._links(here), slug, caption)
        if block.part:
            return self._part(block.part, slug)
        return pivot_table(self.say, self.record, block, self.cite, slug, taken)

    def _part(self, part: str, slug: str) -> Table | Listing:
        say, record, derivations = self.say, self.record, self.explainer.derivations
        if part == "profiles":
            return derived_tables.profiles_table(say, record, derivations, self.cite, slug)
        if part == "envelope":
            return derived_tables.envelope_table(say, record, derivations, self.cite, slug)
        return derived_tables.card(say, record) if part == "card" else derived_tables.claims(record)

    def _capacity(self) -> list[Table | Listing]:
        """Return the parts of a capacity record that its body does not place, then what is not covered."""
        record = self.record
        blocks = [b for _, b in fences.placed(self.explainer.body) if isinstance(b, fences.ResultsBlock)]
        placed = {b.part for b in blocks}
        held = {"card": record.result_card, "claims": record.claims}
        held |= {"profiles": record.profiles, "envelope": record.envelope}
        found = [self._part(p, f"table-{p}") for p in fences.PARTS if held[p] and p not in placed]
        boundary = tuple(derived_tables.boundary(self.say, record))
        return found + ([Listing(boundary)] if boundary else [])

    def _links(self, here: str) -> derived_tables.Links:
        """Return how tables of the page at `here` lead to rows and evidence."""
        data, where = self.explainer.data, self.places
        return derived_tables.Links(
            data, self.cite, partial(where.result, here), partial(where.pointer, here), self.say
        )

    def _derived(self, here: str) -> list[Table]:
        """Return comparisons and relations of the page at `here` that the body does not place."""
        record, derivations, links = self.record, self.explainer.derivations, self._links(here)
        blocks = [b for _, b in fences.placed(self.explainer.body) if isinstance(b, fences.ResultsBlock)]
        placed = {b.comparison for b in blocks}
        found = [
            derived_tables.comparison_table(record, c, derivations, links, f"table-comparison-{n}")
            for n, c in enumerate(record.comparisons, 1)
            if c.id not in placed and self._derived_route() == here
        ]
        own = placed_relations(self.explainer)
        rest = [d for i, d in derivations.values.items() if i not in own and self.places.relations[i] == here]
        if rest:
            found.append(derived_tables.relations_table(rest, links, "table-relations", self.say("derived.declared")))
        return found

    def _derived_route(self) -> str:
        """Return the page of derived values: a sub-page where there are many relations."""
        routes = set(self.places.relations.values()) - {self.record.path}
        return routes.pop() if routes else self.record.path

    def _subpages(self) -> Iterator[SubPage]:
        """Yield the pages of results, then the page of derived values, where the guide keeps them apart."""
        say, record = self.say, self.record
        for count, (route, numbers) in enumerate(self.places.pages, 1):
            title = say("page.results")
            title = say("page.part", title=title, n=count) if len(self.places.pages) > 1 else title
            found = tables.result_tables(self.say, record, self.cite, numbers)
            shared = self._shared(numbers)
            first, last, every = map(say.integer, (numbers[0], numbers[-1], len(record.reported_results)))
            lede = say("page.results_lede", first=first, last=last, all=every)
            yield SubPage(route, title, lede, found, (shared,) if shared else ())
        route = self._derived_route()
        if route != record.path:
            lede = say("guide.derived_lede")
            yield SubPage(route, say("guide.derived"), lede, tuple(self._derived(route)), ())

    def _shared(self, numbers: Sequence[int]) -> Facts | None:
        """Return the conditions of all results, for a page that shows some of them."""
        shared = tables.shared_by_all(self.record)
        n = len(self.record.reported_results)
        if not shared or not numbers:
            return None
        return Facts(self.say("table.of_all", results=n, count=len(shared)), facts.facts(self.say, shared))

    def _cases(self, gallery: pictures.Gallery) -> tuple[Case, ...]:
        """Case reports; the figure of a matrix or failure stands in the first case it can be of."""
        cases = []
        left = {"matrix": gallery.extra("matrix"), "incident": gallery.extra("incident")}
        for number, case in enumerate(self.record.case_reports, 1):
            figures = left.pop("matrix", ()) if cells_of(case) else ()
            figures += left.pop("incident", ()) if case.get("error") else ()
            cases.append(self._case("case", number, case, figures))
        return tuple(cases)

    def _case(self, kind: str, number: int, case: dict[str, Any], figures: tuple[Figure, ...] = ()) -> Case:
        say, found = self.say, citations.of_part(self.record, case)
        refs = (ref(say, found, lists_sources=True),) if found else ()
        slug = f"{kind}-{number}"
        told = {"cells", "omitted_cell", "omitted_cells"} if cells_of(case) else set()
        listed = facts.facts(say, case, skip=told)
        setup = tuple(f for f in listed if not _is_reported(say, f))
        title = case.get("title") or case.get("classification") or case.get("id") or slug
        return Case(
            id=slug,
            title=words.label(str(title)),
            editable=(editable(say, found.number, found.source),)
            if found and citations.is_mutable(found.source)
            else (),
            refs=refs,
            said=say("table.computed_from") if _is_computed(case) else say("table.reported_by"),
            tables=case_tables.case_tables(say, case, slug, refs),
            figures=figures,
            facts=tuple(f for f in listed if _is_reported(say, f)),
            setup=Facts(say("table.setup", count=len(setup)), setup) if setup else None,
        )


def _is_computed(case: Mapping[str, Any]) -> bool:
    return "computed" in str(case.get("classification")).split("_")


def _is_reported(say: Words, fact: Fact) -> bool:
    """Tell what a case reports (numbers, yes and no, what is open, the failure itself) from how it was set up."""
    return (
        fact.numeric
        or fact.null
        or fact.text in {say("word.yes"), say("word.no")}
        or fact.label in {"Error", "Outcome"}
    )

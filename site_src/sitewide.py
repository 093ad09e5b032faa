"""Pages of the whole site; each is made again only where a field that it read of the records is another now."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from . import audit, budget, guide_outputs, machine_files, moved, robots, site_outputs
from .crew import each
from .last_build import Audit, History, Output
from .making import Entry, Made
from .problems import Rejected
from .rendering import Artifact, Rendering, route_of
from .searching import Searching
from .staging import Staging, Written
from .write import Publishing

# The heaviest first: each is one piece of work.
OUTPUTS: Final[dict[str, Callable[[Rendering], Iterator[Artifact]]]] = {
    made.__name__: made
    for made in (
        site_outputs.results,
        site_outputs.search,
        site_outputs.index,
        site_outputs.sources,
        site_outputs.method_page,
        site_outputs.not_found,
        site_outputs.schema,
        moved.moved,
    )
}
_PLACES: Final = "document places"
_LISTS: Final = "lists"


class _Ran(NamedTuple):
    fields: frozenset[str]
    files: tuple[Written, ...]
    pages: tuple[robots.Page, ...]


@dataclass
class Sitewide:
    """What the pages of the whole site came to: their files, and what the next build may take over of them.

    `made` are the records with what they came to, in the order of their paths, as `rendering.pairs` are.
    """

    rendering: Rendering
    made: Sequence[tuple[Entry, Made]]
    before: History
    publishing: Publishing
    jobs: int
    searching: Searching
    audits: dict[str, Audit] = field(default_factory=dict)
    outputs: dict[str, Output] = field(default_factory=dict)
    files: list[Written] = field(default_factory=list)
    places: Mapping[str, str] = field(default_factory=dict)

    def make(self) -> None:
        """Make all of them. Raises Rejected and Surroundings."""
        self._audits()
        self._outputs()
        pages = [p for _, m in self.made for p in m.pages] + [a.page for a in self.audits.values()]
        pages += self._unfinished() + [p for o in self.outputs.values() for p in o.pages]
        self.files += [a.file for a in self.audits.values()] + [f for o in self.outputs.values() for f in o.files]
        self.files += self.publishing.put_all(site_outputs.assets(self.rendering))
        every = [*(f for _, m in self.made for f in m.files), *self.files]
        lasting = machine_files.lasting((f.path, f.sha256) for f in every)
        also = repr((sorted(pages, key=lambda p: p.route), sorted(lasting)))
        lists = partial(machine_files.lists, found=pages, lasting=lasting)
        listed = self._same(_LISTS, also) or self._ran(_LISTS, run(self._staged, lists), also)
        self.outputs[_LISTS] = listed
        self.files += listed.files

    def _outputs(self) -> None:
        known = {name: old for name in OUTPUTS if (old := self._same(name))}
        todo = [name for name in OUTPUTS if name not in known]
        if site_outputs.search.__name__ in todo:
            self.rendering = replace(self.rendering, found=self.searching.of(self.rendering, self.made))
        if todo:
            for name, ran in zip(todo, each(run_named, self._staged, todo, self.jobs, few=1), strict=True):
                known[name] = self._ran(name, ran)
        self.outputs.update((name, known[name]) for name in OUTPUTS)

    @property
    def _staged(self) -> tuple[Rendering, Staging]:
        return self.rendering, self.publishing.staging

    def _ran(self, name: str, ran: _Ran, also: str = "") -> Output:
        self.publishing.note(ran.files)
        return Output(ran.fields, self._digest(ran.fields, also), ran.files, ran.pages)

    def _same(self, name: str, also: str = "") -> Output | None:
        """Return an output of the build before if nothing that it read has changed, and it is still there."""
        old = self.before.outputs.get(name)
        if old is None or old.digest != self._digest(old.fields, also):
            return None
        return old if all(map(self.publishing.has, old.files)) else None

    def _digest(self, fields: Iterable[str], also: str = "") -> str:
        """Return a hash of these fields of all records, of which there are as many, in this order."""
        names = sorted(fields)
        read = [(e.card.path, [e.parts[n].mark for n in names]) for e, _ in self.made]
        return hashlib.sha256(repr((read, names, also)).encode()).hexdigest()

    def _audits(self) -> None:
        """Make the audit page of every record: it depends on the record, and on where its sources are listed."""
        places = self._document_places()
        todo = list[tuple[int, str, tuple[str, ...]]]()
        for number, (entry, made) in enumerate(self.made):
            here = audit.route(entry.card.path)
            listed = tuple(self.rendering.hrefs.to(here, places[a], a) for a in made.anchors)
            key = repr((listed, [entry.parts[f"guide.{n}"].mark for n in ("head", "foot")]))
            old = self.before.audits.get(entry.seat.file)
            if old and old.key == key and self.publishing.has(old.file):
                self.audits[entry.seat.file] = old
            else:
                todo.append((number, key, listed))
        if todo:
            for made_now in each(audit_of, self._staged, todo, self.jobs):
                self.publishing.note([made_now.file])
                self.audits[made_now.file.origin] = made_now

    def _document_places(self) -> Mapping[str, str]:
        """Return anchor of a cited document → the page that lists it."""
        if old := self._same(_PLACES):
            self.places, self.outputs[_PLACES] = self.before.places, old
        else:
            with self.rendering.trace.reading() as fields:
                self.places = dict(self.rendering.document_places)
            self.outputs[_PLACES] = self._ran(_PLACES, _Ran(frozenset(fields), (), ()))
        return self.places

    def _unfinished(self) -> list[robots.Page]:
        """Make the pages of records that ask for the whole site, and return what lists tell of them."""
        found = list[robots.Page]()
        for (_, made), (guide, explainer) in zip(self.made, self.rendering.pairs, strict=True):
            if made.open:
                r = self.rendering
                pages = guide_outputs.own_pages(r.site, r.templates, guide, explainer, r.hrefs)
                refuse_heavy(pages)
                self.files += self.publishing.put_all(pages)
                found += [robots.page(route_of(a.path), a.data) for a in pages]
        return found


def refuse_heavy(pages: Sequence[Artifact]) -> None:
    """Raise Rejected for a page of a record that is over its budget by itself."""
    if heavy := [*budget.of_record(pages, frozenset())]:
        raise Rejected(heavy)


def run_named(shared: tuple[Rendering, Staging], name: str) -> _Ran:
    """Make one output of the whole site by its name."""
    return run(shared, OUTPUTS[name])


def run(shared: tuple[Rendering, Staging], output: Callable[[Rendering], Iterator[Artifact]]) -> _Ran:
    """Make one output; return which fields it read, its files and its pages."""
    rendering, staging = shared
    files, pages = list[Written](), list[robots.Page]()
    with rendering.trace.reading() as fields:
        for artifact in output(rendering):
            files.append(staging.put(artifact))
            if artifact.path.endswith(".html"):
                pages.append(robots.page(route_of(artifact.path), artifact.data))
    return _Ran(frozenset(fields), tuple(files), tuple(pages))


def audit_of(shared: tuple[Rendering, Staging], asked: tuple[int, str, tuple[str, ...]]) -> Audit:
    """Make the audit page of one record, by its number among the pairs. Raises Rejected."""
    rendering, staging = shared
    number, key, listed = asked
    guide, explainer = rendering.pairs[number]
    page = guide_outputs.audit_page(rendering.site, rendering.templates, guide, explainer.document.file, listed)
    refuse_heavy([page])
    return Audit(key, staging.put(page), robots.page(route_of(page.path), page.data))

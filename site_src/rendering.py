"""What every output is made from, and what it gives: files of the site. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import cited, source_pages
from .assets import Asset
from .check import Checked, Explainer
from .cited import Cited, Cites
from .figures.spec import Drawn
from .hrefs import Hrefs
from .places import Places
from .reuse import FRESH, Keep
from .search.pages import READ, Searched, searched
from .search.terms import Units
from .templating import Templates
from .tracing import Trace
from .view import Guide, Site


@dataclass(frozen=True)
class Artifact:
    """One file of the site: its path below the output folder, its bytes, and what it was made from."""

    path: str
    data: bytes
    origin: str


def _none(_: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return {}


@dataclass(frozen=True)
class Rendering:
    """Everything the outputs are made from.

    `pairs` are the guides, in the order of the site, each with what it shows. `drawings` are there for outputs of one
    record alone. `prose` makes the files of the search in prose, by their address,
    from its pages; `found` is what the guides give to the search, where it is known already.
    """

    site: Site
    checked: Checked
    pairs: tuple[tuple[Guide, Explainer], ...]
    drawings: Mapping[tuple[str, str], Drawn]
    assets: Mapping[str, Asset]
    own: Mapping[str, Asset]
    hrefs: Hrefs
    templates: Templates
    keep: Keep = FRESH
    prose: Callable[[Mapping[str, bytes]], Mapping[str, bytes]] = _none
    found: tuple[Searched, ...] | None = None
    trace: Trace = field(default_factory=Trace)

    @property
    def documents(self) -> tuple[Cited, ...]:
        """Every cited document of the site, in the order of its list."""
        return self.trace.shared("documents", lambda: cited.cited(self.cites))

    @property
    def units(self) -> Units:
        """The units that the search of this site knows."""
        return self.keep(Units, tuple(sorted({u for guide in self.site.guides for u in guide.units})))

    @property
    def searched(self) -> tuple[Searched, ...]:
        """What each guide gives to the search, in the order of the site."""
        if self.found is not None:
            # Others read for it: whoever asks has read the same.
            for name in READ:
                self.trace.read(name)
            return self.found
        known, language = self.units, self.site.language
        return tuple(self.keep(searched, guide, known, language) for guide in self.site.guides)

    @property
    def cites(self) -> Sequence[Cites]:
        """What each guide cites, in the order of the site."""
        return [guide.cites for guide in self.site.guides]

    @property
    def document_places(self) -> Mapping[str, str]:
        """Anchor of a cited document → the page that lists it."""
        return self.trace.shared("document places", lambda: source_pages.places(self.documents))

    @property
    def places(self) -> Mapping[str, Places]:
        """Where the rows of each record stand on its guide, by its id."""
        return self.trace.shared("places", lambda: {e.record.id: g.places for g, e in self.pairs})

    def page(self, template: str, here: str, origin: str, **parts: object) -> Artifact:
        """Render the page at `here`; beside the site its template sees `parts`, which are frozen."""
        data = self.keep.reading(_page, self.site, self.templates, template, here, tuple(parts.items()))
        return Artifact(file_of(here), data, origin)


def _page(site: Any, templates: Templates, template: str, here: str, parts: tuple[tuple[str, object], ...]) -> bytes:
    return templates.render(template, site=site, here=here, **dict(parts))


def paired(site: Site, checked: Checked) -> tuple[tuple[Guide, Explainer], ...]:
    """Return each guide with what it shows, in the order of the site."""
    of = {e.record.path: e for e in checked.explainers}
    return tuple((g, of[g.head.route]) for g in site.guides)


Output = Callable[[Rendering], Iterator[Artifact]]


def route_of(file: str) -> str:
    """Return the address that a file answers: guides/x/index.html → /guides/x/."""
    return "/" + (file.removesuffix("index.html") if f"/{file}".endswith("/index.html") else file)


def file_of(route: str) -> str:
    """Return the file that answers an address: /guides/x/ → guides/x/index.html."""
    return route.lstrip("/") + ("index.html" if route.endswith("/") else "")

"""What every output is made from, and what it gives: files of the site. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import cited
from .assets import Asset
from .check import Checked, Explainer
from .cited import Cited
from .figures.spec import Drawn
from .hrefs import Hrefs
from .reuse import FRESH, Keep
from .templating import Templates
from .view import Guide, Site


@dataclass(frozen=True)
class Artifact:
    """One file of the site: its path below the output folder, its bytes, and what it was made from."""

    path: str
    data: bytes
    origin: str


@dataclass(frozen=True)
class Rendering:
    """Everything the outputs are made from. `prose` makes the files of the search in prose, by their address."""

    site: Site
    checked: Checked
    drawings: Mapping[tuple[str, str], Drawn]
    assets: Mapping[str, Asset]
    own: Mapping[str, Asset]
    hrefs: Hrefs
    templates: Templates
    keep: Keep = FRESH
    prose: Callable[[], Mapping[str, bytes]] = dict

    @cached_property
    def documents(self) -> tuple[Cited, ...]:
        """Every cited document of the site, in the order of its list."""
        return cited.cited(self.checked.explainers)

    @cached_property
    def pairs(self) -> tuple[tuple[Guide, Explainer], ...]:
        """Each guide with what it shows, in the order of the site."""
        of = {e.record.path: e for e in self.checked.explainers}
        return tuple((g, of[g.head.route]) for g in self.site.guides)

    def page(self, template: str, here: str, origin: str, **parts: object) -> Artifact:
        """Render the page at `here`; beside the site its template sees `parts`, which are frozen."""
        data = self.keep.reading(_page, self.site, self.templates, template, here, tuple(parts.items()))
        return Artifact(file_of(here), data, origin)


def _page(site: Any, templates: Templates, template: str, here: str, parts: tuple[tuple[str, object], ...]) -> bytes:
    return templates.render(template, site=site, here=here, **dict(parts))


Output = Callable[[Rendering], Iterator[Artifact]]


def route_of(file: str) -> str:
    """Return the address that a file answers: guides/x/index.html → /guides/x/."""
    return "/" + (file.removesuffix("index.html") if f"/{file}".endswith("/index.html") else file)


def file_of(route: str) -> str:
    """Return the file that answers an address: /guides/x/ → guides/x/index.html."""
    return route.lstrip("/") + ("index.html" if route.endswith("/") else "")

"""Site → the files of the search: its page, the exact index, the lists that have pages of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from .. import interface, ledger
from ..check import Checked
from ..hrefs import Hrefs
from ..interface import ENGLISH
from ..places import Places
from ..view import Guide, Site
from . import holdings, listing
from .exact import Exact, Found, exact, found
from .prose import page_of
from .route import ROUTE
from .terms import Units

Render = Callable[..., bytes]


@dataclass(frozen=True)
class Settings:
    """What the page tells its script: addresses as seen from the page, and the two tables of the exact index as JSON.

    `page` is what a link to a page ends in; `prose` is empty where Pagefind was left out.
    """

    root: str
    exact: str
    prose: str
    page: str
    starts: str
    units: str


READ: Final = frozenset(f"guide.{name}" for name in ("head", "body", "sections", "foot", "subpages", "english"))
"""The fields of a guide that `searched` reads, as a trace tells them."""


class Searched(NamedTuple):
    """What one guide gives to both indexes; `page` is what Pagefind reads."""

    found: Found
    page: bytes


def searched(guide: Guide, known: Units, language: str) -> Searched:
    """Return what a guide gives; it depends on the units and the language of the site, and on no other guide."""
    return Searched(found(guide.head.title, _places(guide), known), page_of(guide, language))


def files(
    site: Site,
    checked: Checked,
    places: Mapping[str, Places],
    guides: Sequence[Searched],
    known: Units,
    prose: Mapping[str, bytes],
    hrefs: Hrefs,
    render: Render,
) -> Iterator[tuple[str, bytes]]:
    """Yield address and content of every file of the search; `prose` holds those of Pagefind,
    `places` say where the rows of each record stand, by its id. `guides` are in the order of the site.
    """
    rows = {name: p.results for name, p in places.items()}
    lists = listing.listings(interface.of(site.language), checked.explainers, rows)
    index = exact([g.found for g in guides], known, scripts=hrefs.offline)
    yield ROUTE, render("search.html.j2", site=site, here=ROUTE, lists=lists, search=_settings(index, prose, hrefs))
    for kind in lists:
        for chunk in kind.pages:
            yield chunk.route, render("listing.html.j2", site=site, here=chunk.route, listing=kind, chunk=chunk)
    yield from index.files.items()
    yield from prose.items()


def _places(guide: Guide) -> list[holdings.Place]:
    """Return the places of a guide: found by what programs read, called as the guide itself calls them."""
    below = ledger.below(guide.head.route)
    plain = holdings.places(ENGLISH, guide.plain, ledger=below)
    if guide.plain is guide:
        return plain
    own = holdings.places(interface.of(guide.head.language), guide, ledger=below)
    return [replace(place, label=named.label) for place, named in zip(plain, own, strict=True)]


def _settings(index: Exact, prose: Mapping[str, bytes], hrefs: Hrefs) -> Settings:
    root = hrefs.to(ROUTE, "/").removesuffix("index.html")
    return Settings(
        root=root,
        exact=root + index.folder.lstrip("/"),
        prose=f"{root}search/pagefind/" if prose else "",
        page="index.html" if hrefs.offline else "",
        starts=json.dumps(index.starts, ensure_ascii=False),
        units=json.dumps(index.units, ensure_ascii=False, separators=(",", ":")),
    )

"""Site → the files of the search: its page, the exact index, the lists that have pages of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from .. import interface, ledger
from ..check import Checked
from ..hrefs import Hrefs
from ..interface import ENGLISH
from ..places import Places
from ..view import Guide, Site
from . import holdings, listing
from .exact import Exact, exact
from .route import ROUTE

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


def files(
    site: Site,
    checked: Checked,
    places: Mapping[str, Places],
    prose: Mapping[str, bytes],
    hrefs: Hrefs,
    render: Render,
) -> Iterator[tuple[str, bytes]]:
    """Yield address and content of every file of the search; `prose` holds those of Pagefind,
    `places` say where the rows of each record stand, by its id.
    """
    rows = {name: p.results for name, p in places.items()}
    lists = listing.listings(interface.of(site.language), checked.explainers, rows)
    index = _exact(site, checked, scripts=hrefs.offline)
    yield ROUTE, render("search.html.j2", site=site, here=ROUTE, lists=lists, search=_settings(index, prose, hrefs))
    for found in lists:
        for chunk in found.pages:
            yield chunk.route, render("listing.html.j2", site=site, here=chunk.route, listing=found, chunk=chunk)
    yield from index.files.items()
    yield from prose.items()


def _exact(site: Site, checked: Checked, *, scripts: bool) -> Exact:
    records = {e.record.path: e.record for e in checked.explainers}
    guides = [(g.head.title, _places(g, ledger.route(records[g.head.route]))) for g in site.guides]
    return exact(guides, {r.unit for record in records.values() for r in record.reported_results}, scripts=scripts)


def _places(guide: Guide, below: str) -> list[holdings.Place]:
    """Return the places of a guide: found by what programs read, called as the guide itself calls them."""
    found = holdings.places(ENGLISH, guide.plain, ledger=below)
    if guide.plain is guide:
        return found
    own = holdings.places(interface.of(guide.head.language), guide, ledger=below)
    return [replace(place, label=named.label) for place, named in zip(found, own, strict=True)]


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

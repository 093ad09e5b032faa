"""A guide → its page for those who cite it or take its data: every file, and each entry of its bibliography."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from . import bibliography
from .check import Explainer
from .hrefs import Hrefs
from .interface import Words
from .links import BIBTEX, CSL, DATASET, SCHEMA_ROUTE, TWIN, guide_files
from .view import Ref

_FILES: Final = {
    "record.json": "file.record",
    "results.csv": "file.results",
    "claims.json": "file.claims",
    TWIN: "file.twin",
    BIBTEX: "file.bibtex",
    CSL: "file.csl",
    DATASET: "file.dataset",
}
_ON_THE_GUIDE: Final = frozenset({"record.json", "results.csv", "claims.json", TWIN})


@dataclass(frozen=True)
class Citing:
    """What the page shows: files by kind, and the bibliography entry by entry."""

    files: tuple[Ref, ...]
    entries: tuple[tuple[str, str], ...]


def route(guide_route: str) -> str:
    """Return the address of the page."""
    return f"{guide_route}cite/"


def page(say: Words, explainer: Explainer, site: str, hrefs: Hrefs) -> Citing:
    """Return the page of a guide; each entry with a title and its BibTeX."""
    found = bibliography.entries(explainer.record, site, hrefs)
    told = tuple((entry.title, bibliography.bibtex((entry,)).decode().strip()) for entry in found)
    return Citing(files(say, explainer, hrefs, route(explainer.record.path)), told)


def files(say: Words, explainer: Explainer, hrefs: Hrefs, here: str) -> tuple[Ref, ...]:
    """Return the links from the page at `here` to every data file of a guide and to those of the site."""
    record = explainer.record
    beside = guide_files(record, is_locked=explainer.claims.is_locked)
    named = [(file, say(_FILES[file.rpartition("/")[2]])) for file in beside]
    named += [(SCHEMA_ROUTE, say("file.schema")), ("/manifest.json", say("file.manifest"))]
    return tuple(Ref(hrefs.to(here, file), text) for file, text in named)


def downloads(say: Words, explainer: Explainer, hrefs: Hrefs) -> tuple[Ref, ...]:
    """Return the links of the guide itself: its data, and the page with everything else."""
    here = explainer.record.path
    own = guide_files(explainer.record, is_locked=explainer.claims.is_locked)
    shown = [(f, say(_FILES[name])) for f in own if (name := f.rpartition("/")[2]) in _ON_THE_GUIDE]
    return tuple(Ref(hrefs.to(here, f), text) for f, text in [*shown, (route(here), say("cite.more"))])

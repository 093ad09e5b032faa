"""Links inside the site: every address and anchor of a body must exist on some page that will be written."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from . import terms
from .model import Record
from .problems import Problem
from .prose import PAGE_IDS, Body
from .urls import fault_of_link, is_external

SCHEMA_ROUTE = "/schema/record.json"
SOURCES_FILE = "/sources.json"
SOURCES_ROUTE = "/sources/"
METHOD_ROUTE = "/method/"
QUESTIONS_ROUTE = "/by/question/"
LISTS = frozenset({"/", SOURCES_ROUTE, QUESTIONS_ROUTE, "/by/model/", "/by/hardware/"})
"""Pages that every site with a guide has beside its guides and the method page."""
TWIN, BIBTEX, CSL, DATASET = "index.md", "cite.bib", "cite.json", "dataset.jsonld"
"""Names of the files beside every guide that are made from it, beside the record's own."""


@dataclass(frozen=True)
class Page:
    """One guide as a place that links lead from and to.

    `place` is the file and pointer of its body, `anchors` are the ids a link may name on it, `files` the data files
    beside it, `inward` the links of its body that stay in the site: offset, address as written, path and anchor;
    `aliases` are the addresses it had before.
    """

    path: str
    place: tuple[str, str]
    anchors: frozenset[str]
    files: tuple[str, ...]
    inward: tuple[tuple[int, str, tuple[str, str]], ...]
    aliases: tuple[str, ...] = ()


def page(record: Record, body: Body, place: tuple[str, str], *, is_locked: bool) -> Page:
    """Return a guide as a place of links."""
    anchors = [f"src-{n}" for n in range(1, len(record.all_sources) + 1)]
    anchors += [f"result-{n}" for n in range(1, len(record.reported_results) + 1)]
    # What is unsafe is told as that alone.
    held = (x for x in body.links if not is_external(x.href) and not fault_of_link(x.href))
    return Page(
        record.path,
        place,
        frozenset([*anchors, *(h.id for h in body.headings), *record.anchors, *_sections(record)]),
        guide_files(record, is_locked=is_locked),
        tuple((x.offset, x.href, target(record.path, x.href)) for x in held),
        record.aliases,
    )


def _sections(record: Record) -> Iterator[str]:
    """Yield the ids of the sections that the page of this record really has."""
    absent = {
        "about": True,  # It stands on the audit page, below the guide.
        "changelog": not record.changelog,
        "results": not record.reported_results,
        "cases": not record.case_reports,
        "memory": not record.memory_observations,
        "sustained": not record.long_context_cases,
        "derived": not (record.relations or record.comparisons),
        "capacity": not (record.profiles or record.claims or record.evidence_boundary or record.named_sources),
    }
    yield from (name for name in PAGE_IDS if not absent.get(name, False))


def guide_files(record: Record, *, is_locked: bool) -> tuple[str, ...]:
    """Return the addresses of the data files beside a guide; the claims where a lock proves them."""
    names = ["record.json"] + ["results.csv"] * bool(record.reported_results) + ["claims.json"] * is_locked
    return tuple(record.path + name for name in [*names, TWIN, BIBTEX, CSL, DATASET])


def dangling(pages: Sequence[Page], images: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each link of a body that leads nowhere in the site."""
    anchors = {p.path: p.anchors for p in pages}
    anchors |= {route: frozenset({"main"}) for route in LISTS} | {METHOD_ROUTE: frozenset({"main", *terms.anchors()})}
    files = {*images, SCHEMA_ROUTE, SOURCES_FILE, "/manifest.json", *(f for p in pages for f in p.files)}
    moved = {alias: p.path for p in pages for alias in p.aliases}
    for page in pages:
        for offset, href, led_to in page.inward:
            if fault := _fault(href, led_to, anchors, files, moved):
                yield Problem(*page.place, offset, *fault)


def target(base: str, href: str) -> tuple[str, str]:
    """Return the site-absolute path and the anchor that a link in the page at `base` leads to."""
    parts = urlsplit(href)
    path = posixpath.normpath(posixpath.join(base, unquote(parts.path)))
    if parts.path == "" or parts.path.endswith("/") or posixpath.basename(parts.path) in {".", ".."}:
        path = path.rstrip("/") + "/"
    return ("/" + path.lstrip("/")).removesuffix("index.html"), unquote(parts.fragment)


def _fault(
    href: str, led_to: tuple[str, str], anchors: dict[str, frozenset[str]], files: set[str], moved: dict[str, str]
) -> tuple[str, str, str] | None:
    if not href:
        return "dead-link", "the link leads nowhere", "Write an address between the brackets."
    path, anchor = led_to
    if urlsplit(href).query:
        message = "a link inside the site holds a query, which no file reads"
        return "dead-link", message, f"Write {path}{'#' + anchor if anchor else ''}."
    if path in files:
        return None
    if path not in anchors:
        near = path + "/" if path + "/" in anchors else ""
        remedy = f"Did you mean {near}?" if near else "Link to a page of this site or to a whole https address."
        if path in moved:
            return "dead-link", f"{path} is an old address", f"Write {moved[path]}{'#' + anchor if anchor else ''}."
        return "dead-link", f"no page or file {path} is in this site", remedy
    if anchor and anchor not in anchors[path]:
        return "dead-anchor", f"{path} has no part #{anchor}", "Use the id of one of its headings."
    return None

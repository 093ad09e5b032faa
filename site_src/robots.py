"""The pages of a site → what programs that visit it read: sitemap.xml, robots.txt, llms.txt, _headers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final
from urllib.parse import quote

from . import feed, method, twin
from .caching import FOR_GOOD
from .feed import escape
from .hrefs import NOT_FOUND, Hrefs
from .interface import ENGLISH, site_description
from .markdown import link, text
from .model import Record, Settings
from .policy import HEADER_ONLY

SITEMAP: Final = "/sitemap.xml"
ROBOTS: Final = "/robots.txt"
LLMS: Final = "/llms.txt"
HEADERS: Final = "/_headers"
_META: Final = re.compile(rb"<meta\b[^>]*(?:http-equiv|robots)[^>]*>", re.I)
ALWAYS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
)
"""Headers that every file of a site is sent with."""
MOST_ADDRESSES: Final = 50_000
"""Addresses that a sitemap may hold (sitemaps.org)."""


@dataclass(frozen=True)
class Page:
    """A finished page: its route, its policy, and whether it wants to be found."""

    route: str
    policy: str
    is_indexed: bool


def page(route: str, html: bytes) -> Page:
    """Read the head of a page."""
    reader = _Head()
    for element in _META.findall(html.partition(b"</head>")[0]):
        reader.feed(element.decode())
    return Page(route, reader.policy, not reader.is_hidden)


class _Head(HTMLParser):
    """Reads the meta elements that say what a page may load and who may list it."""

    policy = ""
    is_hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "meta" and (said.get("http-equiv") or "").lower() == "content-security-policy":
            self.policy = said.get("content") or ""
        if tag == "meta" and said.get("name") == "robots":
            self.is_hidden = "noindex" in (said.get("content") or "")


def sitemap(pages: Iterable[Page], published: Iterable[Record], drafts: Iterable[Record], hrefs: Hrefs) -> bytes:
    """Return the sitemap: a page of a guide changed with its record, any other with the last record of all."""
    changed = {r.path: r.modified_on for r in published}
    latest = max(changed.values(), key=feed.moment, default="")
    known = {**dict.fromkeys((r.path for r in drafts), ""), **changed}
    lines = ['<?xml version="1.0" encoding="utf-8"?>', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">']
    dated = [(p.route, known.get(_owner(p.route, known), latest)) for p in pages if p.is_indexed]
    is_draft = {r for r, _ in dated if known.get(_owner(r, known)) == ""}
    for route, on in [d for d in dated if d[0] not in is_draft][:MOST_ADDRESSES]:
        when = f"<lastmod>{on if len(on) == 10 else feed.moment(on)}</lastmod>" if on else ""
        lines.append(f"<url><loc>{escape(hrefs.absolute(route))}</loc>{when}</url>")
    return ("\n".join([*lines, "</urlset>"]) + "\n").encode()


def _owner(route: str, known: Container[str]) -> str:
    """Return the path of the record that a page belongs to, the longest above it; "" for a page of the site."""
    while route and route not in known:
        route = route.rstrip("/").rpartition("/")[0] + "/" if route.strip("/") else ""
    return route


def robots(hrefs: Hrefs) -> bytes:
    """Return robots.txt: every page may be read."""
    named = [f"Sitemap: {hrefs.absolute(SITEMAP)}"] if hrefs.site_url else []
    return "\n".join(["User-agent: *", "Allow: /", *named, ""]).encode()


def llms(records: Iterable[Record], settings: Settings, hrefs: Hrefs) -> bytes:
    """Return llms.txt: what the site is, and each guide with its Markdown twin, path order."""

    def to(there: str) -> str:
        return hrefs.absolute(there) or hrefs.to(LLMS, there)

    found = list(records)
    lines = [f"# {text(settings.title)}", "", f"> {text(site_description(settings))}", ""]
    lines.append(
        "Each guide is a Markdown file with its values, units, conditions and nulls, and the hashes of its sources. "
        f"What is not reported is written as “{ENGLISH('word.not_reported')}”, never as a number."
    )
    lines += ["", "## Guides", ""] if found else []
    lines += [f"- {link(r.title, to(twin.route(r.path)))}: {text(r.summary)}" for r in found]
    lines += ["", "## Optional", "", f"- {link('How numbers are proved', to(method.ROUTE))}"]
    lines.append(f"- {link('SHA-256 of every file', to('/manifest.json'))}")
    return ("\n".join(lines) + "\n").encode()


def headers(pages: Iterable[Page], kept: Iterable[str], hrefs: Hrefs) -> bytes:
    """Return the headers of every page for hosts that read such a file, with the policy that the page itself holds.

    `kept` are the routes of files whose names tell their bytes.
    """
    base = hrefs.base.rstrip("/")
    lines = [f"{base}/*", *(f"  {name}: {value}" for name, value in ALWAYS)]
    lines += [line for route in kept for line in (f"{base}{quote(route)}", f"  Cache-Control: {FOR_GOOD}")]
    lines += [line for found in pages for line in _rule(base, found)]
    return ("\n".join(lines) + "\n").encode()


def _rule(base: str, found: Page) -> Iterator[str]:
    # No rule for all pages holds a policy: where two apply, a browser enforces both, and the stricter one wins.
    if found.policy and found.route != NOT_FOUND:
        yield f"{base}{quote(found.route)}"
        yield f"  Content-Security-Policy: {found.policy}; {HEADER_ONLY}"

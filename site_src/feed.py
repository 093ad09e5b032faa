"""The guides of a site → an Atom feed (RFC 4287), the most recently changed first."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from . import subject
from .hrefs import Hrefs
from .interface import site_description
from .model import Record, Settings

ROUTE: Final = "/feed.xml"
MOST: Final = 50
"""Entries of a feed: readers ask for it again and again, and it must not grow with the site."""


def feed(records: Iterable[Record], settings: Settings, hrefs: Hrefs) -> bytes:
    """Return the feed. It needs the site's address, since its ids and links are absolute."""
    newest = sorted(records, key=lambda r: (moment(r.modified_on), r.path), reverse=True)
    updated = max((moment(r.modified_on) for r in newest), default="")
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang={quoteattr(settings.language)}>',
        f"<title>{escape(settings.title)}</title>",
        f"<subtitle>{escape(site_description(settings))}</subtitle>",
        f"<id>{escape(hrefs.absolute('/'))}</id>",
        f'<link rel="alternate" type="text/html" href={quoteattr(hrefs.absolute("/"))}/>',
        f'<link rel="self" type="application/atom+xml" href={quoteattr(hrefs.absolute(ROUTE))}/>',
        f"<updated>{updated}</updated>",
        f"<author><name>{escape(settings.title)}</name></author>",
        *(line for record in newest[:MOST] for line in _entry(record, hrefs)),
        "</feed>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _entry(record: Record, hrefs: Hrefs) -> list[str]:
    address = hrefs.absolute(record.path)
    about = [*subject.models(record), *subject.hardware(record)]
    return [
        f"<entry xml:lang={quoteattr(record.lang or 'en')}>",
        f"<title>{escape(record.title)}</title>",
        f"<id>{escape(address)}</id>",
        f'<link rel="alternate" type="text/html" href={quoteattr(address)}/>',
        f"<published>{moment(record.published_on)}</published>",
        f"<updated>{moment(record.modified_on)}</updated>",
        *(f"<category term={quoteattr(term)}/>" for term in about),
        f"<summary>{escape(record.summary)}</summary>",
        f'<content type="text">{escape(record.answer)}</content>',
        "</entry>",
    ]


def escape(text: str) -> str:
    """Return text as XML; the two characters that records may hold and XML may not become replacement characters."""
    return html.escape(_legal(text), quote=False)


def quoteattr(text: str) -> str:
    """Return text as a quoted attribute of XML."""
    return f'"{html.escape(_legal(text))}"'


def _legal(text: str) -> str:
    return re.sub("[\ufffe\uffff]", "\ufffd", text)


def moment(date: str) -> str:
    """Return an ISO date or datetime in UTC as RFC 3339 has it; a day is its first second, no zone is UTC."""
    found = datetime.fromisoformat(date)
    whole = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return re.sub(r"\.\d+", "", whole.isoformat()).replace("+00:00", "Z")


def is_written(records: Sequence[Record], hrefs: Hrefs) -> bool:
    """Tell whether a site has a feed: it needs an address of its own, and a guide."""
    return bool(records and hrefs.site_url)

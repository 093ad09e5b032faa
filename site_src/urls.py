"""Which addresses a page may link to. The answer is the same for record fields and for links in a body."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import unquote, urlsplit

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:")
_INVISIBLE: Final = re.compile(r"[\s\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+")
_MAX_DECODINGS: Final = 4


def _bare(url: str) -> str:
    """Return the address as the laxest reader may see it: entities and percent signs decoded, no blanks."""
    text = url
    for _ in range(_MAX_DECODINGS if "%" in url or "&" in url else 0):
        decoded = unquote(html.unescape(text))
        if decoded == text:
            break
        text = decoded
    return _INVISIBLE.sub("", text).lower()


def fault_of_link(href: str) -> str | None:
    """Return what is wrong with a link's target, or None. Allowed: http, https, mailto and addresses in the site."""
    bare = _bare(href)
    scheme = _SCHEME.match(bare)
    if re.match(r"[/\\]{2}", bare):
        return "a link that begins with // takes its scheme from the page"
    if scheme and scheme.group() not in {"http:", "https:", "mailto:"}:
        return f"a link may not use {scheme.group()}"
    return fault_of_url(href) if scheme and scheme.group() != "mailto:" else None


def fault_of_url(url: str) -> str | None:
    """Return what is wrong with an absolute http(s) address, or None."""
    if runs_or_carries(url) or not re.match(r"https?://", url, re.I):
        return "not an http or https address"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return f"malformed address: {error}"
    host = parts.hostname or ""
    if not re.fullmatch(r"[^\s/?#@<>\"\\]+", host) or port == 0:
        return "the address names no host"
    if "@" in parts.netloc:
        return "the address holds a user name, which hides where it leads"
    if _INVISIBLE.search(url) or re.search(r"[<>\"\\^`{|}]", url):
        return "the address holds a character that must be percent-encoded"
    return None


def runs_or_carries(text: str) -> bool:
    """Tell whether a text, read as an address by the laxest reader, runs code or carries its own data."""
    return _bare(text).startswith(("javascript:", "data:", "vbscript:"))


def is_blank(text: str) -> bool:
    """Tell whether a text shows nothing."""
    return not text or _INVISIBLE.fullmatch(text) is not None


def is_external(href: str) -> bool:
    """Tell whether a link leaves the site."""
    return bool(_SCHEME.match(href.lower()) or href.startswith("//"))

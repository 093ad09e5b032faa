"""Pages that are neither on a forge nor in an archive: the address, and the exact quote that it scrolls to.

Source of the rules: the text fragments of the WICG, #:~:text=[prefix-,]start[,end][,-suffix]. In each part the
characters & - and , are percent-encoded, besides all that any fragment must encode. Browsers look for the text with
blanks taken together; a page that lacks it opens at its top.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

from .lines import Lines

_DIRECTIVE = ":~:"


@dataclass(frozen=True)
class Quote:
    """An exact quote: its text, or the text it begins with and the one it ends with; what stands around it."""

    start: str
    end: str = ""
    prefix: str = ""
    suffix: str = ""

    @classmethod
    def of(cls, text: str, prefix: str = "", suffix: str = "") -> Quote:
        """Return a quote of a text as a page prints it; blanks and line ends are taken together."""
        start, before, after = (" ".join(part.split()) for part in (text, prefix, suffix))
        return cls(start, "", before, after)

    @property
    def fragment(self) -> str:
        """The directive that scrolls to the quote."""
        parts = [f"{_encoded(self.prefix)}-"] if self.prefix else []
        parts += [_encoded(self.start)] + ([_encoded(self.end)] if self.end else [])
        parts += [f"-{_encoded(self.suffix)}"] if self.suffix else []
        return f"{_DIRECTIVE}text={','.join(parts)}"


@dataclass(frozen=True)
class Page:
    """Any page: its address, with the fragment it may have, and a quote from it."""

    address: str
    quote: Quote | None = None

    platform = "web"
    is_fixed = same_bytes = False

    @property
    def raw(self) -> str | None:
        """The address without its fragment, which serves the bytes."""
        return self.address.partition("#")[0]

    def url(self, line: int | Lines | None = None) -> str:
        """Return the address that scrolls to the quote; there are no lines."""
        if self.quote is None:
            return self.address
        return f"{self.address}{'' if '#' in self.address else '#'}{self.quote.fragment}"


def parse_page(url: str) -> Page:
    """Return the page of an address, and the first quote that it scrolls to."""
    address, found, directives = url.partition(_DIRECTIVE)
    texts = [d.removeprefix("text=") for d in directives.split("&") if d.startswith("text=")]
    said = _quote(texts[0]) if found and texts else None
    # The only # begins the directive; behind another one it is a character of the fragment.
    is_bare = address.find("#") == len(address) - 1
    return Page(address.removesuffix("#" if is_bare else "") if found else url, said)


def _quote(text: str) -> Quote | None:
    parts = text.split(",")
    prefix = parts.pop(0)[:-1] if parts[0].endswith("-") and len(parts) > 1 else ""
    suffix = parts.pop()[1:] if parts[-1].startswith("-") and len(parts) > 1 else ""
    if not parts[0] or len(parts) > 2:
        return None
    start, end, before, after = (unquote(p) for p in (parts[0], parts[1] if len(parts) > 1 else "", prefix, suffix))
    return Quote(start, end, before, after)


def _encoded(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")

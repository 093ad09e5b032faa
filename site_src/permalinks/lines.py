"""The lines that an address names in its fragment, as each forge writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

# #L5, #L5-L7 (GitHub, Forgejo, Hugging Face), #L5-7 (GitLab), #L5C2-L7C9 (GitHub, with columns), #lines-5:7
# (Bitbucket), #file-a-md-L5-L7 (Gist). Another form after the first number is read as that one line.
_FRAGMENT: Final = re.compile(
    r"(?:(?:file-[\w-]*?-)?L|lines-)(?P<first>\d{1,9})(?:C\d+)?(?:[-:]L?(?P<last>\d{1,9})(?:C\d+)?)?"
)


@dataclass(frozen=True)
class Lines:
    """One line, or the lines from `first` to `last`, counted from 1. `last` is None for a single line."""

    first: int
    last: int | None = None

    @classmethod
    def between(cls, first: int, last: int | None = None) -> Lines | None:
        """Return the lines between two numbers in either order; None where one of them is no line."""
        low, high = min(first, last or first), max(first, last or first)
        return cls(low, high if high > low else None) if low >= 1 and last != 0 else None

    @property
    def end(self) -> int:
        """The last line."""
        return self.last or self.first


def lines_of(line: int | Lines | None) -> Lines | None:
    """Return a line given by its number as lines."""
    return Lines(line) if isinstance(line, int) else line


def lines_in(url: str) -> Lines | None:
    """Return the lines that an address's fragment names, or None."""
    try:
        fragment = urlsplit(url).fragment
    except ValueError:
        return None
    match = _FRAGMENT.fullmatch(fragment)
    if match is None:
        return None
    return Lines.between(int(match["first"]), int(match["last"]) if match["last"] else None)


def line_in(url: str) -> int | None:
    """Return the first line that an address's fragment names, or None."""
    lines = lines_in(url)
    return lines.first if lines else None

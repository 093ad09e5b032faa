"""A passage → its sentences, and a fingerprint of one's words that numbers and blanks do not change."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from .tokens import Token

_END: Final = re.compile(r"[.!?][)”’\"]?(?=\s+[^\sa-z])")
MASK: Final = "#"


def bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence begins and ends in which the characters `start` to `end` stand."""
    first = 0
    for match in _END.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            return first + len(text[first:]) - len(text[first:].lstrip()), match.end()
    return first + len(text[first:]) - len(text[first:].lstrip()), len(text)


def masked(text: str, found: Sequence[Token], start: int, end: int) -> str:
    """Return the characters `start` to `end` with every number in them masked, its unit with it."""
    pieces, at = [], start
    for token in found[bisect_left(found, start, key=lambda t: t.start) :]:
        if token.start >= end:
            break
        if token.end <= end:
            pieces += [text[at : token.start], MASK]
            at = min(max(token.unit_end, token.end), end)
    return "".join([*pieces, text[at:end]])


def fingerprint(words: str) -> str:
    """Return eight hexadecimal digits that tell a masked sentence from another one."""
    return hashlib.sha256(" ".join(words.split()).encode()).hexdigest()[:8]

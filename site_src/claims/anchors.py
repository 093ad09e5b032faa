"""A token of a passage → its anchor: field, section, the words to either side, and which of equal ones it is.

The words are those of its own sentence. Numbers in them are masked with their units, so that one changed number or
unit moves no other anchor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from . import sentences
from .lock import Anchor
from .passages import Passage
from .tokens import Token, tokens

_WORDS: Final = 4
# Characters in which those words are looked for; a sentence may be a megabyte without a blank.
_NEAR: Final = 1000


@dataclass(frozen=True)
class Spot:
    """A token with its passage, its anchor and the fingerprint of its sentence, which stands at `bounds`."""

    passage: Passage
    token: Token
    anchor: Anchor
    sentence: str
    bounds: tuple[int, int]

    @property
    def offset(self) -> int:
        """Where it stands in the text at the passage's file and pointer."""
        return self.passage.offset(self.token.start)


def spots(passages: Iterable[Passage]) -> tuple[Spot, ...]:
    """Return every number of some passages with its anchor, in order."""
    return tuple(_spots(passages))


def _spots(passages: Iterable[Passage]) -> Iterator[Spot]:
    seen: dict[tuple[str, str, str, str], int] = {}
    for passage in passages:
        for token, left, right, sentence, bounds in _placed(passage.text, passage.decimal_comma):
            key = (passage.field, passage.section, left, right)
            ordinal = seen.get(key, 0)
            seen[key] = ordinal + 1
            yield Spot(passage, token, Anchor(*key, ordinal), sentence, bounds)


@lru_cache(maxsize=65536)
def _placed(text: str, decimal_comma: bool) -> tuple[tuple[Token, str, str, str, tuple[int, int]], ...]:
    """Return the tokens of a text with the words to either side, the fingerprint and the bounds of the sentence."""
    found, placed = tokens(text, decimal_comma=decimal_comma), []
    told_of: dict[tuple[int, int], str] = {}
    for token in found:
        start, end = sentences.bounds(text, token.start, token.unit_end)
        left = sentences.masked(text, found, max(start, token.start - _NEAR), token.start).split()[-_WORDS:]
        right = sentences.masked(text, found, token.unit_end, min(end, token.unit_end + _NEAR)).split()[:_WORDS]
        if (start, end) not in told_of:
            told_of[start, end] = sentences.fingerprint(sentences.masked(text, found, start, end))
        placed.append((token, " ".join(left), " ".join(right), told_of[start, end], (start, end)))
    return tuple(placed)

"""A token of a passage → its anchor: field, section, the words to either side, and which of equal ones it is.

The words are those of its own sentence. Numbers in them are masked with their units, so that one changed number or
unit moves no other anchor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from . import sentences
from .lock import Anchor
from .passages import Passage
from .tokens import Token, tokens

_WORDS: Final = 4


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
        found = tokens(passage.text)
        for token in found:
            start, end = sentences.bounds(passage.text, token.start, token.unit_end)
            left = sentences.masked(passage.text, found, start, token.start).split()[-_WORDS:]
            right = sentences.masked(passage.text, found, token.unit_end, end).split()[:_WORDS]
            key = (passage.field, passage.section, " ".join(left), " ".join(right))
            ordinal = seen.get(key, 0)
            seen[key] = ordinal + 1
            told = sentences.fingerprint(sentences.masked(passage.text, found, start, end))
            yield Spot(passage, token, Anchor(*key, ordinal), told, (start, end))

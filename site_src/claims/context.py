"""A token in its passage → the words around it, near and far, and what of them speaks against a field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from . import sentences, vocabulary
from .leaves import Leaf
from .passages import Passage
from .tokens import Token

# How much a word counts by where it stands.
_NEAR, _CLAUSE, _SENTENCE, _PASSAGE, _SCOPE = 3.0, 2.0, 1.2, 0.5, 0.6
_CLAUSE_END: Final = re.compile(r"[.!?;:,()](?=\s|$)|[(–—]|\s(?:and|but|while|or)\s")
# An abbreviation, or any key with an equals sign, before its value.
_SETTING: Final = re.compile(r"(?:\b([A-Z]{2,}) |([\w-]+)\s?=\s?)$")
# Two words that exclude each other as the name of one quantity, as stems.
_OPPOSED: Final = tuple(
    (frozenset(vocabulary.words(a)), frozenset(vocabulary.words(b)))
    for a, b in (
        ("free available", "used consumed"),
        ("input prompt", "output generated completion"),
        ("prefill", "decode"),
        ("running", "submitted queued"),
        ("queued", "running"),
        ("aggregate summed", "per_request per_user per_stream per_client"),
        ("minimum lowest", "peak maximum highest"),
        ("mean average", "median p50"),
    )
)


@dataclass(frozen=True)
class Context:
    """One token where it stands; `company` weighs the parts of the record that numbers beside it state.

    `sharing` counts for each part the other numbers of the sentence that it holds, too.
    """

    passage: Passage
    token: Token
    company: Mapping[str, float] = field(default_factory=dict)
    sharing: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole passage."""
        return self.passage.text

    @cached_property
    def sentence(self) -> tuple[int, int]:
        """Where the sentence of the token begins and ends."""
        return sentences.bounds(self.text, self.token.start, self.token.unit_end)

    @cached_property
    def clause(self) -> tuple[int, int]:
        """Where the clause of the token begins and ends."""
        start = 0
        for match in _CLAUSE_END.finditer(self.text):
            if match.start() >= self.token.unit_end:
                return start, match.start()
            if match.end() <= self.token.start:
                start = match.end()
        return start, len(self.text)

    @cached_property
    def after(self) -> list[str]:
        """The stems that follow in the clause, the unit left out: the first names what is counted."""
        _, end = self.clause
        return _nouns(self.text[self.token.unit_end : end])[:3]

    @cached_property
    def before(self) -> list[str]:
        """The stems that stand before in the clause, the last one nearest."""
        start, _ = self.clause
        return _nouns(self.text[start : self.token.start])[-4:]

    @cached_property
    def head(self) -> str:
        """The noun that the number counts, right behind it and its unit; "" where none follows at once."""
        _, end = self.clause
        return vocabulary.head_noun(self.text[self.token.unit_end : end])

    @cached_property
    def setting(self) -> frozenset[str]:
        """The stems of the setting that the number is the value of: TP 2, MTP=3; empty for other numbers."""
        before = _SETTING.search(self.text[: self.token.start])
        return frozenset(vocabulary.words(before[1] or before[2])) if before else frozenset()

    @cached_property
    def phrase(self) -> str:
        """The word right before the token with it; "" at the start of a passage."""
        before = re.search(r"(\w+ )$", self.text[: self.token.start])
        return f"{before[1]}{self.token.written}" if before else ""

    @cached_property
    def near(self) -> frozenset[str]:
        """The stems beside the token, with their synonyms."""
        return vocabulary.widened([*self.before, *self.after])

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Stem → how much it says about the token."""
        found: dict[str, float] = {}
        start, end = self.sentence
        for weight, stems in (
            (_NEAR, self.near),
            (_CLAUSE, vocabulary.stems(self.text[slice(*self.clause)])),
            (_SENTENCE, vocabulary.stems(self.text[start:end])),
            (_SCOPE, vocabulary.stems(self.passage.context)),
            (_PASSAGE, vocabulary.stems(self.text)),
        ):
            for stem in stems:
                found.setdefault(stem, weight)
        return found

    def heavier(self, weight: float) -> frozenset[str]:
        """Return the stems that count more than `weight`."""
        return frozenset(stem for stem, held in self.weights.items() if held > weight)

    def excludes(self, leaf: Leaf) -> bool:
        """Tell whether a word beside the token names the opposite of the field: free is not used."""
        beside = {*self.before[-2:], *self.after[:2]}
        for one, other in _OPPOSED:
            for named, opposite in ((one, other), (other, one)):
                if beside & named and not beside & opposite and leaf.terms & opposite and not leaf.terms & named:
                    return True
        return False


def _nouns(text: str) -> list[str]:
    return [word for word in vocabulary.words(text) if not word[0].isdigit()]

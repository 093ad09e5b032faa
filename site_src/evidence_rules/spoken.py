"""The prose of a record → sentences in its own words: code and quotations are blanked, places in files kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..claims.passages import Passage, passages
from ..load import Document
from ..once import once
from ..problems import Finding
from ..prose import Body, Text

_QUOTED: Final = re.compile(r"`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’(?!\w)|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_SENTENCE: Final = re.compile(r"(?:[^.!?;]++|[.!?;](?!\s|$))+[.!?;]?")
_CLAUSE: Final = re.compile(r"[,;:()–—]|\b(?:but|yet|although|though|while|whereas)\b", re.I)
_NEGATION: Final = re.compile(
    r"\b(?:not?|never|none|nobody|nothing|neither|nor|cannot|without|unproven|unknown|unclear|whether|how many"
    r"|rather than|instead of)\b|n[’']t\b",
    re.I,
)
_SHOWN: Final = 90


@dataclass(frozen=True)
class Sentence:
    """A sentence of the record's own, and where it stands."""

    text: str
    file: str
    pointer: str

    @property
    def is_negated(self) -> bool:
        """Whether the sentence denies or doubts something."""
        return _NEGATION.search(self.text) is not None

    def negates(self, at: int) -> bool:
        """Tell whether the words before a place, in its clause, deny what stands there."""
        return _NEGATION.search(_CLAUSE.split(self.text[:at])[-1]) is not None

    def denies_after(self, at: int) -> bool:
        """Tell whether the very next words deny what stands before a place: measured nothing."""
        return _NEGATION.match(self.text[at:].lstrip(" :")) is not None

    def shown(self, at: int) -> str:
        """Return the sentence as a message shows it: the part around a place, if it is long."""
        start = max(0, at - _SHOWN // 2) if len(self.text) > _SHOWN else 0
        start = self.text.rfind(" ", 0, start) + 1 if start else 0
        text = self.text[start : start + _SHOWN]
        cut = text.rpartition(" ")[0] if start + _SHOWN < len(self.text) else text
        return f"{'…' if start else ''}{' '.join(cut.split())}{'…' if cut != text else ''}"

    def finding(self, code: str, message: str, remedy: str) -> Finding:
        """Return a finding at the text that holds the sentence."""
        return Finding(self.file, self.pointer, code, message, remedy)


@once
def sentences(document: Document, body: Body) -> Iterator[Sentence]:
    """Yield the sentences of every passage of prose, the titles and reasons of sidecars among them."""
    quoted = [_quoted(block) if isinstance(block, Text) else frozenset[int]() for block in body.blocks]
    for passage in passages(document, document.data, body):
        yield from _split(_own_words(passage, body, quoted), passage.file, passage.pointer)


def _quoted(block: Text) -> frozenset[int]:
    """Return which tokens of a block stand inside a block quotation."""
    depth, found = 0, set()
    for n, token in enumerate(block.tokens):
        if depth:
            found.add(n)
        depth += (token.type == "blockquote_open") - (token.type == "blockquote_close")
    return frozenset(found)


def _split(text: str, file: str, pointer: str) -> Iterator[Sentence]:
    for match in _SENTENCE.finditer(text):
        if match[0].strip():
            yield Sentence(match[0].strip(), file, pointer)


def _blanked(text: str) -> str:
    return _QUOTED.sub(" … ", text)


def _own_words(passage: Passage, body: Body, quoted: Sequence[frozenset[int]]) -> str:
    """Return the words of a passage without code and quotations; a block quotation has none of its own."""
    if passage.at is None:
        return _blanked(passage.text)
    block = body.blocks[passage.at[0]]
    if not isinstance(block, Text):
        return _blanked("".join(_word(t.type, t.content) for t in block.caption))
    if passage.at[1] in quoted[passage.at[0]]:
        return ""
    return _blanked("".join(_word(t.type, t.content) for t in block.tokens[passage.at[1]].children or ()))


def _word(kind: str, content: str) -> str:
    """Return the words of one inline token; code is blanked."""
    return content if kind == "text" else " … " if kind == "code_inline" else " " if kind.endswith("break") else ""

"""The words this site uses for evidence → terms with anchors, in the language of the site.

A term's anchor is stable and the same in every language, so that a guide can link to it. What the code can say (words
of nulls, outcomes of a receipt, classes of claims, findings) is read from there; one without a text stops the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args

from . import receipts
from .claims.lock import CLASSES
from .codes import FINDINGS
from .interface import ENGLISH, Words
from .sources.receipt import Outcome


@dataclass(frozen=True)
class Term:
    """A word with its anchor ("" for none), what it means, and how often the site has it, in words."""

    id: str
    name: str
    meaning: str
    count: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the method page: its anchor, its heading, what holds for all its terms, and the terms."""

    id: str
    title: str
    lede: str
    terms: tuple[Term, ...] = ()


NULLS: Final = {
    "null": "not_reported",
    "not-run": "not_run_REASON",
    "not-applicable": "not_applicable",
    "none-published": "none_published",
}
"""Anchors of the words that stand where a value is missing, each with a status that prints its word."""
RECORD: Final = ("digits", "line", "editable", "n", "derived")
FIGURES: Final = ("hollow", "filled", "dashed", "crossed", "one-scale", "hashes")
LIMITS: Final = ("record", "receipt", "neighbour", "wording", "open")


PARTS: Final = (
    *("record", "states", "nulls", "denominators", "rounding", "comparability", "figures", "verified", "claims"),
    *("slips", "findings", "limits", "corrections"),
)
"""The anchors of the parts of the method page."""


def anchors() -> frozenset[str]:
    """Return every anchor of the method page that does not depend on records."""
    found = (*nulls(ENGLISH), *outcomes(ENGLISH), *claims(ENGLISH), *findings(ENGLISH))
    return frozenset((*PARTS, *RECORD, *FIGURES, *(t.id for t in found)))


def key(code: str) -> str:
    """Return what a code is called in the files of words: line-moved → line_moved."""
    return code.replace("-", "_").replace(" ", "_")


def named(say: Words, ids: tuple[str, ...]) -> tuple[Term, ...]:
    """Return terms that the files of words name and explain."""
    return tuple(Term(i, say(f"term.{key(i)}"), say(f"meaning.{key(i)}")) for i in ids)


def outcomes(say: Words) -> Iterator[Term]:
    """Yield what a receipt may say of a source or a value, in the words of the pages."""
    for outcome in get_args(Outcome):
        yield Term(f"outcome-{outcome}", receipts.word(say, outcome), say(f"outcome.{key(outcome)}"))


def claims(say: Words) -> Iterator[Term]:
    """Yield the classes of numbers in prose, as the ledger calls them."""
    for name in CLASSES:
        yield Term(f"claim-{name}", capital(say(f"claim.{name}")), say(f"claimed.{name}"))


def nulls(say: Words) -> Iterator[Term]:
    """Yield the words that stand where a value is missing."""
    for slug, status in NULLS.items():
        yield Term(slug, capital(say.status(status)), say(f"meaning.{key(slug)}"))


def findings(say: Words) -> Iterator[Term]:
    """Yield every kind of finding."""
    for code in FINDINGS:
        yield Term(finding_id(code), say(f"finding.{code}"), code)


def limits(say: Words) -> tuple[Term, ...]:
    """Return what this site cannot know or tell; limits have no names."""
    return tuple(Term("", "", say(f"limit.{name}")) for name in LIMITS)


def finding_id(code: str) -> str:
    """Return the anchor of a kind of finding."""
    return f"finding-{code}"


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]

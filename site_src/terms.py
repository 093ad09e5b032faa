"""The words this site uses for evidence → terms with anchors, each word taken from where the code prints it.

A term's anchor is stable, so that a guide can link to it. What the code can say (words of nulls, outcomes of a
receipt, classes of claims, findings) is read from there; a word that has no meaning here stops the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args

from . import receipts, words
from .claims.lock import NAMES, Class
from .codes import FINDINGS
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


OUTCOMES: Final[dict[Outcome, str]] = {
    "verified": "The bytes have the pinned hash, and the value stands on its line, in its unit, in the cell that its "
    "row and column name.",
    "line-moved": "The value stands on another line than the record says.",
    "value-absent": "The document does not print the value, as a whole number and in its unit, where the record says.",
    "hash-differs": "A fixed revision gave a document with another hash.",
    "drifted": "An editable page no longer serves the copy that was read.",
    "unreachable": "It was asked for and could not be had.",
    "not-checked": "Nobody has looked since the record was written.",
}
CLAIMS: Final[dict[Class, str]] = {
    "claim": "States one field of the record, digit for digit.",
    "derived": "States the result of declared arithmetic.",
    "count": "A number word or the length of a list; with a field, or with a reason why none is needed.",
    "name": "A version, a format, a model: no quantity. It stands in a text of the record or in the lexicon of the "
    "site.",
    "date": "A calendar date.",
    "plain": "States no quantity; the reason is in the lock. A number with a unit is never exempt.",
    "open": "Nothing proves it yet; it is a finding of its page.",
}
NULLS: Final[dict[str, tuple[str, str]]] = {
    "null": (words.NOT_REPORTED, "The source gives no value. It is neither blank nor 0; data files carry null."),
    "not-run": (words.status("not_run_REASON"), "The source left the run out; the reason stands beside it."),
    "not-applicable": (words.NOT_APPLICABLE, "There is nothing to report: the quantity does not exist here."),
    "none-published": (words.NONE_PUBLISHED, "A list or a spread that the record holds, and that is empty."),
}
RECORD: Final = (
    Term("digits", "Digits", "Those of the source. A zero at the end stays; nothing is converted or rounded unsaid."),
    Term("line", "Line link", "Opens the cited line at a fixed revision."),
    Term("editable", "Editable", "The address can serve other bytes tomorrow. Its badge names the day of the copy."),
    Term("n", "n", "How many runs stand behind a value. One run has no spread, so none is drawn."),
    Term("derived", "Derived", "Computed by this site from reported values, and never shown as measured."),
)
FIGURES: Final = (
    Term("hollow", "Hollow mark", "One observation, or a value whose runs the record does not count: no spread."),
    Term("filled", "Filled mark", "A statistic of several runs, named in the key of the figure."),
    Term("dashed", "Dashed box", f"A value that is {words.NOT_REPORTED} or was not run, its reason inside; no line."),
    Term("crossed", "Crossed equals sign", "Two neighbours differ in that row, so their values share no scale."),
    Term("one-scale", "One panel", "One quantity in one unit. Axes of values begin at zero, and nothing is sorted."),
    Term(
        "hashes",
        "Hash of a figure",
        "A record can hold the SHA-256 of an image and of its pixels. Each build draws "
        "the image again and compares; equal pixels settle it on another platform, a difference is a finding.",
    ),
)
LIMITS: Final = (
    "A bound number says what the record says. Whether the record is right is for its source to show.",
    "A receipt tells of the bytes on its day. What an editable page serves today, nobody here knows.",
    "Of an evidence line whose neighbour prints the same cell, the line number alone cannot tell the two apart.",
    "The rules about wording know English alone.",
    "A value that no source reports is left open; nothing is estimated.",
)


PARTS: Final = (
    *("record", "states", "nulls", "denominators", "rounding", "comparability", "figures", "verified", "claims"),
    *("slips", "findings", "limits", "corrections"),
)
"""The anchors of the parts of the method page."""


def anchors() -> frozenset[str]:
    """Return every anchor of the method page that does not depend on records."""
    found = (*RECORD, *FIGURES, *nulls(), *outcomes(), *claims(), *findings())
    return frozenset((*PARTS, *(t.id for t in found)))


def outcomes() -> Iterator[Term]:
    """Yield what a receipt may say of a source or a value, in the words of the pages."""
    for outcome in get_args(Outcome):
        yield Term(f"outcome-{outcome}", receipts.word(outcome), OUTCOMES[outcome])


def claims() -> Iterator[Term]:
    """Yield the classes of numbers in prose, as the ledger calls them."""
    for name, meaning in CLAIMS.items():
        yield Term(f"claim-{name}", capital(NAMES[name]), meaning)


def nulls() -> Iterator[Term]:
    """Yield the words that stand where a value is missing."""
    for slug, (name, meaning) in NULLS.items():
        yield Term(slug, capital(name), meaning)


def findings() -> Iterator[Term]:
    """Yield every kind of finding."""
    for code, title in FINDINGS.items():
        yield Term(finding_id(code), title, code)


def finding_id(code: str) -> str:
    """Return the anchor of a kind of finding."""
    return f"finding-{code}"


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]

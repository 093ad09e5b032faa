"""A question of binding → its words on a terminal, and an editor's key → the answer. It prints and reads nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, Final

from .. import words
from ..interface import ENGLISH
from ..pointers import at_pointer
from . import forms, proof
from .anchors import Spot
from .bind import Draft, Question, bound_to
from .leaves import Leaf
from .offers import Offer

STOP: Final = "q"
_SKIP, _KEEP, _EACH, _NAME, _PLAIN, _COUNT = "s", "y", "e", "n", "p", "c"
# Keys of offers: letters that mean nothing else.
_OFFER_KEYS: Final = [key for key in ascii_lowercase if key not in "sqyenpc"]
_MOST_CONDITIONS: Final = 4
_SHORT, _VALUE, _LINE, _AROUND = 32, 40, 110, 20
# Conditions that identify a row and do not describe it.
_UNTOLD: Final = re.compile(r"(^|_)(id|url|sha256|classification|digest|revision|state|label)$", re.I)


class Stopped(Exception):
    """The editor ends the session; what was answered so far is kept."""


@dataclass(frozen=True)
class Terminal:
    """How to speak with an editor: say a line, wait for one key, wait for a line."""

    say: Callable[[str], None]
    key: Callable[[], str]
    line: Callable[[str], str]


@dataclass(frozen=True)
class Answer:
    """An answered draft; `relation` is what must be declared in the record for it, under the pointer it names."""

    draft: Draft
    relation: dict[str, Any] | None = None


@dataclass(frozen=True)
class Dialogue:
    """One session. `offer` finds arithmetic for a number, `declare` the pointer a new relation will have."""

    data: Any
    terminal: Terminal
    offer: Callable[[Spot], Sequence[Offer]]
    declare: Callable[[Offer, str, str], tuple[str, dict[str, Any]]]

    def ask(self, question: Question, number: int, total: int) -> list[Answer]:
        """Ask about one sentence. Raises Stopped."""
        say = self.terminal.say
        say("")
        say(f"{where(question.spot)}   ({number} of {total})")
        say(f"  {marked(question)}")
        if all(d.why == "sentence" for d in question.drafts):
            for draft in question.drafts:
                say(f"    {draft.spot.token.written:>12}  was bound to {draft.entry.pointer}  {draft.entry.row}")
            say("  The words changed. y keep what was bound · e ask for each · s leave open · q stop")
            answer = self._key({_KEEP, _EACH, _SKIP})
            if answer == _SKIP:
                return [Answer(draft) for draft in question.drafts]
            if answer == _KEEP:
                return [Answer(kept(draft)) for draft in question.drafts]
        return [self._choose(draft) for draft in question.drafts]

    def _choose(self, draft: Draft) -> Answer:
        say, spot = self.terminal.say, draft.spot
        fits = [leaf for leaf in draft.fits if leaf.pointer != draft.entry.pointer][:9]
        say(f"  “{spot.token.written}” in “{proof.excerpt(spot, _AROUND)}” states:")
        for line in options(fits, self.data):
            say(f"    {line}")
        found = dict(zip(_OFFER_KEYS, self.offer(spot), strict=False))
        for key, offer in found.items():
            say(f"    {key}  declare {told(offer)}")
        may = {_SKIP: "leave open"}
        may |= {_KEEP: f"keep {draft.entry.pointer}"} if draft.why == "sentence" else {}
        may |= {_NAME: "name", _PLAIN: "plain, with a reason"} if not spot.token.unit else {}
        may |= {_COUNT: "a count without a field, with a reason"} if not spot.token.unit else {}
        say("    " + " · ".join(f"{key} {what}" for key, what in {**may, STOP: "stop"}.items()))
        key = self._key({*may, *found, *(str(n) for n in range(1, len(fits) + 1))})
        return self._answered(draft, key, fits, found)

    def _answered(self, draft: Draft, key: str, fits: Sequence[Leaf], found: dict[str, Offer]) -> Answer:
        spot = draft.spot
        if key == _SKIP:
            return Answer(draft)
        if key == _KEEP:
            return Answer(kept(draft))
        if key.isdecimal():
            leaf = fits[int(key) - 1]
            return Answer(Draft(spot, bound_to(spot, leaf, class_of(spot, leaf))))
        if key in found:
            label = self.terminal.line("  What the result is, in words: ").strip()
            pointer, relation = self.declare(found[key], label or "derived value", spot.token.written)
            entry = bound_to(spot, None, "derived").model_copy(update={"pointer": pointer, "row": relation["label"]})
            return Answer(Draft(spot, entry), relation)
        if key == _NAME:
            return Answer(Draft(spot, bound_to(spot, None, "name")))
        cls = "plain" if key == _PLAIN else "count"
        reason = self.terminal.line("  Why it needs no field: ").strip()
        return Answer(Draft(spot, bound_to(spot, None, cls, reason))) if reason else Answer(draft)

    def _key(self, allowed: Iterable[str]) -> str:
        known = {*allowed}
        while True:
            key = self.terminal.key()
            if key == STOP:
                raise Stopped
            if key in known:
                return key


def kept(draft: Draft) -> Draft:
    """Return a draft that keeps its field although its sentence changed."""
    return Draft(draft.spot, draft.entry.model_copy(update={"sentence": draft.spot.sentence}))


def class_of(spot: Spot, leaf: Leaf) -> str:
    """Return the class of a number that states a field."""
    if leaf.kind == "relation":
        return "derived"
    return "count" if spot.token.shape == "word" or leaf.kind == "list" else "claim"


def where(spot: Spot) -> str:
    """Return where a number stands, in words."""
    section = f", section {spot.anchor.section}" if spot.anchor.section else ""
    return f"{spot.passage.file} {spot.anchor.field}{section}"


def marked(question: Question) -> str:
    """Return a sentence with the numbers that are asked about in brackets."""
    start, end = question.spot.bounds
    text, pieces, at = question.spot.passage.text, list[str](), start
    for draft in question.drafts:
        token = draft.spot.token
        pieces += [text[at : token.start], f"[{token.written}]"]
        at = token.end
    return "".join([*pieces, text[at:end]])


def options(fits: Sequence[Leaf], data: Any) -> list[str]:
    """Return the fields that a number might mean: value and pointer, below them the row and what tells it apart."""
    lines = []
    for number, leaf in enumerate(fits, 1):
        lines.append(f"{number}  {_cut(forms.shown(leaf), _VALUE)}  {leaf.pointer}")
        told = "; ".join(filter(None, [leaf.row, *_telling(leaf, fits, data)]))
        lines += [f"   {_cut(told, _LINE)}"] if told else []
    return lines


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _telling(leaf: Leaf, fits: Sequence[Leaf], data: Any) -> list[str]:
    """Return the conditions of a field's row in which the rows of the others differ."""
    own = _conditions(leaf, data)
    others = [_conditions(other, data) for other in fits if other.row != leaf.row]
    differing = [k for k, v in own.items() if any(other.get(k) != v for other in others)]
    return [": ".join(ENGLISH.field(k, own[k])) for k in differing[:_MOST_CONDITIONS]]


def _conditions(leaf: Leaf, data: Any) -> dict[str, Any]:
    part = at_pointer(data, "/".join(leaf.pointer.split("/")[:3]))
    held = part.get("conditions", part) if isinstance(part, dict) else {}
    return {k: v for k, v in held.items() if not _UNTOLD.search(k) and 0 < len(ENGLISH.plain(v)) <= _SHORT}


def told(offer: Offer) -> str:
    """Return arithmetic that could be declared, in one line."""
    result = words.fraction(offer.result, 3)
    inputs = ", ".join(f"{name} = {leaf.pointer} ({forms.shown(leaf)})" for name, leaf in offer.inputs)
    return f"{offer.expr} = {result}{' ' + offer.unit if offer.unit else ''} with {inputs}"

"""A token → the field it stands for, if exactly one meaning fits; otherwise the fields that might.

A wrong binding is worse than an open one: a short number needs a word beside it that names the field, and two
meanings of nearly equal weight are left to the editor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from math import log
from typing import Final, Literal

from . import forms, units, vocabulary
from .context import Context
from .dates import iso_of
from .leaves import Leaf
from .lexicon import Lexicon
from .passages import Passage
from .tokens import Token

Class = Literal["claim", "derived", "count", "name", "date", "plain", "open"]
# How far the best field must lie above the next one of another meaning.
_MARGIN: Final = 3.0
_OWN_PART: Final = 12.0
_CLAUSE: Final = 1.5
# Texts that name a part of the record; they are no evidence for a number.
_IDENTITIES: Final = frozenset({"id", "title", "classification"})
_MOST: Final = 6
# "one" that counts nothing.
_PRONOUN_BEFORE: Final = re.compile(r"\b(?:this|that|the|another|which|each|every|no|any)\s+$", re.I)
_PRONOUN_AFTER: Final = re.compile(
    r"\s+(?:does|do|is|was|has|that|who|which|cannot|can|of them|another|else)\b|[’']s\b"
)


@dataclass(frozen=True)
class Proposal:
    """What a token may mean: its class, the chosen field, and all fields that fit, the likeliest first."""

    passage: Passage
    token: Token
    cls: Class
    leaf: Leaf | None = None
    fits: tuple[Leaf, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Fields:
    """The fields of a record by the numbers and names they hold."""

    leaves: tuple[Leaf, ...]
    parts: dict[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def by_value(self) -> dict[Decimal, list[Leaf]]:
        """Number → fields that hold it, share fields under their percent too."""
        found: dict[Decimal, list[Leaf]] = {}
        for leaf in self.leaves:
            if leaf.value is not None:
                found.setdefault(leaf.value, []).append(leaf)
                if leaf.kind == "number" and not leaf.unit and 0 <= leaf.value <= 1:
                    found.setdefault(leaf.value * 100, []).append(leaf)
        return found

    @cached_property
    def by_text(self) -> dict[str, list[Leaf]]:
        """Written number or name → text fields in which it stands; number words under their value."""
        found: dict[str, list[Leaf]] = {}
        for leaf in self.leaves:
            if leaf.kind == "text":
                keys = {leaf.text} | {k for t in forms.found_in(leaf.text) for k in _text_keys(t)}
                for key in sorted(keys):
                    found.setdefault(key, []).append(leaf)
        return found

    @cached_property
    def relations(self) -> tuple[Leaf, ...]:
        """What the record's arithmetic comes to."""
        return tuple(leaf for leaf in self.leaves if leaf.kind == "relation")

    @cached_property
    def rarity(self) -> dict[str, float]:
        """Stem → how much it tells fields apart."""
        counts: dict[str, int] = {}
        for leaf in self.leaves:
            for stem in leaf.names | leaf.rows:
                counts[stem] = counts.get(stem, 0) + 1
        total = len(self.leaves) + 1
        return {stem: log(total / count) + 0.1 for stem, count in counts.items()}

    def holding(self, token: Token) -> list[Leaf]:
        """Return every field that holds what a token writes, in record order."""
        found = [leaf for key in _text_keys(token) for leaf in self.by_text.get(key, ())]
        if token.value is not None:
            found += self.by_value.get(token.value, ())
            found += self.relations if token.shape in {"number", "word"} else ()
        return [leaf for leaf in dict.fromkeys(found) if forms.equals(token, leaf)]


def _text_keys(token: Token) -> set[str]:
    return {token.written, str(token.value.normalize())} if token.value is not None else {token.written}


def propose(passage: Passage, token: Token, fields: Fields, lexicon: Lexicon) -> Proposal:
    """Return what a token stands for in a passage."""
    context = Context(passage, token)
    if token.shape == "date":
        return _date(passage, token, fields)
    if token.shape == "name":
        return _name(context, fields, lexicon)
    held = [leaf for leaf in fields.holding(token) if forms.unit_fits(token, leaf)]
    ranked = _ranked(context, held, fields)
    sound = [(score, leaf) for score, leaf in ranked if _corroborated(context, leaf, fields)]
    # What a field holds is quoted; arithmetic that happens to give the same digits is not needed then.
    for weak in ("relation", "text"):
        sound = [entry for entry in sound if entry[1].kind != weak or entry[1].text == token.written] or sound
    equal = {leaf.row for _, leaf in sound if leaf.kind == "text" and leaf.text == token.written}
    sound = [(w, leaf) for w, leaf in sound if leaf.row not in equal or leaf.text in {token.written, ""}]
    fits = tuple(leaf for _, leaf in ranked[:_MOST])
    chosen = _chosen(sound)
    if chosen and chosen.kind == "text" and (known := _phrase(context, fields, lexicon)):
        return known
    if chosen:
        return Proposal(passage, token, _class_of(token, chosen), chosen, fits)
    if not sound and (known := _phrase(context, fields, lexicon)):
        return known
    if token.shape == "word" and not sound and (reason := _counts_nothing(context)):
        return Proposal(passage, token, "plain", None, (), reason)
    return Proposal(passage, token, "open", None, tuple(leaf for _, leaf in sound[:_MOST]) or fits)


def _class_of(token: Token, leaf: Leaf) -> Class:
    if leaf.kind == "relation":
        return "derived"
    return "count" if token.shape == "word" or leaf.kind == "list" else "claim"


def _date(passage: Passage, token: Token, fields: Fields) -> Proposal:
    iso = iso_of(token.written)
    same = [leaf for leaf in fields.leaves if iso and leaf.kind == "text" and leaf.text[: len(iso)] == iso]
    score = sorted(same, key=lambda leaf: -_score(Context(passage, token), leaf, fields))
    return Proposal(passage, token, "date", score[0] if score else None, tuple(score[:_MOST]))


def _name(context: Context, fields: Fields, lexicon: Lexicon) -> Proposal:
    """Return a name: one that its own part of the record holds, the lexicon knows, or another text holds."""
    token, passage = context.token, context.passage
    ranked = _ranked(context, fields.by_text.get(token.written, []), fields)
    fits = tuple(leaf for _, leaf in ranked[:_MOST])
    if fits and _is_own(context, fits[0], fields):
        return Proposal(passage, token, "name", fits[0], fits)
    if lexicon.knows(token.written):
        return Proposal(passage, token, "name", None, fits, "lexicon")
    return Proposal(passage, token, "name", fits[0], fits) if fits else Proposal(passage, token, "open")


def _phrase(context: Context, fields: Fields, lexicon: Lexicon) -> Proposal | None:
    """Return the name that a bare number is the end of: RTX PRO 6000 in a text of the record, HTTP 200."""
    token, text = context.token, context.text
    if token.unit or token.shape == "word":
        return None
    if lexicon.phrase(text, token.start, token.end):
        return Proposal(context.passage, token, "name", reason="lexicon")
    before = re.search(r"(\w*[A-Z]\w*)([ \u00a0-])$", text[: token.start])
    if before is None:
        return None
    phrase = f"{before[1]}{before[2]}{token.written}"
    whole = re.compile(rf"(?<![\w]){re.escape(phrase)}(?![\w]|[.,]\d)")
    holding = [leaf for leaf in fields.by_text.get(token.written, []) if whole.search(leaf.text)]
    ranked = _ranked(context, holding, fields)
    return Proposal(context.passage, token, "name", ranked[0][1]) if ranked else None


def _counts_nothing(context: Context) -> str:
    """Return why a number word counts nothing here, or ""."""
    token, text = context.token, context.text
    if token.unit:
        return ""
    word = token.written.lower()
    if word == "no" and not text[token.end :].startswith("-"):
        return "“no” before what no field counts"
    is_pronoun = _PRONOUN_BEFORE.search(text[: token.start]) or _PRONOUN_AFTER.match(text, token.end)
    return "pronoun" if word == "one" and is_pronoun else ""


def _ranked(context: Context, held: Iterable[Leaf], fields: Fields) -> list[tuple[float, Leaf]]:
    """Return fields with their weight, the heaviest first; what a word beside the token excludes is left out."""
    found = [(_score(context, leaf, fields), leaf) for leaf in held if not context.excludes(leaf)]
    return sorted(found, key=lambda entry: -entry[0])


def _score(context: Context, leaf: Leaf, fields: Fields) -> float:
    """Weigh the words around a token that name the field or tell its row; its own part of the record comes first."""
    weights, rarity = context.weights, fields.rarity
    score = sum(1.3 * weights[s] * rarity.get(s, 0.1) for s in leaf.names if s in weights)
    score += sum(weights[s] * rarity.get(s, 0.1) for s in leaf.rows - leaf.names if s in weights)
    unit = context.token.unit or context.token.shared_unit
    score += 4.0 if unit and leaf.unit == unit else 0.0
    score += 8.0 if leaf.kind == "text" and leaf.text == context.token.written else 0.0
    score += 2.0 if leaf.kind == "number" else 0.0
    return score + (_OWN_PART if _is_own(context, leaf, fields) else 0.0)


def _is_own(context: Context, leaf: Leaf, fields: Fields) -> bool:
    """Tell whether a field lies in the part of the record whose label, note or arithmetic the passage is."""
    own = fields.parts.get(_part(context.passage.field), frozenset())
    return any(leaf.pointer == part or leaf.pointer.startswith(f"{part}/") for part in own)


def _part(pointer: str) -> str:
    return "/".join(pointer.split("/")[:3])


def _corroborated(context: Context, leaf: Leaf, fields: Fields) -> bool:
    """Tell whether more than a coincidence ties a token to a field that holds its digits."""
    token = context.token
    is_own = _is_own(context, leaf, fields)
    if leaf.kind == "text" and token.shape != "name" and leaf.key in _IDENTITIES:
        return False
    if token.shape == "label":
        told = context.near & vocabulary.stems(leaf.text)
        return is_own or leaf.text == token.written or bool(context.near & leaf.terms) or len(told) > 1
    if leaf.kind == "text" and leaf.text != token.written:
        beside = _follows_in(leaf.text, token) & {*context.after[:2]}
        close = {stem for stem, weight in context.weights.items() if weight > _CLAUSE}
        shared = (vocabulary.stems(leaf.text) | leaf.rows) & close
        return (is_own and bool(beside)) or (len(shared) > 1 and (bool(beside) or _is_long(token)))
    if leaf.kind == "relation" and not _prints(token, leaf):
        return False
    around = context.near | {s for s, w in context.weights.items() if w > _CLAUSE}
    if _is_long(token) and leaf.kind != "list":
        return leaf.kind != "relation" or is_own or bool(around & leaf.names)
    unit = token.unit or token.shared_unit
    if units.is_hard(unit):
        return leaf.unit == unit and (is_own or bool(around & (leaf.names | leaf.rows)))
    if "." in token.written:
        return bool(context.near & leaf.names)
    return bool(_counted(context) & (leaf.terms if leaf.kind == "list" else leaf.names))


def _counted(context: Context) -> frozenset[str]:
    """Return what a short number counts: the noun behind it, or the one it is given to: TP 2, a limit of 12."""
    behind = context.after[:1]
    return vocabulary.widened([*behind, *context.before[-1:]])


def _prints(token: Token, leaf: Leaf) -> bool:
    """Tell whether the result of a relation is near enough to its written form to be meant: 1.7 is not "2"."""
    if "." in token.written or leaf.derived is None:
        return True
    return "." not in leaf.text or (bool(leaf.unit) and leaf.unit == (token.unit or token.shared_unit))


def _is_long(token: Token) -> bool:
    """Tell whether a number is too particular to coincide: three digits that are no round number."""
    plain = forms.digits_of(token).lstrip("-") if token.value is not None else ""
    significant = plain.replace(".", "").lstrip("0")
    is_round = len(significant.rstrip("0")) < 2 or (token.value is not None and _is_power_of_two(token.value))
    return len(significant) >= 3 and not is_round


def _is_power_of_two(value: Decimal) -> bool:
    whole = int(value)
    return whole == value and whole > 0 and whole & (whole - 1) == 0


def _follows_in(text: str, token: Token) -> set[str]:
    """Return the stems that follow the token's number in a text field."""
    found: set[str] = set()
    for other in forms.found_in(text):
        if other.value is not None and other.value == token.value:
            found |= set(vocabulary.words(text[other.unit_end :])[:2])
    return found


def _chosen(ranked: Sequence[tuple[float, Leaf]]) -> Leaf | None:
    """Return the field that outweighs every field of another meaning, or None."""
    if not ranked:
        return None
    best, leaf = ranked[0]
    others = [score for score, other in ranked[1:] if not _same_fact(leaf, other)]
    return leaf if not others or best >= max(others) + _MARGIN else None


def _same_fact(one: Leaf, other: Leaf) -> bool:
    """Tell whether two fields that hold one number say one thing: a condition that rows share."""
    return one.key == other.key and one.unit == other.unit and one.is_condition and other.is_condition

"""A token → the field it stands for, if exactly one meaning fits; otherwise the fields that might.

A wrong binding is worse than an open one: a short number needs a word beside it that names the field, and two
meanings of nearly equal weight are left to the editor.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from . import forms, vocabulary
from .anchors import Spot
from .choose import choose
from .context import Context
from .corroborate import corroborated, is_long
from .dates import iso_of
from .fields import Fields, part
from .leaves import Leaf
from .lexicon import Lexicon
from .lock import Class
from .passages import Passage
from .tokens import Token

_OWN_PART: Final = 12.0
# What a neighbour that surely states a part of the record adds to the fields of that part.
_SENTENCE_COMPANY, _PASSAGE_COMPANY, _SECTION_COMPANY = 8.0, 6.0, 4.0
_MOST: Final = 6
_SENTENCE: Final = 1.0
_TOLD: Final = frozenset(vocabulary.words("says said prints printed states stated claims claimed writes"))
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


def propose_all(spots: Sequence[Spot], fields: Fields, lexicon: Lexicon) -> list[Proposal]:
    """Return what each number stands for.

    Numbers too particular to coincide tell which part of the record a sentence speaks of; the others are weighed
    with that.
    """
    alone = [propose(Context(s.passage, s.token), fields, lexicon) for s in spots]
    sure = [
        (spot, at)
        for spot, found in zip(spots, alone, strict=True)
        if found.leaf and found.cls == "claim" and found.token.shape == "number" and is_long(found.token)
        for at in fields.kin(found.leaf.pointer)
    ]
    sentences: dict[tuple[int, tuple[int, int]], list[Spot]] = {}
    for spot in spots:
        sentences.setdefault((id(spot.passage), spot.bounds), []).append(spot)
    return [
        found
        if _is_settled(found, fields)
        else propose(_in_company(spot, sure, sentences[id(spot.passage), spot.bounds], fields), fields, lexicon)
        for spot, found in zip(spots, alone, strict=True)
    ]


def _is_settled(found: Proposal, fields: Fields) -> bool:
    """Tell whether neighbours have nothing to add: the number is its own proof, a name, or in a label of its row."""
    is_named = found.token.shape in {"name", "date"} or bool(fields.own(found.passage.field))
    return is_named or (found.leaf is not None and found.token.shape == "number" and is_long(found.token))


def _in_company(spot: Spot, sure: Iterable[tuple[Spot, str]], sentence: Iterable[Spot], fields: Fields) -> Context:
    """Return the context of a number with the parts of the record that its neighbours state or may state."""
    company: dict[str, float] = {}
    for other, at in sure:
        weight = _SECTION_COMPANY if other.anchor[:2] == spot.anchor[:2] else 0.0
        if other.passage is spot.passage:
            weight = _SENTENCE_COMPANY if other.bounds == spot.bounds else _PASSAGE_COMPANY
        company[at] = max(company.get(at, 0.0), weight)
    held = (fields.by_value.get(s.token.value, ()) for s in sentence if s is not spot and s.token.value is not None)
    sharing = Counter(at for leaves in held for at in {part(leaf.pointer) for leaf in leaves})
    return Context(spot.passage, spot.token, company, sharing)


def propose(context: Context, fields: Fields, lexicon: Lexicon) -> Proposal:
    """Return what a token stands for where it stands."""
    passage, token = context.passage, context.token
    if token.shape == "date":
        return _date(passage, token, fields)
    if token.shape == "name":
        return _name(context, fields, lexicon)
    held = [leaf for leaf in fields.holding(token) if forms.unit_fits(token, leaf)]
    ranked = _ranked(context, held, fields)
    sound = [(score, leaf) for score, leaf in ranked if corroborated(context, leaf, fields)]
    sound = _strongest(_spoken_for(sound, context), token)
    fits = tuple(leaf for _, leaf in ranked[:_MOST])
    chosen = choose(sound, context)
    if chosen and chosen.kind == "text" and (known := _phrase(context, fields, lexicon)):
        return known
    if chosen:
        return Proposal(passage, token, _class_of(token, chosen), chosen, fits)
    if not sound and (known := _phrase(context, fields, lexicon)):
        return known
    if token.shape == "word" and not sound and (reason := _counts_nothing(context)):
        return Proposal(passage, token, "plain", None, (), reason)
    return Proposal(passage, token, "open", None, tuple(leaf for _, leaf in sound[:_MOST]) or fits)


def _spoken_for(sound: list[tuple[float, Leaf]], context: Context) -> list[tuple[float, Leaf]]:
    """Of a relation and the number somebody stated for it keep one: the stated where the sentence tells of stating."""
    held = {leaf.pointer for _, leaf in sound}
    is_told = bool(context.heavier(_SENTENCE) & _TOLD)
    return [
        (score, leaf)
        for score, leaf in sound
        if not (f"{leaf.pointer}/stated/value" in held if is_told else _relation_of(leaf.pointer) in held)
    ]


def _relation_of(pointer: str) -> str:
    return pointer.removesuffix("/stated/value") if pointer.endswith("/stated/value") else ""


def _strongest(sound: list[tuple[float, Leaf]], token: Token) -> list[tuple[float, Leaf]]:
    """Leave out what is weaker than another that fits.

    That is arithmetic where a field holds the digits, a text where a field is the number, a longer text where
    another one of its row is the label itself.
    """
    quoted = [entry for entry in sound if entry[1].kind != "relation"] or sound
    numbers = [e for e in quoted if e[1].kind != "text" or e[1].text == token.written] or quoted
    equal = {leaf.row for _, leaf in numbers if leaf.kind == "text" and leaf.text == token.written}
    return [e for e in numbers if e[1].row not in equal or e[1].kind != "text" or e[1].text == token.written]


def _class_of(token: Token, leaf: Leaf) -> Class:
    if leaf.kind == "relation":
        return "derived"
    return "count" if token.shape == "word" or leaf.kind == "list" else "claim"


def _date(passage: Passage, token: Token, fields: Fields) -> Proposal:
    """Return a date with the field that its words name, or with none: a day alone tells no field from another."""
    iso, context = iso_of(token.written), Context(passage, token)
    same = [leaf for leaf in fields.leaves if iso and leaf.kind == "text" and leaf.text[: len(iso)] == iso]
    ranked = _ranked(context, same, fields)
    around = context.near | context.heavier(_SENTENCE)
    most = max((len(around & leaf.terms) for _, leaf in ranked), default=0)
    best = [leaf for _, leaf in ranked if len(around & leaf.terms) == most]
    is_one = len({leaf.terms for leaf in best}) == 1
    return Proposal(passage, token, "date", best[0] if is_one else None, tuple(leaf for _, leaf in ranked[:_MOST]))


def _name(context: Context, fields: Fields, lexicon: Lexicon) -> Proposal:
    """Return a name: one that its own part of the record holds, the lexicon knows, or another text holds."""
    token, passage = context.token, context.passage
    ranked = _ranked(context, fields.by_text.get(token.written, []), fields)
    fits = tuple(leaf for _, leaf in ranked[:_MOST])
    if fits and fields.is_own(passage.field, fits[0]):
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
    score += context.company.get(part(leaf.pointer), 0.0)
    score += 6.0 if leaf.kind == "text" and context.phrase and context.phrase in leaf.text else 0.0
    if fields.is_own(context.passage.field, leaf):
        # Its own row before what the row shares with others.
        score += _OWN_PART + (4.0 if leaf.pointer.startswith(f"{part(context.passage.field)}/") else 0.0)
    return score

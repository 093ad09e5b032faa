"""Whether more than a coincidence ties a number in prose to a field that holds its digits."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from . import forms, units, vocabulary
from .context import Context
from .fields import Fields
from .leaves import Leaf
from .tokens import Token

_CLAUSE: Final = 1.5
# Texts that name a part of the record; they are no evidence for a number.
_IDENTITIES: Final = frozenset({"id", "title", "classification"})


def corroborated(context: Context, leaf: Leaf, fields: Fields) -> bool:
    """Tell whether more than a coincidence ties a token to a field that holds its digits."""
    token = context.token
    is_own = fields.is_own(context.passage.field, leaf)
    if not is_own and fields.own(context.passage.field):
        return False
    if leaf.kind == "text":
        return _names_text(context, leaf, is_own=is_own)
    if leaf.kind == "relation" and not _prints(token, leaf):
        return False
    around = context.near | context.heavier(_CLAUSE)
    if is_long(token) and leaf.kind != "list":
        is_arithmetic = leaf.pointer.startswith("/relations/")
        return not is_arithmetic or is_own or bool(around & leaf.names)
    unit = token.unit or token.shared_unit
    if units.is_hard(unit):
        is_of_unit = leaf.unit == unit or forms.is_percent(token, leaf)
        return is_of_unit and (is_own or bool(around & (leaf.names | leaf.rows)))
    if "." in token.plain:
        return bool(context.near & leaf.names)
    return _counts(context, leaf)


def _names_text(context: Context, leaf: Leaf, *, is_own: bool) -> bool:
    """Tell whether a text of the record is meant: the label itself, or words that say the same of the number."""
    token = context.token
    if (leaf.key in _IDENTITIES and token.shape != "name") or token.written.lower() == "no":
        return False
    if token.shape == "label":
        told = context.near & vocabulary.stems(leaf.text)
        return is_own or leaf.text == token.written or bool(context.near & leaf.terms) or len(told) > 1
    if leaf.text == token.written:
        return is_own or is_long(token) or bool(context.near & leaf.names)
    shared = (vocabulary.stems(leaf.text) | leaf.rows) & context.heavier(_CLAUSE)
    is_named = context.head in _follows_in(leaf.text, token) or (bool(context.phrase) and context.phrase in leaf.text)
    return is_named if is_own else len(shared) > 1 and (is_named or is_long(token))


def _counts(context: Context, leaf: Leaf) -> bool:
    """Tell whether a short number counts what a field counts: by the noun behind it, else by the one before it."""
    if context.setting:
        return bool(context.setting & vocabulary.counted_by(leaf.terms, gathered=True))
    if context.head:
        nouns = leaf.terms if leaf.kind == "list" else vocabulary.counted_by(leaf.terms, gathered=False)
        return context.head in nouns
    return leaf.kind != "list" and bool({*context.before[-1:]} & vocabulary.counted_by(leaf.terms, gathered=True))


def _prints(token: Token, leaf: Leaf) -> bool:
    """Tell whether the result of a relation is near enough to its written form to be meant: 1.7 is not "2"."""
    if "." in token.plain or leaf.derived is None:
        return True
    return "." not in leaf.text or (bool(leaf.unit) and leaf.unit == (token.unit or token.shared_unit))


def is_long(token: Token) -> bool:
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

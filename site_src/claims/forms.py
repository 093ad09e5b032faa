"""A field and a written number: whether the one, formatted, is the other. Trailing zeros count, rounding is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from .. import words
from ..derive import half_step
from ..interface import ENGLISH
from ..intervals import Interval
from .leaves import Leaf
from .tokens import Token, tokens
from .units import canonical, fits, scope_of

_SEPARATORS: Final = re.compile(r"[,_\u202f\u2009\u00a0]")
# What means one number with a decimal point and another with a decimal comma. Nobody says which a field is written in.
_TWO_WAYS: Final = re.compile(r"[-−+]?[1-9]\d{0,2}(?:[.,]\d{3})+")
_SHARE: Final = re.compile(r"share|usage|ratio|fraction|utili[sz]ation|occupancy|rate", re.I)


def digits(written: str) -> str:
    """Return the digits of a written number: separators dropped, a minus as a hyphen."""
    return _SEPARATORS.sub("", written).replace("−", "-").removeprefix("+")


def equals(token: Token, leaf: Leaf) -> bool:
    """Tell whether a token writes what a field holds."""
    if leaf.kind == "relation":
        return _follows(token, leaf)
    if leaf.kind == "text":
        return _stands_in(token, leaf.text)
    if token.value is None or leaf.value is None:
        return False
    if token.shape == "number" and re.fullmatch(r"[-\d.]+", digits(token.plain)):
        return digits(token.plain) == words.literal(leaf.value) or is_percent(token, leaf)
    if token.shape == "word":
        return digits_of(token) == words.literal(leaf.value)
    return token.value == leaf.value


def unit_fits(token: Token, leaf: Leaf) -> bool:
    """Tell whether the unit word beside a token may be that of the field."""
    if leaf.kind == "text":
        return not token.unit or token.unit in _units_in(leaf.text, token) or fits(token.unit, leaf.unit)
    base, scope = scope_of(token.unit)
    if scope and base == leaf.unit:
        # The field may tell by its names what its rate was shared out over.
        return bool({f"per{scope}"} & (leaf.names | leaf.rows))
    return fits(token.unit, leaf.unit) or is_percent(token, leaf)


def shown(leaf: Leaf) -> str:
    """Return a field as a report prints it."""
    if leaf.kind == "number" and leaf.value is not None:
        return f"{words.number(leaf.value)} {leaf.unit}".rstrip()
    if leaf.kind == "list":
        return ENGLISH.count(int(leaf.value or 0), "item")
    return f"{leaf.text} {leaf.unit}".rstrip() if leaf.kind == "relation" else leaf.text


def is_percent(token: Token, leaf: Leaf) -> bool:
    """Tell whether a token writes a share of one as percent, digit for digit: 0.57 is 57 %."""
    if token.unit != "%" or leaf.kind != "number" or leaf.value is None or leaf.unit or not _SHARE.search(leaf.key):
        return False
    return 0 <= leaf.value <= 1 and digits(token.plain) == words.literal(leaf.value.scaleb(2))


def _follows(token: Token, leaf: Leaf) -> bool:
    """Tell whether the interval of a relation meets what the written digits may have been before rounding."""
    if token.value is None or leaf.derived is None:
        return False
    exact_if_whole = token.shape == "word"
    around = Interval.around(Fraction(token.value), half_step(Decimal(digits_of(token)), exact_if_whole=exact_if_whole))
    interval = leaf.derived.interval
    # A minus is often told in words: "exceeds it by 393,216".
    mirrored = Interval(-interval.high, -interval.mid, -interval.low)
    return interval.meets(around) or mirrored.meets(around)


def digits_of(token: Token) -> str:
    """Return the number of a token as a plain literal, its trailing zeros kept."""
    plain = digits(token.plain)
    return plain if re.fullmatch(r"-?\d+(\.\d+)?", plain) else words.literal(token.value or Decimal(0))


def _stands_in(token: Token, text: str) -> bool:
    """Tell whether a text holds the token as a whole number or name."""
    if token.written == text:
        return True
    return any(same(token, other) for other in found_in(text))


def same(token: Token, other: Token) -> bool:
    """Tell whether two tokens write one number or name."""
    if token.shape in {"name", "label"} or other.shape in {"name", "label"}:
        return token.written == other.written
    if token.shape == "date" or token.value is None or other.value is None:
        return token.written == other.written
    if "no" in {token.written.lower(), other.written.lower()}:
        return token.written.lower() == other.written.lower()
    if token.shape == "word" or other.shape == "word":
        return token.value == other.value and "." not in token.plain + other.plain
    if any(a.english and not b.english and _TWO_WAYS.fullmatch(b.written) for a, b in ((token, other), (other, token))):
        return False
    return digits(token.plain) == digits(other.plain)


def found_in(text: str) -> tuple[Token, ...]:
    """Return the tokens of a field's text; of an address, the steps of its path."""
    if re.match(r"https?://\S+$", text):
        steps = re.finditer(r"[^/?#=&-]+", text)
        return tuple(_moved(t, m.start()) for m in steps for t in tokens(m[0]) if t.written == m[0])
    return tokens(text)


def _moved(token: Token, by: int) -> Token:
    return replace(token, start=token.start + by, end=token.end + by, unit_end=token.unit_end + by)


def _units_in(text: str, token: Token) -> set[str]:
    return {canonical(other.unit) for other in found_in(text) if same(token, other)}

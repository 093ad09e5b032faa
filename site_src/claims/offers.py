"""A number that no field holds → simple arithmetic over fields bound near it, as relations that could be declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from typing import Any, Final

from ..derive import half_step
from ..intervals import Interval, divide, exact, multiply, subtract
from ..prose import slug
from . import forms
from .anchors import Spot
from .leaves import Leaf
from .tokens import Token

_MOST: Final = 3
_NEAREST: Final = 16


@dataclass(frozen=True)
class Offer:
    """Arithmetic that gives a written number: its expression, its inputs, what it comes to."""

    expr: str
    inputs: tuple[tuple[str, Leaf], ...]
    unit: str
    result: Fraction

    def relation(self, label: str, written: str, taken: Iterable[str]) -> dict[str, Any]:
        """Return the relation to declare, with an id that is not `taken`, its decimals those of the written number."""
        name = base = slug(label) or "derived"
        number = 1
        while name in set(taken):
            number += 1
            name = f"{base}-{number}"
        places = len(forms.digits(written).partition(".")[2])
        inputs = {key: {"pointer": leaf.pointer} for key, leaf in self.inputs}
        unit = self.unit or "1"
        return {"id": name, "label": label, "expr": self.expr, "inputs": inputs, "unit": unit, "places": places}


@dataclass(frozen=True)
class _Form:
    expr: str
    unit: Callable[[Leaf, Leaf], str | None]
    value: Callable[[Interval, Interval], Interval]


def _same(a: Leaf, b: Leaf) -> str | None:
    return a.unit if a.unit == b.unit else None


def _plain(a: Leaf, b: Leaf) -> str | None:
    return "" if a.unit == b.unit else None


def _percent(a: Leaf, b: Leaf) -> str | None:
    return "%" if a.unit == b.unit else None


def _rate(a: Leaf, b: Leaf) -> str | None:
    return "tokens/s" if (a.unit, b.unit) == ("tokens", "s") else None


def _amount(a: Leaf, b: Leaf) -> str | None:
    return a.unit or b.unit if not (a.unit and b.unit) else "tokens" if {a.unit, b.unit} == {"tokens/s", "s"} else None


_HUNDRED: Final = exact(100)
_FORMS: Final = (
    _Form("a / b", _plain, divide),
    _Form("a / b", _rate, divide),
    _Form("a - b", _same, subtract),
    _Form("100 * a / b", _percent, lambda a, b: multiply(_HUNDRED, divide(a, b))),
    _Form("100 - 100 * a / b", _percent, lambda a, b: subtract(_HUNDRED, multiply(_HUNDRED, divide(a, b)))),
    _Form("100 * a / b - 100", _percent, lambda a, b: subtract(multiply(_HUNDRED, divide(a, b)), _HUNDRED)),
    _Form("a * b", _amount, multiply),
)


def offers(spot: Spot, near: Sequence[Leaf]) -> list[Offer]:
    """Return what comes to the number of `spot` over the fields `near` it, the nearest first; three at most.

    A number of one digit is near too much to be offered anything.
    """
    token = spot.token
    if token.value is None or token.shape != "number" or len(forms.digits(token.plain).strip("-0.")) < 2:
        return []
    numbers = [leaf for leaf in dict.fromkeys(near) if leaf.kind == "number"][:_NEAREST]
    return [*dict.fromkeys(_coming_to(token, numbers))][:_MOST]


def _coming_to(token: Token, numbers: Sequence[Leaf]) -> Iterator[Offer]:
    value = token.value or Decimal(0)
    around = Interval.around(Fraction(value), half_step(Decimal(forms.digits_of(token)), exact_if_whole=False))
    wanted = token.unit or token.shared_unit
    for form in _FORMS:
        for a, b in permutations(numbers, 2):
            unit = form.unit(a, b)
            if unit is None or (wanted and unit != wanted and (wanted, unit) != ("×", "")):
                continue
            try:
                result = form.value(_interval(a), _interval(b))
            except ZeroDivisionError:
                continue
            if result.meets(around):
                yield Offer(form.expr, (("a", a), ("b", b)), unit, result.mid)


def _interval(leaf: Leaf) -> Interval:
    value = leaf.value or Decimal(0)
    return Interval.around(Fraction(value), half_step(value))

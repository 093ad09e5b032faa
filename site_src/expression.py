"""The arithmetic of relations: a small grammar over named numbers, evaluated on closed intervals of fractions.

    sum   := term (("+" | "-" | "−") term)*
    term  := signed (("*" | "×" | "/" | "÷") signed)*
    signed := ("-" | "−")? atom
    atom  := NAME | FACTOR | FUNCTION "(" sum ("," sum)* ")" | "(" sum ")"

FACTOR is one of the plain unit factors; every other literal is an input with a reason. No code is executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from .intervals import Interval, add, divide, exact, multiply, subtract

UNIT_FACTORS: Final = frozenset({"1", "60", "100", "1000", "1024", "3600", "1000000"})
_TOKEN: Final = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<mark>[-+*/×÷−(),]))")
_MAX_DEPTH: Final = 32
# Each product and quotient has as many digits as its parts together.
_MAX_TERMS: Final = 400


class ExpressionError(ValueError):
    """The expression cannot be read or evaluated; `offset` is where, in characters."""

    def __init__(self, message: str, offset: int) -> None:
        """Keep the place beside the words."""
        super().__init__(message)
        self.offset = offset


class UnitError(ExpressionError):
    """Numbers of two units are put together as one."""


def _total(items: list[Interval]) -> Interval:
    result = items[0]
    for item in items[1:]:
        result = add(result, item)
    return result


def _extreme(choose: Callable[[list[Fraction]], Fraction]) -> Callable[[list[Interval]], Interval]:
    def extreme(items: list[Interval]) -> Interval:
        low, mid, high = (choose([getattr(i, part) for i in items]) for part in ("low", "mid", "high"))
        unit = next((i.unit for i in items if i.unit), None)
        return Interval(low, mid, high, frozenset().union(*(i.names for i in items)), unit)

    return extreme


# Functions that put numbers of one unit together.
_LIKE: Final = frozenset({"sum", "min", "max", "mean", "percent_change"})

# Name → (least and most arguments, function).
_FUNCTIONS: Final[dict[str, tuple[int, int, Callable[[list[Interval]], Interval]]]] = {
    "sum": (1, 99, _total),
    "min": (1, 99, _extreme(min)),
    "max": (1, 99, _extreme(max)),
    "mean": (1, 99, lambda items: divide(_total(items), exact(len(items)))),
    "count": (1, 99, lambda items: exact(len(items))),
    "ratio": (2, 2, lambda items: divide(items[0], items[1])),
    # From the first to the second, so that each input enters once and the interval is not widened.
    "percent_change": (2, 2, lambda items: multiply(subtract(divide(items[1], items[0]), exact(1)), exact(100))),
}


def evaluate(text: str, values: Mapping[str, Interval]) -> Interval:
    """Return the value of an expression over named intervals. Raises ExpressionError."""
    return computed(text, values)[0]


def computed(text: str, values: Mapping[str, Interval]) -> tuple[Interval, list[frozenset[str]]]:
    """Return the value, and the inputs that each difference and quotient sets against each other."""
    reading = _Reading(text, values)
    return reading.whole(), reading.compared


def _alike(items: list[Interval], at: int) -> None:
    """Refuse to put numbers of two known units together."""
    units = sorted({i.unit for i in items if i.unit})
    if len(units) > 1:
        raise UnitError(f"{units[0]} and {units[1]} are put together as one unit", at)


class _Reading:
    """One recursive descent over the tokens."""

    def __init__(self, text: str, values: Mapping[str, Interval]) -> None:
        self.text, self.values = text, values
        self.compared: list[frozenset[str]] = []
        self.tokens = self._tokens()
        self.at = self.depth = 0

    def _tokens(self) -> list[tuple[str, str, int]]:
        found, at = [], 0
        end = len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None or match.lastgroup is None:
                raise ExpressionError(f"{self.text[at:].strip()[:1]!r} is no part of an expression", at)
            found.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            at = match.end()
            if len(found) > _MAX_TERMS:
                raise ExpressionError(f"an expression of more than {_MAX_TERMS} words and signs", at)
        return [*found, ("end", "", end)]

    def take(self, *marks: str) -> str | None:
        kind, text, _ = self.tokens[self.at]
        if kind == "mark" and text in marks:
            self.at += 1
            return text
        return None

    def expect(self, mark: str) -> None:
        if self.take(mark) is None:
            raise ExpressionError(f"{mark!r} is missing", self.tokens[self.at][2])

    def whole(self) -> Interval:
        result = self.sum()
        if self.tokens[self.at][0] != "end":
            raise ExpressionError("an operator is missing", self.tokens[self.at][2])
        return result

    def sum(self) -> Interval:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise ExpressionError("nested too deep", self.tokens[self.at][2])
        result = self.term()
        while mark := self.take("+", "-", "−"):
            at = self.tokens[self.at][2]
            term = self.term()
            _alike([result, term], at)
            result = add(result, term) if mark == "+" else self.noted(subtract(result, term), result, term)
        self.depth -= 1
        return result

    def term(self) -> Interval:
        result = self.signed()
        while mark := self.take("*", "×", "/", "÷"):
            at = self.tokens[self.at][2]
            factor = self.signed()
            result = multiply(result, factor) if mark in "*×" else self.quotient(result, factor, at)
        return result

    def quotient(self, a: Interval, b: Interval, at: int) -> Interval:
        try:
            return self.noted(divide(a, b), a, b)
        except ZeroDivisionError:
            raise ExpressionError("the divisor may be zero", at) from None

    def noted(self, result: Interval, a: Interval, b: Interval) -> Interval:
        """Note that two parts are set against each other."""
        if a.names and b.names:
            self.compared.append(a.names | b.names)
        return result

    def signed(self) -> Interval:
        return subtract(exact(0), self.atom()) if self.take("-", "−") else self.atom()

    def atom(self) -> Interval:
        if self.take("("):
            result = self.sum()
            self.expect(")")
            return result
        kind, text, at = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            if text not in UNIT_FACTORS:
                raise ExpressionError(f"{text} is a literal: make it an input with a reason", at)
            return exact(Fraction(text))
        if kind == "name":
            return self.call(text, at) if self.tokens[self.at][1] == "(" else self.value(text, at)
        raise ExpressionError("a name, a function or a bracket is missing", at)

    def value(self, name: str, at: int) -> Interval:
        if name not in self.values:
            raise ExpressionError(f"{name!r} is no input of the relation", at)
        return replace(self.values[name], names=frozenset({name}))

    def call(self, name: str, at: int) -> Interval:
        if name not in _FUNCTIONS:
            raise ExpressionError(f"{name!r} is no function; known: {', '.join(_FUNCTIONS)}", at)
        self.expect("(")
        items = [self.sum()]
        while self.take(","):
            items.append(self.sum())
        self.expect(")")
        least, most, function = _FUNCTIONS[name]
        if not least <= len(items) <= most:
            raise ExpressionError(f"{name} takes {least if least == most else f'{least} to {most}'} arguments", at)
        if name in _LIKE:
            _alike(items, at)
        try:
            result = function(items)
            return self.noted(result, *items) if name in {"ratio", "percent_change"} else result
        except ZeroDivisionError:
            raise ExpressionError("the divisor may be zero", at) from None


def names_in(text: str) -> frozenset[str]:
    """Return the names an expression uses, functions aside; empty where it cannot be read."""
    return frozenset(m["name"] for m in _TOKEN.finditer(text) if m["name"]) - _FUNCTIONS.keys()

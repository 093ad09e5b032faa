"""JSON as result files hold it → values with their digits, and the place of each. For documents that are cited.

A record is read by parse.py, which is strict. A cited file cannot be mended, so here NaN and Infinity are values of
their own, an exponent is read, and a file of JSON lines is read line by line. Nothing is rounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, Final

from .locate import first_deeper, json_tokens
from .parse import MAX_DEPTH, MAX_DIGITS
from .pointers import at_pointer, leads_somewhere


class NotJson(Exception):
    """A text that is no JSON; `offset` is the character at which that shows, the text is for a person."""

    def __init__(self, offset: int, message: str) -> None:
        """Keep the place and the words."""
        self.offset = offset
        super().__init__(message)


class Literal(Decimal):
    """A number with the digits of its file: 1e-05 is 0.00001 and `written` is "1e-05"."""

    written: str

    def __new__(cls, written: str) -> Literal:
        """Read a JSON number. Raises decimal.InvalidOperation where it overflows any arithmetic."""
        made = super().__new__(cls, written)
        made.written = written
        return made

    @property
    def has_exponent(self) -> bool:
        """Whether the file writes it with an exponent."""
        return "e" in self.written.lower()


class NonFinite(str):
    """NaN, Infinity or -Infinity, which some tools write though JSON has no such number."""

    __slots__ = ()


@dataclass(frozen=True)
class Tree:
    """One JSON value: its data, and the offsets of keys that stand twice in one object."""

    text: str
    data: Any
    has_duplicates: bool

    def offset(self, pointer: str) -> int:
        """Return where the value at a pointer starts, or its nearest parent that exists."""
        places = _places(self.text)
        while pointer and pointer not in places:
            pointer = pointer.rpartition("/")[0]
        return places.get(pointer, 0)

    def raw(self, pointer: str) -> str:
        """Return the value at a pointer as the file writes it."""
        start = self.offset(pointer)
        return self.text[start : json.JSONDecoder(strict=False).raw_decode(self.text, start)[1]]

    def holds(self, pointer: str) -> bool:
        """Tell whether a pointer leads to a value, be it null."""
        return leads_somewhere(self.data, pointer) if pointer else True

    def at(self, pointer: str) -> Any:
        """Return what a pointer leads to, or None."""
        return at_pointer(self.data, pointer)

    def duplicate(self) -> tuple[int, str]:
        """Return the offset and the raw text of the first key that stands twice; (0, "") where none does."""
        seen: set[str] = set()
        for token in json_tokens(self.text):
            if token.is_key and token.pointer in seen:
                return token.start, token.raw
            if token.is_key:
                seen.add(token.pointer)
        return 0, ""


@lru_cache(maxsize=8)
def read(text: str) -> Tree:
    """Read one JSON value. Raises NotJson."""
    duplicates: list[bool] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            duplicates.append(True)
        return found

    deeper = first_deeper(text, MAX_DEPTH)
    if deeper is not None:
        raise NotJson(deeper, f"nested deeper than {MAX_DEPTH} levels")
    try:
        data = json.loads(
            text, object_pairs_hook=pairs, parse_float=_number, parse_int=_number, parse_constant=NonFinite
        )
    except json.JSONDecodeError as error:
        raise NotJson(error.pos, f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
    return Tree(text, data, bool(duplicates))


def _number(written: str) -> Any:
    """Return a number; text, which no measurement can be, where it has more digits than one can have."""
    try:
        found = Literal(written)
    except InvalidOperation:
        return written
    adjusted = abs(found.adjusted()) if found.is_finite() and found else 0
    return written if max(len(written), adjusted) > MAX_DIGITS else found


@lru_cache(maxsize=8)
def _places(text: str) -> dict[str, int]:
    return {token.pointer: token.start for token in json_tokens(text) if not token.is_key}


def lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield number (from 1), offset and text of each line that is not blank."""
    offset = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, offset, line
        offset += len(line) + 1


WRITTEN: Final = {None: "null", True: "true", False: "false"}


def written(value: Any) -> str | None:
    """Return a scalar as its file writes it, text without its quotes; None for an object or a list."""
    if value is None or isinstance(value, bool):
        return WRITTEN[value]
    if isinstance(value, Literal):
        return value.written
    return str(value) if isinstance(value, str | Decimal) else None

"""The claim lock ID.claims.json: one line per number of the prose, with its anchor, class and field.

Bytes are the same for the same claims; a hand may edit a line, and `check` proves it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ..fields import Part, Text, Whole

Class = Literal["claim", "derived", "count", "name", "date", "plain", "open"]
FORMAT: Final = 1
CLASSES: Final[tuple[Class, ...]] = get_args(Class)


class Anchor(NamedTuple):
    """Where a number stands: prose field, section, left and right words, ordinal among equal ones from 0."""

    field: str
    section: str
    left: str
    right: str
    ordinal: int


class Entry(Part):
    """One number of the prose. `pointer` names a field of the record; `row` is the label of the part it lies in."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)

    field: Text = Field(description="JSON pointer of the prose field, or body, body alt, body caption.")
    section: str = Field("", description="Id of the heading above, in a body.")
    left: str = Field("", description="The words before it in its sentence, numbers and units masked; four at most.")
    right: str = Field("", description="The words behind it and its unit, numbers and units masked; four at most.")
    ordinal: Whole = Field(0, description="Which of those with equal words it is, from 0.")
    sentence: str = Field("", description="Fingerprint of the words of its sentence, numbers and units masked.")
    written: Text = Field(description="The number as the prose writes it.")
    unit: str = Field("", description="The unit word beside it, in its usual spelling.")
    cls: Class = Field(alias="class", description="claim, derived, count, name, date, plain or open.")
    pointer: Text | None = Field(None, description="JSON pointer of the field it states.")
    row: str = Field("", description="Label of the part of the record that the pointer leads into.")
    reason: str = Field("", description="Why it needs no field; needed for plain, and for count without one.")
    fits: tuple[Text, ...] = Field((), description="Fields that might be meant, for an open one.", strict=False)

    @property
    def anchor(self) -> Anchor:
        """Where the number stands."""
        return Anchor(self.field, self.section, self.left, self.right, self.ordinal)


def _known(number: int) -> int:
    if number != FORMAT:
        raise PydanticCustomError("schema-version", f"the format {number} is not known. Bind again, or write {FORMAT}")
    return number


class Count(Part):
    """How many slips of one kind were tried, how many were caught, how many nothing can tell apart."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    caught: Whole = Field(description="Slips that a check found.")
    tried: Whole = Field(description="Slips that were tried.")
    exempt: Whole = Field(0, description="Slips that change nothing a check could see; the command says which.")


class Mutated(Part):
    """What `mutate --write` measured on these very claims."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    claims: Text = Field(description="Fingerprint of the claims that were mutated.")
    kinds: dict[str, Count] = Field(description="Kind of slip and its counts.")


class Lock(Part):
    """The claims of one record, in the order of its prose, and how well they were tried."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: Annotated[Whole, AfterValidator(_known)] = Field(description=f"{FORMAT}.")
    mutated: Mutated | None = Field(None, description="Counts of the last mutation; dropped when a claim changes.")
    claims: tuple[Entry, ...] = Field(description="One line a number.", strict=False)


def text(entries: Iterable[Entry], mutated: Mutated | None = None) -> str:
    """Return the bytes of a lock: one line a claim, what is empty left out; counts of other claims are dropped."""
    lines = _lines(entries)
    counts = ""
    if mutated is not None and mutated.claims == _fingerprint(lines):
        counts = f'"mutated": {json.dumps(mutated.model_dump())},\n '
    return f'{{"format": {FORMAT}, {counts}"claims": [\n' + ",\n".join(lines) + "\n]}\n"


def fingerprint(entries: Iterable[Entry]) -> str:
    """Return what tells these claims from others."""
    return _fingerprint(_lines(entries))


def _lines(entries: Iterable[Entry]) -> list[str]:
    return [json.dumps(plain(entry), ensure_ascii=False) for entry in entries]


def _fingerprint(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def plain(entry: Entry) -> dict[str, Any]:
    """Return an entry as plain data, what is empty left out."""
    held = entry.model_dump(by_alias=True)
    return {k: list(v) if isinstance(v, tuple) else v for k, v in held.items() if v}

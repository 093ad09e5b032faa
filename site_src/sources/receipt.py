"""The verification receipt ID.verified.json: what was found of each source and each value, when, and how.

It holds hashes, line numbers and short cells; no prose of a document. Its dates are the only clock of the project.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ..fields import Date, Line, Part, Sha256, Text, Whole

FORMAT: Final = 1
Outcome = Literal[
    "verified", "line-moved", "value-absent", "hash-differs", "drifted", "unreachable", "not-checked"
]  # fmt: skip
How = Literal["snapshot", "clone", "network"]


class Checked(Part):
    """What was found of one source. `pin` is the hash that the record declares, `sha256` that of the bytes read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    source: Text = Field(description="pinned_url of the source.")
    pin: Sha256 = Field(description="SHA-256 that the record declares.")
    outcome: Outcome = Field(description="verified, hash-differs, drifted, unreachable or not-checked.")
    obtained: How | None = Field(None, description="Where the bytes came from: snapshot, clone or network.")
    on: Date | None = Field(None, description="When they were read.")
    sha256: Sha256 | None = Field(None, description="SHA-256 of the bytes that were read.")
    size: Whole | None = Field(None, description="How many bytes they are.")
    swhid: Text | None = Field(None, description="Software Heritage identifier of the bytes.")
    reason: Text | None = Field(None, description="Why they could not be had.")


class Found(Part):
    """What was found of one value. `section` numbers the headings of the document; no words of it are kept."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    pointer: Text = Field(description="JSON pointer of the evidence in the record.")
    asked: Text = Field(description="Digest of what was asked; the answer holds as long as the record asks the same.")
    outcome: Outcome = Field(description="verified, line-moved, value-absent, or what its source came to.")
    value: Text | None = Field(None, description="The value that was looked for, in the unit of the document.")
    line: Line | None = Field(None, description="Line on which the value stands.")
    cell: Text | None = Field(None, description="The number and unit as the document prints them.")
    section: Whole | None = Field(None, description="How many headings stand above that line.")


def _known(number: int) -> int:
    if number != FORMAT:
        raise PydanticCustomError("schema-version", f"the format {number} is not known. Verify again")
    return number


class Receipt(Part):
    """What verifying one record came to."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: Annotated[Whole, AfterValidator(_known)] = Field(description=f"{FORMAT}.")
    sources: tuple[Checked, ...] = Field(description="One line a source, in the order of the record.", strict=False)
    values: tuple[Found, ...] = Field(description="One line a value, in the order of the record.", strict=False)
    unlined: tuple[Text, ...] = Field(
        (), description="Conditions without a line whose number is not in the section of their value.", strict=False
    )


def text(receipt: Receipt) -> str:
    """Return the bytes of a receipt: one line a source and a value, what is empty left out."""
    sources, values = _lines(receipt.sources), _lines(receipt.values)
    unlined = ",\n".join(json.dumps(pointer, ensure_ascii=False) for pointer in receipt.unlined)
    rest = f',\n "unlined": [\n{unlined}\n]' if unlined else ""
    return f'{{"format": {FORMAT},\n "sources": [\n{sources}\n],\n "values": [\n{values}\n]{rest}}}\n'


def _lines(parts: Sequence[Part]) -> str:
    held = ({k: v for k, v in part.model_dump().items() if v is not None} for part in parts)
    return ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in held)

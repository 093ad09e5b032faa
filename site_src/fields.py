"""The scalar types of a record and what its parts share. Numbers are `Decimal`, which keeps the digits as written."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?")
_VERSION = re.compile(r"1\.[01]\.\d+")
_NULL_REASON = re.compile(r"not_reported|not_applicable|not_run(_\w+)?")


def _date(text: str) -> str:
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        date.fromisoformat(text[:10])
        datetime.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError(
            "malformed-date", "not a date: {text}. Write 2026-10-18 or 2026-10-18T09:30:00Z", {"text": text}
        ) from None
    return text


def _sha256(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise PydanticCustomError("malformed-sha256", "not a SHA-256: 64 lower-case hexadecimal digits are expected")
    return text


def _whole(value: object) -> object:
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return value


def version(text: str) -> str:
    """Return the version of the format, if it is one this code reads."""
    if not _VERSION.fullmatch(text):
        raise PydanticCustomError(
            "schema-version", "version {text} of the format is not known. Write 1.0.0 or 1.1.0", {"text": text}
        )
    return text


def _null_reason(text: str) -> str:
    if not _NULL_REASON.fullmatch(text):
        raise PydanticCustomError(
            "null-reason", "a null is not_reported, not_run_REASON or not_applicable. Write one of the three"
        )
    return text


Text = Annotated[str, StringConstraints(min_length=1)]
Version = Annotated[
    Text, AfterValidator(version), WithJsonSchema({"type": "string", "pattern": f"^{_VERSION.pattern}$"})
]
Number = Annotated[Decimal, WithJsonSchema({"type": "number"})]
# The bound stands before the validator: behind it the JSON Schema would not say `minimum`.
Whole = Annotated[int, Field(ge=0), BeforeValidator(_whole)]
Line = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
Step = Annotated[Decimal, Field(gt=0), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
Runs = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
Places = Annotated[int, Field(ge=0, le=12), BeforeValidator(_whole)]
Date = Annotated[str, AfterValidator(_date), WithJsonSchema({"type": "string", "pattern": f"^{_DATE.pattern}$"})]
Sha256 = Annotated[str, AfterValidator(_sha256), WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})]
NullReason = Annotated[
    str,
    AfterValidator(_null_reason),
    WithJsonSchema({"type": "string", "pattern": f"^({_NULL_REASON.pattern})$"}),
]
Free = dict[str, Any]


_GIVEN = "__pydantic_fields_set__"


class Part(BaseModel):
    """What all parts of a record share: unknown keys kept, no coercion, no change after the check."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    @property
    def unknown(self) -> Free:
        """The keys this version does not know, in the order of the record."""
        return self.model_extra or {}

    def __getstate__(self) -> dict[Any, Any]:
        """Give what is kept of it: the set of given fields in order, so that equal parts are kept as equal bytes."""
        state = super().__getstate__()
        return {**state, _GIVEN: sorted(state[_GIVEN])}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        """Take what was kept of it."""
        super().__setstate__({**state, _GIVEN: set(state[_GIVEN])})

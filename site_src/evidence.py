"""The additions of format 1.1 that tie values to lines and to each other: evidence, campaigns, relations."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from .fields import Date, Free, Line, Number, Part, Places, Step, Text


class Evidence(Part):
    """Where a value stands: a document of this record, a line or a JSON pointer in it, the cell as printed."""

    document: Text = Field(description="document_id of a source of this record.")
    line: Line | None = Field(None, description="Line in the document, from 1.")
    pointer: Text | None = Field(None, description="JSON pointer in the document, if it is JSON.")
    exact: Text | None = Field(None, description="The cell as the document prints it.")
    column: Text | None = Field(None, description="Head of the column, where words do not tell it.")
    unit: Text | None = Field(None, description="Unit in which the document holds the value, if it is another one.")


class Printing(Part):
    """The same value as another document prints it, with that document's digits and unit."""

    value: Number = Field(description="The value with the digits of that document.")
    unit: Text = Field(description="Its unit there.")
    evidence: Evidence = Field(description="Where it stands.")


class Campaign(Part):
    """One series of runs: conditions that its results share. With `factors` it is a declared matrix."""

    id: Text = Field(description="Name by which results refer to it.")
    label: Text = Field(description="Short name in words.")
    conditions: Free = Field(default_factory=dict, description="Conditions of every result of the campaign.")
    factors: tuple[Text, ...] = Field((), description="Conditions that the matrix varies.", strict=False)
    evidence: Evidence | None = Field(None, description="Where the document tells of the campaign.")


class Input(Part):
    """One input of a relation: a field of this record, or a literal with the reason for it."""

    pointer: Text | None = Field(None, description="JSON pointer to a number of this record.")
    literal: Number | None = Field(None, description="A number that stands in no field.")
    reason: Text | None = Field(None, description="Why the literal may be used; needed with one.")
    resolution: Step | None = Field(None, description="Smallest step; whole numbers are exact without it.")

    @model_validator(mode="after")
    def _one_of_two(self) -> Input:
        if (self.pointer is None) == (self.literal is None) or (self.literal is not None and self.reason is None):
            raise PydanticCustomError(
                "relation-input", "an input is a pointer, or a literal with a reason. Write one of the two"
            )
        return self


class Stated(Part):
    """A printed result of a relation's arithmetic."""

    value: Number = Field(description="The number as printed.")
    by: Literal["source", "site"] = Field(description="Who printed it: the source, or this site.")
    pointer: Text | None = Field(None, description="JSON pointer to the field that holds it, if one does.")
    evidence: Evidence | None = Field(None, description="Where the source prints it.")


class Relation(Part):
    """Arithmetic over fields, recomputed inside the rounding intervals of its inputs."""

    id: Text = Field(description="Name by which key figures, profiles and the envelope refer to it.")
    label: Text = Field(description="What the result is, in words.")
    expr: Text = Field(description="Expression over the names of the inputs: + - * / ( ) sum min max mean count ratio.")
    inputs: dict[str, Input] = Field(description="The names and where their numbers come from.")
    unit: Text = Field(description="Unit of the result; 1 for a plain number.")
    places: Places | None = Field(None, description="Decimals that are shown; those of the stated value without it.")
    stated: Stated | None = Field(None, description="The result as somebody printed it.")
    comparable: bool = Field(True, description="Whether the computed and the stated value are one quantity.")
    reason: Text | None = Field(None, description="Why they are not; needed where they are not.")

    @model_validator(mode="after")
    def _reason_given(self) -> Relation:
        if not self.comparable and self.reason is None:
            raise PydanticCustomError("relation-input", "a relation that is not comparable needs its reason. Write it")
        return self


class Comparison(Part):
    """Matched pairs inside one matrix: results that differ in one factor only, in record order."""

    id: Text = Field(description="Name by which a body asks for the table.")
    label: Text = Field(description="What is compared, in words.")
    campaign: Text = Field(description="The matrix.")
    metric: Text = Field(description="The metric compared.")
    factor: Text = Field(description="The condition that differs.")
    first: Any = Field(description="Its value in the first result of each pair.")
    second: Any = Field(description="Its value in the second.")
    moves_with: tuple[Text, ...] = Field((), description="Conditions that change with the factor.", strict=False)
    show: Literal["difference", "ratio", "percent_change"] = Field(description="Second against first.")
    places: Places = Field(description="Decimals that are shown.")


class KeyFigure(Part):
    """One figure under the short answer: a field or a relation, with the words that make it readable."""

    pointer: Text | None = Field(None, description="JSON pointer to a result of this record, or to a number in it.")
    relation: Text | None = Field(None, description="Id of a relation, shown as derived.")
    label: Text = Field(description="What it is.")
    unit: Text | None = Field(None, description="Unit, if the field does not tell it.")
    note: Text | None = Field(None, description="Denominator, window or scope in words.")

    @model_validator(mode="after")
    def _one_of_two(self) -> KeyFigure:
        if (self.pointer is None) == (self.relation is None):
            raise PydanticCustomError("relation-input", "a key figure is a pointer or a relation. Write one of the two")
        return self


class Change(Part):
    """One entry of the page's changelog."""

    date: Date = Field(description="When.")
    what: Text = Field(description="What was changed.")
    why: Text = Field(description="Why.")

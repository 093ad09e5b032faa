"""The parts of a capacity interpretation, the second kind of record in format 1.1."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .evidence import Evidence
from .fields import Number, Part, Text, Whole


class Claim(Part):
    """One kind of claim that is kept apart from the others."""

    title: Text = Field(description="Name of the claim.")
    text: Text = Field(description="What it says, and what it does not.")


class Depth(Part):
    """The deepest request that was measured in a profile."""

    requests: Whole = Field(description="Requests submitted together.")
    prompt_tokens: Number = Field(description="Prompt tokens of each, as counted.")
    note: Text | None = Field(None, description="What the artifact shows about it.")
    evidence: Evidence | None = Field(None, description="Where it stands.")


class Profile(Part):
    """One configuration: what its scheduler admits, what its pool holds, what was measured."""

    id: Text = Field(description="Name of the profile.")
    label: Text = Field(description="Its name in words.")
    scheduler_ceiling: Whole = Field(description="Requests that the scheduler admits.")
    pool_tokens: Number = Field(description="Tokens of the shared pool.")
    pool_state: Literal["configured", "reported"] = Field(description="Whether the pool was set or reported.")
    window_tokens: Number = Field(description="Tokens of one configured window.")
    windows: Text = Field(description="Id of the relation that divides pool by window.")
    deepest: Depth = Field(description="Deepest measured request.")
    short_evidence: Text = Field(description="What short concurrent requests showed, in words.")
    evidence: Evidence | None = Field(None, description="Where the profile stands.")


class EnvelopeRow(Part):
    """One planning row: tokens of all requests together, what the pool would have left."""

    label: Text = Field(description="Name of the candidate.")
    allowance: Text = Field(description="Prompt and output allowance in words.")
    combined: Text = Field(description="Id of the relation that adds the tokens.")
    remaining: Text = Field(description="Id of the relation that subtracts them from the pool.")
    status: Text = Field(description="What is known about it, in words.")
    evidence: Evidence | None = Field(None, description="Where it stands.")


class NamedSource(Part):
    """A document that a source names and that is not pinned here."""

    name: Text = Field(description="Its path or title.")
    why: Text = Field(description="What it would show, and why it is not pinned.")

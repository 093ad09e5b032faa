"""What every importer yields: runs of measured quantities, each with the place in the file where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .result_file import ResultFile


@dataclass(frozen=True)
class Spot:
    """Where something stands in a file: the line from 1, and a JSON pointer or the head of a column.

    `exact` is the text as the file writes it, where value and digits alone do not tell it.
    """

    line: int
    pointer: str | None = None
    column: str | None = None
    exact: str | None = None


@dataclass(frozen=True)
class Quantity:
    """One value: what, how much, in which unit, which statistic of what, divided by what.

    `value` is None where the file has none; `null_reason` then says why, and `in_file` what stands there instead.
    `n` counts runs, never requests. `uncertainty` is a named dispersion with its place, or None.
    """

    metric: str
    unit: str
    statistic: str
    value: Decimal | None
    spot: Spot
    divided_by: str | None = None
    n: int | None = None
    uncertainty: Mapping[str, Any] | None = None
    null_reason: str | None = None
    in_file: str | None = None
    value_text: str | None = None
    conditions: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """One run: a short name, its conditions with the place of each that has one, and what was measured."""

    label: str
    quantities: tuple[Quantity, ...]
    conditions: Mapping[str, Any] = field(default_factory=dict)
    spots: Mapping[str, Spot] = field(default_factory=dict)


@dataclass(frozen=True)
class Imported:
    """What one file holds. `notes` are sentences for the editor; `title` and `body` come from a document in prose."""

    runs: tuple[Run, ...]
    notes: tuple[str, ...] = ()
    title: str | None = None
    body: str | None = None


@dataclass(frozen=True)
class Format:
    """One format: its name on the command line, its tool, how to know a file of it, and how to read one.

    `writes_non_finite` tells that its tool is known to write NaN or Infinity; `is_json` that the file is JSON.
    """

    name: str
    tool: str
    recognise: Callable[[ResultFile], bool]
    read: Callable[[ResultFile], Imported]
    writes_non_finite: bool = False
    is_json: bool = True

"""Which figure an image name asks for, and the figures a record can show at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final, get_args

from . import select_capacity, select_cases, select_curve, select_hero, select_memory, select_rates
from .asked import Asked
from .spec import FigureSpec, Kind

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ENDINGS: Final[dict[str, Kind]] = {
    "-hero": "hero",
    "-rates": "rates",
    "-memory-scope": "memory",
    "-failure": "incident",
    "-matrix": "matrix",
    "-capacity": "capacity",
}
NEEDS: Final[dict[Kind, str]] = {
    "hero": "a record",
    "rates": "two neighbouring results of one metric, unit, denominator and statistic",
    "memory": "a value in a byte unit",
    "incident": "a case report with an error",
    "matrix": "a case report with cells that hold numbers",
    "capacity": "profiles",
    "curve": "an entry in the figures sidecar with a numeric condition x",
}
FORMATS: Final = (".webp", ".png", ".svg")
_SELECT: Final[dict[Kind, Callable[[Asked], FigureSpec | None]]] = {
    "hero": select_hero.select,
    "rates": select_rates.select,
    "memory": select_memory.select,
    "incident": select_cases.select_incident,
    "matrix": select_cases.select_matrix,
    "capacity": select_capacity.select,
    "curve": select_curve.select,
}


def stem_of(name: str) -> str:
    """Return an image name without its ending."""
    return PurePosixPath(name).stem


def kind_of(name: str) -> Kind | None:
    """Return the kind of figure that an image name's ending tells, or None."""
    stem = stem_of(name)
    return next((kind for ending, kind in ENDINGS.items() if stem.endswith(ending)), None)


def select(asked: Asked, kind: Kind) -> FigureSpec | None:
    """Return the figure of one kind: the declared selection, else the record's default one; None for nothing.

    Raises CannotSelectError where a declaration cannot be met.
    """
    return _SELECT[kind](asked)

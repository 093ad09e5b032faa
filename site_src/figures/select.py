"""Which figure an image name asks for, and the figures a record can show at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final, get_args

from ..model import Record
from . import select_cases, select_hero, select_memory, select_rates
from .spec import FigureSpec, Kind

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ENDINGS: Final[dict[str, Kind]] = {
    "-hero": "hero",
    "-rates": "rates",
    "-memory-scope": "memory",
    "-failure": "incident",
    "-matrix": "matrix",
}
FORMATS: Final = (".webp", ".png", ".svg")
_SELECT: Final[dict[Kind, Callable[[Record, str], FigureSpec | None]]] = {
    "rates": select_rates.select,
    "memory": select_memory.select,
    "incident": select_cases.select_incident,
    "matrix": select_cases.select_matrix,
}


def stem_of(name: str) -> str:
    """Return an image name without its ending."""
    return PurePosixPath(name).stem


def kind_of(name: str) -> Kind | None:
    """Return the kind of figure that an image name's ending tells, or None."""
    stem = stem_of(name)
    return next((kind for ending, kind in ENDINGS.items() if stem.endswith(ending)), None)


def select(record: Record, kind: Kind, stem: str, site: str) -> FigureSpec | None:
    """Return the figure of one kind that a record's default selection gives; None where it selects nothing."""
    if kind == "hero":
        return select_hero.select(record, stem, site)
    return _SELECT[kind](record, stem)

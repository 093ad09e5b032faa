"""What a figure shows, as values ready to draw: the texts printed and the positions they stand for.

A spec is made from one record by `select`; the drawing modules only place it. Texts are the record's own
digits; `at` is the same number as a float and serves geometry alone, never a label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..interface import Words

Kind = Literal["hero", "rates", "memory", "incident", "matrix", "capacity", "curve"]


@dataclass(frozen=True)
class Plotted:
    """One number: the digits printed and its place on the axis."""

    text: str
    at: float


@dataclass(frozen=True)
class Note:
    """A short text beside a mark; `muted` for the words of a null."""

    text: str
    muted: bool = False


@dataclass(frozen=True)
class RateRow:
    """One result in a rates figure. `series` is 0 or 1 by hue and shape, 2 and above are drawn in ink."""

    label: str
    value: Plotted
    series: int
    filled: bool
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class RateGroup:
    """Rows that share the grouping condition; `label` may be empty where there is only one group."""

    label: str
    rows: tuple[RateRow, ...]


@dataclass(frozen=True)
class Rates:
    """Values of one metric, unit, denominator and statistic. `note_heads` head the notes of every row."""

    unit: str
    groups: tuple[RateGroup, ...]
    note_heads: tuple[str, ...]
    key: str


@dataclass(frozen=True)
class Reading:
    """One memory reading; `facets` has one text per facet name of the figure."""

    value: str
    unit: str
    quantity: Literal["free", "used", ""]
    facets: tuple[str, ...]


@dataclass(frozen=True)
class Memory:
    """Readings side by side, facet by facet; `missing` names what no source reports."""

    facet_names: tuple[str, ...]
    readings: tuple[Reading, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One box of a sequence in order, not in time."""

    heading: str
    lines: tuple[str, ...]
    alert: bool


@dataclass(frozen=True)
class Gauge:
    """A share of its own pool, 0 to 1, before and at the event; None is a value nobody reported."""

    label: str
    note: str
    before: Plotted | None
    at_event: Plotted | None


@dataclass(frozen=True)
class Counted:
    """A count, with the limit it is a part of where one is configured."""

    label: str
    value: Plotted
    limit_label: str = ""
    limit: Plotted | None = None


@dataclass(frozen=True)
class Incident:
    """One failure: ordered steps, shares of pools, counts."""

    steps: tuple[Step, ...]
    gauges: tuple[Gauge, ...]
    counts: tuple[Counted, ...]


@dataclass(frozen=True)
class Cell:
    """One cell of a matrix panel: a value, or the words that say why there is none."""

    value: Plotted | None
    words: str = ""
    filled: bool = False


@dataclass(frozen=True)
class Panel:
    """One quantity in one unit over the columns of the matrix."""

    title: str
    unit: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Matrix:
    """Panels over the same columns; `axis` names the condition the columns step through."""

    axis: str
    columns: tuple[str, ...]
    panels: tuple[Panel, ...]
    key: str


@dataclass(frozen=True)
class HeroColumn:
    """One of up to three facts on the title card."""

    heading: str
    value: str
    words: str


@dataclass(frozen=True)
class Hero:
    """The title card: context line, title, facts, state, the name of the site."""

    tag: str
    context: str
    columns: tuple[HeroColumn, ...]
    state: str
    site: str


@dataclass(frozen=True)
class CapacityRow:
    """One profile. `windows` (derived) is the pool in full windows, `ceiling` the admitted requests, on one axis;
    `depth_share` is the deepest request as a part of one window, drawn once for each of `depth_requests`.
    """

    label: str
    pool: str
    windows: Plotted
    ceiling: Plotted
    depth: str
    depth_share: float
    depth_requests: int


@dataclass(frozen=True)
class Capacity:
    """Profiles one under another; `key` says what is derived and what a pool of tokens is not."""

    rows: tuple[CapacityRow, ...]
    axis: str
    key: str


@dataclass(frozen=True)
class CurvePoint:
    """One value over one numeric condition; without a value, `words` say why and no line passes it."""

    x: Plotted
    value: Plotted | None
    words: str = ""
    filled: bool = False


@dataclass(frozen=True)
class CurveSeries:
    """Points in order of their x."""

    label: str
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True)
class Curve:
    """One quantity in one unit over one condition."""

    x_label: str
    unit: str
    series: tuple[CurveSeries, ...]
    key: str


Content: TypeAlias = Rates | Memory | Incident | Matrix | Hero | Capacity | Curve


@dataclass(frozen=True)
class FigureSpec:
    """A figure to draw. `stem` names its files and its SVG ids; `desc` holds every plotted value in words.

    `say` are the words that the drawing writes by itself. They stand here, and not in the drawing, so that the hash of
    a spec tells all that is drawn.
    """

    stem: str
    kind: Kind
    title: str
    subtitle: str
    source: str
    desc: str
    content: Content
    say: Words


@dataclass(frozen=True)
class Drawn:
    """The finished files of one figure; sizes are (width, height) in CSS px of the two SVG cuts.

    `thumb` is a small WebP of a title card for lists of guides; other kinds have none.
    """

    wide: bytes
    narrow: bytes
    webp: bytes
    png: bytes
    thumb: bytes
    wide_size: tuple[int, int]
    narrow_size: tuple[int, int]
    raster_size: tuple[int, int]


class FigureLint(Exception):
    """The drawing broke layout rules (collision, overflow, size, contrast, glyph); `faults` names each."""

    def __init__(self, stem: str, faults: tuple[str, ...]) -> None:
        """Keep the faults in drawing order."""
        self.stem, self.faults = stem, faults
        super().__init__(f"{stem}: {'; '.join(faults)}")

    def __reduce__(self) -> tuple[type[FigureLint], tuple[str, tuple[str, ...]]]:
        """Survive the way back from a drawing process."""
        return type(self), (self.stem, self.faults)

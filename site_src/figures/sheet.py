"""The drawing surface: texts and marks at explicit places, recorded before anything is painted.

1 unit is 1 CSS px at the figure's design width, y grows downwards, texts sit on baselines. Recording is cheap:
a figure is laid out once to learn its height and once at that height. `lint` reads the record, `paint` draws it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ..interface import Words
from .fonts import Typeface
from .style import LINE, Type

Align: TypeAlias = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Label:
    """One line of text. `knocks` clears the grid behind it in the colour of `ground`."""

    text: str
    x: float
    y: float
    kind: Type
    ground: str
    group: int
    knocks: bool
    width: float
    top: float
    bottom: float

    @property
    def right(self) -> float:
        """Right end of the advance, px."""
        return self.x + self.width


@dataclass(frozen=True)
class Stroke:
    """A straight line. A `solid` one is a mark no text may touch, another can be knocked out."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    width: float
    solid: bool
    layer: float


@dataclass(frozen=True)
class Shape:
    """A filled or outlined area: a box, rounded by `radius` (half the side makes a disc), or `corners`."""

    box: tuple[float, float, float, float]
    fill: str | None
    edge: str | None
    width: float
    layer: float
    solid: bool
    radius: float = 0.0
    dashed: bool = False
    corners: tuple[tuple[float, float], ...] = ()


class Sheet:
    """Records one cut of one figure.

    `need` is the height the content asks for, `spare` what it may spread over the plot besides, both px. `say` are the
    words of the drawing.
    """

    def __init__(self, face: Typeface, say: Words, width: float, height: float, margin: float, floor: float) -> None:
        """Start an empty sheet; `margin` is kept free of text at both sides, `floor` is the least type size."""
        self.face, self.say, self.width, self.height = face, say, width, height
        self.margin, self.floor, self.need, self.spare = margin, floor, height, 0.0
        self.labels: list[Label] = []
        self.strokes: list[Stroke] = []
        self.shapes: list[Shape] = []
        self._group = 0

    @property
    def left(self) -> float:
        """Left edge of the content, px."""
        return self.margin

    @property
    def right(self) -> float:
        """Right edge of the content, px."""
        return self.width - self.margin

    def measure(self, text: str, kind: Type) -> float:
        """Width of one line, px."""
        return self.face.extent(tidy(text), kind.size, kind.weight).advance

    def text(
        self,
        x: float,
        y: float,
        text: str,
        kind: Type,
        *,
        align: Align = "left",
        ground: str = "page",
        knocks: bool = False,
        group: int | None = None,
    ) -> float:
        """Put one line with its baseline at `y`; gives the x where it ends."""
        line = tidy(text)
        if not line.strip():
            return x
        size = kind.size
        extent = self.face.extent(line, size, kind.weight)
        start = x - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * extent.advance
        top, bottom = y - max(extent.above, 0.76 * size), y + max(extent.below, 0.21 * size)
        number = self.new_group() if group is None else group
        self.labels.append(Label(line, start, y, kind, ground, number, knocks, extent.advance, top, bottom))
        return start + extent.advance

    def new_group(self) -> int:
        """Number for lines that belong together and may sit as close as lines of a paragraph do."""
        self._group += 1
        return self._group

    def lines(self, text: str, width: float, kind: Type) -> list[str]:
        """Break a text into lines of at most `width` px; a token that is wider alone breaks anywhere."""
        out: list[str] = []
        for paragraph in text.splitlines():
            line = ""
            for word in _words(paragraph):
                trial = f"{line} {word}" if line else word
                if self.measure(trial, kind) <= width:
                    line = trial
                    continue
                if line:
                    out.append(line)
                *full, line = self._broken(word, width, kind)
                out.extend(full)
            if line:
                out.append(line)
        return out

    def _broken(self, word: str, width: float, kind: Type) -> list[str]:
        pieces: list[str] = []
        while len(word) > 1 and self.measure(word, kind) > width:
            keep = max(1, int(len(word) * width / self.measure(word, kind)))
            while keep > 1 and self.measure(word[:keep], kind) > width:
                keep -= 1
            while keep > 1 and unicodedata.combining(word[keep]):
                keep -= 1
            # a break after a joint reads better than one inside a name, if it does not cost half the line
            joint = max((i + 1 for i, c in enumerate(word[:keep]) if c in "-/_.,:;="), default=0)
            keep = joint if joint * 2 > keep else keep
            pieces.append(word[:keep])
            word = word[keep:]
        return [*pieces, word]

    def para(
        self,
        x: float,
        y: float,
        text: str,
        width: float,
        kind: Type,
        *,
        align: Align = "left",
        ground: str = "page",
        knocks: bool = False,
    ) -> float:
        """Put a wrapped text with its first baseline at `y`; gives the baseline a next line would have."""
        group = self.new_group()
        for line in self.lines(text, width, kind):
            self.text(x, y, line, kind, align=align, ground=ground, knocks=knocks, group=group)
            y += kind.size * kind.leading
        return y

    def beside(
        self,
        x: float,
        middle: float,
        text: str,
        width: float,
        kind: Type,
        *,
        align: Align = "left",
        knocks: bool = False,
    ) -> None:
        """Put a wrapped text whose lines, 18 px apart, are centred on the height `middle` of a mark."""
        count = len(self.lines(text, width, kind))
        first = middle + 0.35 * kind.size - (count - 1) * LINE / 2
        set_at = replace(kind, leading=LINE / kind.size)
        self.para(x, first, text, width, set_at, align=align, knocks=knocks)

    def tall(self, text: str, width: float, kind: Type) -> float:
        """Height a wrapped text takes, px."""
        return len(self.lines(text, width, kind)) * kind.size * kind.leading

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str = "rule",
        width: float = 1.0,
        *,
        solid: bool = False,
        layer: float = 1.0,
    ) -> None:
        """Draw a straight line."""
        self.strokes.append(Stroke(start, end, colour, width, solid, layer))

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        edge: str | None = None,
        line: float = 1.3,
        radius: float = 0.0,
        dashed: bool = False,
        solid: bool = False,
        layer: float = 2.0,
    ) -> None:
        """Draw a box from its top left corner; `solid` makes it a mark no text may touch."""
        area = (x, y, width, height)
        self.shapes.append(Shape(area, fill, edge, line, layer, solid, radius, dashed))

    def polygon(
        self,
        corners: tuple[tuple[float, float], ...],
        *,
        fill: str | None,
        edge: str | None = None,
        line: float = 1.3,
        layer: float = 3.0,
        solid: bool = True,
    ) -> None:
        """Draw a closed area."""
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        area = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        self.shapes.append(Shape(area, fill, edge, line, layer, solid, corners=corners))


def _words(text: str) -> list[str]:
    """Split at plain spaces only: a no-break space keeps its neighbours together."""
    return [word for word in tidy(text).split(" ") if word]


def tidy(text: str) -> str:
    """Compose accents and turn control characters into spaces, so that nothing unseen moves the layout."""
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", text)
    return "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in composed)

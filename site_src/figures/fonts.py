"""Font files by path, never by name: which file draws which character, and how wide a text comes out.

A text is split into runs: Inter first, then the project's own fonts, then the DejaVu Sans inside matplotlib.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import matplotlib
from matplotlib.ft2font import FT2Font, LoadFlags, StyleFlags

from .style import BOLD, REGULAR

_REFERENCE = 100.0
"""Size at which widths are measured; unhinted advances scale linearly from it."""


class FontError(Exception):
    """A font file of the project cannot be opened; the message names the file."""


@dataclass(frozen=True)
class Run:
    """Characters in a row that one font file draws."""

    text: str
    file: str


@dataclass(frozen=True)
class Extent:
    """Advance, height above and depth below the baseline, in px of the size asked for."""

    advance: float
    above: float
    below: float


def font_folder() -> Path:
    """Find the bundled fonts: beside the package in a checkout, inside it in an installed wheel."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent / "assets" / "fonts"
    return checkout if checkout.is_dir() else package / "_bundle" / "assets" / "fonts"


class Typeface:
    """The fonts of one drawing, in the order in which they are asked for a character."""

    def __init__(self, folder: Path, extra: Path | None = None) -> None:
        """Open the bundled fonts of `folder` and every *.ttf and *.otf of `extra`, by file name."""
        shipped = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
        own: list[Path] = []
        if extra is not None and extra.is_dir() and extra.resolve() != folder.resolve():
            own = sorted(p for p in extra.iterdir() if p.suffix.lower() in {".ttf", ".otf"})
        bold = [p for p in own if StyleFlags.BOLD in _opened(str(p)).style_flags]
        plain = [p for p in own if p not in bold]
        regular = [folder / "Inter-400-fig.ttf", *plain, *bold, shipped / "DejaVuSans.ttf"]
        heavy = [folder / "Inter-700-fig.ttf", *bold, *plain]
        heavy += [shipped / "DejaVuSans-Bold.ttf", shipped / "DejaVuSans.ttf"]
        self._chains = {REGULAR: tuple(map(str, regular)), BOLD: tuple(map(str, heavy))}
        self._extents: dict[tuple[str, int], Extent] = {}

    def runs(self, text: str, weight: int) -> tuple[Run, ...]:
        """Split a text by the font that draws it; characters without ink that no font has are left out."""
        return _runs(text, self._chains[weight])

    def missing(self, text: str, weight: int) -> tuple[str, ...]:
        """Characters with ink that no font has, each once."""
        chain = self._chains[weight]
        return tuple(dict.fromkeys(c for c in text if not _inkless(c) and _file_of(c, chain) is None))

    def extent(self, text: str, size: float, weight: int) -> Extent:
        """Measure one line. Words are measured one by one, so a paragraph costs each word once."""
        words = text.split(" ")
        parts = [self._word(word, weight) for word in words]
        advance = sum(p.advance for p in parts) + (len(words) - 1) * self._word(" ", weight).advance
        scale = size / _REFERENCE
        return Extent(advance * scale, max(p.above for p in parts) * scale, max(p.below for p in parts) * scale)

    def _word(self, word: str, weight: int) -> Extent:
        known = self._extents.get((word, weight))
        if known is None:
            known = self._extents[word, weight] = _measured(word, self._chains[weight])
        return known


@lru_cache(maxsize=4)
def typeface(folder: Path, extra: Path | None) -> Typeface:
    """Share the opened fonts and the measured words between the figures of one process."""
    return Typeface(folder, extra)


@lru_cache(maxsize=64)
def _opened(file: str) -> FT2Font:
    try:
        return FT2Font(file)
    except (OSError, RuntimeError) as error:
        raise FontError(f"{Path(file).name}: not a readable font file") from error


# A forked process shares the open files of its parent, and with them the place at which both read: it opens its own.
os.register_at_fork(after_in_child=_opened.cache_clear)


@lru_cache(maxsize=64)
def _coverage(file: str) -> frozenset[int]:
    return frozenset(_opened(file).get_charmap())


def _file_of(character: str, chain: tuple[str, ...]) -> str | None:
    return next((file for file in chain if ord(character) in _coverage(file)), None)


def _inkless(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf"}


@lru_cache(maxsize=4096)
def _runs(text: str, chain: tuple[str, ...]) -> tuple[Run, ...]:
    files = [_file_of(c, chain) for c in text]
    for at in range(1, len(text)):
        # a combining mark must sit in its base's font, or it floats beside it
        if unicodedata.combining(text[at]):
            pair = {ord(text[at - 1]), ord(text[at])}
            both = next((file for file in chain if pair <= _coverage(file)), None)
            files[at - 1 : at + 1] = [both or files[at - 1], both or files[at]]
    _bridge(text, files, chain[0])
    out: list[Run] = []
    for character, file in zip(text, files, strict=True):
        if file is None and _inkless(character):
            continue
        chosen = file or chain[0]
        if out and out[-1].file == chosen:
            out[-1] = Run(out[-1].text + character, chosen)
        else:
            out.append(Run(character, chosen))
    return tuple(out)


def _bridge(text: str, files: list[str | None], first: str) -> None:
    """Give spaces and digits between right-to-left words the font of these words.

    The shaper orders words within a run only, so a run broken at each space would read backwards.
    """
    start: int | None = None
    for at, character in enumerate(text):
        if unicodedata.bidirectional(character) in {"R", "AL"}:
            between = range(start + 1, at) if start is not None else range(0)
            file = files[at]
            if file and file != first and all(ord(text[i]) in _coverage(file) for i in between):
                for i in between:
                    files[i] = file
            start = at
        elif unicodedata.bidirectional(character) == "L":
            start = None


def _measured(word: str, chain: tuple[str, ...]) -> Extent:
    advance, above, below = 0.0, 0.0, 0.0
    for run in _runs(word, chain):
        font = _opened(run.file)
        font.set_size(_REFERENCE, 72)
        # a character no font has is a fault to be named, not matplotlib's warning: let it take some room
        drawable = "".join(c if ord(c) in _coverage(run.file) else "0" for c in run.text)
        font.set_text(drawable, 0.0, flags=LoadFlags.NO_HINTING)
        width, height = font.get_width_height()
        depth = font.get_descent()
        advance += width / 64
        above, below = max(above, (height - depth) / 64), max(below, depth / 64)
    return Extent(advance, above, below)

"""Image names → figures and photos on a page: numbers, addresses, sizes, downloads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from . import fences, markup
from .check import Explainer
from .fences import FigureBlock
from .figures.spec import Drawn, FigureSpec, Kind
from .hrefs import Hrefs
from .interface import ENGLISH, Words
from .placing import ASSETS
from .prose import Picture
from .view import Figure, Photo, Ref

Drawings = Mapping[tuple[str, str], Drawn]
Sizes = Mapping[str, tuple[int, int]]
CUTS: Final = ("-wide.svg", "-narrow.svg")
_ALT_LENGTH: Final = 300


def addresses(name: str) -> dict[str, str]:
    """Return the site addresses of a figure's files by what they are; `promised` is the name itself."""
    stem = ASSETS + PurePosixPath(name).stem
    wide, narrow = (stem + cut for cut in CUTS)
    return {
        "wide": wide, "narrow": narrow, "webp": f"{stem}.webp", "png": f"{stem}.png", "csv": f"{stem}.csv",
        "thumb": f"{stem}-thumb.webp", "promised": ASSETS + name,
    }  # fmt: skip


def _alt(say: Words, spec: FigureSpec) -> str:
    """Return the words for a figure nobody described: every plotted value, or where they stand if they are many."""
    return spec.desc if len(spec.desc) <= _ALT_LENGTH else say("figure.beside", title=spec.title)


class Gallery:
    """The images of one page; figures are numbered in the order in which they are asked for."""

    def __init__(
        self,
        explainer: Explainer,
        drawings: Mapping[tuple[str, str], Drawn],
        sizes: Mapping[str, tuple[int, int]],
        hrefs: Hrefs,
        say: Words,
    ) -> None:
        """Take the drawn figures of all pages; only this page's are used."""
        self.explainer, self.drawings, self.sizes, self.hrefs, self.say = explainer, drawings, sizes, hrefs, say
        placed = explainer.placed
        self._specs = placed.english if say.tag == ENGLISH.tag else placed.figures
        self.numbered: dict[str, int] = {}
        pictures = explainer.body.pictures
        first = pictures[0] if pictures else None
        self._opening: Picture | None = first if first and first.src == ASSETS + explainer.hero else None

    def thumb(self) -> str:
        """Return the route of the title card in small, "" where it is a file of the project."""
        hero = self.explainer.hero
        return addresses(hero)["thumb"] if hero in self.explainer.placed.figures else ""

    @property
    def hero_in_body(self) -> bool:
        """Whether the body opens with the title card."""
        return self._opening is not None

    def is_opening(self, picture: Picture) -> bool:
        """Tell whether a picture is the title card that opens the body; it is shown above it."""
        return picture is self._opening

    def hero(self) -> Figure | Photo | None:
        """Return the title card, with the caption of the body or of the record."""
        explainer = self.explainer
        image = explainer.record.image
        card = self.say("figure.title_card", title=explainer.record.title)
        alt = self._opening.alt if self._opening else image.alt if image else card
        caption = self._caption(self._opening) if self._opening else ""
        if not caption and image and image.caption:
            caption = markup.text(image.caption)
        return self._show(explainer.hero, alt, caption, 0)

    def picture(self, picture: Picture) -> Figure | Photo:
        """Return an image of the body."""
        name = picture.src.removeprefix(ASSETS)
        number = self.numbered.setdefault(name, len(self.numbered) + 1)
        return self._show(name, picture.alt, self._caption(picture), number)

    def block(self, block: FigureBlock) -> Figure | Photo:
        """Return an image that a fenced block of the body places."""
        number = self.numbered.setdefault(block.name, len(self.numbered) + 1)
        return self._show(block.name, block.alt, markup.text(block.caption or ""), number)

    def extra(self, kind: Kind) -> tuple[Figure, ...]:
        """Return the figures of a kind that the body does not show."""
        body = self.explainer.body
        named = {p.src.removeprefix(ASSETS) for p in body.pictures} | {*fences.placed_figures(body)}
        return tuple(self._extra(named | {self.explainer.hero}, kind))

    def _extra(self, named: set[str], kind: str) -> Iterator[Figure]:
        for name, spec in self._specs.items():
            if spec.kind == kind and name not in named:
                number = self.numbered.setdefault(name, len(self.numbered) + 1)
                caption = markup.text(f"{spec.subtitle.removesuffix('.')}.")
                yield self._figure(name, spec, _alt(self.say, spec), caption, number)

    def _caption(self, picture: Picture | None) -> str:
        here = self.explainer.record.path
        return markup.inline_html(picture.caption, lambda h: self.hrefs.of_link(here, h)) if picture else ""

    def _show(self, name: str, alt: str, caption: str, number: int) -> Figure | Photo:
        spec = self._specs.get(name)
        if spec:
            return self._figure(name, spec, alt, caption, number)
        src = self.hrefs.to(self.explainer.record.path, ASSETS + name)
        return Photo(src, self.sizes[name], alt, caption)

    def _figure(self, name: str, spec: FigureSpec, alt: str, caption: str, number: int) -> Figure:
        drawn = self.drawings[self.explainer.record.id, name]
        href = {k: self.hrefs.to(self.explainer.record.path, a) for k, a in addresses(name).items()}
        width, height = drawn.raster_size
        downloads = (
            Ref(href["wide"], "SVG"),
            Ref(href["png"], f"PNG, {self.say.integer(width)} × {self.say.integer(height)}"),
            Ref(href["csv"], self.say("file.data")),
        )
        return Figure(
            id=f"fig-{number}" if number else "title-card",
            number=number,
            wide=href["wide"],
            narrow=href["narrow"],
            wide_size=drawn.wide_size,
            narrow_size=drawn.narrow_size,
            alt=alt,
            caption=caption,
            downloads=downloads,
        )

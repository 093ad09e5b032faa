"""Image names → what stands behind them: a file of the project, a declared figure, or one its name tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from . import fences, shape
from .derive import Derivations
from .fences import FigureBlock
from .figure_entries import FigureEntry, unread
from .figures import select
from .figures.asked import Asked, CannotSelectError
from .figures.spec import FigureSpec, Kind, Memory
from .interface import ENGLISH, Words
from .load import Document
from .model import Record
from .problems import Problem
from .prose import Body
from .urls import is_external

ASSETS = "/assets/"
Fault = tuple[str, str, str]


@dataclass(frozen=True)
class Placed:
    """The figures to draw and the files to copy for one page, by image name.

    `english` are the same figures in English: programs read their captions and values.
    """

    figures: dict[str, FigureSpec] = field(default_factory=dict)
    english: dict[str, FigureSpec] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    entries: dict[str, FigureEntry] = field(default_factory=dict)


@dataclass(frozen=True)
class Placing:
    """One page whose images are to be placed."""

    document: Document
    record: Record
    body: Body
    derivations: Derivations
    site: str
    assets: frozenset[str]
    say: Words

    def place(self) -> tuple[Placed, list[Problem]]:
        """Decide for each image of the page; then add the kinds of figure that no image names."""
        placed, problems = self._placed()
        if self.say.tag == ENGLISH.tag:
            return replace(placed, english=placed.figures), problems
        english, _ = replace(self, say=ENGLISH)._placed()
        return replace(placed, english=english.figures), problems

    def _placed(self) -> tuple[Placed, list[Problem]]:
        entries, problems = self._entries()
        if problems:
            return Placed(), problems  # what a broken entry would have drawn cannot be judged
        figures: dict[str, FigureSpec] = {}
        files: list[str] = []
        for src, place in self._wanted():
            name = src.removeprefix(ASSETS)
            found = self._behind(src, entries)
            if isinstance(found, tuple):
                problems.append(Problem(*place, *found))
            elif found:
                figures.setdefault(name, found)
            elif name not in files:
                files.append(name)
        figures.update(self._unnamed(figures, entries, problems))
        return Placed(figures, files=tuple(files), entries=entries), problems

    def _entries(self) -> tuple[dict[str, FigureEntry], list[Problem]]:
        document = self.document
        if document.figures_file is None:
            return {}, []
        checked = shape.figure_entries(document.figures_file, document.figures or {})
        if isinstance(checked, list):
            return {}, checked
        file, remedy = document.figures_file, "Remove it."
        unused = [
            Problem(file, f"/{name}/{key}", None, "unknown-key", f"a {e.kind} figure does not read `{key}`", remedy)
            for name, e in checked.items()
            for key in unread(e)
        ]
        return checked, unused

    def _wanted(self) -> Iterator[tuple[str, tuple[str, str, int | None]]]:
        """Yield every image name of the page with the place that names it, the title card first."""
        file, pointer = place_of_body(self.document)
        yield ASSETS + hero_name(self.record), (self.document.file, "/image/url", None)
        for picture in self.body.pictures:
            yield picture.src, (file, pointer, picture.offset)
        for offset, block in fences.placed(self.body):
            if isinstance(block, FigureBlock):
                yield ASSETS + block.name, (file, pointer, offset)

    def _behind(self, src: str, entries: Mapping[str, FigureEntry]) -> FigureSpec | Fault | None:
        """Return the figure behind an image name, None for a file of that name, or what is wrong."""
        name = src.removeprefix(ASSETS)
        if is_external(src):
            shown = src if len(src) < 80 else src[:79] + "…"
            return "foreign-image", f"the image {shown} does not lie in this site", "Put the file into assets/."
        if not src.startswith(ASSETS) or "/" in name:
            return "missing-asset", f"{src} is no image of this site", "Write /assets/NAME."
        entry = entries.get(name)
        if name in self.assets:
            clash = f"assets/{name} is a file and {self.document.figures_file} declares it"
            return ("two-images", clash, "Keep one of the two.") if entry else None
        kind: Kind | None = "hero" if name == hero_name(self.record) else select.kind_of(name)
        kind = entry.kind if entry else kind
        if kind is None:
            known = ", ".join(select.ENDINGS)
            message = f"no file assets/{name}, and its name tells no kind"
            return "unknown-image", message, f"End it in {known}, or declare it in a figures sidecar."
        if not name.endswith(select.FORMATS):
            return "image-format", f"{name} has no ending that can be drawn", "Use .webp, .png or .svg."
        return self._selected(name, kind, entry)

    def _selected(self, name: str, kind: Kind, entry: FigureEntry | None) -> FigureSpec | Fault:
        asked = Asked(self.record, select.stem_of(name), self.site, self.derivations, self.say, entry)
        try:
            found = select.select(asked, kind)
        except CannotSelectError as error:
            return error.code, f"{name}: {error}", "Select fewer or other values in its entry of the figures sidecar."
        needs = select.NEEDS[kind]
        return found or ("empty-figure", f"the record holds nothing to draw as {kind}", f"It needs {needs}.")

    def _unnamed(
        self, figures: Mapping[str, FigureSpec], entries: Mapping[str, FigureEntry], problems: list[Problem]
    ) -> dict[str, FigureSpec]:
        """Return declared figures that the page names nowhere, then default ones of kinds it does not show."""
        extra: dict[str, FigureSpec] = {}
        for name in entries.keys() - figures.keys():
            found = self._behind(ASSETS + name, entries)
            if isinstance(found, tuple):
                place = (self.document.figures_file or "", f"/{name}", None)
                problems.append(Problem(*place, *found))
            elif found:
                extra[name] = found
        shown = {s.kind for s in (*figures.values(), *extra.values())} | {"hero", "curve"}
        for kind in select.KINDS:
            if kind not in shown:
                asked = Asked(self.record, f"{self.record.id}-{kind}", self.site, self.derivations, self.say)
                spec = _unasked(asked, kind)
                extra |= {f"{spec.stem}.webp": spec} if spec else {}
        return dict(sorted(extra.items()))


def _unasked(asked: Asked, kind: Kind) -> FigureSpec | None:
    """Return a figure that nobody asked for, unless it were crowded or would only repeat one reading."""
    try:
        spec = select.select(asked, kind)
    except CannotSelectError:
        return None
    return None if spec and isinstance(spec.content, Memory) and len(spec.content.readings) < 2 else spec


def place_of_body(document: Document) -> tuple[str, str]:
    """Return the file and pointer of a document's body."""
    return (document.body_file, "") if document.body_file else (document.file, "/body_markdown")


def hero_name(record: Record) -> str:
    """Return the name of a record's title card: as the record says, else after its id."""
    return record.image.url.removeprefix(ASSETS) if record.image else f"{record.id}-hero.webp"

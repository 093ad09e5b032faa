"""FigureSpecs → Drawn, through the store and over processes. The order of work never reaches the result."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, as_completed
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from . import interface
from .crew import crew
from .figures import spec as spec_module
from .figures.spec import Drawn, FigureLint, FigureSpec
from .problems import Problem, Rejected
from .reuse import Reuse, Store

_LIBRARIES: Final = ("matplotlib", "numpy", "pillow", "fonttools", "contourpy", "kiwisolver")
_NO_GLYPH: Final = re.compile(r"no font has '(?P<glyph>.+?)' \(U\+(?P<code>[0-9A-F]+)\)", re.S)
_NAMED: Final = 8
_FILES: Final = ("wide", "narrow", "webp", "png", "thumb")
_SIZES: Final = ("wide_size", "narrow_size", "raster_size")
_Keep = Callable[[int, Drawn | FigureLint], None]
Progress = Callable[[int, int, int], None]
"""Hears how many figures are drawn, of how many, beside how many reused; called after each."""


def silent(done: int, total: int, reused: int) -> None:
    """Hear of the figures drawn, and tell nobody."""


@dataclass(frozen=True)
class Order:
    """A figure to draw for one record: the record's id and file, the image name, what to draw."""

    record_id: str
    file: str
    name: str
    spec: FigureSpec


@dataclass(frozen=True)
class Drawings:
    """What was drawn, by record id and image name; which names were drawn now and which came from the store."""

    figures: Mapping[tuple[str, str], Drawn]
    drawn: tuple[str, ...]
    reused: tuple[str, ...]


def draw_all(
    orders: Iterable[Order],
    store: Store,
    fonts: Path | None,
    jobs: int,
    salt: str,
    reuse: Reuse,
    progress: Progress = silent,
) -> Drawings:
    """Draw what the store does not hold. Raises Rejected where a drawing breaks the layout rules.

    `salt` names all that a drawing depends on beside its spec.
    """
    wanted = list(orders)
    keys = {(o.record_id, o.name): reuse.keep(_key, salt, o.spec) for o in wanted}
    found = {k: drawn for k, key in keys.items() if (drawn := reuse.drawn.get(key) or _unpacked(store.get(key)))}
    missing = [o for o in wanted if (o.record_id, o.name) not in found]
    reused = tuple(name for _, name in found)
    results: dict[int, Drawn | FigureLint] = {}

    def keep(number: int, result: Drawn | FigureLint) -> None:
        # Ctrl-C may come between keeping one and going on to the next.
        if number in results:
            return
        # At once: whoever stops the build finds again what it had drawn.
        if isinstance(result, Drawn):
            store.put(keys[missing[number].record_id, missing[number].name], _packed(result))
        results[number] = result
        progress(len(results), len(missing), len(reused))

    _draw([o.spec for o in missing], fonts, jobs, keep)
    # In the order of the figures, not that in which they were done.
    drawn_now = [(order, results[number]) for number, order in enumerate(missing)]
    found |= {(o.record_id, o.name): result for o, result in drawn_now if isinstance(result, Drawn)}
    reuse.drawn.clear()
    reuse.drawn.update((keys[k], drawn) for k, drawn in found.items())
    faults = [(o, fault) for o, result in drawn_now if isinstance(result, FigureLint) for fault in result.faults]
    if faults:
        raise Rejected([*_missing_glyphs(faults), *_layout_faults(faults)])
    return Drawings(found, tuple(o.name for o in missing), reused)


def _key(salt: str, spec: FigureSpec) -> str:
    """Return the name of a drawing in the store: a hash of all that it depends on."""
    return hashlib.sha256(f"{salt}{spec!r}".encode()).hexdigest()


def _missing_glyphs(faults: list[tuple[Order, str]]) -> Iterator[Problem]:
    """Yield one problem a record for all characters that no font has, at the title if they stand there."""
    found: dict[str, dict[str, str]] = {}
    titles = {o.file: o.spec.title for o, _ in faults if o.spec.kind == "hero"}
    for order, fault in faults:
        if match := _NO_GLYPH.search(fault):
            found.setdefault(order.file, {})[match["code"]] = match["glyph"]
    for file, glyphs in found.items():
        named = [f"{glyph} (U+{code})" for code, glyph in sorted(glyphs.items())]
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        message = f"the figures cannot be drawn: no font has {', '.join(named[:_NAMED])}{more}"
        remedy = "Put a font that has them into assets/fonts/, or write the text otherwise."
        pointer = "/title" if any(g in titles.get(file, "") for g in glyphs.values()) else ""
        yield Problem(file, pointer, None, "figure-lint", message, remedy)


def _layout_faults(faults: list[tuple[Order, str]]) -> Iterator[Problem]:
    """Yield a problem for each breach of the layout rules."""
    for order, fault in faults:
        if not _NO_GLYPH.search(fault):
            message = f"the figure {order.name} cannot be read: {fault}"
            remedy = "Shorten the texts it shows, or show fewer values."
            yield Problem(order.file, "", None, "figure-lint", message, remedy)


def _draw(specs: list[FigureSpec], fonts: Path | None, jobs: int, keep: _Keep) -> None:
    """Draw figures, and hand over each as soon as it is done. On Ctrl-C those under way are finished, too."""
    if not specs:
        return
    # Imported before the pool forks, so that no process pays for it twice.
    from .figures import draw  # noqa: F401

    if min(jobs, len(specs)) == 1:
        for number, spec in enumerate(specs):
            keep(number, _draw_one(spec, fonts))
        return
    with crew(min(jobs, len(specs))) as pool:
        asked: dict[Future[Drawn | FigureLint], int] = {}
        try:
            for number, spec in enumerate(specs):
                asked[pool.submit(_draw_one, spec, fonts)] = number
            for future in as_completed(asked):
                keep(asked[future], future.result())
                del asked[future]
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            for future, number in asked.items():
                if not future.cancelled() and future.exception() is None:
                    keep(number, future.result())
            raise


def _draw_one(spec: FigureSpec, fonts: Path | None) -> Drawn | FigureLint:
    from .figures.draw import draw

    try:
        return draw(spec, fonts)
    except FigureLint as lint:
        return lint


def salt_of(fonts: Path | None, reuse: Reuse) -> str:
    """Hash what a drawing depends on beside its spec: the code that draws and fills words in, fonts, libraries."""
    from .project import RESOURCES

    folder = Path(spec_module.__file__).parent
    files = [*sorted(folder.glob("*.py")), Path(interface.__file__)]
    files += [*sorted((RESOURCES / "assets" / "fonts").glob("*.ttf"))]
    files += sorted(p for p in fonts.iterdir() if p.suffix in {".ttf", ".otf"}) if fonts else []
    return reuse.keep(_salted, tuple((path.name, reuse.files.read(path)) for path in files))


def _salted(files: tuple[tuple[str, bytes], ...]) -> str:
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    digest.update(" ".join(f"{name} {version(name)}" for name in _LIBRARIES).encode())
    return digest.hexdigest()


def _packed(drawn: Drawn) -> bytes:
    files = [getattr(drawn, name) for name in _FILES]
    head = {"lengths": [len(f) for f in files], **{name: getattr(drawn, name) for name in _SIZES}}
    return json.dumps(head).encode() + b"\n" + b"".join(files)


def _unpacked(raw: bytes | None) -> Drawn | None:
    if raw is None:
        return None
    line, _, data = raw.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    values: dict[str, Any] = {name: tuple(head[name]) for name in _SIZES}
    for name, length in zip(_FILES, head["lengths"], strict=True):
        values[name], data = data[:length], data[length:]
    return Drawn(**values)

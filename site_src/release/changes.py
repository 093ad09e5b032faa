"""Two published sites → what changed for readers: pages, values with old and new, figures, sources and dates."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from ..load import decoded
from ..parse import json_data
from ..rendering import route_of
from .comparing import refuse_differences
from .reading import Published, read
from .record_changes import Change, of_records

_RECORD: Final = "record.json"
_UNSEEN: Final = frozenset({"script", "style", "template"})
# The files of one figure, by what follows its name; the first two are there for every figure.
_FIGURE: Final = ("-wide.svg", ".csv", "-narrow.svg", ".png", ".webp", "-thumb.webp")


@dataclass(frozen=True)
class Sorted:
    """What is there now and was not, what is gone, what is other, each by its name."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class GuideChanges:
    """The differences between two versions of a guide; its address before and after, None where it was not there."""

    record: str
    old: str | None
    new: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Changes:
    """Everything that differs between two sites.

    `markup` are pages of which only code or addresses changed, no word; `redrawn` are figures with the same data.
    `unread` are guides whose values could not be compared, because one side is a manifest alone.
    """

    pages: Sorted
    markup: tuple[str, ...]
    guides: tuple[GuideChanges, ...]
    figures: Sorted
    redrawn: tuple[str, ...]
    files: Sorted
    unread: tuple[str, ...]


def changes(old: Path, new: Path) -> Changes:
    """Compare two sites, each a folder, an archive or a manifest. Raises Rejected where one is not as it lists."""
    before, after = read(old, _take), read(new, _take)
    for site in (before, after):
        if not site.is_alone:
            refuse_differences(site, extra=False)
    return compared(before, after)


def _take(path: str, data: bytes) -> Any:
    """Keep a record's text, and of a page what tells its words from others."""
    if path.endswith(f"/{_RECORD}"):
        return data
    return words_of(data) if path.endswith(".html") else None


def compared(old: Published, new: Published) -> Changes:
    """Return what differs between two sites that were read with `_take`."""
    is_alone = old.is_alone or new.is_alone
    found = _sorted(old.listing.outputs, new.listing.outputs)
    figures = {*_figures(old), *_figures(new)}
    of_figures = {f"assets/{name}{end}" for name in figures for end in _FIGURE}
    pages = _kept(found, lambda path: path.endswith(".html"))
    markup = () if is_alone else tuple(p for p in pages.changed if old.taken[p] == new.taken[p])
    drawn, redrawn = _drawn(old, new)
    return Changes(
        _routes(Sorted(pages.added, pages.removed, tuple(p for p in pages.changed if p not in markup))),
        tuple(map(route_of, markup)),
        () if is_alone else tuple(_guides(old, new)),
        drawn,
        redrawn,
        _kept(found, lambda path: not path.endswith(".html") and path not in of_figures),
        tuple(_routes_of_records(found.changed, new)) if is_alone else (),
    )


def _routes_of_records(paths: Iterable[str], site: Published) -> Iterator[str]:
    """Yield the addresses of guides among changed files: a record with a page beside it."""
    for path in paths:
        page = path.removesuffix(_RECORD) + "index.html"
        if path.endswith(f"/{_RECORD}") and page in site.listing.outputs:
            yield route_of(page)


def _sorted(old: Mapping[str, Any], new: Mapping[str, Any]) -> Sorted:
    return Sorted(
        tuple(sorted(new.keys() - old.keys())),
        tuple(sorted(old.keys() - new.keys())),
        tuple(sorted(key for key in old.keys() & new.keys() if old[key] != new[key])),
    )


def _kept(found: Sorted, wanted: Callable[[str], bool]) -> Sorted:
    return Sorted(*(tuple(filter(wanted, part)) for part in (found.added, found.removed, found.changed)))


def _routes(found: Sorted) -> Sorted:
    return Sorted(*(tuple(map(route_of, part)) for part in (found.added, found.removed, found.changed)))


def _figures(site: Published) -> Iterator[str]:
    """Yield the names of the figures of a site: a drawing and the data it shows."""
    listed = site.listing.outputs
    for path in listed:
        name = path.removeprefix("assets/").removesuffix(_FIGURE[0])
        if path == f"assets/{name}{_FIGURE[0]}" and f"assets/{name}{_FIGURE[1]}" in listed:
            yield name


def _drawn(old: Published, new: Published) -> tuple[Sorted, tuple[str, ...]]:
    """Return the figures that came, went or show other data, and those that are drawn otherwise from the same."""
    before, after = ({name: _parts(site, name) for name in _figures(site)} for site in (old, new))
    found = _sorted(before, after)
    data = {name for name in found.changed if before[name][1] != after[name][1]}
    shown = Sorted(found.added, found.removed, tuple(n for n in found.changed if n in data))
    return shown, tuple(n for n in found.changed if n not in data)


def _parts(site: Published, name: str) -> tuple[Any, ...]:
    return tuple(site.listing.outputs.get(f"assets/{name}{end}") for end in _FIGURE)


def _guides(old: Published, new: Published) -> Iterator[GuideChanges]:
    """Yield what changed in each guide; a guide is the same where its record is, whatever its address."""
    before, after = _records(old), _records(new)
    for record in sorted({*before, *after}):
        (was, data), (now, fresh) = before.get(record, (None, {})), after.get(record, (None, {}))
        found = tuple(of_records(data, fresh)) if was is not None and now is not None else ()
        if found or was != now:
            yield GuideChanges(record, was, now, found)


def _records(site: Published) -> dict[str, tuple[str | None, Mapping[str, Any]]]:
    found: dict[str, tuple[str | None, Mapping[str, Any]]] = {}
    for path, raw in site.taken.items():
        if path.endswith(f"/{_RECORD}"):
            name = f"{site.name}/{path}"
            data = json_data(decoded(raw, name), name)
            # The JSON Schema of a record has the same name and no id.
            if isinstance(data, dict) and isinstance(data.get("id"), str):
                found[data["id"]] = (route_of(path.removesuffix(_RECORD)) or "/", data)
    return found


class _Words(HTMLParser):
    """Collects what a reader sees of a page: its text, and the texts that stand for images."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in _UNSEEN
        self.seen += [value for key, value in attrs if key in {"alt", "title", "aria-label"} and value]

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in _UNSEEN

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.seen += data.split()


def words_of(page: bytes) -> str:
    """Return a digest of the words of a page; two pages that read the same have the same."""
    parser = _Words()
    parser.feed(page.decode("utf-8", "replace"))
    parser.close()
    return hashlib.sha256("\0".join(parser.seen).encode()).hexdigest()

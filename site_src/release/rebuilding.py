"""A published site and the project → whether the project gives the same bytes, else the first difference in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from ..clashes import MANIFEST
from ..pipeline import Options, Ready, prepare
from ..problems import Problem, Rejected
from ..project import Project
from ..render import closing, render
from ..rendering import route_of
from .listing import Listing, listing
from .names import shown
from .reading import Published, Take, read, stamp

_MOST_NAMED: Final = 5
_SHORT: Final = 12


@dataclass(frozen=True)
class Rebuilt:
    """A site made anew: its files, and what each was made from."""

    files: Mapping[str, bytes]
    origin: Callable[[str], str]

    @property
    def listing(self) -> Listing:
        """What the manifest of the new site lists."""
        return listing(self.files[MANIFEST], MANIFEST)


@contextmanager
def rebuilt(project: Project, wish: Options) -> Iterator[Rebuilt]:
    """Make the site of a project in memory, with an empty cache in a temporary folder. Raises Rejected."""
    with TemporaryDirectory() as folder:
        ready = prepare(project, replace(wish, cache=Path(folder)))
        files, _ = ready.finish()
        yield Rebuilt(files, _origins(ready))


def _origins(ready: Ready) -> Callable[[str], str]:
    """Return what tells the origin of a file; the outputs are rendered again only when it is asked."""
    known: dict[str, str] = {}

    def origin(path: str) -> str:
        if not known:
            made = [*render(ready.rendering)]
            made += closing(ready.rendering, {a.path: a.data for a in made})
            known.update({a.path: a.origin for a in made})
        return known.get(path, "")

    return origin


def refuse_other(site: Published, again: Rebuilt, where: Path) -> None:
    """Raise Rejected with the first difference of a site from what its project gives; `where` is read again for it."""
    anew = {path: stamp(data) for path, data in again.files.items() if path != MANIFEST}
    other = [path for path in sorted({*site.files, *anew}) if site.files.get(path) != anew.get(path)]
    moved = moved_inputs(site.listing, again.listing)
    if not other:
        if not moved and site.listing == again.listing:
            return
        raise _rejected(f"{site.name}/{MANIFEST}", f"it is not what the project gives: {_cause(moved, site, again)}")
    causes = {_stem(file) for file in moved}
    first = min(other, key=lambda path: (_stem(again.origin(path)) not in causes, not _is_read(path), path))
    rest = [path for path in other if path != first]
    fact = f"{_fact(first, site, again, where)}: {_cause(_relevant(moved, again.origin(first)), site, again)}"
    raise _rejected(f"{site.name}/{shown(first)}", fact + _others(rest))


def _is_read(path: str) -> bool:
    """Tell whether a reader sees a file: a page or an image, and not what is made for programs."""
    return path.endswith((".html", ".svg", ".webp", ".png"))


def _rejected(file: str, fact: str) -> Rejected:
    remedy = "Publish what build writes now, or check out the records, templates and lock that the site was made from."
    return Rejected([Problem(file, "", None, "not-reproduced", fact, remedy)], {file: None})


def _fact(path: str, site: Published, again: Rebuilt, where: Path) -> str:
    """Return which file differs and how: there alone, missing, or from which line or byte on."""
    named = described(path, again.origin(path))
    if path not in again.files:
        return "nothing in the project gives this file"
    if path not in site.files:
        return f"{named} is missing"
    published: bytes = read(where, _only(path)).taken[path]
    return f"{named} is not what the project gives, {_place(published, again.files[path])}"


def _only(wanted: str) -> Take:
    return lambda path, data: data if path == wanted else None


def _place(old: bytes, new: bytes) -> str:
    """Return from where on two files differ, in words."""
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if b"\0" in old:
        return f"from byte {at + 1:,} on"
    line = old.count(b"\n", 0, at) + 1
    return f"from line {line:,} on"


def described(path: str, origin: str) -> str:
    """Return a file of a site in words: the page, figure or file that it is, and the record it is made from."""
    file, _, figure = origin.partition(", figure ")
    if figure:
        return f"the figure {figure} of {file}"
    kind = f"the page {route_of(path)}" if path.endswith(".html") else "the file"
    return f"{kind} of {file}" if file.startswith("records/") else kind


def moved_inputs(old: Listing, new: Listing) -> dict[str, str]:
    """Return the inputs that differ between two manifests, each with how."""
    return {path: how for path in sorted({*old.inputs, *new.inputs}) if (how := _moved(path, old, new))}


def _moved(path: str, old: Listing, new: Listing) -> str:
    was, now = old.inputs.get(path), new.inputs.get(path)
    if was == now:
        return ""
    if was is None:
        return f"{shown(path)} is not among the inputs of the manifest"
    if now is None:
        return f"{shown(path)} is an input in the manifest and none here"
    return f"the SHA-256 of {shown(path)} is {now[:_SHORT]}…, in the manifest {was[:_SHORT]}…"


def _relevant(moved: Mapping[str, str], origin: str) -> Mapping[str, str]:
    """Return the moved inputs that belong to the record of an origin, or all where none does."""
    own = {file: how for file, how in moved.items() if _stem(file) == _stem(origin)}
    return own or moved


def _stem(file: str) -> str:
    """Return what a record and its sidecars share: records/a.json, records/a.md and a figure of it are one."""
    name = file.partition(",")[0]
    return re.sub(r"\..*", "", name) if PurePosixPath(name).parts[:1] == ("records",) else name


def _cause(moved: Mapping[str, str], site: Published, again: Rebuilt) -> str:
    if moved:
        return "; ".join([*moved.values()][:_MOST_NAMED]) + _more(len(moved) - _MOST_NAMED)
    was, now = site.listing.generator, again.listing.generator
    if was != now:
        return f"{shown(was)} made the site, and this is {now}"
    return (
        "all inputs are the same, so it was built with --offline or --drafts, or with other versions of the packages"
        " than are installed here"
    )


def _others(rest: list[str]) -> str:
    """Return which other files differ; of many only how many, for they tend to differ for one reason."""
    if not rest:
        return ""
    verb = "differs" if len(rest) == 1 else "differ"
    named = ": " + ", ".join(map(shown, rest)) if len(rest) <= _MOST_NAMED else ""
    return f". {len(rest)} other file{'s' * (len(rest) != 1)} {verb} as well{named}"


def _more(count: int) -> str:
    return f" and {count} more input{'s' * (count != 1)}" if count > 0 else ""

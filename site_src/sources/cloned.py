"""Clones on this disk as the origin of source entries: links on branches settled, bytes read, dates told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..permalinks import Archived, Blob, Permalink, Place, gist_slug, parse
from ..problems import Surroundings
from . import clones


@dataclass(frozen=True)
class Clones:
    """Repositories by name, OWNER/NAME as an address has it, and the folders of their clones."""

    folders: tuple[tuple[str, Path], ...]

    @classmethod
    def of(cls, given: Sequence[tuple[str, Path]]) -> Clones:
        """Take the pairs that a command line names; the last of one name holds."""
        return cls(tuple({name.casefold(): (name, folder) for name, folder in given}.values()))

    def folder(self, repository: str) -> Path:
        """Return the clone of a repository; owner and name suffice on a hub, the ID for a gist. Raises Surroundings."""
        if (found := self.named(repository)) is not None:
            return found
        raise Surroundings(f"To read it from this disk, name a clone: --clone {repository or 'OWNER/REPO'}=PATH.")

    def named(self, repository: str) -> Path | None:
        """Return the clone of a repository, if one is named."""
        wanted = repository.casefold()
        of = (f for name, f in self.folders if name.casefold() == wanted or wanted.endswith(f"/{name.casefold()}"))
        return next(of, None)

    def obtain(self, address: str) -> bytes:
        """Return the bytes at a raw address. Raises Surroundings where no clone holds them."""
        link = parse(address)
        place = link.place if link else None
        if isinstance(place, Archived):
            return self._by_hash(place)
        if not isinstance(place, Blob):
            raise Surroundings(f"{address} is in no repository. Save what it serves, and write the SHA-256 of that.")
        folder = self.folder(place.repository)
        data = clones.show(folder, place.revision, place.path)
        if data is None:
            raise Surroundings(clones.why_not(folder, place.revision, place.path))
        return data

    def _by_hash(self, place: Archived) -> bytes:
        digest = place.core.rpartition(":")[2]
        for _, folder in self.folders:
            if (data := clones.blob(folder, digest)) is not None:
                return data
        raise Surroundings(f"No clone named with --clone holds {place.core}.")

    def settle(self, link: Permalink) -> tuple[Permalink, str]:
        """Return a link with its commit for its branch or tag, and of a gist with its path. Raises Surroundings."""
        place = link.place
        if not isinstance(place, Blob):
            return link, ""
        folder = self.folder(place.repository)
        settled, said = self._committed(folder, replace(place, revision=place.revision or "HEAD"))
        if place.forge == "gist" and not place.path:
            settled = replace(settled, path=_file_named(folder, settled.revision, link.slug))
        return replace(link, place=settled), said

    def _committed(self, folder: Path, place: Blob) -> tuple[Blob, str]:
        """Find the commit. The name of a branch may go on into what looks like the path: feature/x, a.md."""
        steps = place.path.split("/") if place.path else []
        choices: list[tuple[Blob, str]] = []
        for count in range(1 if place.is_pinned else len(steps) + 1):
            name, path = "/".join([place.revision, *steps[:count]]), "/".join(steps[count:])
            if found := clones.find(folder, name):
                told = f"In {folder}, {name} is {found.known_as}: {found.hash}." if found.known_as else ""
                choices.append((replace(place, revision=found.hash, path=path), told))
        if not choices:
            raise Surroundings(clones.why_not(folder, place.revision, place.path))
        return next((c for c in choices if clones.show(folder, c[0].revision, c[0].path) is not None), choices[0])

    def changed_at(self, place: Place) -> str | None:
        """Return when a document was last changed; None where no clone tells."""
        if not isinstance(place, Blob | Archived) or not place.path:
            return None
        folder, commit = self.named(place.repository), place.commit if isinstance(place, Archived) else place.revision
        return clones.changed_at(folder, commit, place.path) if folder and commit else None


def _file_named(folder: Path, commit: str, slug: str) -> str:
    """Return the path of the file that an anchor of a gist names; the only one without an anchor."""
    paths = clones.paths(folder, commit)
    found = [path for path in paths if not slug or gist_slug(path) == slug]
    if len(found) != 1:
        many = "several files have" if found else "no file has"
        raise Surroundings(f"In {folder}, {many} the name of the link: {', '.join(paths)}.")
    return found[0]

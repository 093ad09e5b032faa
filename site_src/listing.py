"""records/ → which files are records, which lie beside them, and what there would be read as nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from .problems import Problem
from .project import Project

SETTINGS: Final = "site.yml"
SIDECARS: Final = (".figures.yml", ".audit.yml", ".claims.json", ".verified.json", ".anchors.json")
ENDINGS: Final = {".json": "json", ".yml": "yaml", ".yaml": "yaml"}
_BESIDE: Final = (*SIDECARS, ".md")
_SETTINGS_NAMES: Final = frozenset(f"site{ending}" for ending in ENDINGS)
_BREAK: Final = "\0"


@dataclass(frozen=True)
class Seat:
    """One record by the name of its file, the id it must have, and the files beside it, by their endings."""

    file: str
    id: str
    beside: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Listing:
    """The records in path order, the settings if there are any, the files that are links, and what is amiss."""

    seats: tuple[Seat, ...]
    settings: str | None
    links: frozenset[str]
    problems: tuple[Problem, ...]


def listed(project: Project) -> str:
    """Return every visible name below `records/` with its kind, in order, as one text; for `arranged`."""
    found = sorted(_walk(os.fspath(project.records), project.name(project.records)))
    return _BREAK.join(part for name, kind in found for part in (name, kind))


def arranged(names: str) -> Listing:
    """Return what the names are."""
    parts = names.split(_BREAK) if names else []
    kinds = dict(zip(parts[::2], parts[1::2], strict=True))
    files = [name for name, kind in kinds.items() if kind in {"file", "link"}]
    records = {name: id_ for name in files if (id_ := _record_id(name))}
    taken = sorted(records, key=lambda name: name.split("/"))
    settings = next((n for n in files if n.count("/") == 1 and n.endswith(f"/{SETTINGS}")), None)
    problems = [*_unread(kinds, records, settings), *_strays(files, records), *_twins(taken, records)]
    present = frozenset(files)
    seats = tuple(Seat(n, records[n], tuple(_beside(n, records[n], present))) for n in taken)
    links = frozenset(name for name, kind in kinds.items() if kind == "link")
    return Listing(seats, settings, links, tuple(problems))


def _walk(folder: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield name and kind of everything in a folder but what is hidden or an editor's backup."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith("~"):
                continue
            here, kind = f"{name}/{entry.name}", _kind(entry)
            if kind == "folder":
                try:
                    yield from _walk(entry.path, here)
                except PermissionError:
                    kind = "shut"
            yield here, kind


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link" if entry.is_file() else "folder link" if entry.is_dir() else "dead link"
    return "file" if entry.is_file() else "folder" if entry.is_dir() else "other"


def _record_id(name: str) -> str | None:
    """Return the id a record file must have, or None for a file that is no record."""
    path = PurePosixPath(name)
    if path.suffix not in ENDINGS or name.endswith(SIDECARS) or path.name.lower() in _SETTINGS_NAMES:
        return None
    return path.name.removesuffix(path.suffix)


def _stem(name: str, record_id: str) -> str:
    return f"{name.rpartition('/')[0]}/{record_id}"


def _beside(name: str, record_id: str, present: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield ending and name of each file that belongs to a record."""
    stem = _stem(name, record_id)
    yield from ((ending, stem + ending) for ending in _BESIDE if stem + ending in present)


def _unread(kinds: dict[str, str], records: Iterable[str], settings: str | None) -> Iterator[Problem]:
    """Yield a problem for each thing in `records/` that is read as nothing: it would be missed without a word."""
    known = frozenset(records)
    for name, kind in kinds.items():
        low = name.rpartition("/")[2].lower()
        if kind in {"dead link", "other"}:
            message = "the link leads to no file" if kind == "dead link" else "this is no regular file"
            yield Problem(name, "", 0, "unreadable-file", message, "Put a file in its place, or remove it.")
        elif kind == "folder link":
            message, remedy = "the folder is a link, and is not followed", "Put the folder itself in its place."
            yield Problem(name, "", 0, "unreadable-file", message, remedy)
        elif kind == "shut":
            yield Problem(name, "", 0, "unreadable-file", "the folder cannot be read", "Let this user read it.")
        elif low in _SETTINGS_NAMES and name != settings:
            message = f"the settings of the site lie in records/{SETTINGS} alone"
            yield Problem(name, "", 0, "misplaced-settings", message, "Move them there, or name the record otherwise.")
        elif kind != "folder" and name not in known and name != settings and not name.endswith(_BESIDE):
            yield _unknown(name)


def _unknown(name: str) -> Problem:
    low = name.lower()
    if low.endswith((*_BESIDE, *ENDINGS)):
        ending = PurePosixPath(name).suffix
        message, remedy = "endings are read in lower case only", f"Rename it to {name[: -len(ending)]}"
        return Problem(name, "", 0, "unknown-file", message, f"{remedy}{ending.lower()}.")
    message = f"the file is no record and no sidecar: those end in {', '.join(ENDINGS)} or .md"
    return Problem(name, "", 0, "unknown-file", message, "Rename it, or keep it outside records/.")


def _strays(files: Iterable[str], records: dict[str, str]) -> Iterator[Problem]:
    """Yield a problem for each sidecar without a record."""
    stems = {_stem(name, record_id) for name, record_id in records.items()}
    for name in files:
        ending = next((e for e in _BESIDE if name.endswith(e)), None)
        if ending and name.removesuffix(ending) not in stems:
            remedy = "Put the record beside it, or remove the file."
            yield Problem(name, "", 0, "lone-sidecar", "no record of this name lies beside it", remedy)


def _twins(taken: Iterable[str], records: dict[str, str]) -> Iterator[Problem]:
    """Yield a problem for each record that two files claim."""
    by_stem: dict[str, list[str]] = {}
    for name in taken:
        by_stem.setdefault(_stem(name, records[name]), []).append(name)
    for first, *others in by_stem.values():
        for other in others:
            message = f"{first} has the same id"
            yield Problem(other, "", 0, "duplicate-id", message, "Keep one of the two files.")

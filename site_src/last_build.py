"""What a build leaves for the next one of the same site into the same folder. Losing it costs time only.

It is one file of plain values, written aside and renamed, that begins with the hash of its content: one that was cut
short or edited counts as lost. Nothing in it is believed of a file whose state is another now.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from . import aside
from .making import Entry
from .robots import Page
from .staging import Written
from .states import State
from .unpickling import Lost, unpickled

# A file changed within one tick of its file system's clock keeps its times. The coarsest clock in use ticks every 2 s.
_SETTLED_NS: Final = 2_500_000_000


class Hint(NamedTuple):
    """What a file was when it was read, and the SHA-256 of its bytes."""

    state: tuple[int, int, int, int]
    sha256: str


class Output(NamedTuple):
    """What one output of the whole site read of the records, a hash of all that, and its files and pages."""

    fields: frozenset[str]
    digest: str
    files: tuple[Written, ...]
    pages: tuple[Page, ...]


class Audit(NamedTuple):
    """The audit page of a record: what it was made from, the file, and the page as lists know it."""

    key: str
    file: Written
    page: Page


@dataclass(frozen=True)
class History:
    """`context` names all that every page depends on; `entries` are by file, `outputs` by name.

    `audits` are by file of the record, `places` say where the cited documents are listed.
    `published` are the files of the output folder, `spare` those of the folder kept beside it, with SHA-256 and state;
    `spare_number` tells that folder from another of its name. `packed` are entries with their bytes in the file that
    was read: those that stay need not be packed again.
    """

    context: str = ""
    hints: Mapping[str, Hint] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)
    audits: Mapping[str, Audit] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, Output] = field(default_factory=dict)
    published: Mapping[str, tuple[str, State]] = field(default_factory=dict)
    spare: Mapping[str, tuple[str, State]] = field(default_factory=dict)
    spare_number: int = 0
    packed: Mapping[str, tuple[Entry, bytes]] = field(default_factory=dict)


def read(path: Path) -> History:
    """Return what the last build left, or what none leaves."""
    try:
        rest, packed = unfolded(path)
        entries = {file: unpickled(one) for file, one in packed.items()}
    except (OSError, Lost, TypeError, ValueError):
        return History()
    is_whole = isinstance(rest, History) and all(isinstance(e, Entry) for e in entries.values())
    kept = {file: (entry, packed[file]) for file, entry in entries.items()}
    return replace(rest, entries=entries, packed=kept) if is_whole else History()


def write(path: Path, history: History) -> None:
    """Keep it for the next build. Raises nothing: a cache that cannot be written costs time only."""
    known = {file: data for file, (entry, data) in history.packed.items() if history.entries.get(file) is entry}
    packed = {file: known.get(file) or pickle.dumps(entry, 5) for file, entry in history.entries.items()}
    folded(path, (replace(history, entries={}, packed={}), packed))


def unfolded(path: Path) -> Any:
    """Return the value that a file of plain values holds. Raises Lost and OSError."""
    data = aside.untagged(path.read_bytes())
    if data is None:
        raise Lost(str(path))
    return unpickled(data)


def folded(path: Path, value: object) -> None:
    """Keep a value in a file. Raises nothing: a cache that cannot be written costs time only."""
    with suppress(OSError):
        aside.put(path, aside.tagged(pickle.dumps(value, 5)))


class Hashes:
    """SHA-256 of files; those whose state has not changed since a build before are not read again."""

    def __init__(self, root: Path, hints: Mapping[str, Hint]) -> None:
        """Take hints about files below `root`. Where everything is to be read, as in CI, give none."""
        self._root, self._old = root, hints
        self.hints: dict[str, Hint] = {}

    def of(self, name: str) -> str:
        """Return the SHA-256 of a file. Raises OSError."""
        path = self._root / name
        told = path.stat()
        state = (told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino)
        hint = self._old.get(name)
        if hint and hint.state == state:
            self.hints[name] = hint
            return hint.sha256
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        if max(told.st_mtime_ns, told.st_ctime_ns) + _SETTLED_NS < time.time_ns():
            self.hints[name] = Hint(state, sha256)
        return sha256

    def all_of(self, names: Iterable[str]) -> dict[str, str] | None:
        """Return the SHA-256 of each file, or None where one cannot be read."""
        try:
            return {name: self.of(name) for name in names}
        except OSError:
            return None

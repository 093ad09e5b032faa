"""The files of chosen records → their texts in canonical layout; written only once all of them are known."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .edited import replace_text
from .layout.form import canonical
from .listing import arranged, listed
from .load import MAX_BYTES, decoded, is_inside, outside, too_large
from .problems import Problem, Rejected, Surroundings
from .project import Project

_BODY = ".md"


@dataclass(frozen=True)
class Layout:
    """One file: its bytes as they lie there, its text as it was read, and the text in canonical layout."""

    file: str
    raw: bytes
    text: str
    wanted: str

    @property
    def is_changed(self) -> bool:
        """Whether a byte of the file would be another one."""
        return self.raw != self.wanted.encode()

    def problem(self) -> Problem:
        """Return what `--check` says of a file with another layout, at the first place that differs."""
        pairs = enumerate(zip(self.text, self.wanted, strict=False))
        at = next((n for n, (old, new) in pairs if old != new), min(len(self.text), len(self.wanted)))
        name = Path(self.file).name.partition(".")[0]
        message = "the layout is not the one that fmt writes"
        remedy = f"Run fmt{'' if name == 'site' else f' {name}'}; fmt --diff shows what it changes."
        return Problem(self.file, "", at, "not-laid-out", message, remedy)

    def diff(self) -> str:
        """Return the change as a unified diff, "" where there is none."""
        old, new = (_lines(text) for text in (self.raw.decode(), self.wanted))
        return "".join(difflib.unified_diff(old, new, f"a/{self.file}", f"b/{self.file}"))


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends, as diff prints them."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([f"{last}\n\\ No newline at end of file\n"] if last else [])


def layouts(project: Project, ids: Sequence[str]) -> tuple[int, list[Layout]]:
    """Return how many records were chosen (all without an id), and their files; the settings belong to no record.

    Raises Rejected with every file that cannot be read, and Surroundings for an unknown id.
    """
    listing = arranged(listed(project))
    known = {seat.id for seat in listing.seats}
    for name in ids:
        if name not in known:
            raise Surroundings(f"No record has the id {name}. There are: {', '.join(sorted(known))}.")
    seats = [seat for seat in listing.seats if not ids or seat.id in ids]
    files = [f for seat in seats for f in (seat.file, *(name for _, name in seat.beside)) if not f.endswith(_BODY)]
    files += [listing.settings] if listing.settings and not ids else []
    found: list[Layout] = []
    problems: list[Problem] = []
    for file in files:
        try:
            found.append(_layout(project, file))
        except Rejected as rejected:
            problems += rejected.problems
    if problems:
        raise Rejected(problems)
    return len(seats), found


def _layout(project: Project, file: str) -> Layout:
    path = project.root / file
    if not is_inside(project, path):
        raise Rejected([outside(file)])
    try:
        if path.stat().st_size > MAX_BYTES:
            raise Rejected([too_large(file)])
        raw = path.read_bytes()
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        raise Rejected([Problem(file, "", 0, "unreadable-file", message, "Let this user read it.")]) from None
    text = decoded(raw, file)
    return Layout(file, raw, text, canonical(text, file))


def write(project: Project, given: Iterable[Layout]) -> Iterator[str]:
    """Write what is changed, each file whole, and yield its name. A link is followed. Raises Surroundings."""
    for one in given:
        if one.is_changed:
            replace_text(Path(os.path.realpath(project.root / one.file)), one.wanted)
            yield one.file

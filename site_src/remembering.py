"""The `anchors` command: the heading ids of each guide → its sidecar ID.anchors.json. Raises Rejected, Surroundings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import assets, renaming
from .check import Explainer, check
from .edited import replace_text
from .load import load
from .problems import Problem, Surroundings
from .project import Project


@dataclass(frozen=True)
class Remembered:
    """One guide: its id, its sidecar, the ids in it, and those that are not in it yet."""

    record: str
    file: str
    ids: tuple[str, ...]
    new: tuple[str, ...]
    is_kept: bool

    def problems(self) -> Iterator[Problem]:
        """Yield what `--check` says: ids that a sidecar lacks. A guide without one remembers nothing."""
        if self.is_kept and self.new:
            message = f"{', '.join(f'#{i}' for i in self.new)} {'is' if len(self.new) == 1 else 'are'} not in it yet"
            remedy = f"Run anchors {self.record}, and commit the file with the page."
            yield Problem(self.file, "/headings", None, "open-anchor", message, remedy)


def remembered(project: Project, ids: Sequence[str]) -> list[Remembered]:
    """Return what is to be remembered of the named guides, or of all that are published."""
    explainers = check(load(project), assets.own_names(project), drafts=True).explainers
    known = {e.record.id for e in explainers}
    for name in ids:
        if name not in known:
            raise Surroundings(f"No record has the id {name}. There are: {', '.join(sorted(known))}.")
    return [_remembered(e) for e in explainers if (e.record.id in ids if ids else not e.record.draft)]


def _remembered(explainer: Explainer) -> Remembered:
    document = explainer.document
    file = document.anchors_file or f"{Path(document.file).with_suffix('').as_posix()}.anchors.json"
    before = renaming.kept(document)
    ids = renaming.to_remember(document, explainer.body)
    return Remembered(document.id, file, ids, ids[len(before) :], document.anchors_file is not None)


def write(project: Project, found: Sequence[Remembered]) -> Iterator[Remembered]:
    """Write each sidecar that changes, laid out as fmt does, and yield what it is of."""
    for one in found:
        if one.new or not one.is_kept:
            replace_text(
                project.root / one.file, json.dumps({"headings": one.ids}, ensure_ascii=False, indent=2) + "\n"
            )
            yield one

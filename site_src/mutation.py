"""The `mutate` command: every slip of every bound number, and how many of them the checks catch.

The slips are tried in process against the proof of the claims. A sample of them is written into a copy of the
project and goes through the whole check, which must agree.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from . import citations, locate
from .binding import Binding
from .check import Explainer
from .claims.lock import Count, Mutated, fingerprint, text
from .claims.mutate import Change, Trial
from .claims.mutations import KINDS
from .edited import replace_text
from .pipeline import check_project
from .problems import Rejected, Surroundings
from .project import Project
from .sources import snapshots
from .sources.find import Wanted
from .sources.verify import placed
from .sources.wanted import wanted

SAMPLE: Final = 200
LINES: Final = "evidence line"


@dataclass(frozen=True)
class Outcome:
    """What mutating one record came to: tried and caught by kind, the survivors, and the sample of the whole check.

    `exempt` are evidence lines whose neighbour prints the same cell: the line alone cannot tell them apart.
    """

    record: str
    tried: Counter[str]
    caught: Counter[str]
    survivors: tuple[str, ...]
    exempt: tuple[str, ...] = ()
    sampled: int = 0
    disagreeing: tuple[str, ...] = ()
    unread: tuple[str, ...] = field(default=())

    def counts(self) -> dict[str, Count]:
        """Return kind → caught, tried and exempt, in the order of the kinds."""
        exempt = Counter(told.partition(":")[0] for told in self.exempt)
        return {
            kind: Count(caught=self.caught[kind], tried=self.tried[kind], exempt=exempt[kind])
            for kind in KINDS
            if self.tried[kind]
        }

    def as_plain(self) -> dict[str, Any]:
        """Return the outcome as plain data for --json."""
        told = {"survivors": list(self.survivors), "exempt": list(self.exempt), "sampled": self.sampled}
        told |= {"disagreeing": list(self.disagreeing), "sources_not_at_hand": list(self.unread)}
        return {"record": self.record, "kinds": {k: c.model_dump() for k, c in self.counts().items()}, **told}


def mutate(project: Project, found: Sequence[Binding], sample: int, folder: Path | None) -> list[Outcome]:
    """Mutate the records that `bindings` found; `sample` slips of all go through the whole check.

    Raises Rejected where they are not sound to begin with, and Surroundings where one has no lock.
    """
    check_project(project)
    for binding in found:
        if not binding.explainer.claims.is_locked:
            raise Surroundings(f"{binding.explainer.record.id} has no claim lock. Run bind first.")
    each = -(-sample // len(found)) if found else 0
    return [_outcome(project, binding, each, folder) for binding in found]


def trial(binding: Binding) -> Trial:
    """Return the trial of one record's claims."""
    explainer = binding.explainer
    find = lru_cache(maxsize=None)(binding.binder.find)
    claims = explainer.claims
    return Trial(explainer.document.file, claims.spots, claims.bound, find, binding.binder.lexicon)


def _outcome(project: Project, binding: Binding, sample: int, folder: Path | None) -> Outcome:
    changes = [*trial(binding).changes()]
    tried: Counter[str] = Counter(c.kind for c in changes)
    caught: Counter[str] = Counter(c.kind for c in changes if c.caught)
    survivors = [f"{c.kind}: {c.told}" for c in changes if not c.caught]
    lines = _shifted(binding.explainer, folder) if folder else _Lines()
    tried[LINES], caught[LINES] = lines.caught + len(lines.alike) + len(lines.absent), lines.caught
    survivors += [f"{LINES}: {told}" for told in lines.absent]
    step = max(len(changes) // sample, 1) if sample else 0
    chosen = changes[::step][:sample] if step else []
    sampled, disagreeing = _whole(project, binding.explainer, chosen)
    name = binding.explainer.record.id
    exempt = tuple(f"{LINES}: {told}" for told in lines.alike)
    return Outcome(name, tried, caught, tuple(survivors), exempt, sampled, tuple(disagreeing), tuple(lines.unread))


@dataclass
class _Lines:
    """Evidence lines tried one off: how many are caught, which neighbours print the same, which print it nowhere."""

    caught: int = 0
    alike: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def _shifted(explainer: Explainer, folder: Path) -> _Lines:
    """Try each evidence line one off: caught where the value is not found to stand there."""
    record, tried = explainer.record, _Lines()
    texts = dict[str, str]()
    for number, source in citations.numbered(record):
        raw = snapshots.read(folder, source)
        if raw is None or hashlib.sha256(raw).hexdigest() != source.document_sha256:
            tried.unread.append(f"source {number}")
            continue
        texts |= {name: raw.decode("utf-8", "replace") for name in (source.document_id, source.pinned_url) if name}
    for one in wanted(explainer.document.data, record):
        text = texts.get(one.document)
        if text is not None and one.line:
            _shift(one, text, tried)
    return tried


def _shift(one: Wanted, text: str, tried: _Lines) -> None:
    own = placed(one, text)
    if own is None or own.line != one.line:
        tried.absent.append(f"{one.pointer}: line {one.line} does not print it")
        return
    for line in (one.line - 1, one.line + 1):
        other = placed(replace(one, line=line), text)
        if other is not None and other.line == line:
            tried.alike.append(f"{one.pointer}: line {line} prints the same")
        else:
            tried.caught += 1


def _whole(project: Project, explainer: Explainer, chosen: Sequence[Change]) -> tuple[int, list[str]]:
    """Send changes through the whole check of a copy that holds this record alone; return those that disagree."""
    sampled, disagreeing = 0, list[str]()
    if not chosen:
        return 0, []
    with tempfile.TemporaryDirectory() as name:
        copy = _copied(project, explainer, Path(name))
        for change in chosen:
            path = copy.root / change.file
            before = path.read_text("utf-8")
            sampled += 1
            path.write_text(_applied(before, change), "utf-8")
            if _is_refused(copy) != change.caught:
                disagreeing.append(f"{change.kind}: {change.told}")
            path.write_text(before, "utf-8")
    return sampled, disagreeing


def _copied(project: Project, explainer: Explainer, root: Path) -> Project:
    """Copy a record with its sidecars, the settings and the project's own assets."""
    document = explainer.document
    files = [document.file, document.body_file, document.audit_file, document.figures_file, document.claims_file]
    for file in [*files, "records/site.yml"]:
        if file and (project.root / file).is_file():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(project.root / file, root / file)
    own = project.root / "assets"
    if own.is_dir():
        shutil.copytree(own, root / "assets")
    return Project(root.resolve())


def _applied(text: str, change: Change) -> str:
    """Return a file's text with a change made in it."""
    kind = "json" if change.file.endswith(".json") else "yaml"
    for edit in sorted(change.edits, key=lambda e: -e.start):
        start = edit.start
        if change.pointer:
            at = locate.offset_of(text, kind, change.pointer, None)
            is_quoted = text[at : at + 1] in {'"', "'"}
            start = locate.offset_of(text, kind, change.pointer, edit.start) if is_quoted else at + edit.start
        length = edit.end - edit.start
        text = text[:start] + edit.new + text[start + length :]
    return text


def _is_refused(project: Project) -> bool:
    try:
        check_project(project)
    except Rejected:
        return True
    return False


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the report: caught of tried by kind, a column a record."""
    counts = [o.counts() for o in outcomes]
    rows = [["slip", *(o.record for o in outcomes)]]
    rows += [[kind, *(_cell(c.get(kind)) for c in counts)] for kind in KINDS if any(kind in c for c in counts)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))


def _cell(count: Count | None) -> str:
    if count is None:
        return "none"
    return f"{count.caught:,} of {count.tried:,}" + (f" ({count.exempt:,} exempt)" if count.exempt else "")


def write(project: Project, binding: Binding, outcome: Outcome) -> None:
    """Write the counts into the lock that they were measured on."""
    entries = [draft.entry for draft in binding.drafts]
    mutated = Mutated(claims=fingerprint(entries), kinds=outcome.counts())
    replace_text(project.root / binding.file, text(entries, mutated))

"""The `bind` command: propose, ask, then write the claim lock of each record. Raises Rejected and Surroundings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import assets, edit, shape
from .check import Checked, Explainer, check
from .claims import lock as locks
from .claims import proof
from .claims.anchors import Spot
from .claims.bind import Binder, Draft, Question, questions
from .claims.dialogue import Answer, Dialogue, Stopped, Terminal, kept, marked, options
from .claims.examine import finder
from .claims.fields import Fields
from .claims.leaves import leaves
from .claims.lexicon import Lexicon
from .claims.lock import Mutated
from .claims.offers import Offer, offers
from .claims.parts import parts
from .edited import replace_text
from .layout.form import still
from .load import load
from .model import Settings
from .problems import Problem, Rejected, Surroundings
from .project import Project


@dataclass(frozen=True)
class Binding:
    """What binding one record came to: its drafts in the order of the prose, and what is still asked."""

    explainer: Explainer
    binder: Binder
    file: str
    drafts: tuple[Draft, ...]
    mutated: Mutated | None = None

    @property
    def questions(self) -> list[Question]:
        """What only an editor can answer."""
        return questions(self.drafts)

    @property
    def text(self) -> str:
        """The bytes of the lock."""
        return locks.text([draft.entry for draft in self.drafts], self.mutated)


def bindings(project: Project, ids: Sequence[str]) -> list[Binding]:
    """Return the state of the claims of the named records, or of all."""
    checked = check(load(project), assets.own_names(project), drafts=True, claims_proved=False)
    known = {e.record.id for e in checked.explainers}
    for name in ids:
        if name not in known:
            raise Surroundings(f"No record has the id {name}. There are: {', '.join(sorted(known))}.")
    chosen = [e for e in checked.explainers if not ids or e.record.id in ids]
    return [_binding(e, checked) for e in chosen]


def _binding(explainer: Explainer, checked: Checked) -> Binding:
    document = explainer.document
    file = document.claims_file or f"{Path(document.file).with_suffix('').as_posix()}.claims.json"
    lock = shape.claim_lock(file, document.claims) if document.claims_file else None
    if isinstance(lock, list):
        raise Rejected(lock)
    binder = binder_of(explainer, checked.settings)
    drafts = tuple(binder.drafts(explainer.claims.spots, lock))
    return Binding(explainer, binder, file, drafts, lock.mutated if lock else None)


def binder_of(explainer: Explainer, settings: Settings) -> Binder:
    """Return what binding a record needs."""
    data, derivations = explainer.document.data, explainer.derivations
    fields = Fields(leaves(data, derivations), parts(data))
    return Binder(data, fields, Lexicon(settings.lexicon), finder(data, derivations))


def ask(project: Project, binding: Binding, terminal: Terminal) -> Binding:
    """Ask an editor each question; a relation that is declared on the way is written into the record at once."""
    session = _Session(project, binding)
    dialogue = Dialogue(binding.binder.data, terminal, session.offers, session.declare)
    asked = binding.questions
    try:
        for number, question in enumerate(asked, 1):
            session.take(dialogue.ask(question, number, len(asked)))
    except Stopped:
        pass
    return session.result()


class _Session:
    """The answers of one session."""

    def __init__(self, project: Project, binding: Binding) -> None:
        self.project, self.binding = project, binding
        self.drafts = {id(d.spot): d for d in binding.drafts}
        self.relations: list[dict[str, Any]] = [*(binding.binder.data.get("relations") or ())]

    def take(self, answers: Iterable[Answer]) -> None:
        for answer in answers:
            self.drafts[id(answer.draft.spot)] = answer.draft
            if answer.relation:
                self._write(answer.relation)

    def offers(self, spot: Spot) -> list[Offer]:
        """Return arithmetic over the fields that the same passage states, then the same section."""
        here = [d for d in self.drafts.values() if d.entry.pointer and d.spot.anchor.field == spot.anchor.field]
        here.sort(key=lambda d: (d.spot.passage is not spot.passage, d.spot.anchor.section != spot.anchor.section))
        near = [d for d in here if d.spot.passage is spot.passage or d.spot.anchor.section == spot.anchor.section]
        found = [self.binding.binder.find(d.entry.pointer or "")[0] for d in near]
        return offers(spot, [leaf for leaf in found if leaf])

    def declare(self, offer: Offer, label: str, written: str) -> tuple[str, dict[str, Any]]:
        relation = offer.relation(label, written, [r["id"] for r in self.relations])
        self.relations.append(relation)
        return f"/relations/{len(self.relations) - 1}", relation

    def _write(self, relation: dict[str, Any]) -> None:
        file = self.binding.explainer.document.file
        path = self.project.root / file
        before = path.read_text("utf-8-sig")
        kind = "json" if path.suffix == ".json" else "yaml"
        replace_text(path, still(before, edit.append(before, kind, "relations", relation), file))

    def result(self) -> Binding:
        drafts = tuple(self.drafts[id(d.spot)] for d in self.binding.drafts)
        return replace(self.binding, drafts=drafts)


def is_new(project: Project, binding: Binding) -> bool:
    """Tell whether the lock has other bytes than its file. A record without numbers gets none."""
    path = project.root / binding.file
    if not path.is_file():
        return bool(binding.drafts)
    return path.read_bytes() != binding.text.encode()


def write(project: Project, binding: Binding) -> None:
    """Write the lock."""
    replace_text(project.root / binding.file, binding.text)


def asked(binding: Binding) -> Iterator[tuple[Problem, list[str]]]:
    """Yield what is still asked, in the order of the prose: a located problem, and the lines below it.

    A sentence whose words changed is asked about once, with all its numbers.
    """
    for question in binding.questions:
        reworded = [d for d in question.drafts if d.why == "sentence"]
        if reworded:
            lines = [f"“{d.spot.token.written}” {d.entry.pointer}  {d.entry.row}" for d in reworded]
            remedy = "Confirm it in a terminal, or with --keep."
            yield _problem(reworded[0], "claim-stale", f"the sentence changed: {marked(question)}", remedy), lines
        for draft in question.drafts:
            if draft.why == "differs":
                yield _problem(draft, *(draft.told or proof.REWORDED)), options(draft.fits, binding.binder.data)
            elif draft.why == "open":
                message = f"“{draft.spot.token.written}” may mean more than one field, or none"
                remedy = "Choose in a terminal, or edit its line."
                yield _problem(draft, "claim-open", message, remedy), options(draft.fits, binding.binder.data)


def _problem(draft: Draft, code: str, message: str, remedy: str) -> Problem:
    passage = draft.spot.passage
    return Problem(passage.file, passage.pointer, draft.spot.offset, code, message, remedy)


def keep(binding: Binding) -> Binding:
    """Return the binding with every sentence confirmed whose words changed while its numbers still agree."""
    drafts = tuple(kept(d) if d.why == "sentence" else d for d in binding.drafts)
    return replace(binding, drafts=drafts)


def as_plain(binding: Binding) -> dict[str, Any]:
    """Return a binding as plain data for --json."""
    return {
        "record": binding.explainer.record.id,
        "file": binding.file,
        "claims": [locks.plain(d.entry) for d in binding.drafts if d.why is None],
        "questions": [
            {**locks.plain(d.entry), "why": d.why, "fits": [leaf.pointer for leaf in d.fits]}
            for d in binding.drafts
            if d.why
        ],
    }

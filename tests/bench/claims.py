"""How fast numbers are bound and checked, and how many slips of a body pinpress and numaudit let pass.

    python -m tests.bench.claims

The table goes into docs/measured.md, with that of the slips that the locks count.

numaudit is given the record without its prose, and the results of its arithmetic: the least in which a wrong number
may be found by chance. It lets a slip pass where the changed body has no more numbers without a source than before.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from site_src import binding, mutation
from site_src.binding import Binding
from site_src.check import Explainer
from site_src.claims import anchors, forms, sentences, vocabulary
from site_src.claims.examine import examine
from site_src.claims.mutate import Change
from site_src.claims.passages import passages
from site_src.placing import place_of_body
from site_src.project import Project
from tests.audit import outside
from tests.audit.project import ROOT

from . import document

KINDS: Final = ("digit", "swap")
HEAD: Final = ("Guide", "Bind", "Check", *(f"{kind.capitalize()}: {what}" for kind in KINDS
               for what in ("tried", "numaudit lets pass", "pinpress lets pass")))  # fmt: skip


@dataclass(frozen=True)
class Peers:
    """Slips of one kind in one body: how many were tried, and how many each of the two let pass."""

    tried: int
    numaudit: int
    pinpress: int


def peers(bound: Binding) -> dict[str, Peers]:
    """Return kind of slip → how pinpress and numaudit do on the body of a record."""
    explainer = bound.explainer
    place = place_of_body(explainer.document)
    changes = [c for c in mutation.trial(bound).changes() if (c.file, c.pointer) == place and c.kind in KINDS]
    lets_pass = _by_numaudit(explainer, changes)
    found: dict[str, Peers] = {}
    for kind in KINDS:
        same = [i for i, c in enumerate(changes) if c.kind == kind]
        found[kind] = Peers(len(same), sum(lets_pass[i] for i in same), sum(not changes[i].caught for i in same))
    return found


def _by_numaudit(explainer: Explainer, changes: Sequence[Change]) -> list[bool]:
    """Return for each change of the body whether numaudit lets it pass."""
    text = explainer.body.source
    with tempfile.TemporaryDirectory() as name:
        data = Path(name) / "evidence.json"
        data.write_text(outside.evidence(explainer), "utf-8")
        texts = [text, *(_changed(text, change) for change in changes)]
        (told,) = outside.judged([{"data": [str(data)], "texts": texts, "count": True}])
    before, *after = told["unsourced"]
    return [count <= before for count in after]


def _changed(text: str, change: Change) -> str:
    for edit in sorted(change.edits, key=lambda e: -e.start):
        text = edit.of(text)
    return text


def seconds(bound: Binding) -> tuple[float, float]:
    """Return how long it takes to bind a record that has no lock, and to prove the claims of its lock."""
    explainer, settings = bound.explainer, outside.shipped().settings

    def bind() -> None:
        spots = anchors.spots(passages(explainer.document, explainer.document.data, explainer.body))
        binding.binder_of(explainer, settings).drafts(spots, None)

    def check() -> None:
        examine(explainer.document, explainer.body, explainer.derivations, settings)

    return min(_cold(bind) for _ in range(3)), min(_cold(check) for _ in range(3))


def _cold(work: Callable[[], None]) -> float:
    """Return the seconds that work takes with every cache of the claims emptied."""
    for module in (anchors, forms, sentences, vocabulary):
        for held in vars(module).values():
            if hasattr(held, "cache_clear"):
                held.cache_clear()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rows(bindings: Sequence[Binding]) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for each shipped record."""
    for bound in bindings:
        bind, check = seconds(bound)
        told = [n for p in peers(bound).values() for n in (f"{p.tried:,}", _of(p.numaudit, p), _of(p.pinpress, p))]
        yield (bound.explainer.record.id, f"{bind:.2f} s", f"{check * 1000:.0f} ms", *told)


def _of(missed: int, held: Peers) -> str:
    return f"{missed:,} ({100 * missed / held.tried:.1f} %)" if held.tried else "none tried"


def main() -> None:
    """Print the table and put it into the document."""
    bindings = binding.bindings(Project(ROOT), [])
    found = document.table(HEAD, rows(bindings))
    print(found, end="")
    document.put("peers", f"{document.machine()}\n{found}")
    counted = {b.explainer.record.id: b.explainer.claims.mutated for b in bindings}
    document.put("slips", document.slips({name: counts for name, counts in counted.items() if counts}))


if __name__ == "__main__":
    main()

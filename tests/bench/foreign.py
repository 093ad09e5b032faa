"""How `bind` does on findings of another publisher: drafts made from their tables, counted against a key made by hand.

    python -m tests.bench.foreign SOURCES

SOURCES holds documents as OWNER/REPOSITORY/REVISION/PATH. The table goes into docs/measured.md. The keys in `keys/`
were written from the prose and the drafts alone. A number is *right* where it is bound to a field that the key accepts,
*wrong* where it is bound to another one, *open* where it is left to the editor.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from site_src import binding
from site_src.claims.bind import Draft
from site_src.project import Project

from . import document, foreign_drafts

KEYS: Final = Path(__file__).parent / "keys"
BOUND: Final = frozenset({"claim", "derived", "count"})
COLUMNS: Final = ("numbers", "bound right", "bound wrong", "open, a field exists", "open, no field", "name or date")


def measure(sources: Path) -> dict[str, Counter[str]]:
    """Return record → how many numbers of its body had which outcome."""
    with tempfile.TemporaryDirectory() as name:
        foreign_drafts.build(sources, Path(name) / "records")
        found = binding.bindings(Project(Path(name).resolve()), [])
        return {b.explainer.record.id: _counted(b.drafts, _key(b.explainer.record.id)) for b in found}


def _key(record: str) -> list[dict[str, Any]]:
    numbers: list[dict[str, Any]] = json.loads((KEYS / f"{record}.json").read_text("utf-8"))["numbers"]
    return numbers


def _counted(drafts: tuple[Draft, ...], key: list[dict[str, Any]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for draft in drafts:
        spot = draft.spot
        if spot.anchor.field != "body":
            continue
        start, end = spot.offset, spot.offset + len(spot.token.written)
        entry = next((e for e in key if e["start"] < end and start < e["end"]), None)
        if entry is None:
            raise SystemExit(f"the key says nothing of “{spot.token.written}” at {start}")
        counts["numbers"] += 1
        counts[_outcome(draft, entry)] += 1
    return counts


def _outcome(draft: Draft, entry: dict[str, Any]) -> str:
    cls, pointer = draft.entry.cls, draft.entry.pointer
    accepted = {p for spec in entry.get("pointers", ()) for p in expanded(spec)}
    if cls in BOUND:
        is_right = bool({pointer, (pointer or "").removesuffix("/value")} & accepted)
        return "bound right" if is_right else "bound wrong"
    if cls == "open":
        return "open, a field exists" if entry["means"] == "field" else "open, no field"
    if cls in {"name", "date"} and entry["means"] == "field" and cls not in entry.get("also", ()):
        return "name or date" if pointer in accepted else "bound wrong"
    if cls not in {"name", "date"} and entry["means"] in {"field", "relation-needed"}:
        return "bound wrong"  # exempted, though it states a quantity
    return "name or date" if cls in {"name", "date"} else "exempt"


def expanded(spec: str) -> Iterator[str]:
    """Yield the pointers of a spec: /reported_results/0-2,5/value stands for rows 0, 1, 2 and 5."""
    match = re.fullmatch(r"(/\w+/)([\d,-]+)(.*)", spec)
    if match is None:
        yield spec
        return
    for run in match[2].split(","):
        first, _, last = run.partition("-")
        for number in range(int(first), int(last or first) + 1):
            yield f"{match[1]}{number}{match[3]}"


def main(sources: Path) -> None:
    """Print the table and put it into the document."""
    columns = [*COLUMNS, "exempt"]
    rows = [(record, *(f"{counts[c]:,}" for c in columns)) for record, counts in measure(sources).items()]
    found = document.table(("Finding", *(c.capitalize() for c in columns)), rows)
    print(found, end="")
    document.put("foreign", f"{document.machine()}\n{found}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

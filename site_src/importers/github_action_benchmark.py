"""github-action-benchmark: the list of a custom tool, or the history in data.js. Made from its public code.

Source: src/extract.ts and src/write.ts of benchmark-action/github-action-benchmark: an entry has name, value and unit,
and may have `range` and `extra` in words; data.js is `window.BENCHMARK_DATA = ` before a JSON of suites. The unit is
what the entry states. `range` says no kind of dispersion, so that it is kept in its words. Of Go, the first entry of a
benchmark has every other reading of its line behind a tab in `unit`; the unit is what stands before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..result_json import NotJson, read
from .result_file import Part, ResultFile
from .served import given, place
from .shape import Format, Imported, Run, Spot

_PREFIX: Final = "window.BENCHMARK_DATA"
_ENTRY: Final = {"name", "value", "unit"}


def recognise(file: ResultFile) -> bool:
    """Tell whether the file is a history, or a list whose entries have name, value and unit."""
    if file.text.lstrip().startswith(_PREFIX):
        return True
    if len(file.trees) != 1:
        return False
    whole = file.trees[0]
    if isinstance(whole.data, dict):
        return isinstance(whole.get("entries"), dict) and whole.has("lastUpdate")
    return bool(file.objects) and all(part.data.keys() >= _ENTRY for part in file.objects)


def read_file(file: ResultFile) -> Imported:
    """Return a run for each entry, or of a history for each entry of each commit. Raises Rejected for none."""
    whole = _history(file) if file.text.lstrip().startswith(_PREFIX) else file.trees[0]
    is_list = isinstance(whole.data, list)
    runs = [_run(part, {}, {}) for part in whole.items()] if is_list else [*_suites(whole)]
    if not runs:
        raise whole.refuse((), "import-empty", "the file holds no entry", "Import the file of another run.")
    return Imported(tuple(runs))


def _history(file: ResultFile) -> Part:
    """Return the JSON of data.js. Its lines count from the top of the file; a pointer would lead nowhere in it."""
    start = file.text.index("=") + 1 if "=" in file.text else 0
    try:
        tree = read(file.text[start:].strip().removesuffix(";"))
    except NotJson as broken:
        remedy = "Give data.js as the action wrote it."
        raise file.refuse(start + broken.offset, "broken-json", str(broken), remedy) from None
    gap = len(file.text[start:]) - len(file.text[start:].lstrip())
    return Part(file, tree, "", start + gap, file.text.count("\n", 0, start + gap) + 1, is_pointed=False)


def _suites(whole: Part) -> Iterator[Run]:
    entries = whole.get("entries")
    for suite in entries if isinstance(entries, dict) else ():
        for point in whole.items("entries", suite):
            if not isinstance(point.data, dict):
                continue
            shared: dict[str, Any] = {"suite": suite}
            more, spots = given(point.part("commit"), {"id": "commit", "timestamp": "committed_at"})
            tool, at = given(point, {"tool": "tool"})
            for bench in point.items("benches"):
                yield _run(bench, {**shared, **more, **tool}, {**spots, **at})


def _run(part: Part, conditions: dict[str, Any], spots: dict[str, Spot]) -> Run:
    unit, name = part.get("unit"), part.get("name")
    if not (isinstance(unit, str) and unit.strip() and isinstance(name, str) and name.strip()):
        message = "the entry has no name or no unit, and none is guessed"
        raise part.refuse((), "import-shape", message, "Add it to the output of the tool, and run it again.")
    spread = part.get("range")
    known = {"range_as_written": spread, **place(part.spot("range"))} if isinstance(spread, str) and spread else None
    first, tab, _ = unit.strip().partition("\t")
    found = part.quantity("value", metric=name, unit=first.strip(), statistic="not stated", uncertainty=known)
    beside = {"extra": "extra"} if part.get("extra") else {}
    extra, where = given(part, {**beside, **({"unit": "unit_in_file"} if tab else {})})
    commit = str(conditions.get("commit") or "")[:7]
    label = f"{name} at {commit}" if commit else name
    return Run(label, (found,) if found else (), {**conditions, **extra}, {**spots, **where})


FORMAT: Final = Format("github-action-benchmark", "github-action-benchmark", recognise, read_file, is_json=False)

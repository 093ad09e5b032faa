"""Case reports → figures: a failure as an incident, reported cells as a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from .. import citations, words
from .asked import Asked, CannotSelectError
from .caption import sources
from .spec import Cell, Counted, FigureSpec, Gauge, Incident, Matrix, Panel, Plotted, Step

_BEFORE: Final = re.compile(r"(.+)_before$")
_EVENT: Final = re.compile(r"(.+)_((?:at|during|after)_\w+|after)$")
_LIMIT: Final = re.compile(r"max|limit|ceiling|capacity|configured", re.I)
_POOL: Final = re.compile(r"slots|pool|capacity|total|size|limit", re.I)
_WAITING: Final = {"queued", "waiting", "running"}
_MANY: Final = 6
MOST_PANELS: Final = 6
MOST_COLUMNS: Final = 16
Case = Mapping[str, Any]


def select_incident(asked: Asked) -> FigureSpec | None:
    """Return a figure of the declared case report, else of the first that holds an error."""
    record = asked.record
    case = next((c for c in record.case_reports if c.get("error") and _is_asked(asked, c)), None)
    if case is None:
        return None
    gauges = tuple(_gauges(case))
    content = Incident(tuple(_steps(case)), gauges, tuple(_counts(case)))
    cited = citations.of_part(record, case)
    return FigureSpec(
        stem=asked.stem,
        kind="incident",
        title=asked.title or f"Failure: {case['error']}",
        subtitle="Counters reported around one failure."
        + (" Each share is of its own pool." if gauges else " No share of a pool is reported."),
        source=sources(record, [cited] if cited else []),
        desc=_describe_incident(content),
        content=content,
    )


def _is_asked(asked: Asked, case: Case) -> bool:
    return not (asked.entry and asked.entry.case) or case.get("id") == asked.entry.case


def _steps(case: Case) -> Iterator[Step]:
    before = [_line(m.group(1), v) for k, v in case.items() if (m := _BEFORE.match(k)) and v is not None]
    if before:
        yield Step("Before", tuple(before), alert=False)
    events: dict[str, list[str]] = {}
    for key, value in case.items():
        match = _EVENT.match(key)
        # A counter "at" some place is a step of the failure only beside a share or a value before it.
        if match and value is not None and (_share(value) or f"{match.group(1)}_before" in case):
            events.setdefault(match.group(2), []).append(_line(match.group(1), value))
    for name, lines in events.items():
        yield Step(words.label(name), tuple(lines), alert=True)
    for key in ("error", "outcome"):
        if case.get(key):
            yield Step(words.label(key), (words.plain(case[key]),), alert=True)


def _line(key: str, value: Any) -> str:
    return "{} {}".format(*words.field(key, value))


def _gauges(case: Case) -> Iterator[Gauge]:
    """Pair shares (0 to 1, with a fraction) before and at the event under their common name."""
    bases = [m.group(1) for k in case if (m := _BEFORE.match(k) or _EVENT.match(k))]
    for base in dict.fromkeys(bases):
        before = _share(case.get(f"{base}_before"))
        event = next((_share(v) for k, v in case.items() if (m := _EVENT.match(k)) and m.group(1) == base), None)
        if before or event:
            yield Gauge(words.label(base), _pool_note(case, base), before, event)


def _share(value: Any) -> Plotted | None:
    if isinstance(value, Decimal) and 0 <= value <= 1 and "." in words.literal(value):
        return Plotted(words.number(value), float(value))
    return None


def _pool_note(case: Case, base: str) -> str:
    """Name the size of the gauge's pool, where exactly one field with the same first word tells it."""
    first = base.split("_", maxsplit=1)[0]
    sizes = [
        (k, v)
        for k, v in case.items()
        if isinstance(v, Decimal) and k.split("_")[0] == first and _POOL.search(k) and not k.startswith(base)
    ]
    return "{}: {}".format(*words.field(*sizes[0])) if len(sizes) == 1 else ""


def _counts(case: Case) -> Iterator[Counted]:
    """Yield counts of what a configured limit bounds, each limit beside the first count it bounds."""
    whole = {k: v for k, v in case.items() if isinstance(v, Decimal) and "." not in words.literal(v)}
    limits = {noun: k for k in whole if _LIMIT.search(k) for noun in _words_of(k) if not _LIMIT.search(noun)}
    counts = [k for k in whole if k not in limits.values()]
    named = [k for k in counts if _words_of(k) & (set(limits) | _WAITING)]
    used: set[str] = set()
    for key in named or counts[:_MANY]:
        limit = next((limits[n] for n in limits if n in _words_of(key) and limits[n] not in used), None)
        if limit and not _words_of(key) & {"queued", "waiting"} and whole[key] <= whole[limit]:
            used.add(limit)
            yield Counted(words.label(key), _plotted(whole[key]), words.label(limit), _plotted(whole[limit]))
        else:
            yield Counted(words.label(key), _plotted(whole[key]))


def _words_of(key: str) -> set[str]:
    return set(key.lower().split("_"))


def _plotted(value: Decimal) -> Plotted:
    return Plotted(words.number(value), float(value))


def _describe_incident(content: Incident) -> str:
    steps = " Then ".join(f"{s.heading}: {'; '.join(s.lines)}." for s in content.steps)
    gauges = [
        f"{g.label} before {g.before.text if g.before else words.NOT_REPORTED}, "
        f"at the event {g.at_event.text if g.at_event else words.NOT_REPORTED}" + (f" ({g.note})" if g.note else "")
        for g in content.gauges
    ]
    counts = [
        f"{c.label} {c.value.text}" + (f" of {c.limit.text} ({c.limit_label})" if c.limit else "")
        for c in content.counts
    ]
    rest = [f" Shares of each pool: {'; '.join(gauges)}."] * bool(gauges) + [f" {'; '.join(counts)}."] * bool(counts)
    return f"Ordered steps without clock times. {steps}{''.join(rest)}"


def select_matrix(asked: Asked) -> FigureSpec | None:
    """Return a figure of the declared case report, else of the first with cells: one panel per quantity."""
    record = asked.record
    case = next((c for c in record.case_reports if cells_of(c) and _is_asked(asked, c)), None)
    if case is None:
        return None
    cells, omitted = cells_of(case), omitted_of(case)
    axis = next(iter(cells[0]))
    wanted = asked.entry.panels if asked.entry and asked.entry.panels else quantities(cells, axis)
    panels = tuple(_panel(key, axis, cells, omitted) for key in wanted if key in quantities(cells, axis))
    if len(panels) < len(wanted) or not panels:
        return None
    if len(panels) > MOST_PANELS or len(cells) + len(omitted) > MOST_COLUMNS:
        message = f"a matrix figure shows up to {MOST_PANELS} quantities of {MOST_COLUMNS} cells; select its panels"
        raise CannotSelectError("crowded-figure", message)
    names = words.listed([p.title for p in panels])
    skipped = f", {len(omitted)} not run" if omitted else ""
    content = Matrix(
        axis=words.label(axis),
        columns=tuple(words.field(axis, c.get(axis))[1] for c in [*cells, *omitted]),
        panels=panels,
        key="Hollow mark: one reported value per cell; no spread is reported.",
    )
    cited = citations.of_part(record, case)
    return FigureSpec(
        stem=asked.stem,
        kind="matrix",
        title=asked.title or f"{names} by {words.label(axis).lower()}",
        subtitle=f"{words.count(len(cells), 'reported cell')}{skipped}; each panel has its own quantity and unit",
        source=sources(record, [cited] if cited else []),
        desc=_describe_matrix(content),
        content=content,
    )


def cells_of(case: Case) -> list[dict[str, Any]]:
    """Return the cells of a matrix in record order; empty where the case has none."""
    cells = case.get("cells")
    return [c for c in cells if isinstance(c, dict) and c] if isinstance(cells, list) else []


def omitted_of(case: Case) -> list[dict[str, Any]]:
    """Return the cells that were left out, `omitted_cell` or the list `omitted_cells`."""
    one, many = case.get("omitted_cell"), case.get("omitted_cells")
    found = [one] if isinstance(one, dict) else []
    return found + [c for c in many if isinstance(c, dict)] if isinstance(many, list) else found


def quantities(cells: list[dict[str, Any]], axis: str) -> list[str]:
    """Return the keys of a matrix that hold numbers in any cell, the axis excepted."""
    keys = dict.fromkeys(k for c in cells for k in c if k != axis)
    return [k for k in keys if any(isinstance(c.get(k), Decimal) for c in cells)]


def _panel(key: str, axis: str, cells: list[dict[str, Any]], omitted: list[dict[str, Any]]) -> Panel:
    stem, unit = words.split_unit(key)
    drawn = [_cell(c.get(key), words.NOT_REPORTED) for c in cells]
    skipped = [_cell(c.get(key), words.status(c.get("status"))) for c in omitted]
    return Panel(words.label(stem), unit, tuple(drawn + skipped))


def _cell(value: Any, otherwise: str) -> Cell:
    return Cell(_plotted(value)) if isinstance(value, Decimal) else Cell(None, otherwise)


def _describe_matrix(content: Matrix) -> str:
    panels = []
    for panel in content.panels:
        cells = [
            f"{content.axis} {column} {cell.value.text if cell.value else cell.words}"
            for column, cell in zip(content.columns, panel.cells, strict=True)
        ]
        panels.append(f"{panel.title}{f' in {panel.unit}' if panel.unit else ''}: {', '.join(cells)}")
    return f"{words.count(len(panels), 'panel')} from zero. {'. '.join(panels)}. {content.key}"

"""Case reports → figures: a failure as an incident, reported cells as a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from .. import citations, words
from ..interface import Words
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
    record, say = asked.record, asked.say
    case = next((c for c in record.case_reports if c.get("error") and _is_asked(asked, c)), None)
    if case is None:
        return None
    gauges = tuple(_gauges(say, case))
    content = Incident(tuple(_steps(say, case)), gauges, tuple(_counts(say, case)))
    cited = citations.of_part(record, case)
    return FigureSpec(
        stem=asked.stem,
        kind="incident",
        title=asked.title or say("figure.failure", error=case["error"]),
        subtitle=say("figure.with_shares") if gauges else say("figure.without_shares"),
        source=sources(say, record, [cited] if cited else []),
        desc=_describe_incident(say, content),
        content=content,
        say=asked.drawn_words,
    )


def _is_asked(asked: Asked, case: Case) -> bool:
    return not (asked.entry and asked.entry.case) or case.get("id") == asked.entry.case


def _steps(say: Words, case: Case) -> Iterator[Step]:
    before = [_line(say, m.group(1), v) for k, v in case.items() if (m := _BEFORE.match(k)) and v is not None]
    if before:
        yield Step(say("figure.before"), tuple(before), alert=False)
    events: dict[str, list[str]] = {}
    for key, value in case.items():
        match = _EVENT.match(key)
        # A counter "at" some place is a step of the failure only beside a share or a value before it.
        if match and value is not None and (_share(say, value) or f"{match.group(1)}_before" in case):
            events.setdefault(match.group(2), []).append(_line(say, match.group(1), value))
    for name, lines in events.items():
        yield Step(words.label(name), tuple(lines), alert=True)
    for key in ("error", "outcome"):
        if case.get(key):
            yield Step(words.label(key), (say.plain(case[key]),), alert=True)


def _line(say: Words, key: str, value: Any) -> str:
    return "{} {}".format(*say.field(key, value))


def _gauges(say: Words, case: Case) -> Iterator[Gauge]:
    """Pair shares (0 to 1, with a fraction) before and at the event under their common name."""
    bases = [m.group(1) for k in case if (m := _BEFORE.match(k) or _EVENT.match(k))]
    for base in dict.fromkeys(bases):
        before = _share(say, case.get(f"{base}_before"))
        event = next((_share(say, v) for k, v in case.items() if (m := _EVENT.match(k)) and m.group(1) == base), None)
        if before or event:
            yield Gauge(words.label(base), _pool_note(say, case, base), before, event)


def _share(say: Words, value: Any) -> Plotted | None:
    if isinstance(value, Decimal) and 0 <= value <= 1 and "." in words.literal(value):
        return Plotted(say.number(value), float(value))
    return None


def _pool_note(say: Words, case: Case, base: str) -> str:
    """Name the size of the gauge's pool, where exactly one field with the same first word tells it."""
    first = base.split("_", maxsplit=1)[0]
    sizes = [
        (k, v)
        for k, v in case.items()
        if isinstance(v, Decimal) and k.split("_")[0] == first and _POOL.search(k) and not k.startswith(base)
    ]
    return "{}: {}".format(*say.field(*sizes[0])) if len(sizes) == 1 else ""


def _counts(say: Words, case: Case) -> Iterator[Counted]:
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
            yield Counted(words.label(key), _plotted(say, whole[key]), words.label(limit), _plotted(say, whole[limit]))
        else:
            yield Counted(words.label(key), _plotted(say, whole[key]))


def _words_of(key: str) -> set[str]:
    return set(key.lower().split("_"))


def _plotted(say: Words, value: Decimal) -> Plotted:
    return Plotted(say.number(value), float(value))


def _describe_incident(say: Words, content: Incident) -> str:
    steps = f" {say('figure.then')} ".join(f"{s.heading}: {'; '.join(s.lines)}." for s in content.steps)
    gauges = [
        say("figure.gauge", label=g.label, before=_told(say, g.before), event=_told(say, g.at_event))
        + (f" ({g.note})" if g.note else "")
        for g in content.gauges
    ]
    counts = [
        f"{c.label} {say('drawn.of', value=c.value.text, limit=c.limit.text)} ({c.limit_label})"
        if c.limit
        else f"{c.label} {c.value.text}"
        for c in content.counts
    ]
    shares = [say("figure.shares", gauges="; ".join(gauges))] if gauges else []
    rest = [*shares, f"{'; '.join(counts)}."] if counts else shares
    return " ".join([say("figure.incident_desc", steps=steps), *rest])


def _told(say: Words, value: Plotted | None) -> str:
    return value.text if value else say("word.not_reported")


def select_matrix(asked: Asked) -> FigureSpec | None:
    """Return a figure of the declared case report, else of the first with cells: one panel per quantity."""
    record, say = asked.record, asked.say
    case = next((c for c in record.case_reports if cells_of(c) and _is_asked(asked, c)), None)
    if case is None:
        return None
    cells, omitted = cells_of(case), omitted_of(case)
    axis = next(iter(cells[0]))
    wanted = asked.entry.panels if asked.entry and asked.entry.panels else quantities(cells, axis)
    panels = tuple(_panel(say, key, axis, cells, omitted) for key in wanted if key in quantities(cells, axis))
    if len(panels) < len(wanted) or not panels:
        return None
    if len(panels) > MOST_PANELS or len(cells) + len(omitted) > MOST_COLUMNS:
        message = f"a matrix figure shows up to {MOST_PANELS} quantities of {MOST_COLUMNS} cells; select its panels"
        raise CannotSelectError("crowded-figure", message)
    names = say.listed([p.title for p in panels])
    counted = say.count(len(cells), "cell")
    skipped = f", {say('figure.not_run', n=say.integer(len(omitted)))}" if omitted else ""
    content = Matrix(
        axis=words.label(axis),
        columns=tuple(say.field(axis, c.get(axis))[1] for c in [*cells, *omitted]),
        panels=panels,
        key=say("figure.one_per_cell"),
    )
    cited = citations.of_part(record, case)
    return FigureSpec(
        stem=asked.stem,
        kind="matrix",
        title=asked.title or say("table.by", names=names, axis=words.label(axis).lower()),
        subtitle=say("figure.own_units", cells=counted + skipped),
        source=sources(say, record, [cited] if cited else []),
        desc=_describe_matrix(say, content),
        content=content,
        say=asked.drawn_words,
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


def _panel(say: Words, key: str, axis: str, cells: list[dict[str, Any]], omitted: list[dict[str, Any]]) -> Panel:
    stem, unit = words.split_unit(key)
    drawn = [_cell(say, c.get(key), say("word.not_reported")) for c in cells]
    skipped = [_cell(say, c.get(key), say.status(c.get("status"))) for c in omitted]
    return Panel(words.label(stem), say.unit(unit), tuple(drawn + skipped))


def _cell(say: Words, value: Any, otherwise: str) -> Cell:
    return Cell(_plotted(say, value)) if isinstance(value, Decimal) else Cell(None, otherwise)


def _describe_matrix(say: Words, content: Matrix) -> str:
    panels = []
    for panel in content.panels:
        cells = [
            f"{content.axis} {column} {cell.value.text if cell.value else cell.words}"
            for column, cell in zip(content.columns, panel.cells, strict=True)
        ]
        head = say("figure.in_unit", name=panel.title, unit=panel.unit) if panel.unit else panel.title
        panels.append(f"{head}: {say('form.between').join(cells)}")
    counted = say.count(len(panels), "panel")
    return say("figure.matrix_desc", panels=counted, rows=". ".join(panels), key=content.key)

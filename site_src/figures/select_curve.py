"""Measurements over one numeric condition → a curve; a point without a value is left open and said."""

from __future__ import annotations

from decimal import Decimal

from .. import words
from ..figure_entries import is_numeric
from ..interface import Words
from ..model import Measurement
from .asked import Asked, CannotSelectError
from .caption import result_sources
from .select_rates import in_unit, key, plotted
from .spec import Curve, CurvePoint, CurveSeries, FigureSpec, Plotted


def select(asked: Asked) -> FigureSpec | None:
    """Return the declared curve. Raises CannotSelectError; a curve has no default selection, so None without entry."""
    entry, say = asked.entry, asked.say
    if entry is None or entry.x is None:
        return None
    results = asked.results()
    if not is_numeric(results, entry.x):
        raise CannotSelectError("mixed-panel", f"{entry.x} is not a number in every selected result")
    series: dict[str, list[Measurement]] = {}
    for result in results:
        name = say.field(entry.series, result.conditions.get(entry.series))[1] if entry.series else ""
        series.setdefault(name, []).append(result)
    if any(len({r.conditions[entry.x] for r in group}) < len(group) for group in series.values()):
        raise CannotSelectError("mixed-panel", f"two selected results of one series share their {entry.x}")
    first = results[0]
    known = [r for r in results if r.value is not None]
    name = words.label(first.metric)
    stem, unit = words.split_unit(entry.x)
    axis = words.label(stem) + (f", {say.unit(unit)}" if unit else "")
    drawn = tuple(CurveSeries(label, _points(say, group, entry.x)) for label, group in series.items())
    legend = key(say, known or results, len(results) - len(known), ranked=asked.record.performance_ranking_allowed)
    content = Curve(axis, say.unit(first.unit), drawn, legend)
    return FigureSpec(
        stem=asked.stem,
        kind="curve",
        title=asked.title or say("figure.over", name=name, axis=words.label(stem).lower()),
        subtitle=in_unit(say, first, name),
        source=result_sources(say, asked.record, results),
        desc=_describe(say, content, name),
        content=content,
        say=asked.drawn_words,
    )


def _points(say: Words, group: list[Measurement], x: str) -> tuple[CurvePoint, ...]:
    ordered = sorted(group, key=lambda r: Decimal(r.conditions[x]))
    return tuple(
        CurvePoint(
            x=Plotted(say.number(r.conditions[x]), float(r.conditions[x])),
            value=plotted(say, r) if r.value is not None else None,
            words="" if r.value is not None else say.status(r.null_reason or "not_reported"),
            filled=r.repetitions is not None and r.repetitions > 1,
        )
        for r in ordered
    )


def _describe(say: Words, content: Curve, name: str) -> str:
    lines = []
    for series in content.series:
        points = [f"{p.x.text}: {p.value.text if p.value else p.words}" for p in series.points]
        lines.append((f"{series.label}: " if series.label else "") + say("form.between").join(points))
    name = say("figure.over", name=say("figure.in_unit", name=name, unit=content.unit), axis=content.x_label)
    return say("figure.curve_desc", name=name, rows=". ".join(lines), key=content.key)

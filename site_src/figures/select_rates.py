"""Measurements → a rates figure: the first results that share metric, unit, denominator and statistic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from .. import words
from ..interface import ENGLISH, Words
from ..model import Measurement
from .asked import Asked, CannotSelectError
from .caption import result_sources
from .spec import FigureSpec, Note, Plotted, RateGroup, RateRow, Rates

MOST_ROWS: Final = 40


def select(asked: Asked) -> FigureSpec | None:
    """Return a rates figure: the declared selection, else the record's first run; None where nothing fits."""
    record, entry, say = asked.record, asked.entry, asked.say
    chosen = asked.results() if asked.is_selecting else first_run(record.reported_results)
    run = [r for r in chosen if r.value is not None]
    if len(run) > MOST_ROWS:
        raise CannotSelectError("crowded-figure", f"{len(run)} values are more than the {MOST_ROWS} a figure can show")
    if not run:
        return None
    first = run[0]
    name = words.label(first.metric)
    single = all(r.repetitions == 1 for r in run)
    counted = say.count(len(run), "observation") if single else say.count(len(run), "value")
    layout = factors([r.conditions for r in run])
    if entry and (entry.group or entry.series or entry.notes):
        layout = Factors(entry.group, entry.series, list(entry.notes))
    left_out = len(chosen) - len(run)
    content = rates(say, run, layout, key(say, run, left_out, ranked=record.performance_ranking_allowed))
    return FigureSpec(
        stem=asked.stem,
        kind="rates",
        title=asked.title or f"{name}, {counted}",
        subtitle=in_unit(say, first, name),
        source=result_sources(say, record, run),
        desc=describe(say, content, name),
        content=content,
        say=asked.drawn_words,
    )


@dataclass(frozen=True)
class Factors:
    """Which condition groups rows, which makes series, which outcomes stand beside the marks."""

    group: str | None
    series: str | None
    outcomes: list[str]


def cohort(result: Measurement) -> tuple[str, str, str | None, str]:
    """Return what two results must share to stand on one axis."""
    return result.metric, result.unit, result.denominator, result.statistic


def first_run(results: Sequence[Measurement]) -> list[Measurement]:
    """Return the first two or more neighbours of one cohort that have a value; memory has a figure of its own."""
    run: list[Measurement] = []
    for result in results:
        if run and cohort(result) == cohort(run[0]):
            run.append(result)
        elif len(run) > 1:
            break
        else:
            run = [] if words.is_bytes(result.unit) else [result]
    found = [r for r in run if r.value is not None]
    return found if len(found) > 1 else []


def rates(say: Words, run: Sequence[Measurement], layout: Factors, legend: str) -> Rates:
    """Lay results out in groups and series, outcomes of the run as notes beside the marks."""
    series = list(dict.fromkeys(_text(say, r, layout.series) for r in run))
    named = _names_rows(say, run, layout)
    groups: dict[str, list[RateRow]] = {}
    for result in run:
        heading = "{}: {}".format(*_field(say, result, layout.group)) if layout.group and layout.series else ""
        row = RateRow(
            label=_row_label(say, result, layout) if named else result.label,
            value=plotted(say, result),
            series=series.index(_text(say, result, layout.series)),
            filled=result.repetitions is not None and result.repetitions > 1,
            notes=tuple(_note(say, k, result.conditions.get(k)) for k in layout.outcomes),
        )
        groups.setdefault(heading, []).append(row)
    return Rates(
        unit=say.unit(run[0].unit),
        groups=tuple(RateGroup(label, tuple(rows)) for label, rows in groups.items()),
        note_heads=tuple(words.label(words.split_unit(k)[0]) for k in layout.outcomes),
        key=legend,
    )


def in_unit(say: Words, result: Measurement, name: str) -> str:
    """Return what a figure shows: its metric and unit, and what a rate was divided by."""
    told = say("figure.in_unit", name=name, unit=say.unit(result.unit))
    return f"{told}: {result.denominator}" if result.denominator else told


def plotted(say: Words, result: Measurement) -> Plotted:
    """Return a result's value as it is printed, and its place on an axis."""
    value = result.value or Decimal(0)
    return Plotted(say.digits(result.value_text) if result.value_text else say.number(value), float(value))


def factors(sets: Sequence[Mapping[str, Any]]) -> Factors:
    """Return the grouping condition, the series condition and the outcomes among conditions that differ.

    A condition that is set for a run recurs in other runs; an outcome is a number that fits one run only.
    The first condition that differs groups, under the shortest of the names that vary with it; the next that
    is not one-to-one with it makes the series.
    """
    differing = [k for k in sets[0] if all(k in s for s in sets) and len({_frozen(s[k]) for s in sets}) > 1]
    levels = {k: [_frozen(s[k]) for s in sets] for k in differing}
    recurring = [k for k in differing if len(set(levels[k])) < len(sets) and None not in [s[k] for s in sets]]
    settings = recurring or [k for k in differing if not any(_is_fraction(s[k]) for s in sets)]
    if not settings:
        return Factors(None, None, [k for k in differing if _is_numeric(sets, k)])
    twins = [k for k in differing if _one_to_one(levels[k], levels[settings[0]]) and k in settings]
    group = min(twins, key=lambda k: (max(len(v) for v in levels[k]), differing.index(k)))
    series = next((k for k in recurring if not _one_to_one(levels[k], levels[group])), None)
    outcomes = [k for k in differing if k not in settings and _is_numeric(sets, k)]
    return Factors(group, series, outcomes)


def _frozen(value: Any) -> str:
    # The layout of a figure is the same in every language.
    return ENGLISH.plain(value)


def _is_fraction(value: Any) -> bool:
    return isinstance(value, Decimal) and value != value.to_integral_value()


def _is_numeric(sets: Sequence[Mapping[str, Any]], key: str) -> bool:
    values = [s[key] for s in sets]
    return any(isinstance(v, Decimal) for v in values) and all(v is None or isinstance(v, Decimal) for v in values)


def _one_to_one(a: Sequence[str], b: Sequence[str]) -> bool:
    pairs = set(zip(a, b, strict=True))
    return len(pairs) == len(set(a)) == len(set(b))


def _field(say: Words, result: Measurement, key: str) -> tuple[str, str]:
    return say.field(key, result.conditions.get(key))


def _text(say: Words, result: Measurement, key: str | None) -> str:
    return _field(say, result, key)[1] if key else ""


def _names_rows(say: Words, run: Sequence[Measurement], layout: Factors) -> bool:
    """Tell whether group and series name each row; where two rows share them, the results' labels must."""
    pairs = {(_text(say, r, layout.group), _text(say, r, layout.series)) for r in run}
    return bool(layout.group or layout.series) and len(pairs) == len(run)


def _row_label(say: Words, result: Measurement, layout: Factors) -> str:
    """Name a row by its series, else by its group."""
    if layout.series:
        return _text(say, result, layout.series)
    return "{}: {}".format(*_field(say, result, layout.group or ""))


def _note(say: Words, key: str, value: Any) -> Note:
    return Note(say.field(key, value)[1], muted=value is None)


def key(say: Words, run: Sequence[Measurement], left_out: int, *, ranked: bool) -> str:
    """Say what the mark means, from how many runs stand behind the values, and what is not drawn."""
    counts = {r.repetitions for r in run}
    if counts == {Decimal(1)}:
        mark = say("figure.single")
    elif None in counts:
        mark = say("figure.uncounted", statistic=run[0].statistic)
    else:
        mark = say("figure.filled", statistic=run[0].statistic)
    missing = [say("figure.left_out", values=say.count(left_out, "value"))] if left_out else []
    return " ".join([mark, *missing, *([] if ranked else [say("figure.unranked")])])


def describe(say: Words, content: Rates, name: str) -> str:
    """Return every plotted value in words."""
    parts = []
    for group in content.groups:
        rows = []
        for row in group.rows:
            notes = [f"{h} {n.text}" for h, n in zip(content.note_heads, row.notes, strict=True)]
            rows.append(f"{row.label} {row.value.text}" + (f" ({say('form.between').join(notes)})" if notes else ""))
        parts.append((f"{group.label}: " if group.label else "") + "; ".join(rows))
    name = say("figure.in_unit", name=name, unit=content.unit)
    return say("figure.rates_desc", name=name, rows=". ".join(parts), key=content.key)

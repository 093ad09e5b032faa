"""A record → its title card: title, state, dates and counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import citations, key_figures, subject, words
from ..interface import Words
from ..model import Record
from .asked import Asked
from .spec import FigureSpec, Hero, HeroColumn


def select(asked: Asked) -> FigureSpec:
    """Return the title card of a record: its key figures where it declares some, else counts of its evidence."""
    record, say = asked.record, asked.say
    content = Hero(
        tag=subject.short_model(record) or words.label(record.record_type),
        context=say("figure.checked", day=say.date(record.source_checked_on)),
        columns=tuple(_key_columns(asked) if record.key_figures else _columns(say, record)),
        state=" ".join(f"{s}." for s in states(say, record)),
        site=asked.site,
    )
    facts = ". ".join(f"{c.heading}: {c.value}, {c.words}" for c in content.columns)
    return FigureSpec(
        stem=asked.stem,
        kind="hero",
        title=asked.title or record.title,
        subtitle="",
        source="",
        desc=say("figure.card_desc", title=record.title, context=content.context, facts=facts, state=content.state),
        content=content,
        say=asked.drawn_words,
    )


def _key_columns(asked: Asked) -> Iterator[HeroColumn]:
    """The first three key figures, as the head of the page shows them."""
    for figure in key_figures.resolved(asked.say, asked.record, asked.derivations)[:3]:
        derived = asked.say("word.derived") if figure.relation else ""
        yield HeroColumn(figure.label, figure.text, " ".join(filter(None, [asked.say.unit(figure.unit), derived])))


def states(say: Words, record: Record) -> tuple[str, str, str]:
    """Return the state of a record in words, as its badges print them."""
    return (
        say.state(record.evidence_state),
        say("badge.rerun") if record.site_reproduced else say("badge.not_rerun"),
        say("badge.ranking") if record.performance_ranking_allowed else say("badge.no_ranking"),
    )


def _columns(say: Words, record: Record) -> Iterator[HeroColumn]:
    editable = sum(citations.is_mutable(s) for s in record.all_sources)
    fixed = len(record.all_sources) - editable
    told = say("figure.fixed_and_editable", fixed=say.integer(fixed), editable=say.integer(editable))
    yield HeroColumn(say("figure.documents"), say.integer(fixed + editable), told)
    results = record.reported_results
    if results:
        lines = sum(r.source_line is not None for r in results)
        yield HeroColumn(say("figure.values"), say.integer(len(results)), say("figure.with_line", n=say.integer(lines)))
    nulls = nulls_in(record)
    yield HeroColumn(say("figure.open"), say.integer(nulls), say("figure.open_fields"))


def nulls_in(record: Record) -> int:
    """Count the nulls in the evidence of a record; those of a campaign once, not for each of its results."""
    shared = {c.id: c.conditions for c in record.campaigns}
    results = [r.model_dump(exclude={"uncertainty"}, exclude_unset=True) for r in record.reported_results]
    for result in results:
        common = shared.get(str(result.get("campaign")), {})
        result["conditions"] = {k: v for k, v in result.get("conditions", {}).items() if k not in common}
    parts = [*results, *shared.values(), *record.case_reports, *record.memory_observations]
    return sum(map(_nulls, [*parts, *record.long_context_cases]))


def _nulls(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_nulls, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_nulls, value))
    return value is None

"""A record → its title card: title, state, dates and counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import citations, words
from ..model import Record
from .spec import FigureSpec, Hero, HeroColumn


def select(record: Record, stem: str, site: str) -> FigureSpec:
    """Return the title card of a record on the site called `site`."""
    content = Hero(
        tag=words.label(record.record_type),
        context=f"sources checked {words.date(record.source_checked_on)}",
        columns=tuple(_columns(record)),
        state=" ".join(f"{s}." for s in states(record)),
        site=site,
    )
    facts = ". ".join(f"{c.heading}: {c.value}, {c.words}" for c in content.columns)
    return FigureSpec(
        stem=stem,
        kind="hero",
        title=record.title,
        subtitle="",
        source="",
        desc=f"Title card. {record.title}. {content.context}. {facts}. {content.state}",
        content=content,
    )


def states(record: Record) -> tuple[str, str, str]:
    """Return the state of a record in words, as its badges print them."""
    return (
        words.state(record.evidence_state),
        "Rerun here" if record.site_reproduced else "Not rerun here",
        "Ranking allowed" if record.performance_ranking_allowed else "Not ranked",
    )


def _columns(record: Record) -> Iterator[HeroColumn]:
    editable = sum(citations.is_mutable(s) for s in record.all_sources)
    fixed = len(record.all_sources) - editable
    yield HeroColumn("Documents", f"{fixed + editable:,}", f"{fixed:,} at a fixed commit, {editable:,} editable")
    results = record.reported_results
    if results:
        lines = sum(r.source_line is not None for r in results)
        yield HeroColumn("Values", f"{len(results):,}", f"{lines:,} with a source line")
    nulls = nulls_in(record)
    yield HeroColumn("Kept open", f"{nulls:,}", "fields that no source reports")


def nulls_in(record: Record) -> int:
    """Count the nulls in the evidence of a record: results, cases, observations and runs."""
    parts = [r.model_dump(exclude={"uncertainty"}) for r in record.reported_results]
    return sum(map(_nulls, [*parts, *record.case_reports, *record.memory_observations, *record.long_context_cases]))


def _nulls(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_nulls, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_nulls, value))
    return value is None

"""Profiles of a capacity record → a figure: pool in full windows, admitted requests, deepest measured request."""

from __future__ import annotations

from .. import citations
from ..capacity import Profile
from ..interface import Words
from .asked import Asked
from .caption import sources
from .spec import Capacity, CapacityRow, FigureSpec, Plotted


def select(asked: Asked) -> FigureSpec | None:
    """Return the capacity figure of a record's profiles, or None where it has none."""
    record, say = asked.record, asked.say
    if not record.profiles or any(p.windows not in asked.derivations.values for p in record.profiles):
        return None
    rows = tuple(_row(asked, p) for p in record.profiles)
    content = Capacity(rows, say("figure.capacity_axis"), say("figure.capacity_key"))
    cited = [c for p in record.profiles if (c := citations.of_evidence(record, p.evidence))]
    return FigureSpec(
        stem=asked.stem,
        kind="capacity",
        title=asked.title or say("figure.capacity_title", profiles=say.count(len(rows), "profile")),
        subtitle=say("figure.capacity_subtitle"),
        source=sources(say, record, cited),
        desc=_describe(say, content),
        content=content,
        say=asked.drawn_words,
    )


def _row(asked: Asked, profile: Profile) -> CapacityRow:
    say, windows = asked.say, asked.derivations.values[profile.windows]
    depth = say.number(profile.deepest.prompt_tokens)
    ceiling = profile.scheduler_ceiling
    return CapacityRow(
        label=profile.label,
        pool=f"{say('capacity.tokens', n=say.number(profile.pool_tokens))} {say(f'capacity.{profile.pool_state}')}",
        windows=Plotted(say.digits(windows.text), float(windows.interval.mid)),
        ceiling=Plotted(say.integer(ceiling), float(ceiling)),
        depth=f"{profile.deepest.requests} × {depth}",
        depth_share=float(profile.deepest.prompt_tokens / profile.window_tokens) if profile.window_tokens else 0.0,
        depth_requests=profile.deepest.requests,
    )


def _describe(say: Words, content: Capacity) -> str:
    rows = [
        say(
            "figure.capacity_row",
            label=r.label,
            pool=r.pool,
            windows=r.windows.text,
            ceiling=r.ceiling.text,
            depth=r.depth,
        )
        for r in content.rows
    ]
    return say("figure.capacity_desc", rows=". ".join(rows), key=content.key)

"""Profiles of a capacity record → a figure: pool in full windows, admitted requests, deepest measured request."""

from __future__ import annotations

from .. import citations, words
from ..capacity import Profile
from .asked import Asked
from .caption import sources
from .spec import Capacity, CapacityRow, FigureSpec, Plotted

_KEY = (
    "The window count is derived: pool tokens divided by window tokens. "
    "A pool is scheduler accounting, not a measured fit."
)


def select(asked: Asked) -> FigureSpec | None:
    """Return the capacity figure of a record's profiles, or None where it has none."""
    record = asked.record
    if not record.profiles or any(p.windows not in asked.derivations.values for p in record.profiles):
        return None
    rows = tuple(_row(asked, p) for p in record.profiles)
    content = Capacity(rows, "full configured windows, or admitted full-window requests", _KEY)
    cited = [c for p in record.profiles if (c := citations.of_evidence(record, p.evidence))]
    return FigureSpec(
        stem=asked.stem,
        kind="capacity",
        title=asked.title or f"Pool, ceiling and measured depth of {words.count(len(rows), 'profile')}",
        subtitle="Token pool in full configured windows, requests the scheduler admits, deepest request measured",
        source=sources(record, cited),
        desc=_describe(content),
        content=content,
    )


def _row(asked: Asked, profile: Profile) -> CapacityRow:
    windows = asked.derivations.values[profile.windows]
    depth = words.number(profile.deepest.prompt_tokens)
    ceiling = profile.scheduler_ceiling
    return CapacityRow(
        label=profile.label,
        pool=f"{words.number(profile.pool_tokens)} tokens {profile.pool_state}",
        windows=Plotted(windows.text, float(windows.interval.mid)),
        ceiling=Plotted(f"{ceiling:,}", float(ceiling)),
        depth=f"{profile.deepest.requests} × {depth}",
        depth_share=float(profile.deepest.prompt_tokens / profile.window_tokens) if profile.window_tokens else 0.0,
        depth_requests=profile.deepest.requests,
    )


def _describe(content: Capacity) -> str:
    rows = [
        f"{r.label}: pool {r.pool}, {r.windows.text} full windows (derived), "
        f"ceiling {r.ceiling.text}, measured {r.depth}"
        for r in content.rows
    ]
    return f"Profiles one under another. {'. '.join(rows)}. {content.key}"

"""Parts of a record → labelled facts. Every key is shown, nested ones under their parent's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from . import words
from .interface import Words
from .view import Fact


@dataclass(frozen=True)
class Told:
    """What is known of keys beside their values: the evidence of each, and why a null is one."""

    links: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)


def facts(
    say: Words, part: Mapping[str, Any], skip: Iterable[str] = (), prefix: str = "", told: Told | None = None
) -> tuple[Fact, ...]:
    """Return the facts of a mapping in record order; keys in `skip` are shown elsewhere."""
    left_out = set(skip)
    shown = [(key, fact(say, key, value, prefix, told)) for key, value in part.items() if key not in left_out]
    labels = Counter(f.label for _, found in shown for f in found)
    # Two keys may differ in their unit alone, run_seconds and run_tokens: then each keeps its whole name.
    whole = [
        replace(f, label=prefix + words.label(key)) if labels[f.label] > 1 and len(found) == 1 else f
        for key, found in shown
        for f in found
    ]
    return tuple(whole)


def fact(say: Words, key: str, value: Any, prefix: str = "", told: Told | None = None) -> tuple[Fact, ...]:
    """Return one key as facts: several where it holds an object or a list of objects."""
    if isinstance(value, Mapping) and value:
        return facts(say, value, prefix=f"{prefix}{words.label(key)}, ")
    if isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
        return tuple(f for n, v in enumerate(value, 1) for f in fact(say, f"{key}_{n}", v, prefix))
    known = told or Told()
    name, text = say.field(key, value)
    if value is None:
        text = say.status(known.reasons.get(key))
    raw = words.literal(value) if isinstance(value, Decimal) else ""
    href = value if isinstance(value, str) and value.startswith(("https://", "http://")) and " " not in value else ""
    numeric = bool(raw) or words.is_range(key, value)
    return (Fact(prefix + name, text, raw, numeric, value is None, known.links.get(key, href)),)

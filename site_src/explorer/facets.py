"""A result → the names under which the explorer lists it: its metric, model, hardware and engine."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from .. import prose, rules, subject
from ..interface import Words
from ..model import Measurement, Record

_ENGINE: Final = re.compile(r"(?:(?:serving|inference)_)?(?:engine|runtime|server|framework|backend)", re.I)
_LONGEST_SLUG: Final = 44


@dataclass(frozen=True)
class Facet:
    """One way to list results: its folder in the site, and by what its texts are named."""

    folder: str
    noun: str

    def one(self, say: Words) -> str:
        """Return what a name of it is: Model."""
        return say(f"facet.{self.noun}")

    def many(self, say: Words) -> str:
        """Return what its names are: Models."""
        return say(f"facets.{self.noun}")


METRIC: Final = Facet("metrics", "metric")
MODEL: Final = Facet("models", "model")
HARDWARE: Final = Facet("hardware", "hardware")
ENGINE: Final = Facet("engines", "engine")
FACETS: Final = (METRIC, MODEL, HARDWARE, ENGINE)


def names(record: Record, result: Measurement) -> dict[str, str]:
    """Return the names of a result by the folder of their facet; what it does not say is left out."""
    found = {
        METRIC.folder: result.metric,
        MODEL.folder: _named(result, subject.MODEL, record.models),
        HARDWARE.folder: _named(result, subject.HARDWARE, record.hardware),
        ENGINE.folder: _named(result, _ENGINE, ()),
    }
    return {folder: name for folder, name in found.items() if name}


def _named(result: Measurement, key: re.Pattern[str], declared: tuple[str, ...]) -> str:
    """Return what a result names in its conditions, in the declared words where those are its words too.

    Without a name of its own it has the declared one, if there is only one.
    """
    texts = (v for k, v in result.conditions.items() if key.fullmatch(k) and isinstance(v, str) and v.strip())
    own = next(texts, "")
    if not own:
        return declared[0] if len(declared) == 1 else ""
    return next((d for d in sorted(declared, key=len, reverse=True) if _is_whole(d, own)), own)


def _is_whole(name: str, text: str) -> bool:
    """Tell whether a text holds a name to its end: `X, two of them` holds X, `X Large` and `not X` do not."""
    return bool(
        re.fullmatch(rf"(?:(?:one|two|four|eight|\d+)\s*[x×]?\s+)?{re.escape(name)}\s*(?:[,;(].*)?", text, re.I)
    )


def slugs(found: Iterable[str]) -> Mapping[str, str]:
    """Return the folder of each name; a hash is added where two would share one, or no server would keep it."""
    ordered = sorted(set(found))
    bare = {name: prose.slug(name)[:_LONGEST_SLUG].strip("-") for name in ordered}
    counts: dict[str, int] = {}
    for slug in bare.values():
        counts[slug] = counts.get(slug, 0) + 1
    is_kept = {s: counts[s] == 1 and not s.isdecimal() and rules.fault_of_step(s) is None for s in counts if s}
    return {n: s if is_kept.get(s) else _tagged(n, s) for n, s in bare.items()}


def _tagged(name: str, slug: str) -> str:
    """Return a folder of a name's own. A bare number is the address of a part, so it is tagged as well."""
    return "-".join(filter(None, (slug, hashlib.sha256(name.encode()).hexdigest()[:6])))

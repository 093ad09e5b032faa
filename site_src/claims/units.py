"""Unit words of prose and unit suffixes of keys → one canonical unit, so that MiB is never taken for GiB."""

from __future__ import annotations

import re
from typing import Final

# Canonical unit → the ways in which this field writes it. Letter case counts where two units differ by it alone.
SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "s": ("s", "sec", "secs", "second", "seconds"),
    "ms": ("ms", "msec", "millisecond", "milliseconds"),
    "µs": ("µs", "μs", "us", "microsecond", "microseconds"),
    "ns": ("ns", "nanosecond", "nanoseconds"),
    "min": ("min", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "tokens/s": ("tokens/s", "tok/s", "token/s", "tokens/sec", "tok/sec", "tokens/second", "t/s", "toks/s", "tps",
                 "TPS", "tokens per second", "tok per second", "tokens a second"),
    "requests/s": ("requests/s", "req/s", "requests/sec", "requests per second", "QPS", "RPS", "qps", "rps"),
    "requests/min": ("requests/min", "req/min", "requests per minute"),
    "tokens": ("tokens", "token", "tok", "toks"),
    "%": ("%", "percent", "per cent", "pct"),
    "percentage points": ("percentage points", "percentage point", "pp"),
    "×": ("×", "x", "times"),
    "bytes": ("bytes", "byte", "B"),
    "KiB": ("KiB", "kibibytes"), "MiB": ("MiB", "mebibytes"), "GiB": ("GiB", "gibibytes"), "TiB": ("TiB",),
    "KB": ("KB", "kB", "kilobytes"), "MB": ("MB", "megabytes"), "GB": ("GB", "gigabytes"), "TB": ("TB", "terabytes"),
    "GB/s": ("GB/s",), "MB/s": ("MB/s",), "GiB/s": ("GiB/s",), "MiB/s": ("MiB/s",), "Gbit/s": ("Gbit/s", "Gbps"),
    "W": ("W", "watt", "watts"), "kW": ("kW",), "J": ("J", "joule", "joules"), "kWh": ("kWh",), "Wh": ("Wh",),
    "J/token": ("J/token", "J/tok", "joules per token"),
    "°C": ("°C",), "V": ("V",), "MHz": ("MHz",), "GHz": ("GHz",),
    "USD": ("USD", "US$", "dollars"),
}  # fmt: skip
_CANONICAL: Final = {spelling: unit for unit, spellings in SPELLINGS.items() for spelling in spellings}
# Things that are counted. The word says what is counted, and proves no unit that a field would name.
_COUNTED: Final = frozenset({"tokens"})
_SPELLED: Final = "|".join(re.escape(s) for s in sorted(_CANONICAL, key=lambda s: (-len(s), s)))
# What a rate or a size is shared out over. A rate per GPU is not that of the machine.
_SHARERS: Final = "gpu|card|device|accelerator|node|user|client|stream|request|sequence"
_SCOPE: Final = rf"(?:/([a-z]\w*?(?:/[a-z]\w*?)*)|[ \u00a0]?\bper[ \u00a0-]({_SHARERS}))s?(?![\w/])"
_WORD: Final = re.compile(rf"({_SPELLED})(?:(?i:{_SCOPE})|(?![\w/]))")
# A single letter after a blank is a unit only where no word could be meant: "4 x 96 GB", "5 B parameters".
_GAP: Final = re.compile(r"[ \u00a0\u202f\u2009-]?")
_AMBIGUOUS: Final = frozenset({"x", "B", "h", "V", "J", "t", "times", "min"})
_ALONE: Final = frozenset({"min", "h"})
# Words before a unit that make another one of it: replies per minute are no minutes.
_EACH: Final = frozenset({"per", "a", "an", "each", "/"})
_PARTS: Final = re.compile(r"[^\W_]+")
# What a key without a unit suffix counts, or shares out.
_A_SECOND: Final = re.compile(r"_per_s(ec(ond)?)?(?![a-z])")
# In a key, min is the smallest as often as a minute: it tells nothing.
_NO_UNIT_OF_A_KEY: Final = frozenset({"min"})


def unit_after(text: str, at: int) -> tuple[str, int] | None:
    """Return the canonical unit that stands right after the character `at`, and where it ends.

    What it is shared out over is part of it: tok/s/GPU and tokens/s per GPU are both tokens/s/gpu.
    """
    gap = _GAP.match(text, at)
    start = gap.end() if gap else at
    found = _WORD.match(text, start)
    if found is None or (found[1] in _AMBIGUOUS - _ALONE and start > at):
        return None
    return _whole(found), found.end()


def _whole(found: re.Match[str]) -> str:
    """Return the canonical unit of a match, with what it is shared out over."""
    unit, scope = _CANONICAL[found[1]], found[2] or found[3]
    return f"{unit}/{scope.casefold()}" if scope else unit


def scope_of(unit: str) -> tuple[str, str]:
    """Return a canonical unit without what it is shared out over, and that: tokens/s and gpu; "" for none."""
    found = _WORD.fullmatch(unit)
    scope = (found[2] or "") if found else ""
    return unit.removesuffix(f"/{scope}") if scope else unit, scope


def canonical(unit: str | None) -> str:
    """Return the canonical spelling of a unit, words before it left out: prompt tokens are tokens.

    What is not known stays as it is; "" for none and for plain numbers.
    """
    if not unit or unit.strip() in {"1", "count", "ratio", "share"}:
        return ""
    parts = unit.split()
    for start, before in enumerate(["", *parts[:-1]]):
        found = _WORD.fullmatch(spelling := " ".join(parts[start:]))
        known = _whole(found) if found else None
        if known and not (start and spelling in _AMBIGUOUS) and before not in _EACH:
            return known
    return " ".join(parts)


def is_hard(unit: str) -> bool:
    """Tell whether a unit must be the field's own: seconds and bytes are, the thing that is counted is not."""
    return bool(unit) and unit not in _COUNTED


def of_key(key: str) -> str:
    """Return the canonical unit that a key carries: group_wall_seconds → s, tokens_per_second → tokens/s."""
    low = key.lower()
    if _A_SECOND.search(low):
        return "tokens/s" if "tok" in low else "requests/s" if "req" in low else "per s"
    parts = (p for p in _PARTS.findall(key) if p in _CANONICAL and len(p) > 1 and p not in _NO_UNIT_OF_A_KEY)
    named = [_CANONICAL[part] for part in parts]
    hard = [unit for unit in named if is_hard(unit)]
    return hard[-1] if hard else named[-1] if named else ""


def fits(written: str, field: str) -> bool:
    """Tell whether a unit word beside a number may stand for the unit of its field. Both are canonical.

    Without a word nothing is claimed. A counted thing fits a field that names no unit.
    """
    return not written or written == field or (not is_hard(written) and not field)

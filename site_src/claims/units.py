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
_WORD: Final = re.compile(
    r"(?:" + "|".join(re.escape(s) for s in sorted(_CANONICAL, key=lambda s: (-len(s), s))) + r")(?![\w/])"
)
# A single letter after a blank is a unit only where no word could be meant: "4 x 96 GB", "5 B parameters".
_GAP: Final = re.compile(r"[ \u00a0\u202f\u2009-]?")
_AMBIGUOUS: Final = frozenset({"x", "B", "h", "V", "J", "t", "times", "min"})
# Words before a unit that make another one of it: replies per minute are no minutes.
_EACH: Final = frozenset({"per", "a", "an", "each", "/"})
_PARTS: Final = re.compile(r"[^\W_]+")
# What a key without a unit suffix counts, or shares out.
_KEY_SUFFIXES: Final = (
    ("per_second", "tokens/s", re.compile(r"tok", re.I)),
    ("per_second", "requests/s", re.compile(r"req", re.I)),
)


def unit_after(text: str, at: int) -> tuple[str, int] | None:
    """Return the canonical unit that stands right after the character `at`, and where it ends."""
    gap = _GAP.match(text, at)
    start = gap.end() if gap else at
    found = _WORD.match(text, start)
    if found is None or (found[0] in _AMBIGUOUS and start > at and not _is_alone(text, found)):
        return None
    return _CANONICAL[found[0]], found.end()


def _is_alone(text: str, found: re.Match[str]) -> bool:
    """Tell whether a short unit after a blank ends its clause or stands before a word of no quantity."""
    return found[0] in {"min", "h"}


def canonical(unit: str | None) -> str:
    """Return the canonical spelling of a unit, words before it left out: prompt tokens are tokens.

    What is not known stays as it is; "" for none and for plain numbers.
    """
    if not unit or unit.strip() in {"1", "count", "ratio", "share"}:
        return ""
    parts = unit.split()
    for start, before in enumerate(["", *parts[:-1]]):
        known = _CANONICAL.get(spelling := " ".join(parts[start:]))
        if known and not (start and spelling in _AMBIGUOUS) and before not in _EACH:
            return known
    return " ".join(parts)


def is_hard(unit: str) -> bool:
    """Tell whether a unit must be the field's own: seconds and bytes are, the thing that is counted is not."""
    return bool(unit) and unit not in _COUNTED


def of_key(key: str) -> str:
    """Return the canonical unit that a key carries: group_wall_seconds → s, tokens_per_second → tokens/s."""
    low = key.lower()
    for suffix, unit, about in _KEY_SUFFIXES:
        if suffix in low and about.search(low):
            return unit
    if low.endswith("_per_second"):
        return "per s"
    named = [_CANONICAL[part] for part in _PARTS.findall(key) if part in _CANONICAL and len(part) > 1]
    hard = [unit for unit in named if is_hard(unit)]
    return hard[-1] if hard else named[-1] if named else ""


def fits(written: str, field: str) -> bool:
    """Tell whether a unit word beside a number may stand for the unit of its field. Both are canonical.

    Without a word nothing is claimed. A counted thing fits a field that names no unit.
    """
    return not written or written == field or (not is_hard(written) and not field)

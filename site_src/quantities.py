"""Names of metrics and spellings of units → what kind of quantity they speak of. Nothing is ever converted.

Only the vocabulary of inference benchmarks is known. Any other name or unit is None or empty, and no rule judges it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from . import words

TIME: Final = "time"
MEMORY: Final = "memory"
TOKENS: Final = "token"
REQUESTS: Final = "request"
SHARE: Final = "share"
PLAIN: Final = "plain"
POWER: Final = "power"
ENERGY: Final = "energy"
_PER_TIME: Final = "/time"
# Kind, name, spellings. Bytes are told apart by their capitals: Gb would be gigabits.
_SPELLINGS: Final = (
    (TIME, "ns", "ns|nanosec(?:ond)?s?"),
    (TIME, "µs", "us|µs|μs|microsec(?:ond)?s?"),
    (TIME, "ms", "ms|msecs?|millisec(?:ond)?s?"),
    (TIME, "s", "s|secs?|seconds?"),
    (TIME, "min", "mins?|minutes?"),
    (TIME, "h", "h|hrs?|hours?"),
    (TOKENS, "tokens", r"(?:[\w-]+ ){0,2}(?:tokens?|toks?)|t"),
    (REQUESTS, "reqs", r"(?:[\w-]+ ){0,2}(?:requests?|reqs?)"),
    (SHARE, "%", "%|percent|per cent|pct"),
    (PLAIN, "1", "1|fraction|ratio"),
    (POWER, "kW", "kw|kilowatts?"),
    (POWER, "W", "w|watts?"),
    (ENERGY, "J", "j|joules?"),
    (ENERGY, "kJ", "kj|kilojoules?"),
    (ENERGY, "Wh", "wh|watt-?hours?"),
    (ENERGY, "kWh", "kwh|kilowatt-?hours?"),
)
_EACH: Final = re.compile(
    r"(?:gpu|card|device|rank|node|host|user|client|stream|request|req|sequence|slot|replica|worker|instance|token)s?"
)


def vocabulary(text: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(text.split())


_STATISTIC: Final = vocabulary(
    "p50 p90 p95 p99 mean median avg average min max minimum maximum peak total sum std used free available"
)
_RATES: Final = frozenset(kind + _PER_TIME for kind in (TOKENS, REQUESTS, MEMORY, PLAIN, ENERGY))
_RELATIVE: Final = frozenset({SHARE, PLAIN})
_POOLED: Final = _RELATIVE | {MEMORY, TOKENS, REQUESTS, POWER}
# Words of a metric's name, and the kinds of unit that each can have.
_WORDS: Final = (
    ("ttft tpot itl tbt latency duration wall makespan elapsed e2e time delay", frozenset({TIME})),
    ("rate throughput goodput tps qps rps", _RATES),
    ("memory vram ram hbm rss bytes", _RELATIVE | {MEMORY, MEMORY + _PER_TIME}),
    ("tokens", _RELATIVE | {TOKENS}),
    (f"{REQUESTS}s", _RELATIVE | {REQUESTS}),
    ("power", _RELATIVE | {POWER}),
    ("energy", _RELATIVE | {ENERGY}),
    ("occupancy utilization utilisation", _POOLED),
    ("usage", _POOLED | {TIME}),
    ("percent percentage pct", frozenset({SHARE})),
    ("ratio fraction speedup", _RELATIVE),
)
_KINDS: Final = {word: kinds for names, kinds in _WORDS for word in names.split()}
# Beside one of these words a memory may be counted in tokens.
_TOKEN_POOLS: Final = vocabulary("kv cache pool")
# What a time or a rate may be called without being relative to another one: only then is a percentage wrong.
_ABSOLUTE: Final = (
    _STATISTIC
    | _KINDS.keys()
    | vocabulary("aggregate output input prompt decode prefill generation native token first to")
)
_OUTCOMES: Final = vocabulary("ttft tpot itl tbt latency e2e makespan rate throughput goodput tps qps rps")
_SETTINGS: Final = vocabulary(
    "limit cap target timeout budget threshold configured requested planned simulated setting slo"
)


@dataclass(frozen=True)
class Unit:
    """A unit: its kind (time, token, token/time), its one name, and what else it is counted per."""

    kind: str
    name: str
    each: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def unit_of(text: str) -> Unit | None:
    """Read a unit as benchmarks write it: tok/s and tokens per second are one unit. None for any other."""
    first, *rest = re.split(r"\s*/\s*|\s*\bper\s+", text.strip())
    head = _simple(first) if first else Unit(PLAIN, "1")
    kind, name, each = (head.kind, head.name, list[str]()) if head else ("", "", [])
    for step in rest:
        below = _simple(step)
        if below and below.kind == TIME and not kind.endswith(_PER_TIME):
            kind, name = f"{kind}{_PER_TIME}", f"{name}/{below.name}"
        elif _EACH.fullmatch(step.lower()):
            each.append(step.lower().rstrip("s"))
        else:
            return None
    return Unit(kind, name, tuple(each)) if head else None


def _simple(text: str) -> Unit | None:
    same = text if words.is_bytes(text) else text.upper().replace("I", "i")
    if words.is_bytes(same) and text != "b" and text in {same, same.lower(), same.upper()}:
        return Unit(MEMORY, "KB" if same == "kB" else same)
    if text.lower() in {"byte", "bytes"}:
        return Unit(MEMORY, "B")
    found = (Unit(kind, name) for kind, name, spelt in _SPELLINGS if re.fullmatch(spelt, text, re.I))
    return next(found, None)


@lru_cache(maxsize=8192)
def split(name: str) -> tuple[str, ...]:
    """Return the words of a metric or key in lower case, without what follows its `per`."""
    found = [w.lower() for w in re.findall(r"[^\W_]+", name)]
    return tuple(found[: found.index("per")] if "per" in found else found)


@lru_cache(maxsize=8192)
def contradiction(name: str, unit: str) -> str | None:
    """Return what of a metric's name its unit contradicts, or None if they fit or are not known."""
    stem, ending = words.split_unit(name)
    known = unit_of(unit)
    told = unit_of(ending) if ending else None
    if ending == "%" and unit and (known is None or known.kind != SHARE):
        return "%"
    if known and told and not ending.startswith("per ") and (told.kind, told.name) != (known.kind, known.name):
        return ending
    if known is None or ending.startswith("per ") or re.search(r"_per_(?:sec|min|hour|s$)", name, re.I):
        return None
    return _clash(split(stem), known)


@lru_cache(maxsize=8192)
def key_contradiction(key: str) -> str | None:
    """Return the last word of a key whose ending names a unit that this word cannot have, or None."""
    stem, ending = words.split_unit(key)
    unit = unit_of(ending) if ending and not ending.startswith("per ") else None
    parts = [w for w in split(stem) if w not in _STATISTIC]
    if unit is None or not parts or unit.kind == SHARE or _TOKEN_POOLS & {*parts}:
        return None
    return _clash((parts[-1],), unit)


def _clash(names: tuple[str, ...], unit: Unit) -> str | None:
    """Return the first word that tells the kind, if no word of the name allows the unit."""
    telling = [w for at, w in enumerate(names) if w in _KINDS and names[at + 1 : at + 2] != ("limit",)]
    allowed = {kind for w in telling for kind in _KINDS[w]}
    if {*names} - _ABSOLUTE:
        allowed |= {SHARE, PLAIN}
    if _TOKEN_POOLS & {*names}:
        allowed.add(TOKENS)
    return telling[0] if telling and unit.kind not in allowed else None


def is_memory(name: str, unit: str) -> bool:
    """Tell whether a metric is a reading of memory: counted in bytes, and per nothing else."""
    known = unit_of(unit)
    return known is not None and (known.kind, known.each) == (MEMORY, ()) and "bandwidth" not in split(name)


@lru_cache(maxsize=8192)
def is_outcome(key: str) -> bool:
    """Tell whether a key holds what a run yields (a time to answer, a rate), and no setting of the run."""
    stem, ending = words.split_unit(key)
    if is_setting(key):
        return False
    parts = [w for w in split(stem) if w not in _STATISTIC]
    unit = unit_of(ending) if ending else None
    return key == "value" or bool(parts and parts[-1] in _OUTCOMES) or bool(unit and unit.kind in _RATES)


@lru_cache(maxsize=8192)
def is_setting(key: str) -> bool:
    """Tell whether a key names what was asked for or allowed, and not what came of it."""
    return bool(_SETTINGS & {*split(key)})

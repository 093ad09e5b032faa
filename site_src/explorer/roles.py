"""Keys of conditions → what part they play in a comparison. No key is known by its whole name.

A key is read by its words, in the field's standard vocabulary. What no word tells is UNKNOWN; then the values
decide, and a quantity nobody can place keeps rows apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from .. import quantities


class Role(Enum):
    """The part a condition plays between two results."""

    REPEATS = "how many runs stand behind the value; a column of its own"
    NOTE = "a date, an address, a remark"
    MEASURE = "how it was measured; equal in a table"
    WORKLOAD = "what was asked of the system; equal in a table"
    MACHINES = "over how many cards or ranks; equal in a table, unless a declared matrix varies it"
    SUBJECT = "what is compared: model, hardware, engine, option"
    OUTCOME = "what came of the run"
    UNKNOWN = "no word tells"


def _one(word: str) -> str:
    """Return a word in lower case and in the singular, as far as its last letter tells."""
    low = word.lower()
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low


def _words(text: str) -> frozenset[str]:
    return frozenset(_one(w) for w in text.split())


_REPEATS: Final = _words("repetitions repeats")
_NOTE: Final = _words("date day timestamp note comment remark url link sha256")
_MEASURE: Final = _words(
    "scope kind cohort protocol timing method denominator metric measured measurement statistic aggregation percentile"
    " phase definition interval"
)
_OUTCOME: Final = _words(
    "actual observed achieved completed finished finish succeeded failed failure error wall elapsed makespan overlap"
    " ttft tpot itl latency exact correct accuracy score passed preempted evicted acceptance accepted"
)
# What a model wrote came of the run; how much it was asked to write did not.
_WRITTEN: Final = _words("output generated completion")
_TOLD_OF_WRITTEN: Final = _words("counted total all sum mean generated")
_OFFERED: Final = _words("request arrival qps rps target load")
_LENGTH: Final = _words("prompt input context depth length isl document")
_LOAD: Final = _words(
    "concurrency concurrent request batch batches burst user client stream sequence session arrival qps rps"
)
_WORKLOAD: Final = (
    _LENGTH
    | _LOAD
    | _words(
        "output completion generation label workload dataset corpus task scenario trace conversation turn query queries"
        " question images load osl seed temperature sampling thinking reasoning effort warmup warm warmed cold cap ramp"
        " duration shot benchmark suite"
    )
)
_SAMPLING: Final = (_words("top p"), _words("top k"), _words("min p"))
_CACHE_STATE: Final = (_words("cache"), _words("state hit reuse shared"))
# The window an engine was configured for is an option of it; how much of it a prompt fills is workload.
_WINDOW: Final = (_words("context window"), _words("limit setting window max maximum capacity"))
_PARALLEL: Final = _words("parallel parallelism tp pp dp ep")
_MODEL: Final = _words("model checkpoint weights artifact tokenizer quantization quant")
_HARDWARE: Final = _words(
    "hardware system gpu card machine accelerator device node host rank cpu interconnect topology"
)
_ENGINE: Final = _words(
    "engine runtime server framework backend version release revision commit image digest build container driver"
    " firmware software recipe library kernel"
)
_OPTION: Final = _words(
    "option profile precision dtype mtp spec speculative speculation draft flag kv pool slot offload attention"
    " scheduler chunked prefill graph compile eager power"
)
_SUBJECT: Final = _MODEL | _HARDWARE | _ENGINE | _OPTION
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_QUANTITY: Final = re.compile(r"[~<>≤≥≈]?\s*\d")


@lru_cache(maxsize=16384)
def words_of(key: str) -> tuple[str, ...]:
    """Return the words of a key in order and in the singular, what follows its `per` included."""
    return tuple(_one(w) for w in re.findall(r"[^\W_]+", _HUMP.sub(" ", key)))


@lru_cache(maxsize=16384)
def _by_name(key: str) -> Role:
    """Return the role that the words of a key tell."""
    ordered = words_of(key)
    found = frozenset(ordered)
    if found & _REPEATS:
        return Role.REPEATS
    if found & _NOTE or ordered[-1:] in {("at",), ("on",)}:
        return Role.NOTE
    if found & _MEASURE and not found & _SUBJECT:
        return Role.MEASURE
    if _is_outcome(key, found):
        return Role.OUTCOME
    if found & _WINDOW[0] and found & _WINDOW[1]:
        return Role.SUBJECT
    if found & _WORKLOAD or any(pair <= found for pair in _SAMPLING) or all(found & part for part in _CACHE_STATE):
        return Role.WORKLOAD
    if found & _PARALLEL:
        return Role.MACHINES
    return Role.SUBJECT if found & _SUBJECT else Role.UNKNOWN


def _is_outcome(key: str, found: frozenset[str]) -> bool:
    if quantities.is_setting(key) or (found & _LENGTH and not found & _WRITTEN):
        return False
    told = found & _OUTCOME or (found & _WRITTEN and found & _TOLD_OF_WRITTEN)
    return bool(told) or (quantities.is_outcome(key) and not found & _OFFERED)


def role(key: str, values: Iterable[Any]) -> Role:
    """Return the role of a key whose results hold these values; a number under a hardware word counts machines."""
    named = _by_name(key)
    if named is Role.SUBJECT and frozenset(words_of(key)) & _HARDWARE and any(isinstance(v, Decimal) for v in values):
        return Role.MACHINES
    return named


def is_measured(values: Sequence[Any]) -> bool:
    """Tell a measured number from a setting by its values alone: fractions, and no two of them equal."""
    numbers = [v for v in values if v is not None]
    if len(numbers) < 2 or not all(isinstance(v, Decimal) for v in numbers):
        return False
    return len(set(numbers)) == len(numbers) and any(v != v.to_integral_value() for v in numbers)


def is_quantity(values: Iterable[Any]) -> bool:
    """Tell whether any of these values is a number or begins as one: 16, 128K, [1, 2]."""
    return any(
        is_quantity(v) if isinstance(v, list) else isinstance(v, Decimal) or (isinstance(v, str) and _QUANTITY.match(v))
        for v in values
    )


def tells_length(key: str) -> bool:
    """Tell whether a key of the workload says how long the prompts were."""
    return bool(frozenset(words_of(key)) & _LENGTH)


def tells_load(key: str) -> bool:
    """Tell whether a key of the workload says how much was asked at once."""
    return bool(frozenset(words_of(key)) & _LOAD)

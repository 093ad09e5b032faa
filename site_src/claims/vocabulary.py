"""Words of prose and of keys → stems that can be compared; the few synonyms are this field's standard ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:\.\d+)*")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY: Final = frozenset(
    re.findall(
        r"\w+",
        """a an the of to in on at by for from with and or but as is was were are be been it its this that these those
        each all any both per than then so not only into over under after before between when where which who one no
        had has have did does do their there they them he she we you i also too very more most less least same other
        own out up down off s reported source value number""",
    )
)
# What one term of a key is called in prose. Both sides gain the other's stem.
_SYNONYMS: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(group.split())
    for group in (
        "ttft first wait",
        "input prompt",
        "concurrency concurrent request submit batch prompt",
        "gpu card device",
        "repetition repeat repetit observation run",
        "wall makespan elapsed",
        "max limit cap ceiling admit",
        "min lowest smallest least",
        "peak maximum highest",
        "vram memory",
        "kv pool",
        "rate throughput speed",
        "round batch",
        "percent share",
        "completed finish answer",
        "tensor parallel tp",
        "failure fail",
        "omitted left",
    )
)  # fmt: skip
_BY_STEM: Final[dict[str, frozenset[str]]] = {}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without the endings of plural and tense; what holds a digit stays as it is."""
    low = word.casefold()
    if any(c.isdigit() for c in low):
        return low
    for ending in ("ing", "ied", "ies", "ed", "es", "s"):
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not low.endswith("ss"):
            low = low[: -len(ending)]
            break
    return low[:-1] if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "sl" else low


for _group in _SYNONYMS:
    for _word in {stem(w) for w in _group}:
        _BY_STEM[_word] = _BY_STEM.get(_word, frozenset()) | {stem(w) for w in _group}


def words(text: str) -> list[str]:
    """Return the stems of a text in order, empty words left out."""
    found = (stem(w) for w in _WORD.findall(_HUMP.sub(" ", text.replace("_", " "))))
    return [w for w in found if w not in _EMPTY]


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text with what else this field calls them."""
    return widened(words(text))


def widened(found: Iterable[str]) -> frozenset[str]:
    """Return stems with their synonyms."""
    return frozenset(s for w in found for s in (w, *_BY_STEM.get(w, ())))

"""Words of prose and of keys → stems that can be compared; the few synonyms are this field's standard ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:\.\d+)*")
# A scope is one word: what is per request is not what is counted in requests.
_PER: Final = re.compile(r"\bper[ -](request|user|stream|client|gpu|card|device)s?\b", re.I)
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEXT: Final = re.compile(r"[ \u00a0-]*([^\W\d_][^\W_]*)")
_EMPTY: Final = frozenset(
    re.findall(
        r"\w+",
        """a an the of to in on at by for from with and or but as is was were are be been it its this that these those
        each all any both per than then so not only into over under after before between when where which who one no
        had has have did does do their there they them he she we you i also too very more most less least same other
        own out up down s reported source value number""",
    )
)
# What one term of a key is called in prose. Both sides gain the other's stem.
_SYNONYMS: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(group.split())
    for group in (
        "ttft first wait",
        "input prompt",
        "concurrency concurrent request submit prompt",
        "gpu card device",
        "repetition repeat repetit observation run",
        "wall makespan elapsed",
        "max limit cap ceiling admit",
        "min lowest smallest least",
        "peak maximum highest",
        "vram memory",
        "kv pool",
        "rate throughput speed",
        "percent share",
        "completed finish answer",
        "tensor parallel tp",
        "failure fail",
        "omitted left",
    )
)  # fmt: skip
# What a number counts, by the term of the key: nouns behind it, and nouns before it ("batches of four").
_COUNTED: Final[tuple[tuple[str, str], ...]] = (
    ("concurrency concurrent", "request prompt stream user client sequence"),
    ("request", "prompt"),
    ("prompt", "request"),
    ("gpu", "card"),
    ("card", "gpu"),
    ("repetition repeat", "run repeat repetition observation"),
    ("window", "window"),
)
_GATHERED: Final[tuple[tuple[str, str], ...]] = (
    ("concurrency concurrent", "batch c"),
    ("submitted", "batch"),
    ("max limit cap", "limit ceiling maximum cap"),
    ("tensor_parallel tp", "tp"),
)
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
    joined = _PER.sub(r"per\1", _HUMP.sub(" ", text.replace("_", " ")))
    found = (stem(w) for w in _WORD.findall(joined))
    return [w for w in found if w not in _EMPTY]


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text with what else this field calls them."""
    return widened(words(text))


def widened(found: Iterable[str]) -> frozenset[str]:
    """Return stems with their synonyms."""
    return frozenset(s for w in found for s in (w, *_BY_STEM.get(w, ())))


def counted_by(terms: Iterable[str], *, gathered: bool) -> frozenset[str]:
    """Return the nouns that say what a field counts: those behind its number, or (`gathered`) those before it."""
    found = set(terms)
    for names, nouns in _GATHERED if gathered else _COUNTED:
        if found & {stem(w) for w in words(names)}:
            found |= set(words(nouns))
    return frozenset(found)


def head_noun(text: str) -> str:
    """Return the stem of the noun that follows at the start of a text: its first plural, else its first word.

    "" where a preposition, a verb of no content or a mark follows at once.
    """
    run: list[str] = []
    at = 0
    while len(run) < 3 and (match := _NEXT.match(text, at)) and match[1].casefold() not in _EMPTY:
        run.append(match[1])
        at = match.end()
    plural = next((w for w in run if len(w) > 3 and w.endswith("s") and not w.endswith("ss")), None)
    return stem(plural or run[0]) if run else ""

"""Text → keys of the exact index: numbers with their units, versions, codes, hashes, words of names.

assets/search.js reads a query by the same rules; tests hold the two against each other in a browser. A number is
one key as a whole: 4.71 is no part of 14.71, and no part of 4.71-rc2.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ..claims import units

_GROUPED: Final = re.compile(r"(?<![\w.,])\d{1,3}([,'’\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?!\d|\1\d)")
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")
_PULL: Final = re.compile(r"(?<![\w-])(?:pr|pull request)s?\s*#?\s*(?=\d)")
_CHUNK: Final = re.compile(r"[^\s/=:;|()\[\]{}<>@&~*≈≤≥→–—\"“”„‘’‹›«»…,!?。、，；：！？「」『』（）【】《》·•]+")
_EDGES: Final = ".-+_#'$€^`"
_POSSESSIVE: Final = re.compile(r"['’]s$")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_VERSION: Final = re.compile(r"v(?=\d+\.\d)")
_JOINTS: Final = re.compile(r"[-_+]|(?<!\d)\.|\.(?!\d)")
_HASH: Final = re.compile(r"g([0-9a-f]{7,40})")
# Scripts that put no blanks between words: any part of a run may be what a reader looks for.
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LONGEST: Final = 128


class Key(NamedTuple):
    """What can be looked up, and the canonical unit that stands beside it, "" for none."""

    text: str
    unit: str = ""


class Units:
    """The unit words that a site knows: those of this field, and those of its own measurements as they are."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        """Take the units of the site's measurements; letter case and what they are called elsewhere do not matter."""
        known = {spelling.lower(): unit for unit, spellings in units.SPELLINGS.items() for spelling in spellings}
        named = {u for u in own if u and not u.isdecimal()}
        self.canonical: Mapping[str, str] = known | {u.lower(): units.canonical(u) or u for u in sorted(named)}
        longest = sorted(self.canonical, key=lambda s: (-len(s), s))
        self._after = re.compile(f"\\s?({'|'.join(map(re.escape, longest))})(?![\\w/])")

    def after(self, text: str, at: int) -> str:
        """Return the canonical unit that stands in lower-case text right after the character `at`, or ""."""
        found = self._after.match(text, at)
        return self.canonical[found[1]] if found else ""

    def of(self, unit: str) -> str:
        """Return the canonical spelling of a unit, words before it left out; "" for what is none that is known."""
        return self.canonical.get(unit.lower()) or self.canonical.get(units.canonical(unit).lower(), "")

    def spellings(self, unit: str) -> tuple[str, ...]:
        """Return a canonical unit as it is shown, then every way to write it, in lower case, sorted."""
        return (unit, *sorted(s for s, u in self.canonical.items() if u == unit))


def plain(text: str) -> str:
    """Return text as keys are read from it: NFKC, lower case, ASCII minus, numbers without thousands separators."""
    joined = _GROUPED.sub(lambda m: m[0].replace(m[1], ""), text)
    folded = unicodedata.normalize("NFKC", joined).lower().replace("\u2212", "-")
    return _PULL.sub("pr", _DECIMAL_COMMA.sub(".", folded))


def keys(text: str, known: Units) -> Iterator[Key]:
    """Yield every number, version, code and hash of a text: what holds a digit, whole and in its named parts."""
    readable = plain(text)
    for found in _CHUNK.finditer(readable):
        chunk = _trimmed(found[0])
        if len(chunk) > _LONGEST or not any(c.isdecimal() for c in chunk):
            continue
        number = _NUMBER.match(chunk)
        start = found.start() + found[0].index(chunk)
        if number and number.end() == len(chunk):
            yield Key(chunk, known.after(readable, start + len(chunk)))
            continue
        unit = known.canonical.get(chunk[number.end() :], "") if number else ""
        yield from [Key(number[0], unit)] if number and unit else (Key(code) for code in _codes(chunk))


def _trimmed(chunk: str) -> str:
    """Return a chunk without punctuation at its edges; a minus before a digit is part of a number."""
    bare = _POSSESSIVE.sub("", chunk.strip(_EDGES))
    start = chunk.find(bare)
    return f"-{bare}" if bare[:1].isdecimal() and chunk[:start].endswith("-") and start == 1 else bare


def _codes(chunk: str) -> Iterator[str]:
    """Yield a code and those of its parts that hold letters and digits: fp8_e4m3 → itself, fp8, e4m3."""
    found = dict.fromkeys([chunk, *(p for p in _JOINTS.split(chunk) if not p.isdecimal() and any(map(_digit, p)))])
    for code in found:
        if code == chunk or any(c.isalpha() for c in code):
            bare = _VERSION.sub("", code, count=1) if _VERSION.match(code) else code
            yield bare
            if described := _HASH.fullmatch(bare):
                yield described[1]


def _digit(char: str) -> bool:
    return char.isdecimal()


def words(text: str) -> Iterator[str]:
    """Yield the words of a name, whole chunks and their parts; of a run without blanks every ending of it."""
    for found in _CHUNK.finditer(plain(text)):
        chunk = _trimmed(found[0])
        for word in dict.fromkeys([chunk, *_JOINTS.split(chunk)]):
            if not any(c.isalpha() for c in word) or len(word) > _LONGEST or (word.isascii() and len(word) < 2):
                continue
            yield word
            if _UNSPACED.search(word):
                yield from (word[n:] for n in range(1, len(word)))


def spoken(text: str) -> Iterator[str]:
    """Yield the words of running text in lower case, without those that hold a digit."""
    for found in _CHUNK.finditer(plain(text)):
        word = _trimmed(found[0])
        if word and not any(map(_digit, word)) and any(c.isalpha() for c in word):
            yield word

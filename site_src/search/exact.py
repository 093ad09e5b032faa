"""Places of all guides → the exact index, in small parts of which a query loads the few it needs.

Part `kN` holds a range of sorted keys, one a line: the key, a tab, and for each class and unit the guides and places
that hold it. Part `gN` holds PER_PART guides, each with its title and its places. All lie in one folder named by the
hash of their content: deflated (`.idx`), or for a site that is opened from disk, where no page may fetch anything, as
scripts that hand their content over (`.js`).

    374976 <tab> v3=2.f,9.1a;t=2.4

says: a value in the fourth unit of the site at place 15 of guide 2 and place 46 of guide 9, and in the text of place 4
of guide 2. Numbers are in base 36. Classes: `v` value, `s` cited source, `t` text, `n` word of a name.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from . import terms
from .holdings import Place

FOLDER: Final = "/search/exact"
CALLED: Final = "pinpressExact"
SHARD: Final = 64_000
PER_PART: Final = 16
_CLASSES: Final = "vstn"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class Group(NamedTuple):
    """How a place holds a key: its class, and the canonical unit beside it."""

    kind: str
    unit: str


@dataclass(frozen=True)
class Exact:
    """The files of the index by address, and what the page tells its script of them.

    `starts` are the first keys of the ranges, `units` the spellings of each unit in the order of their numbers, the
    one that is shown first.
    """

    files: Mapping[str, bytes]
    folder: str
    starts: tuple[str, ...]
    units: tuple[tuple[str, ...], ...]


class Found(NamedTuple):
    """What one guide gives to the index: itself as its part tells it, and key, class, unit and places of what it holds.

    All of it is plain: a build packs that of a thousand guides.
    """

    told: list[object]
    keys: list[tuple[str, str, str, tuple[int, ...]]]


Held = dict[str, dict[Group, list[int]]]


def found(title: str, places: Sequence[Place], known: terms.Units) -> Found:
    """Return what a guide of that title gives, which depends on the units of the site alone."""
    kept, held = _held(places, known)
    keys = [(key, *group, tuple(at)) for key, groups in held.items() for group, at in groups.items()]
    return Found(_guide(title, kept), keys)


def exact(guides: Sequence[Found], known: terms.Units, *, scripts: bool) -> Exact:
    """Return the index of guides, as scripts or deflated."""
    held: dict[str, dict[Group, list[tuple[int, tuple[int, ...]]]]] = {}
    files: dict[str, str] = {}
    told = [guide.told for guide in guides]
    for number, guide in enumerate(guides):
        for key, kind, unit, at in guide.keys:
            held.setdefault(key, {}).setdefault(Group(kind, unit), []).append((number, at))
    units = sorted(set(known.canonical.values()))
    numbers = {unit: n for n, unit in enumerate(units)}
    lines = [(key, _line(key, held[key], numbers)) for key in sorted(held, key=lambda k: k.encode("utf-16-be"))]
    for number in range(0, len(told), PER_PART):
        files[f"g{_base36(number // PER_PART)}"] = _json(told[number : number + PER_PART])
    starts = []
    for number, shard in enumerate(_shards(lines)):
        starts.append(shard[0][0])
        files[f"k{_base36(number)}"] = "\n".join(line for _, line in shard)
    folder = f"{FOLDER}-{hashlib.sha256(_json(files).encode()).hexdigest()[:10]}/"
    parts = {f"{folder}{n}.{'js' if scripts else 'idx'}": _part(n, c, scripts=scripts) for n, c in files.items()}
    return Exact(parts, folder, tuple(starts), tuple(known.spellings(unit) for unit in units))


def _part(name: str, content: str, *, scripts: bool) -> bytes:
    if scripts:
        return f"{CALLED}({json.dumps(name)},{json.dumps(content, ensure_ascii=False)})\n".encode()
    # Without a header, in which the system would be named.
    deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return deflater.compress(content.encode()) + deflater.flush()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _held(places: Sequence[Place], known: terms.Units) -> tuple[list[Place], Held]:
    """Return the places of one guide that hold anything, and its keys with their numbers; none is told twice."""
    kept, found = list[Place](), Held()
    for place in places:
        here = _of_place(place, known)
        for key, groups in here.items():
            for group in groups:
                found.setdefault(key, {}).setdefault(group, []).append(len(kept))
        if here or not kept:
            kept.append(place)
    return kept, found


def _of_place(place: Place, known: terms.Units) -> dict[str, list[Group]]:
    """Return the keys of a place with their strongest class, and with each unit that stands beside them."""
    found: dict[str, dict[str, str]] = {}

    def hold(kind: str, key: terms.Key) -> None:
        found.setdefault(key.text, {}).setdefault(key.unit, kind)

    for text, unit in place.values:
        for key in terms.keys(text, known):
            hold("v", terms.Key(key.text, known.of(unit) if unit else key.unit))
    for text in place.texts:
        for key in terms.keys(text, known):
            hold("s" if place.is_source else "t", key)
    for name in place.names:
        for word in terms.words(name):
            hold("n", terms.Key(word))
    return {
        key: [Group(kind, unit) for unit, kind in units.items() if unit or len(units) == 1]
        for key, units in found.items()
    }


def _guide(title: str, places: Sequence[Place]) -> list[object]:
    """Return a guide: its title, the routes of its pages, and of each place the page's number, anchor and label."""
    routes = list(dict.fromkeys(p.route for p in places))
    return [title, routes, [[routes.index(p.route), p.anchor, p.label] for p in places]]


def _line(key: str, groups: Mapping[Group, Sequence[tuple[int, tuple[int, ...]]]], numbers: Mapping[str, int]) -> str:
    ordered = sorted(groups, key=lambda g: (_CLASSES.index(g.kind), g.unit))
    told = []
    for group in ordered:
        name = group.kind + (_base36(numbers[group.unit]) if group.unit else "")
        guides = [".".join(map(_base36, [guide, *at])) for guide, at in groups[group]]
        told.append(f"{name}={','.join(guides)}")
    return f"{key}\t{';'.join(told)}"


def _shards(lines: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Cut sorted lines into ranges of about SHARD bytes."""
    shard, size = list[tuple[str, str]](), 0
    for entry in lines:
        length = len(entry[1].encode()) + 1
        if shard and size + length > SHARD:
            yield shard
            shard, size = [], 0
        shard.append(entry)
        size += length
    if shard:
        yield shard


def _base36(number: int) -> str:
    head, digit = divmod(number, 36)
    return (_base36(head) if head else "") + _DIGITS[digit]

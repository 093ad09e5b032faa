"""The fields of a record by what they hold: which of them a written number or name could be."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from math import log

from . import forms
from .leaves import Leaf
from .tokens import Token


@dataclass(frozen=True)
class Fields:
    """The fields of a record by the numbers and names they hold; `parts` tell what labels and notes speak of."""

    leaves: tuple[Leaf, ...]
    parts: dict[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def by_value(self) -> dict[Decimal, list[Leaf]]:
        """Number → fields that hold it, share fields under their percent too."""
        found: dict[Decimal, list[Leaf]] = {}
        for leaf in self.leaves:
            if leaf.value is not None:
                found.setdefault(leaf.value, []).append(leaf)
                if leaf.kind == "number" and not leaf.unit and 0 <= leaf.value <= 1:
                    found.setdefault(leaf.value * 100, []).append(leaf)
        return found

    @cached_property
    def by_text(self) -> dict[str, list[Leaf]]:
        """Written number or name → text fields in which it stands; number words under their value."""
        found: dict[str, list[Leaf]] = {}
        for leaf in self.leaves:
            if leaf.kind == "text":
                keys = {leaf.text} | {k for t in forms.found_in(leaf.text) for k in _text_keys(t)}
                for key in sorted(keys):
                    found.setdefault(key, []).append(leaf)
        return found

    @cached_property
    def relations(self) -> tuple[Leaf, ...]:
        """What the record's arithmetic comes to."""
        return tuple(leaf for leaf in self.leaves if leaf.kind == "relation")

    @cached_property
    def rarity(self) -> dict[str, float]:
        """Stem → how much it tells fields apart."""
        counts: dict[str, int] = {}
        for leaf in self.leaves:
            for stem in leaf.names | leaf.rows:
                counts[stem] = counts.get(stem, 0) + 1
        total = len(self.leaves) + 1
        return {stem: log(total / count) + 0.1 for stem, count in counts.items()}

    def kin(self, pointer: str) -> frozenset[str]:
        """Return the part of the record a pointer leads into with those it shares conditions with."""
        return self.parts.get(part(pointer)) or frozenset({part(pointer)})

    def own(self, prose: str) -> frozenset[str]:
        """Return the parts that the label or note at a prose field speaks of; empty for a body or an answer."""
        return self.parts.get(part(prose), frozenset())

    def is_own(self, prose: str, leaf: Leaf) -> bool:
        """Tell whether a field lies in a part that the label or note at a prose field speaks of."""
        return any(leaf.pointer == at or leaf.pointer.startswith(f"{at}/") for at in self.own(prose))

    def holding(self, token: Token) -> list[Leaf]:
        """Return every field that holds what a token writes, in record order."""
        found = [leaf for key in _text_keys(token) for leaf in self.by_text.get(key, ())]
        if token.value is not None:
            found += self.by_value.get(token.value, ())
            found += self.relations if token.shape in {"number", "word"} else ()
        return [leaf for leaf in dict.fromkeys(found) if forms.equals(token, leaf)]


def _text_keys(token: Token) -> set[str]:
    return {token.written, str(token.value.normalize())} if token.value is not None else {token.written}


def part(pointer: str) -> str:
    """Return the part of the record that a pointer leads into: /reported_results/3, /cases/0."""
    return "/".join(pointer.split("/")[:3])

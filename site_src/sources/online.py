"""Documents over the network, each asked for once in a run: a source → its bytes, or why they could not be had."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import Source
from ..permalinks import parse
from .fetch import fetch
from .kept import SourceCache
from .manners import Manners, Progress, silent
from .unreachable import Unreachable
from .verify import Obtained


@dataclass(frozen=True)
class Online:
    """The network under `manners`, with a `cache` for conditional requests; `progress` hears every step."""

    manners: Manners = field(default_factory=Manners)
    cache: SourceCache | None = None
    progress: Progress = silent
    _had: dict[str, Obtained] = field(default_factory=dict)

    def read(self, address: str) -> bytes:
        """Return the bytes at an address. Raises Unreachable."""
        return fetch(address, self.manners, self.cache, self.progress).data

    def obtain(self, source: Source) -> Obtained:
        """Return what the address of a source serves, or why it could not be had."""
        address = address_of(source)
        if address not in self._had:
            try:
                self._had[address] = Obtained(self.read(address), "network")
            except Unreachable as failure:
                self._had[address] = Obtained(reason=str(failure))
        return self._had[address]


def address_of(source: Source) -> str:
    """Return the address that serves the bytes of a source: what a forge shows around them left out."""
    link = parse(source.pinned_url)
    return (link.place.raw if link else None) or source.pinned_url

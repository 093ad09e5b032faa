"""Where a pasted link is read: in a clone on this disk if one is named for it, else over the network if asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..permalinks import Blob, Permalink, Place, parse
from ..problems import Surroundings
from . import histories
from .cloned import Clones
from .online import Online


@dataclass(frozen=True)
class Origin:
    """Clones, and the network behind them; `online` is None where nobody asked for it."""

    clones: Clones
    online: Online | None = None

    def obtain(self, address: str) -> bytes:
        """Return the bytes at a raw address. Raises Surroundings."""
        link = parse(address)
        online = self._online(link.place if link else None)
        return online.read(address) if online else self.clones.obtain(address)

    def settle(self, link: Permalink) -> tuple[Permalink, str]:
        """Return a link at its commit, and how that was found. Raises Surroundings."""
        place = link.place
        online = self._online(place)
        if online is None:
            return self.clones.settle(link)
        if not isinstance(place, Blob) or place.is_pinned:
            return link, ""
        newest = histories.newest(place, online.read, of_path=False)
        if newest is None:
            return link, ""
        told = f"The forge says that {place.revision or 'the default branch'} stands at {newest.commit}."
        return replace(link, place=replace(place, revision=newest.commit)), told

    def changed_at(self, place: Place) -> str | None:
        """Return when a document was last changed, or None where nobody tells."""
        online = self._online(place)
        if online is None or not isinstance(place, Blob):
            return self.clones.changed_at(place)
        try:
            newest = histories.newest(place, online.read, of_path=True)
        except Surroundings:
            return None
        return newest.on if newest else None

    def _online(self, place: Place | None) -> Online | None:
        """Return the network where it is to be asked: no clone is named for the place."""
        is_here = isinstance(place, Blob) and self.clones.named(place.repository) is not None
        return None if is_here else self.online

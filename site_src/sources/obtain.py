"""Where the bytes of a source can be had, in this order: a snapshot folder, a local clone, the network if asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .. import citations
from ..model import Source
from . import clones, large, snapshots
from .cloned import Clones
from .online import Online
from .verify import Obtained


@dataclass(frozen=True)
class Places:
    """Where to look: a `folder` of snapshots, `clones` on this disk, what is `online`; None: nobody asked for it."""

    folder: Path | None = None
    clones: Clones | None = None
    online: Online | None = None

    def obtain(self, source: Source) -> Obtained:
        """Return the bytes of a source and where they came from; nothing where nobody was asked."""
        if self.folder and (held := snapshots.read(self.folder, source)) is not None:
            return Obtained(held, "snapshot")
        found = self._cloned(source)
        if found.data is None and self.online:
            found = large.without_pointer(self.online.obtain(source))
        return found

    def _cloned(self, source: Source) -> Obtained:
        clone = self.clones.named(source.repository or "") if self.clones else None
        if clone is None or citations.is_mutable(source):
            return Obtained()
        data = clones.show(clone, source.revision, source.document_path)
        if data is None:
            called = f"the clone of {source.repository}"
            return Obtained(reason=clones.why_not(clone, source.revision, source.document_path, called))
        return large.without_pointer(Obtained(data, "clone"))

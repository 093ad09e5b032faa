"""Where the bytes of a source can be had, in this order: a snapshot folder, a local clone, the network if asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..model import Source
from . import snapshots
from .verify import Obtained

Show = Callable[[Path, str, str], bytes | None]
Fetch = Callable[[Source], Obtained]


@dataclass(frozen=True)
class Places:
    """Where to look: a `folder` of snapshots, `clones` by OWNER/REPO with what reads them, what fetches."""

    folder: Path | None = None
    clones: Mapping[str, Path] = field(default_factory=dict)
    show: Show | None = None
    fetch: Fetch | None = None

    def obtain(self, source: Source) -> Obtained:
        """Return the bytes of a source and where they came from; nothing where nobody was asked."""
        if self.folder and (held := snapshots.read(self.folder, source)) is not None:
            return Obtained(held, "snapshot")
        clone = self.clones.get(source.repository or "")
        if clone and self.show and (held := self.show(clone, source.revision, source.document_path)) is not None:
            return Obtained(held, "clone")
        return self.fetch(source) if self.fetch else Obtained()

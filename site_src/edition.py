"""A site as a preview holds it: the files that are made, and those that wait until somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from . import machine_files
from .check import Checked
from .problems import Problem
from .render import ON_DEMAND, closing, render
from .rendering import Rendering


@dataclass(frozen=True, eq=False)
class Edition:
    """A site in memory, but for what is made when it is asked for: manifest, results, search, lists for programs.

    `served` are the files fit to be served already, None where that is all of them; `changed` those that differ from
    the edition before; `heavy` tells what a build would refuse for its weight alone.
    """

    build: str
    files: Mapping[str, bytes]
    inputs: Mapping[str, str]
    changed: tuple[str, ...]
    rendering: Rendering
    served: frozenset[str] | None = None
    heavy: tuple[Problem, ...] = ()
    _demanded: dict[str, Mapping[str, bytes]] = field(default_factory=dict)

    @property
    def checked(self) -> Checked:
        """The records behind it."""
        return self.rendering.checked

    def at_hand(self, path: str) -> Mapping[str, bytes] | None:
        """Return the files among which one is looked for, None where they are still to be made."""
        if path in machine_files.NAMES:
            return self.__dict__.get("whole")
        folder = next((folder for folder in ON_DEMAND if path.startswith(folder)), None)
        return self.files if folder is None else self._demanded.get(folder)

    def beside(self, path: str) -> Mapping[str, bytes]:
        """Return the files among which one is looked for; some are made when asked for. Raises Surroundings."""
        if path in machine_files.NAMES:
            return self.whole
        return next((self._made(folder) for folder in ON_DEMAND if path.startswith(folder)), self.files)

    @cached_property
    def whole(self) -> Mapping[str, bytes]:
        """Every file but the manifest. Raises Surroundings."""
        found = {**self.files, **{p: d for folder in ON_DEMAND for p, d in self._made(folder).items()}}
        return found | {a.path: a.data for a in closing(self.rendering, found)}

    def _made(self, folder: str) -> Mapping[str, bytes]:
        if folder not in self._demanded:
            self._demanded[folder] = {a.path: a.data for a in render(self.rendering, [ON_DEMAND[folder]])}
        return self._demanded[folder]

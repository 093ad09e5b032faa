"""How a stage calls its pure steps: plainly, or through a memory that gives a result again for the very same inputs.

A stage never asks which of the two it was given. Steps are pure, their inputs and results frozen; so a result may be
given again, and nothing else may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, TypeVarTuple

Inputs = TypeVarTuple("Inputs")
Result = TypeVar("Result")


class Watched:
    """Anything with fields, and which of them were read."""

    def __init__(self, whole: object) -> None:
        """Stand for `whole`; `reads` fills as its fields are asked for."""
        self.__dict__["whole"] = whole
        self.__dict__["reads"] = {}

    def __getattr__(self, name: str) -> Any:
        """Return a field and note that it was read."""
        value = getattr(self.__dict__["whole"], name)
        self.__dict__["reads"][name] = value
        return value

    def __repr__(self) -> str:
        """Show all of it, which counts as reading every field."""
        for name in vars(self.__dict__["whole"]):
            getattr(self, name)
        return repr(self.__dict__["whole"])


def watched(whole: object) -> Watched:
    """Return what stands for `whole`, under the name of its class: messages tell that name."""
    kind = type(whole)
    named: type[Watched] = type(kind.__name__, (Watched,), {"__module__": kind.__module__})
    return named(whole)


class Keep(Protocol):
    """Calls steps. A step raises nothing that depends on more than its inputs."""

    def __call__(self, step: Callable[[*Inputs], Result], *inputs: *Inputs) -> Result:
        """Return what `step` gives for these inputs."""

    def reading(self, step: Callable[[Any, *Inputs], Result], whole: object, *inputs: *Inputs) -> Result:
        """Return what `step` gives for these inputs and those fields of `whole` that it reads."""


class _Fresh:
    """Calls every step."""

    def __call__(self, step: Callable[[*Inputs], Result], *inputs: *Inputs) -> Result:
        return step(*inputs)

    def reading(self, step: Callable[[Any, *Inputs], Result], whole: object, *inputs: *Inputs) -> Result:
        return step(watched(whole), *inputs)


class Files(Protocol):
    """Reads files."""

    def read(self, path: Path) -> bytes:
        """Return the bytes of a file. Raises OSError."""


class _Disk:
    """Reads every file anew."""

    def read(self, path: Path) -> bytes:
        return path.read_bytes()


class Store(Protocol):
    """What a stage needs of a store."""

    def get(self, key: str) -> bytes | None:
        """Return what was kept under a key, or None."""

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes under a key."""


FRESH: Final[Keep] = _Fresh()
DISK: Final[Files] = _Disk()


@dataclass(frozen=True)
class Reuse:
    """What one build may take over from the one before; as it is made, nothing. `drawn` holds figures by their key."""

    keep: Keep = FRESH
    files: Files = DISK
    drawn: dict[str, Any] = field(default_factory=dict)

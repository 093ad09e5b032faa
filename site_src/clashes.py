"""Files of a site that cannot lie side by side: two of one path, one where another needs a folder, names too long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from .problems import Problem, Rejected
from .rendering import Artifact
from .rules import folded

MANIFEST: Final = "manifest.json"
_MAX_NAME: Final = 255


class Named(Protocol):
    """A file by its path below the output folder, and what it was made from."""

    @property
    def path(self) -> str:
        """The path, with slashes."""

    @property
    def origin(self) -> str:
        """A file of the project, or a name for what pinpress itself makes."""


def refuse_clashes(artifacts: Sequence[Named]) -> None:
    """Raise Rejected where two outputs share one path or a name fits no file system."""
    problems = [*_clashes(artifacts), *long_names(artifacts)]
    if problems:
        raise Rejected(problems)


def _clashes(artifacts: Sequence[Named]) -> Iterator[Problem]:
    """Yield one problem for each two origins that want one path, or a file where the other needs a folder."""
    files: dict[str, Named] = {folded(MANIFEST): Artifact(MANIFEST, b"", "manifest")}
    shared: dict[tuple[str, str], list[Named]] = {}
    for artifact in artifacts:
        other = files.setdefault(folded(artifact.path), artifact)
        if other is not artifact:
            shared.setdefault((other.origin, artifact.origin), []).append(artifact)
    for (first, second), twice in shared.items():
        more = f" and {len(twice) - 1} more" if len(twice) > 1 else ""
        message = f"{_named(first)} and {_named(second)} both write {twice[0].path}{more}"
        yield _clash(twice[0], message, "Rename one of the two.")
    blocked: dict[tuple[str, str], Named] = {}
    folders = {artifact.path.rpartition("/")[0] for artifact in artifacts}
    doubtful = any(folded(p) in files for p in {p for folder in folders for p in _parents(f"{folder}/")})
    for artifact in artifacts if doubtful else ():
        for parent in filter(None, (files.get(folded(p)) for p in _parents(artifact.path))):
            if blocked.setdefault((parent.path, artifact.origin), artifact) is artifact:
                writer = _named(parent.origin)
                message = f"{artifact.origin} needs {parent.path} as a folder, and {writer} writes it as a file"
                yield _clash(artifact, message, "Give the record another path.")


def _named(origin: str) -> str:
    """Return how a message names an origin: a file by its name, anything else as what pinpress itself makes."""
    return origin if "/" in origin else f"the site's own {origin}"


def _clash(artifact: Named, message: str, remedy: str) -> Problem:
    """Locate a clash: a page and its data lie where their record's path says, a figure where its name says."""
    file, _, figure = artifact.origin.partition(", ")
    is_record = file.startswith("records/") and not figure
    return Problem(file, "/path" if is_record else "", None, "output-clash", message, remedy)


def long_names(artifacts: Iterable[Named]) -> Iterator[Problem]:
    """Yield one problem for each origin whose names no file system holds."""
    told: set[str] = set()
    for artifact in artifacts:
        names = artifact.path.split("/")
        if artifact.origin not in told and any(len(name.encode()) > _MAX_NAME for name in names):
            told.add(artifact.origin)
            message = f"{artifact.origin} writes a name of more than {_MAX_NAME} bytes"
            yield Problem(artifact.origin.partition(", ")[0], "", None, "bad-path", message, "Shorten the id or name.")


def _parents(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:n]) for n in range(1, len(parts)))

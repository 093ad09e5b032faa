"""Where a project's files are. Nothing else in pinpress knows a path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .problems import Surroundings

_PACKAGE = Path(__file__).resolve().parent
# A checkout keeps templates/ and assets/ beside the package; a wheel carries them inside it.
RESOURCES = _PACKAGE / "_bundle" if (_PACKAGE / "_bundle").is_dir() else _PACKAGE.parent


@dataclass(frozen=True)
class Project:
    """The folders of one project, absolute. Own templates and assets override the shipped ones file by file."""

    root: Path

    @property
    def records(self) -> Path:
        """The folder of records and their sidecars."""
        return self.root / "records"

    @property
    def template_folders(self) -> tuple[Path, ...]:
        """Folders searched for a template, the project's own first."""
        return self._layers("templates")

    @property
    def asset_folders(self) -> tuple[Path, ...]:
        """Folders searched for an asset, the project's own first."""
        return self._layers("assets")

    @property
    def own_fonts(self) -> Path | None:
        """The project's own figure fonts, if it has any beside the shipped ones."""
        folder = self.root / "assets" / "fonts"
        return folder if folder.is_dir() else None

    @property
    def cache(self) -> Path:
        """Drawn figures and the index of the prose by content; may be deleted at any time."""
        return self.root / ".cache"

    @property
    def source_cache(self) -> Path:
        """Documents that `verify` fetched, by content; may be deleted at any time."""
        return self.cache / "sources"

    @property
    def default_out(self) -> Path:
        """The folder of the published site."""
        return self.root / "_site"

    def name(self, path: Path) -> str:
        """Return a path as reports print it: relative to the project, with forward slashes."""
        return path.relative_to(self.root).as_posix()

    def _layers(self, folder: str) -> tuple[Path, ...]:
        own, shipped = self.root / folder, RESOURCES / folder
        return (shipped,) if own == shipped or not own.is_dir() else (own, shipped)


def open_project(folder: str | None) -> Project:
    """Return the project in `folder`, or the current folder if it has records, or this checkout.

    Raises Surroundings where there is no `records/` to read.
    """
    for root in [Path(folder)] if folder else [Path.cwd(), RESOURCES]:
        if (root / "records").is_dir():
            return Project(root.resolve())
    where = folder or "the current folder"
    raise Surroundings(f"{where} has no folder records/. Name a project with --project DIR, or make the folder.")

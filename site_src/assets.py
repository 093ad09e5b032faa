"""assets/ → files of the site: shipped style and fonts under content-hashed names, the project's own as they are."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from PIL import Image, UnidentifiedImageError

from .problems import Problem, Rejected
from .project import RESOURCES, Project

SHIPPED: Final = (
    "style.css",
    "icon.svg",
    "fonts/inter-400.woff2",
    "fonts/inter-700.woff2",
    "fonts/OFL-Inter.txt",
)
_MAX_PIXELS: Final = 40_000_000


@dataclass(frozen=True)
class Asset:
    """One file: the name templates know it by, its address in the site, its bytes and where it came from."""

    name: str
    address: str
    data: bytes
    origin: str


def own_names(project: Project) -> frozenset[str]:
    """Return the names of the project's own asset files that a body may show."""
    folder = project.root / "assets"
    shipped = {PurePosixPath(name).name for name in SHIPPED} if project.root == RESOURCES else set()
    if not folder.is_dir():
        return frozenset()
    files = (p for p in folder.iterdir() if p.is_file() and p.resolve().is_relative_to(project.root))
    return frozenset(p.name for p in files if not p.name.startswith(".") and p.name not in shipped)


def shipped(project: Project) -> dict[str, Asset]:
    """Return style, icon and fonts, each under a name that holds its content's hash."""
    found = {n: _find(project, n) for n in SHIPPED}
    assets = {n: _hashed(project, n, path.read_bytes(), path) for n, path in found.items() if not n.endswith(".css")}
    for name, path in found.items():
        if name.endswith(".css"):
            data = _with_addresses(path.read_text("utf-8"), assets).encode()
            assets[name] = _hashed(project, name, data, path)
    return assets


def own(project: Project, names: frozenset[str]) -> dict[str, Asset]:
    """Return the project's own files that pages use, under their own names."""
    folder = project.root / "assets"
    return {n: Asset(n, f"/assets/{n}", (folder / n).read_bytes(), f"assets/{n}") for n in sorted(names)}


def sizes(assets: dict[str, Asset]) -> dict[str, tuple[int, int]]:
    """Return width and height of each image in pixels. Raises Rejected for what is no image of a safe size."""
    found, problems = {}, []
    for name, asset in assets.items():
        try:
            found[name] = _svg_size(asset.data) if name.endswith(".svg") else _raster_size(asset.data)
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
            message = f"not an image that a page can show: {error}"
            problems.append(Problem(asset.origin, "", None, "broken-image", message, "Replace the file."))
    if problems:
        raise Rejected(problems)
    return found


def _raster_size(data: bytes) -> tuple[int, int]:
    from io import BytesIO

    with Image.open(BytesIO(data)) as image:
        if image.width * image.height > _MAX_PIXELS:
            raise ValueError(f"{image.width} × {image.height} pixels are more than {_MAX_PIXELS:,}")
        return image.size


def _svg_size(data: bytes) -> tuple[int, int]:
    match = re.search(rb'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', data)
    if match is None:
        raise ValueError("the SVG has no viewBox")
    return round(float(match[1])), round(float(match[2]))


def _find(project: Project, name: str) -> Path:
    return next(f / name for f in (*project.asset_folders, RESOURCES / "assets") if (f / name).is_file())


def _hashed(project: Project, name: str, data: bytes, path: Path) -> Asset:
    pure = PurePosixPath(name)
    tag = hashlib.sha256(data).hexdigest()[:10]
    own_file = path.is_relative_to(project.root)
    origin = f"{'' if own_file else 'pinpress:'}assets/{name}"
    return Asset(name, f"/assets/{pure.stem}.{tag}{pure.suffix}", data, origin)


def _with_addresses(css: str, assets: dict[str, Asset]) -> str:
    """Point each url(NAME) of the style at the hashed file beside it."""
    return re.sub(r"url\(([^)]+)\)", lambda m: f"url({assets[m[1]].address.rpartition('/')[2]})", css)

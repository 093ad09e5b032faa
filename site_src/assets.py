"""assets/ → files of the site: shipped style and fonts under content-hashed names, the project's own as they are."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree import ElementTree

from PIL import Image, UnidentifiedImageError

from .load import decoded, is_inside, outside
from .problems import Problem, Rejected
from .project import RESOURCES, Project

SHIPPED: Final = (
    "style.css",
    "icon.svg",
    "fonts/inter-400.woff2",
    "fonts/inter-700.woff2",
    "fonts/OFL-Inter.txt",
)
# Asked for by clients that read no SVG, at this address and no other.
_FAVICON: Final = "favicon.ico"
_MAX_PIXELS: Final = 40_000_000
_TOO_LARGE: Final = f"it has more than {_MAX_PIXELS:,} pixels"
_CSS_URL: Final = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)""")
# What an image has no use for: elements that run code or hold foreign markup.
_SVG_CODE: Final = frozenset({"script", "foreignObject", "iframe", "object", "embed", "handler", "listener"})


@dataclass(frozen=True)
class Asset:
    """One file: the name templates know it by, its address in the site, its bytes and where it came from."""

    name: str
    address: str
    data: bytes
    origin: str


def own_names(project: Project) -> frozenset[str]:
    """Return the names of the project's own asset files that a body may show. Raises Rejected for links outside."""
    folder = project.root / "assets"
    shipped = {PurePosixPath(name).name for name in (*SHIPPED, _FAVICON)} if project.root == RESOURCES else set()
    if not folder.is_dir():
        return frozenset()
    files = [p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")]
    leaving = [p for p in files if not is_inside(project, p)]
    if leaving:
        raise Rejected(outside(project.name(p)) for p in leaving)
    return frozenset(p.name for p in files if p.name not in shipped)


def shipped(project: Project) -> dict[str, Asset]:
    """Return style, icon and fonts, each under a name that holds its content's hash."""
    found = {n: _find(project, n) for n in SHIPPED}
    assets = {n: _hashed(project, n, path.read_bytes(), path) for n, path in found.items() if not n.endswith(".css")}
    for name, path in found.items():
        if name.endswith(".css"):
            origin = _origin(project, name, path)
            data = _with_addresses(decoded(path.read_bytes(), origin), origin, assets).encode()
            assets[name] = _hashed(project, name, data, path)
    return assets | _favicon(project, found["icon.svg"])


def _favicon(project: Project, icon: Path) -> dict[str, Asset]:
    """Return the icon for old clients, if it is of the same hand as the icon of the pages."""
    path = _find(project, _FAVICON)
    if path.parent != icon.parent:
        return {}
    return {_FAVICON: Asset(_FAVICON, f"/{_FAVICON}", path.read_bytes(), _origin(project, _FAVICON, path))}


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
        except UnidentifiedImageError:
            problems.append(_broken(asset, "its format is not known"))
        except (OSError, ValueError, SyntaxError) as error:
            problems.append(_broken(asset, str(error)))
    if problems:
        raise Rejected(problems)
    return found


def _broken(asset: Asset, fault: str) -> Problem:
    message = f"not an image that a page can show: {fault}"
    return Problem(asset.origin, "", None, "broken-image", message, "Replace the file.")


def _raster_size(data: bytes) -> tuple[int, int]:
    from io import BytesIO

    with warnings.catch_warnings():
        # Pillow has limits of its own, above ours: one warns, one raises, before the size can be asked for.
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(BytesIO(data)) as image:
                if image.width * image.height > _MAX_PIXELS:
                    raise ValueError(_TOO_LARGE)
                return image.size
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise ValueError(_TOO_LARGE) from None


def _svg_size(data: bytes) -> tuple[int, int]:
    if b"<!ENTITY" in data:
        raise ValueError("the SVG declares entities")
    root = ElementTree.fromstring(data)
    if root.tag.rpartition("}")[2] != "svg":
        raise ValueError("the file holds no SVG")
    for fault in _svg_faults(root):
        raise ValueError(fault)
    match = re.fullmatch(r"\s*[-+.\de]+[\s,]+[-+.\de]+[\s,]+([.\d]+)[\s,]+([.\d]+)\s*", root.get("viewBox", ""))
    if match is None:
        raise ValueError("the SVG has no viewBox")
    return round(float(match[1])), round(float(match[2]))


def _svg_faults(root: ElementTree.Element) -> Iterator[str]:
    """Yield what a drawing may not hold: code, foreign markup, anything that is loaded from elsewhere."""
    for element in root.iter():
        name = str(element.tag).rpartition("}")[2]
        if name in _SVG_CODE:
            yield f"the SVG holds <{name}>"
        styles = [element.text or ""] if name == "style" else []
        for key, value in element.attrib.items():
            bare = key.rpartition("}")[2]
            if bare.lower().startswith("on"):
                yield f"the SVG holds the event handler {bare}"
            if bare in {"href", "src"} and not value.strip().startswith(("#", "data:image/")):
                yield "the SVG refers to another file"
            styles.append(value)
        if any(_loads(style) for style in styles):
            yield "the SVG loads another file"


def _loads(style: str) -> bool:
    targets = ("".join(groups) for groups in _CSS_URL.findall(style))
    return "@import" in style or any(not t.startswith(("#", "data:image/")) for t in targets)


def _find(project: Project, name: str) -> Path:
    return next(f / name for f in (*project.asset_folders, RESOURCES / "assets") if (f / name).is_file())


def _hashed(project: Project, name: str, data: bytes, path: Path) -> Asset:
    pure = PurePosixPath(name)
    tag = hashlib.sha256(data).hexdigest()[:10]
    return Asset(name, f"/assets/{pure.stem}.{tag}{pure.suffix}", data, _origin(project, name, path))


def _origin(project: Project, name: str, path: Path) -> str:
    return f"{'' if path.is_relative_to(project.root) else 'pinpress:'}assets/{name}"


def _with_addresses(css: str, origin: str, assets: dict[str, Asset]) -> str:
    """Point each url(NAME) of the style at the hashed file beside it. Raises Rejected for a name that is none."""
    problems = []

    def addressed(match: re.Match[str]) -> str:
        name = match[1] or match[2] or match[3] or ""
        if name in assets:
            return f"url({assets[name].address.rpartition('/')[2]})"
        known = ", ".join(sorted(n for n in assets if not n.endswith(".txt")))
        message = f"the style asks for {name or 'no file'}, which is no file of its own"
        problems.append(Problem(origin, "", match.start(), "missing-asset", message, f"Known are {known}."))
        return match[0]

    styled = _CSS_URL.sub(addressed, css)
    if problems:
        raise Rejected(problems)
    return styled

"""assets/ → files of the site: shipped style and fonts under content-hashed names, the project's own as they are."""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree import ElementTree

from PIL import Image, UnidentifiedImageError

from .load import decoded, is_inside, outside
from .problems import Problem, Rejected
from .project import RESOURCES, Project
from .reuse import Keep, Reuse
from .urls import runs_or_carries

SHIPPED: Final = (
    "style.css",
    "icon.svg",
    "filter.js",
    "search.js",
    "fonts/inter-400.woff2",
    "fonts/inter-700.woff2",
    "fonts/OFL-Inter.txt",
)
# A project's own style, put behind the shipped one.
_THEME: Final = "theme.css"
# Asked for by clients that read no SVG, at this address and no other.
_FAVICON: Final = "favicon.ico"
_MAX_PIXELS: Final = 40_000_000
_TOO_LARGE: Final = f"it has more than {_MAX_PIXELS:,} pixels"
_CSS_URL: Final = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)""")
# What an image has no use for: elements that run code or hold foreign markup.
_SVG_CODE: Final = frozenset({"script", "foreignObject", "iframe", "object", "embed", "handler", "listener"})


@dataclass(frozen=True)
class Asset:
    """One file: the name templates know it by, its address in the site, its bytes and where it came from.

    `also` are other files that its bytes were made from, each with its SHA-256.
    """

    name: str
    address: str
    data: bytes
    origin: str
    also: tuple[tuple[str, str], ...] = ()


def own_names(project: Project) -> frozenset[str]:
    """Return the names of the project's own asset files that a body may show. Raises Rejected for links outside."""
    folder = project.root / "assets"
    shipped = {PurePosixPath(name).name for name in (*SHIPPED, _FAVICON)} if project.root == RESOURCES else set()
    if not folder.is_dir():
        return frozenset()
    with os.scandir(folder) as entries:
        files = {e.name: e.is_symlink() for e in entries if e.is_file() and not e.name.startswith(".")}
    # In a folder that lies in the project, only a link can lead out of it.
    all_doubtful = not is_inside(project, folder)
    leaving = [n for n, is_link in files.items() if (is_link or all_doubtful) and not is_inside(project, folder / n)]
    if leaving:
        raise Rejected(outside(f"assets/{name}") for name in leaving)
    return frozenset(files.keys() - shipped)


def shipped(project: Project, reuse: Reuse) -> dict[str, Asset]:
    """Return style, icon and fonts, each under a name that holds its content's hash."""
    found = {n: (path, reuse.files.read(path)) for n, path in ((n, _find(project, n)) for n in SHIPPED)}
    assets = {n: reuse.keep(_hashed, project, n, *found[n]) for n in SHIPPED if not n.endswith(".css")}
    theme = reuse.files.read(own_theme) if (own_theme := project.root / "assets" / _THEME).is_file() else None
    for name, (path, data) in found.items():
        if name.endswith(".css"):
            fonts = tuple(assets[n] for n in SHIPPED if not n.endswith(".css"))
            assets[name] = reuse.keep(_styled, project, name, path, data, theme, fonts)
    return assets | _favicon(project, found["icon.svg"][0], reuse)


def _favicon(project: Project, icon: Path, reuse: Reuse) -> dict[str, Asset]:
    """Return the icon for old clients, if it is of the same hand as the icon of the pages."""
    path = _find(project, _FAVICON)
    if path.parent != icon.parent:
        return {}
    return {_FAVICON: Asset(_FAVICON, f"/{_FAVICON}", reuse.files.read(path), _origin(project, _FAVICON, path))}


def _styled(
    project: Project, name: str, path: Path, data: bytes, theme: bytes | None, beside: tuple[Asset, ...]
) -> Asset:
    """Return the style with the project's theme behind it, so that what the theme says holds."""
    origin, known = _origin(project, name, path), {a.name: a for a in beside}
    css = _with_addresses(decoded(data, origin), origin, known)
    if theme is None:
        return _hashed(project, name, path, css.encode())
    own = f"assets/{_THEME}"
    css += "\n" + _with_addresses(decoded(theme, own), own, known)
    return replace(_hashed(project, name, path, css.encode()), also=((own, hashlib.sha256(theme).hexdigest()),))


def own(project: Project, names: frozenset[str], reuse: Reuse) -> dict[str, Asset]:
    """Return the project's own files that pages use, under their own names."""
    folder = project.root / "assets"
    return {n: reuse.keep(_own, n, reuse.files.read(folder / n)) for n in sorted(names)}


def _own(name: str, data: bytes) -> Asset:
    return Asset(name, f"/assets/{name}", data, f"assets/{name}")


def sizes(assets: Mapping[str, Asset], keep: Keep) -> dict[str, tuple[int, int]]:
    """Return width and height of each image in pixels. Raises Rejected for what is no image of a safe size."""
    measured = {name: keep(_size, asset) for name, asset in assets.items()}
    problems = [size for size in measured.values() if isinstance(size, Problem)]
    if problems:
        raise Rejected(problems)
    return {name: size for name, size in measured.items() if not isinstance(size, Problem)}


def _size(asset: Asset) -> tuple[int, int] | Problem:
    try:
        return _svg_size(asset.data) if asset.name.endswith(".svg") else _raster_size(asset.data)
    except UnidentifiedImageError:
        return _broken(asset, "its format is not known")
    except (OSError, ValueError, SyntaxError) as error:
        return _broken(asset, str(error))


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
        except (OSError, ValueError):
            raise
        except Exception as error:
            # Of a damaged file Pillow raises whatever its reader meets: struct.error, TypeError, KeyError.
            raise ValueError("its bytes are damaged") from error


def _svg_size(data: bytes) -> tuple[int, int]:
    text = data.decode("utf-8-sig")
    head = re.match(r"\s*<\?xml\s[^>]*?\?>", text)
    if head and (named := re.search(r"encoding\s*=\s*[\"']([^\"']*)", head.group())) and named[1].lower() != "utf-8":
        raise ValueError("the SVG is not in UTF-8")
    if "<!ENTITY" in text:
        raise ValueError("the SVG declares entities")
    if "<?" in text[head.end() if head else 0 :]:
        # A style sheet named there is loaded, and may run code, where the file is opened by itself.
        raise ValueError("the SVG holds a processing instruction")
    root = ElementTree.fromstring(text)
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
        styles = ["".join(element.itertext())] if name == "style" else []
        for key, value in element.attrib.items():
            bare = key.rpartition("}")[2]
            if bare.lower().startswith("on"):
                yield f"the SVG holds the event handler {bare}"
            if bare in {"href", "src"} and not value.strip().startswith(("#", "data:image/")):
                yield "the SVG refers to another file"
            if runs_or_carries(value) and not value.strip().lower().startswith("data:image/"):
                yield f"the SVG holds an address that runs code, in {bare}"
            if bare == "attributeName" and value.rpartition(":")[2].strip().lower().startswith(("href", "on")):
                yield f"the SVG changes the attribute {value.strip()}"
            styles.append(value)
        if any(_loads(style) for style in styles):
            yield "the SVG loads another file"


def _loads(style: str) -> bool:
    style = style.lower()
    if any(word in style for word in ("@import", "image-set(", "src(", "\\")):
        return True
    targets = ["".join(groups) for groups in _CSS_URL.findall(style)]
    # What is not closed here is closed by the end of the style.
    return style.count("url(") != len(targets) or any(not t.startswith(("#", "data:image/")) for t in targets)


def _find(project: Project, name: str) -> Path:
    return next(f / name for f in (*project.asset_folders, RESOURCES / "assets") if (f / name).is_file())


def _hashed(project: Project, name: str, path: Path, data: bytes) -> Asset:
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

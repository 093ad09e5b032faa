"""matplotlib's SVG as a clean one: presentation attributes only, one file for the light and the dark theme.

A page's content security policy blocks style attributes, and a picture file cannot see the page's theme: the
drawing carries its light colours as attributes and a style sheet that swaps them by value on a dark screen.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from . import style
from .sheet import tidy

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_GEOMETRY = frozenset({"d", "x", "y", "width", "height", "points", "transform", "stroke-width"})
_LONG_DECIMAL = re.compile(r"-?\d+\.\d{3,}")
_SCALE = re.compile(r"(scale\([^)]*\))")
_AROUND_COMMAND = re.compile(r" ?([MLHVQCZz]) ?")


def identifier(stem: str, cut: str) -> str:
    """Turn a file stem into a prefix for ids; two figures of one page never share an id."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else f"_{ord(c):x}_" for c in stem)
    return f"f-{plain}-{cut}"


def svg(figure: Figure, prefix: str, title: str, desc: str, view: tuple[float, float, float, float]) -> bytes:
    """Draw a figure as SVG. `view` is the part shown: x, y, width, height in px; `prefix` starts every id."""
    raw = io.BytesIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(raw, metadata=nothing)  # type: ignore[no-untyped-call]
    drawn = ET.fromstring(raw.getvalue())
    x, y, width, height = (f"{value:g}" for value in view)
    root = ET.Element("svg", {"xmlns": _SVG[1:-1], "viewBox": f"{x} {y} {width} {height}"})
    root.attrib |= {"width": width, "height": height, "role": "img"}
    root.attrib |= {"aria-labelledby": f"{prefix}-t {prefix}-d", "stroke-linejoin": "round"}
    ET.SubElement(root, "title", {"id": f"{prefix}-t"}).text = tidy(title)
    ET.SubElement(root, "desc", {"id": f"{prefix}-d"}).text = tidy(desc)
    ET.SubElement(root, "style").text = theme_switch()
    ids = _glyph_ids(drawn, prefix)
    for child in drawn:
        root.extend(_cleaned(child, ids))
    return ET.tostring(root, encoding="unicode").encode() + b"\n"


def theme_switch() -> str:
    """Style sheet that swaps every light colour for its dark one on dark screens; print stays light."""
    rules = "".join(
        f'[fill="{light}"]{{fill:{style.DARK[token]}}}[stroke="{light}"]{{stroke:{style.DARK[token]}}}'
        for token, light in style.LIGHT.items()
    )
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


def _glyph_ids(drawn: ET.Element, prefix: str) -> dict[str, str]:
    found = [path.attrib["id"] for path in drawn.iter(f"{_SVG}path") if "id" in path.attrib]
    return {old: f"{prefix}{number:x}" for number, old in enumerate(dict.fromkeys(found))}


def _cleaned(element: ET.Element, ids: dict[str, str]) -> list[ET.Element]:
    """Give what stands for one element: nothing, itself, or its children where it only grouped them."""
    tag = element.tag.removeprefix(_SVG)
    if tag in {"metadata", "style"}:
        return []
    children = [clean for child in element for clean in _cleaned(child, ids)]
    attributes = _attributes(element, tag, ids)
    if tag == "g" and not attributes:
        return children
    if tag in {"g", "defs"} and not children:
        return []
    clean = ET.Element(tag, attributes)
    clean.extend(children)
    return [clean]


def _attributes(element: ET.Element, tag: str, ids: dict[str, str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for name, value in element.attrib.items():
        if name == "id":
            if tag == "path":
                out["id"] = ids[value]
        elif name == _HREF:
            out["href"] = f"#{ids[value.removeprefix('#')]}"
        elif name == "style":
            out |= _declarations(value)
        else:
            out[name] = value
    return {name: _rounded(name, value) for name, value in out.items()}


def _declarations(value: str) -> dict[str, str]:
    pairs = (part.split(":", 1) for part in value.split(";") if ":" in part)
    return {name.strip(): text.strip() for name, text in pairs}


def _rounded(name: str, value: str) -> str:
    """Cut geometry to hundredths of a px, a scale excepted: it multiplies whole outlines."""
    if name not in _GEOMETRY or ("." not in value and name != "d"):
        return value
    parts = _SCALE.split(" ".join(value.split()))
    short = "".join(p if p.startswith("scale(") else _LONG_DECIMAL.sub(_hundredths, p) for p in parts)
    return _AROUND_COMMAND.sub(r"\1", short).strip() if name == "d" else short


def _hundredths(match: re.Match[str]) -> str:
    text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text

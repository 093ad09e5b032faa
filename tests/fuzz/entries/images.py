"""Images of a project: any bytes under any image's name → width and height, or what is wrong with the file."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from site_src.assets import Asset, sizes
from site_src.problems import Rejected
from site_src.reuse import FRESH
from tests.fuzz.target import of_bytes, told

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><style>a{fill:url(#b)}</style><a href="#x"/></svg>'


def _one(raw: bytes) -> None:
    for name in ("a.svg", "a.png"):
        file = f"assets/{name}"
        try:
            found = sizes({name: Asset(name, f"/{file}", raw, file)}, FRESH)
        except Rejected as rejected:
            told(rejected.problems, file, raw)
            continue
        width, height = found[name]
        assert width > 0 and height > 0


def _raster(form: str, **told: object) -> bytes:
    out = BytesIO()
    Image.new("RGB", (8, 4)).save(out, form, **told)
    return out.getvalue()


TARGET = of_bytes(_one, SVG, *(_raster(form) for form in ("PNG", "GIF", "WEBP", "JPEG", "BMP", "TIFF")))

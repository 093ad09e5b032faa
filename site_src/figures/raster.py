"""A painted figure as pixels: 1600 × 900 on the page's ground, as lossless WebP and as PNG."""

from __future__ import annotations

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from . import style


def rasters(figure: Figure) -> tuple[bytes, bytes, Image.Image]:
    """Give the WebP, the PNG and their pixels, in the light colours; the figure keeps its dpi.

    Every raster has one size, so that it can be embedded and shared as declared: a figure taller than the frame
    is drawn smaller, not cut, and stands in the middle.
    """
    dpi = figure.dpi
    height_in_px = figure.get_figheight() * dpi
    figure.set_dpi(dpi * min(style.RASTER_SCALE, style.RASTER_SIZE[1] / height_in_px))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    drawn = canvas.get_width_height()
    pixels = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    image = Image.new("RGB", style.RASTER_SIZE, style.LIGHT["page"])
    left, top = ((whole - part) // 2 for whole, part in zip(style.RASTER_SIZE, drawn, strict=True))
    image.paste(Image.frombytes("RGBA", drawn, pixels).convert("RGB"), (left, top))
    figure.set_dpi(dpi)
    webp, png = io.BytesIO(), io.BytesIO()
    # quality is the effort here, not a loss: 0 costs a third more bytes than 100 and a tenth of the time
    image.save(webp, "WEBP", lossless=True, quality=0, method=4)
    image.save(png, "PNG")
    return webp.getvalue(), png.getvalue(), image


def thumbnail(image: Image.Image) -> bytes:
    """Give a raster in small, each pixel the mean of a square of it, as WebP."""
    small = io.BytesIO()
    image.reduce(style.THUMB_STEP).save(small, "WEBP", quality=80, method=4)
    return small.getvalue()

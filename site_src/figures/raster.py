"""A painted figure as pixels: one image at twice the design size, as lossless WebP and as PNG."""

from __future__ import annotations

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from . import style


def rasters(figure: Figure) -> tuple[bytes, bytes, tuple[int, int]]:
    """Give the WebP, the PNG and their size in px, in the light colours; the figure keeps its dpi."""
    dpi = figure.dpi
    figure.set_dpi(dpi * style.RASTER_SCALE)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    width, height = canvas.get_width_height()
    pixels = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    image = Image.frombytes("RGBA", (width, height), pixels).convert("RGB")
    figure.set_dpi(dpi)
    webp, png = io.BytesIO(), io.BytesIO()
    # quality is the effort here, not a loss: 0 costs a third more bytes than 100 and a tenth of the time
    image.save(webp, "WEBP", lossless=True, quality=0, method=4)
    image.save(png, "PNG")
    return webp.getvalue(), png.getvalue(), (width, height)

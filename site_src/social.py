"""A page → the properties that Open Graph and Twitter's cards read, with the title card as their picture."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from .check import Explainer
from .hrefs import Hrefs
from .pictures import Drawings, Sizes, addresses
from .placing import ASSETS
from .view import Property

# What readers of these properties show; none of them draws SVG.
_RASTER: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif"})


def image(explainer: Explainer, drawings: Drawings, sizes: Sizes) -> tuple[str, tuple[int, int]] | None:
    """Return the address and the size in pixels of the title card as a raster: the PNG of a drawn one."""
    name = explainer.hero
    if name in explainer.placed.figures:
        return addresses(name)["png"], drawings[explainer.record.id, name].raster_size
    is_raster = PurePosixPath(name).suffix.lower() in _RASTER
    return (ASSETS + name, sizes[name]) if is_raster and name in sizes else None


def properties(explainer: Explainer, drawings: Drawings, sizes: Sizes, hrefs: Hrefs) -> tuple[Property, ...]:
    """Return the properties of a guide. Addresses have to be absolute, so without `site_url` there are none."""
    record = explainer.record
    said = [Property("og:title", record.title), Property("og:type", "article")]
    if not hrefs.site_url:
        return tuple(said)
    said.append(Property("og:url", hrefs.absolute(record.path)))
    card = image(explainer, drawings, sizes)
    if card:
        address, (width, height) = card
        alt = record.image.alt if record.image else f"Title card: {record.title}"
        said += [Property("og:image", hrefs.absolute(address)), Property("og:image:width", str(width))]
        said += [Property("og:image:height", str(height)), Property("og:image:alt", alt)]
        said.append(Property("twitter:card", "summary_large_image", "name"))
    return tuple(said)

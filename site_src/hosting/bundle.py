"""A folder with a site → every file of the folder that a web server or a store is given."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from ..clashes import MANIFEST
from ..release.comparing import refuse_differences
from ..release.reading import read
from ..rendering import Artifact
from ..write import collect
from . import nginx
from .compressed import copies
from .served import listing, served

HEADERS = "headers.json"


def bundle(folder: Path, *, with_brotli: bool) -> dict[str, bytes]:
    """Return the files by path: `site/` with packed copies, `nginx/`, `headers.json`, and a manifest of them all.

    Raises Rejected where the site is not what its own manifest lists, Surroundings where it cannot be read.
    """
    found = read(folder, lambda _, data: data)
    refuse_differences(found)
    raw = (folder / MANIFEST).read_bytes()
    files = {**found.taken, MANIFEST: raw}
    site = served(files)
    content = {f"site/{p}": d for p, d in {**files, **dict(copies(files, with_brotli=with_brotli))}.items()}
    content |= nginx.configuration(site, with_brotli=with_brotli) | {HEADERS: listing(site)}
    artifacts = [Artifact(path, data, "") for path, data in content.items()]
    return collect(artifacts, found.listing.inputs, version("pinpress"))

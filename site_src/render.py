"""Rendering → Artifacts: one function per kind of output, listed in one tuple. Nothing is written here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from . import machine_files
from .guide_outputs import audits, citings, data_files, figures, guides
from .moved import moved
from .rendering import Artifact, Output, Rendering
from .site_outputs import assets, index, method_page, not_found, results, schema, search, sources

OUTPUTS: Final[tuple[Output, ...]] = (
    guides,
    audits,
    index,
    sources,
    results,
    method_page,
    search,
    not_found,
    moved,
    data_files,
    citings,
    figures,
    assets,
    schema,
)


# What one record alone gives: a preview serves it before the rest.
OF_ONE_RECORD: Final = frozenset((guides, data_files, figures))
# What needs every record and weighs most, by its folder: a preview makes it when it is asked for.
ON_DEMAND: Final[Mapping[str, Output]] = {"results/": results, "search/": search}


def render(rendering: Rendering, outputs: Iterable[Output] = OUTPUTS) -> Iterator[Artifact]:
    """Yield every file of the site, or those of some outputs, but for the lists that `closing` makes of them."""
    for output in outputs:
        yield from output(rendering)


def closing(rendering: Rendering, files: Mapping[str, bytes]) -> Iterator[Artifact]:
    """Yield the lists of all pages for programs. `files` holds every other file by its path."""
    lasting = machine_files.lasting((path, hashlib.sha256(data).hexdigest()) for path, data in files.items())
    yield from machine_files.lists(rendering, machine_files.pages(files), lasting)

"""Rendering → Artifacts: one function per kind of output, listed in one tuple. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from .guide_outputs import audits, data_files, figures, guides
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
    data_files,
    figures,
    assets,
    schema,
)


# What one record alone gives: a preview serves it before the rest.
OF_ONE_RECORD: Final = frozenset((guides, data_files, figures))
# What needs every record and a program of its own: a preview makes it when it is asked for.
ON_DEMAND: Final = frozenset((search,))


def render(rendering: Rendering, outputs: Iterable[Output] = OUTPUTS) -> Iterator[Artifact]:
    """Yield every file of the site, or those of some outputs."""
    for output in outputs:
        yield from output(rendering)

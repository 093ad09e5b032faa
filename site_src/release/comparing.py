"""A published site against its own manifest: what is missing, what is there besides, what has other bytes."""

from __future__ import annotations

from collections.abc import Iterator

from ..problems import Problem, Rejected
from .listing import Stamp
from .names import shown
from .reading import Published


def differences(site: Published, *, extra: bool = True) -> Iterator[Problem]:
    """Yield a problem for each file that is not as listed; `extra` counts files that nobody lists, too."""
    listed = site.listing.outputs
    for path in sorted({*listed, *site.files}):
        there, wanted = site.files.get(path), listed.get(path)
        if there is None:
            yield _problem(site, path, "the file is missing, and the manifest lists it", "Publish the whole site.")
        elif wanted is None:
            if extra:
                fact = "the manifest does not list the file: something else put it here"
                yield _problem(site, path, fact, "Remove it, or put it where the site is made and build.")
        elif there != wanted:
            yield _problem(site, path, _changed(there, wanted), "Publish the file that build wrote, or build anew.")


def refuse_differences(site: Published, *, extra: bool = True) -> None:
    """Raise Rejected where a site is not what its manifest lists."""
    if problems := [*differences(site, extra=extra)]:
        raise Rejected(problems, {p.file: None for p in problems})


def _problem(site: Published, path: str, fact: str, remedy: str) -> Problem:
    return Problem(f"{site.name}/{shown(path)}", "", None, "site-differs", fact, remedy)


def _changed(there: Stamp, wanted: Stamp) -> str:
    if there.size != wanted.size:
        return f"the file has {there.size:,} bytes, the manifest lists {wanted.size:,}"
    return f"the file has the SHA-256 {there.sha256[:12]}…, the manifest lists {wanted.sha256[:12]}…"

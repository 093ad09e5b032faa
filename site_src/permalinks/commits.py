"""A document on a branch or tag → how a person finds the commit it stands at."""

from __future__ import annotations

import re
import shlex
from typing import Final

from .forges import Blob

# Where each forge shows the commit of what it shows (seen in their pages, 2026).
_ON_THE_PAGE: Final = {
    "github": "press y on the page, and its address holds the commit",
    "gist": "take it from the address under Revisions",
    "gitlab": "press y on the page, and its address holds the commit",
    "forgejo": "the button Permalink on the page leads to it",
    "bitbucket": "open the commit that is named above the document",
    "huggingface": "copy it under History",
}
_SHORT_HASH: Final = re.compile(r"[0-9a-fA-F]{4,63}")
_LIKE_A_TAG: Final = re.compile(r"refs/tags/|v?\d")
# A name that needs no quotes in a shell and is no option.
_PLAIN: Final = re.compile(r"\w[\w./-]*", re.ASCII)


def how_to_find(blob: Blob) -> str:
    """Return the ways to the commit, as the end of a sentence: on the page of its forge, and with git."""
    if _SHORT_HASH.fullmatch(blob.revision):
        return f"{_ON_THE_PAGE[blob.forge]}; in a clone, git rev-parse {blob.revision}"
    return f"{_ON_THE_PAGE[blob.forge]}; or git ls-remote {shlex.quote(_remote(blob))} {_asked(blob.revision)}".rstrip()


def _remote(blob: Blob) -> str:
    """Return the address that git asks; a gist has its own without the owner."""
    if blob.forge == "gist":
        return f"https://gist.github.com/{blob.repository.rpartition('/')[2]}.git"
    return f"{blob.home}.git" if blob.forge in {"gitlab", "forgejo"} else blob.home


def _asked(revision: str) -> str:
    """Return the names to ask for; an annotated tag has its commit under its name with ^{}. Odd names are left out."""
    if revision in {"", "HEAD"}:
        return "HEAD"
    if not _PLAIN.fullmatch(revision):
        return ""
    return f"{revision} '{revision}^{{}}'" if _LIKE_A_TAG.match(revision) else revision

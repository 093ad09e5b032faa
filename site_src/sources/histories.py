"""The history of a document as its forge tells it: at which commit a branch stands, and when the document was changed.

Each forge lists commits, newest first, up to a revision and for one path (their manuals, 2026: GitHub "List commits",
GitLab "Commits API", Forgejo "Get a list of all commits from a repository"). The others have no such list for a path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

from ..parse import json_data
from ..permalinks import Blob, is_commit
from ..pointers import at_pointer
from ..problems import Rejected, Surroundings


@dataclass(frozen=True)
class _Api:
    """Where a forge lists commits, how its query names revision, path and number, and where an entry has what."""

    address: str
    revision: str
    most: str
    commit: str
    date: str = "/0/commit/committer/date"


_APIS: Final = {
    "github": _Api("https://api.github.com/repos/{repository}/commits", "sha", "per_page", "/0/sha"),
    "forgejo": _Api("https://{host}/api/v1/repos/{repository}/commits", "sha", "limit", "/0/sha"),
    "gitlab": _Api(
        "https://{host}/api/v4/projects/{id}/repository/commits", "ref_name", "per_page", "/0/id", "/0/committed_date"
    ),
}
Read = Callable[[str], bytes]


@dataclass(frozen=True)
class Change:
    """The newest commit of a document, or of a whole repository, up to a revision; its date as the forge writes it."""

    commit: str
    on: str | None


def newest(place: Blob, read: Read, *, of_path: bool) -> Change | None:
    """Return the newest commit up to the revision of a place, or None where its forge tells none.

    `read` takes an address to its bytes and raises Surroundings, which goes through.
    """
    api = _APIS.get(place.forge)
    if api is None:
        return None
    asked = {api.revision: place.revision, api.most: "1"} if place.revision else {api.most: "1"}
    asked |= {"path": place.path} if of_path else {}
    names = {"host": place.host, "repository": quote(place.repository), "id": quote(place.repository, safe="")}
    address = f"{api.address.format(**names)}?{urlencode(asked)}"
    try:
        told = json_data(read(address).decode("utf-8", "replace"), "")
    except Rejected:
        raise Surroundings(f"{address} did not answer with JSON.") from None
    return _change(told, api)


def _change(told: Any, api: _Api) -> Change | None:
    commit, on = at_pointer(told, api.commit), at_pointer(told, api.date)
    if not isinstance(commit, str) or not is_commit(commit):
        return None
    return Change(commit, on if isinstance(on, str) else None)

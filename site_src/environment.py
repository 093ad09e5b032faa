"""The templates of a project with all that they may call: nothing else reaches a page but the site and its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import directions, interface, navigation
from .hrefs import Hrefs
from .policy import policy
from .project import Project
from .templating import Sources, Templates


def templates_of(project: Project, sources: Sources, hrefs: Hrefs, addresses: tuple[tuple[str, str], ...]) -> Templates:
    """Return the templates with all that they may call; nothing else reaches a page but the site and its parts."""
    known = dict(addresses)
    functions: dict[str, Callable[..., Any]] = {
        "at": lambda here, name: hrefs.to(here, known[name]),
        "to": hrefs.to,
        "public": hrefs.absolute,
        "day": interface.ENGLISH.date,
        "words": interface.of,
        "navigation": navigation.links,
        "direction": directions.direction,
        "policy": policy,
    }
    return Templates(project, sources, functions)

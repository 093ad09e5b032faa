"""Templates of a theme: any text as a template → a page, or where the template goes wrong; no code of its own runs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import jinja2.debug  # noqa: F401  # jinja2 looks for it in its folder when a template fails first

from site_src.problems import Rejected
from site_src.project import Project
from site_src.templating import Sources, Templates
from tests.fuzz.target import of_bytes, told

NAME = "page.html.j2"
FORBIDDEN = frozenset({"os.system", "os.listdir", "subprocess.Popen", "os.posix_spawn", "socket.connect"})
_folder = tempfile.TemporaryDirectory()
# A project with templates of its own: only those are of another hand.
PROJECT = Project(Path(_folder.name).resolve())
(PROJECT.root / "templates").mkdir()


class Canary:
    """What a template must not reach: its class, and through it everything."""

    word = "seen"

    def say(self, text: str) -> str:
        """Return the text."""
        return text


class Reached(BaseException):
    """A template reached what it must not; no handler of an Exception may hide that."""


_rendering = False


def _watch(event: str, told: tuple[Any, ...]) -> None:
    if _rendering and event in FORBIDDEN:
        raise Reached(f"{event} {told}")


sys.addaudithook(_watch)


def _one(raw: bytes) -> None:
    global _rendering  # noqa: PLW0603  (an audit hook can never be taken away again)
    path = PROJECT.root / "templates" / NAME
    templates = Templates(PROJECT, Sources({NAME: (path, raw)}, {}), {"say": str})
    _rendering = True
    try:
        templates.render(NAME, canary=Canary(), rows=[1, "<b>", None], path=PROJECT.root)
    except Rejected as rejected:
        _rendering = False
        told(rejected.problems, f"templates/{NAME}", raw)
    finally:
        _rendering = False


TARGET = of_bytes(
    _one,
    b"{% for row in rows %}{{ row | upper }} {{ say(row) }}{% else %}{{ canary.word }}{% endfor %}",
    b"{{ canary.__class__.__mro__[1].__subclasses__() }}{{ say.__globals__ }}{{ path.read_text() }}",
    b"{% extends 'other' %}{% block a %}{{ super() }}{% endblock %}{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1) }}",
    b"{% set x = namespace(y=1) %}{{ '%s' | format(x) }}"
    b"{{ ('{0.__class__}').format(canary) }}{{ rows | map(attribute='__class__') | list }}",
)

"""The Jinja environment: strict about missing names, escaping everything, the project's templates first."""

from __future__ import annotations

import hashlib
import re
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, Final

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from .compact import compact
from .load import decoded
from .problems import Problem, Rejected
from .project import RESOURCES, Project
from .reuse import Reuse

_SHIPPED: Final = "pinpress/"
# What embeds, overrides or isolates a direction: the text behind it would be shown in another order than it has.
# In a block of data for machines the escape stands for the very same character.
_BIDI: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Sources:
    """Every file that a template may be, read at one time: name → its file and bytes; the hashes for the manifest."""

    files: Mapping[str, tuple[Path, bytes]]
    inputs: Mapping[str, str]


def read(project: Project, reuse: Reuse) -> Sources:
    """Read the templates of a project; its own stand before the shipped ones of the same name.

    A shipped one is also known as pinpress/NAME, so that one of the same name can extend it.
    """
    found: list[tuple[str, str, Path, bytes]] = []
    for folder in project.template_folders:
        own = folder.is_relative_to(project.root) and folder != RESOURCES / "templates"
        shown = "" if own or project.root == RESOURCES else "pinpress:"
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = path.relative_to(folder).as_posix()
            names = (name, f"{_SHIPPED}{name}") if folder == project.template_folders[-1] else (name,)
            found += [(n, f"{shown}templates/{name}", path, reuse.files.read(path)) for n in names]
    return reuse.keep(_sources, tuple(found))


def _sources(found: tuple[tuple[str, str, Path, bytes], ...]) -> Sources:
    files: dict[str, tuple[Path, bytes]] = {}
    for name, _, path, data in found:
        files.setdefault(name, (path, data))
    hashes = {shown: hashlib.sha256(data).hexdigest() for name, shown, _, data in found if name.endswith(".j2")}
    return Sources(files, hashes)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


class _Loader(BaseLoader):
    """Finds a template in the first folder that has it; what is not UTF-8 is the content's fault."""

    def __init__(self, project: Project, sources: Sources) -> None:
        self.project, self.sources = project, sources

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        if template not in self.sources.files:
            raise TemplateNotFound(template)
        path, data = self.sources.files[template]
        return decoded(data, _shown(self.project, path)), str(path), None


def _shown(project: Project, path: Path) -> str:
    """Return a template's name in a report: its file in the project, or that it is one of pinpress."""
    if path.is_relative_to(project.root):
        return project.name(path)
    return f"pinpress:templates/{path.relative_to(project.template_folders[-1]).as_posix()}"


class _Sandbox(ImmutableSandboxedEnvironment):
    """Runs templates of a project: they read what pages are made of, and reach no file, no module, no code."""

    intercepted_binops = frozenset({"*", "**"})

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Tell whether a template may read an attribute."""
        return not isinstance(obj, PurePath | ModuleType | type) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Multiply numbers; text or lists repeated a million times would fill the memory."""
        if operator == "**" or not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise SecurityError(f"a template may not use {operator} here")
        return super().call_binop(context, operator, left, right)


class Templates:
    """Renders templates as they were when they were read."""

    def __init__(self, project: Project, sources: Sources, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Make an environment; `functions` are the globals templates may call."""
        self.project, self.sources = project, sources
        # Only a project's own templates are of another hand; the sandbox costs time at each name.
        kind = Environment if project.template_folders == (RESOURCES / "templates",) else _Sandbox
        self.environment = kind(
            loader=_Loader(project, sources),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.globals = dict(functions)
        self.environment.filters = {**self.environment.filters, "html": Markup}

    def render(self, name: str, **context: Any) -> bytes:
        """Render one template to UTF-8 bytes. Raises Rejected where the template is at fault.

        A failure that no template of the project had a part in is ours, and is raised as it is.
        """
        try:
            page = self.environment.get_template(name).render(**context)
            return (_BIDI.sub(_escape, compact(page)).strip() + "\n").encode()
        except Rejected:
            raise
        except Exception as error:
            path, line = self._place(error)
            if isinstance(error, RecursionError) and isinstance(self.environment, _Sandbox):
                path, line = self.sources.files[name][0], 1
            if not isinstance(error, TemplateError) and not path.is_relative_to(self.project.root):
                raise
            raise Rejected([self._problem(error, path, line)]) from error

    def _place(self, error: Exception) -> tuple[Path, int]:
        """Return the file and line of the innermost frame in a template, one of the project's own if there is any."""
        if isinstance(error, TemplateSyntaxError) and error.filename:
            return Path(error.filename), error.lineno
        frames = [(Path(f.filename), f.lineno or 1) for f in traceback.extract_tb(error.__traceback__)]
        inside = [f for f in frames if f[0].suffix == ".j2"]
        own = [f for f in inside if f[0].is_relative_to(self.project.root)]
        return (own or inside or [(self.project.template_folders[-1], 1)])[-1]

    def _problem(self, error: Exception, path: Path, line: int) -> Problem:
        remedy = "Mend this line of the template."
        if isinstance(error, TemplateNotFound):
            message, remedy = f"there is no template {error.name}", f"Write templates/{error.name}, or mend the name."
        else:
            # A function or object names itself by its address in memory, which differs from run to run.
            message = f"the template fails: {re.sub(r' at 0x[0-9a-f]+', '', str(error))}"
        lines = decoded(path.read_bytes(), _shown(self.project, path)).split("\n") if path.is_file() else []
        blanks = len(lines[line - 1]) - len(lines[line - 1].lstrip()) if line <= len(lines) else 0
        offset = sum(len(before) + 1 for before in lines[: line - 1]) + blanks
        return Problem(_shown(self.project, path), "", offset, "template", message, remedy)

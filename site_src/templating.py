"""The Jinja environment: strict about missing names, escaping everything, the project's templates first."""

from __future__ import annotations

import hashlib
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateError, TemplateNotFound, TemplateSyntaxError
from markupsafe import Markup

from .compact import compact
from .load import decoded
from .problems import Problem, Rejected
from .project import RESOURCES, Project


class _Loader(BaseLoader):
    """Finds a template in the first folder that has it; what is not UTF-8 is the content's fault."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        steps = template.split("/")
        found = (f / template for f in self.project.template_folders if ".." not in steps)
        path = next((p for p in found if p.is_file()), None)
        if path is None:
            raise TemplateNotFound(template)
        return decoded(path.read_bytes(), _shown(self.project, path)), str(path), None


def _shown(project: Project, path: Path) -> str:
    """Return a template's name in a report: its file in the project, or that it is one of pinpress."""
    if path.is_relative_to(project.root):
        return project.name(path)
    return f"pinpress:templates/{path.relative_to(project.template_folders[-1]).as_posix()}"


class Templates:
    """Renders templates and remembers the hash of every file read, for the manifest."""

    def __init__(self, project: Project, functions: dict[str, Callable[..., Any]]) -> None:
        """Make the environment of one build; `functions` are the globals templates may call."""
        self.project = project
        self.environment = Environment(
            loader=_Loader(project), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self.environment.globals = dict(functions)
        self.environment.filters = {**self.environment.filters, "html": Markup}

    def render(self, name: str, **context: Any) -> bytes:
        """Render one template to UTF-8 bytes. Raises Rejected where the template is at fault.

        A failure that no template of the project had a part in is ours, and is raised as it is.
        """
        try:
            return (compact(self.environment.get_template(name).render(**context)).strip() + "\n").encode()
        except Rejected:
            raise
        except Exception as error:
            path, line = self._place(error)
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

    def inputs(self) -> dict[str, str]:
        """Return the SHA-256 of every template that a build can use."""
        found: dict[str, str] = {}
        for folder in self.project.template_folders:
            own = folder.is_relative_to(self.project.root) and folder != RESOURCES / "templates"
            shown = "" if own or self.project.root == RESOURCES else "pinpress:"
            for path in sorted(folder.rglob("*.j2")):
                name = f"{shown}templates/{path.relative_to(folder).as_posix()}"
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

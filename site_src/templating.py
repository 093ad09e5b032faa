"""The Jinja environment: strict about missing names, escaping everything, the project's templates first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError
from markupsafe import Markup

from .problems import Problem, Rejected
from .project import RESOURCES, Project


class Templates:
    """Renders templates and remembers the hash of every file read, for the manifest."""

    def __init__(self, project: Project, functions: dict[str, Callable[..., Any]]) -> None:
        """Make the environment of one build; `functions` are the globals templates may call."""
        self.project = project
        loader = FileSystemLoader([str(f) for f in project.template_folders])
        self.environment = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self.environment.globals = dict(functions)
        self.environment.filters = {**self.environment.filters, "html": Markup}

    def render(self, name: str, **context: Any) -> bytes:
        """Render one template to UTF-8 bytes. Raises Rejected where the template is at fault."""
        try:
            return (self.environment.get_template(name).render(**context).strip() + "\n").encode()
        except TemplateError as error:
            where = getattr(error, "name", None) or name
            line = f" in line {error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
            message = f"the template fails{line}: {error.message}"
            raise Rejected([Problem(f"templates/{where}", "", None, "template", message, "Mend it.")]) from error

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

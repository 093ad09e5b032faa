"""Files → Documents: UTF-8 text parsed to plain data, the digits of every number kept. Nothing is checked yet.

JSON and YAML follow one rule for numbers: the JSON number grammar without an exponent is a number (`Decimal`);
in YAML everything else is text. Duplicate keys, non-finite numbers, YAML aliases and control characters are refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from . import parse
from .problems import Problem, Rejected
from .project import Project

SETTINGS: Final = "site"
_SIDECARS: Final = (".figures.yml", ".audit.yml", ".claims.json", ".verified.json")
_ENDINGS: Final = {".json": "json", ".yml": "yaml", ".yaml": "yaml"}
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Document:
    """One parsed record with the sidecars beside it; untrusted. File names are relative to the project."""

    file: str
    id: str
    data: Any
    body_file: str | None = None
    body: str | None = None
    audit_file: str | None = None
    audit: Any = None
    figures_file: str | None = None
    figures: Any = None


@dataclass(frozen=True)
class Loaded:
    """Everything read from `records/`: documents in path order, settings, and the SHA-256 of every file."""

    documents: tuple[Document, ...]
    settings_file: str | None
    settings: Any
    inputs: dict[str, str] = field(default_factory=dict)


def load(project: Project) -> Loaded:
    """Read all records, sidecars and settings. Raises Rejected with every unreadable file."""
    reader = _Reader(project)
    paths = [p for p in sorted(project.records.rglob("*"), key=lambda p: p.as_posix()) if _is_input(project, p)]
    taken = {p for p in paths if _record_id(p)}
    documents = tuple(filter(None, [reader.document(p) for p in sorted(taken)]))
    settings_path = project.records / f"{SETTINGS}.yml"
    settings = reader.parsed(settings_path) if settings_path in paths else None
    reader.problems += _strays(project, paths, taken)
    if reader.problems:
        raise Rejected(reader.problems)
    name = project.name(settings_path) if settings_path in paths else None
    return Loaded(documents, name, settings, dict(sorted(reader.inputs.items())))


def read_text(project: Project, file: str) -> str:
    """Return a project file's text for a report; what is not UTF-8 shows as replacement characters."""
    return normal_lines((project.root / file).read_bytes().decode("utf-8-sig", "replace"))


def normal_lines(text: str) -> str:
    """Return text with LF line ends only."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_input(project: Project, path: Path) -> bool:
    inside = path.relative_to(project.records)
    return path.is_file() and not any(part.startswith(".") for part in inside.parts)


def _record_id(path: Path) -> str | None:
    """Return the id a record file must have, or None for a file that is no record."""
    is_sidecar = path.name.endswith(_SIDECARS)
    if path.suffix not in _ENDINGS or is_sidecar or path.name == f"{SETTINGS}.yml":
        return None
    return path.name.removesuffix(path.suffix)


class _Reader:
    """Collects problems and input hashes while files are read."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.problems: list[Problem] = []
        self.inputs: dict[str, str] = {}

    def text(self, path: Path) -> str | None:
        name = self.project.name(path)
        if not path.resolve().is_relative_to(self.project.root):
            self.reject(name, "outside-project", "the file is a link that leaves the project", "Copy the file here.")
            return None
        raw = path.read_bytes()
        self.inputs[name] = hashlib.sha256(raw).hexdigest()
        try:
            text = normal_lines(raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            before = raw[: error.start].decode("utf-8-sig", "replace")
            self.reject(name, "not-utf8", f"byte {error.start} is not UTF-8", "Save the file as UTF-8.", len(before))
            return None
        return text

    def parsed(self, path: Path) -> Any:
        text, name = self.text(path), self.project.name(path)
        if text is None:
            return None
        read = parse.json_data if _ENDINGS[path.suffix] == "json" else parse.yaml_data
        try:
            data = read(text, name)
        except Rejected as rejected:
            self.problems += rejected.problems
            return None
        self.problems += _control_characters(name, data)
        return data

    def document(self, path: Path) -> Document | None:
        stem, name = str(_record_id(path)), self.project.name(path)
        if "." in stem:
            remedy = f"Rename it to {stem.replace('.', '-')}{path.suffix} and set the id alike."
            self.reject(name, "dot-in-name", "the name of a record holds no dot before its ending", remedy)
        data = self.parsed(path)
        body_path = path.with_name(f"{stem}.md")
        body = self.text(body_path) if body_path.is_file() else None
        if body is not None:
            self.problems += _control_characters(self.project.name(body_path), body)
        audit_file, audit = self.sidecar(path.with_name(f"{stem}.audit.yml"))
        figures_file, figures = self.sidecar(path.with_name(f"{stem}.figures.yml"))
        body_file = self.project.name(body_path) if body is not None else None
        return Document(name, stem, data, body_file, body, audit_file, audit, figures_file, figures)

    def sidecar(self, path: Path) -> tuple[str | None, Any]:
        """Return the name and the data of a sidecar; nothing where there is none."""
        return (self.project.name(path), self.parsed(path)) if path.is_file() else (None, None)

    def reject(self, file: str, code: str, message: str, remedy: str, offset: int = 0) -> None:
        self.problems.append(Problem(file, "", offset, code, message, remedy))


def _strays(project: Project, paths: list[Path], records: set[Path]) -> Iterator[Problem]:
    """Yield a problem for each sidecar without a record and each record that two files claim."""
    stems = {p.with_name(str(_record_id(p))) for p in records}
    for path in paths:
        ending = next((e for e in (*_SIDECARS, ".md") if path.name.endswith(e)), None)
        if ending and path.with_name(path.name.removesuffix(ending)) not in stems:
            remedy = "Put the record beside it, or make one from this file: pinpress import FILE --into ID."
            yield Problem(project.name(path), "", 0, "lone-sidecar", "no record of this name lies beside it", remedy)
    by_stem: dict[Path, list[Path]] = {}
    for path in sorted(records):
        by_stem.setdefault(path.with_name(str(_record_id(path))), []).append(path)
    for first, *others in by_stem.values():
        for other in others:
            message = f"{project.name(first)} has the same id"
            yield Problem(project.name(other), "", 0, "duplicate-id", message, "Keep one of the two files.")


def _control_characters(file: str, value: Any, pointer: str = "") -> Iterator[Problem]:
    """Yield a problem for each text that holds a character no page can show."""
    if isinstance(value, str) and (match := _CONTROL.search(value)):
        message = f"the text holds the control character U+{ord(match.group()):04X}"
        remedy = "Remove it or write what it stands for."
        yield Problem(file, pointer, match.start(), "control-character", message, remedy)
    elif isinstance(value, dict):
        for key, item in value.items():
            if _CONTROL.search(key):
                yield Problem(file, pointer, None, "control-character", "a key holds a control character", "Rename it.")
            else:
                yield from _control_characters(file, item, f"{pointer}/{parse.escape(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _control_characters(file, item, f"{pointer}/{index}")

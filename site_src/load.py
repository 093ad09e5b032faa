"""Files → Documents: UTF-8 text parsed to plain data, the digits of every number kept. Nothing is checked yet.

JSON and YAML follow one rule for numbers: the JSON number grammar without an exponent is a number (`Decimal`);
in YAML everything else is text. Duplicate keys, non-finite numbers, YAML aliases and control characters are refused.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from . import parse
from .locate import printable
from .pointers import escape
from .problems import AT_KEY, Problem, Rejected
from .project import Project

SETTINGS: Final = "site.yml"
_SIDECARS: Final = (".figures.yml", ".audit.yml", ".claims.json", ".verified.json")
_BESIDE: Final = (*_SIDECARS, ".md")
_ENDINGS: Final = {".json": "json", ".yml": "yaml", ".yaml": "yaml"}
_SETTINGS_NAMES: Final = frozenset(f"site{ending}" for ending in _ENDINGS)
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


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
    claims_file: str | None = None
    claims: Any = None
    receipt_file: str | None = None
    receipt: Any = None


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
    found = [p for p in sorted(project.records.rglob("*"), key=lambda p: p.as_posix()) if not _is_hidden(project, p)]
    paths = [p for p in found if p.is_file()]
    taken = {p for p in paths if _record_id(p)}
    documents = tuple(filter(None, [reader.document(p) for p in sorted(taken)]))
    settings_path = project.records / SETTINGS
    settings = reader.parsed(settings_path) if settings_path in paths else None
    reader.problems += [*_unread(project, found, taken), *_strays(project, paths, taken), *_twins(project, taken)]
    if reader.problems:
        raise Rejected(reader.problems)
    name = project.name(settings_path) if settings_path in paths else None
    return Loaded(documents, name, settings, dict(sorted(reader.inputs.items())))


def read_text(project: Project, file: str) -> str | None:
    """Return a project file's text for a report, or None where no regular file of that name lies in the project.

    What is not UTF-8 shows as replacement characters.
    """
    path = project.root / file
    if not path.is_file() or not is_inside(project, path):
        return None
    try:
        return normal_lines(path.read_bytes().decode("utf-8-sig", "replace"))
    except OSError:
        return None


def is_inside(project: Project, path: Path) -> bool:
    """Tell whether a path, links followed, lies in the project."""
    return Path(os.path.realpath(path)).is_relative_to(project.root)


def decoded(raw: bytes, file: str) -> str:
    """Return the text of a file's bytes: UTF-8, a byte order mark dropped, LF line ends. Raises Rejected."""
    body = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return normal_lines(body.decode())
    except UnicodeDecodeError as error:
        at = len(normal_lines(body[: error.start].decode()))
        message = f"byte {error.start + len(raw) - len(body)} is not UTF-8"
        raise Rejected([Problem(file, "", at, "not-utf8", message, "Save the file as UTF-8.")]) from None


def normal_lines(text: str) -> str:
    """Return text with LF line ends only."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_hidden(project: Project, path: Path) -> bool:
    """Tell whether a path is hidden or an editor's backup."""
    return any(part.startswith(".") or part.endswith("~") for part in path.relative_to(project.records).parts)


def _record_id(path: Path) -> str | None:
    """Return the id a record file must have, or None for a file that is no record."""
    is_sidecar = path.name.endswith(_SIDECARS)
    if path.suffix not in _ENDINGS or is_sidecar or path.name.lower() in _SETTINGS_NAMES:
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
        if not is_inside(self.project, path):
            self.problems.append(outside(name))
            return None
        try:
            raw = path.read_bytes()
            self.inputs[name] = hashlib.sha256(raw).hexdigest()
            return decoded(raw, name)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}"
            self.problems.append(Problem(name, "", 0, "unreadable-file", message, "Let this user read it."))
        except Rejected as rejected:
            self.problems += rejected.problems
        return None

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
            message = "the name of a record holds no dot before its ending"
            self.problems.append(Problem(name, "", 0, "dot-in-name", message, remedy))
        data = self.parsed(path)
        body_path = path.with_name(f"{stem}.md")
        body = self.text(body_path) if body_path.is_file() else None
        if body is not None:
            self.problems += _control_characters(self.project.name(body_path), body)
        audit_file, audit = self.sidecar(path.with_name(f"{stem}.audit.yml"))
        figures_file, figures = self.sidecar(path.with_name(f"{stem}.figures.yml"))
        claims_file, claims = self.sidecar(path.with_name(f"{stem}.claims.json"))
        body_file = self.project.name(body_path) if body is not None else None
        receipt_file, receipt = self.sidecar(path.with_name(f"{stem}.verified.json"))
        return Document(
            *(name, stem, data, body_file, body),
            *(audit_file, audit, figures_file, figures, claims_file, claims, receipt_file, receipt),
        )

    def sidecar(self, path: Path) -> tuple[str | None, Any]:
        """Return the name and the data of a sidecar; nothing where there is none."""
        return (self.project.name(path), self.parsed(path)) if path.is_file() else (None, None)


def outside(file: str) -> Problem:
    """Return the problem of a link that leaves the project; what it leads to is neither read nor shown."""
    return Problem(file, "", 0, "outside-project", "the file is a link that leaves the project", "Copy the file here.")


def _unread(project: Project, found: Iterable[Path], records: set[Path]) -> Iterator[Problem]:
    """Yield a problem for each thing in `records/` that is read as nothing: it would be missed without a word."""
    for path in found:
        name = project.name(path)
        if not path.is_file() and not path.is_dir():
            message = "the link leads to no file" if path.is_symlink() else "this is no regular file"
            yield Problem(name, "", 0, "unreadable-file", message, "Put a file in its place, or remove it.")
        elif path.is_symlink() and path.is_dir():
            message, remedy = "the folder is a link, and is not followed", "Put the folder itself in its place."
            yield Problem(name, "", 0, "unreadable-file", message, remedy)
        elif path.name.lower() in _SETTINGS_NAMES and path != project.records / SETTINGS:
            message = f"the settings of the site lie in records/{SETTINGS} alone"
            yield Problem(name, "", 0, "misplaced-settings", message, "Move them there, or name the record otherwise.")
        elif path.is_file() and path not in records and path.name != SETTINGS and not path.name.endswith(_BESIDE):
            yield _unknown(name)


def _unknown(name: str) -> Problem:
    low = name.lower()
    if low.endswith((*_BESIDE, *_ENDINGS)):
        message, remedy = "endings are read in lower case only", f"Rename it to {name[: -len(Path(name).suffix)]}"
        return Problem(name, "", 0, "unknown-file", message, f"{remedy}{Path(low).suffix}.")
    message = f"the file is no record and no sidecar: those end in {', '.join(_ENDINGS)} or .md"
    return Problem(name, "", 0, "unknown-file", message, "Rename it, or keep it outside records/.")


def _strays(project: Project, paths: Iterable[Path], records: set[Path]) -> Iterator[Problem]:
    """Yield a problem for each sidecar without a record."""
    stems = {p.with_name(str(_record_id(p))) for p in records}
    for path in paths:
        ending = next((e for e in _BESIDE if path.name.endswith(e)), None)
        if ending and path.with_name(path.name.removesuffix(ending)) not in stems:
            remedy = "Put the record beside it, or remove the file."
            yield Problem(project.name(path), "", 0, "lone-sidecar", "no record of this name lies beside it", remedy)


def _twins(project: Project, records: set[Path]) -> Iterator[Problem]:
    """Yield a problem for each record that two files claim."""
    by_stem: dict[Path, list[Path]] = {}
    for path in sorted(records):
        by_stem.setdefault(path.with_name(str(_record_id(path))), []).append(path)
    for first, *others in by_stem.values():
        for other in others:
            message = f"{project.name(first)} has the same id"
            yield Problem(project.name(other), "", 0, "duplicate-id", message, "Keep one of the two files.")


def _control_characters(file: str, value: Any, pointer: str = "") -> Iterator[Problem]:
    """Yield a problem for each text that holds a character no page can show."""
    if isinstance(value, str) and (match := CONTROL.search(value)):
        message = f"the text holds the control character U+{ord(match.group()):04X}"
        remedy = "Remove it or write what it stands for."
        yield Problem(file, pointer, match.start(), "control-character", message, remedy)
    elif isinstance(value, dict):
        for key, item in value.items():
            if CONTROL.search(key):
                at, message = f"{pointer}/{escape(key)}", f"the key `{printable(key)}` holds a control character"
                yield Problem(file, at, AT_KEY, "control-character", message, "Rename it.")
            else:
                yield from _control_characters(file, item, f"{pointer}/{escape(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _control_characters(file, item, f"{pointer}/{index}")

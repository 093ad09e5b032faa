"""Files → Documents: UTF-8 text parsed to plain data, the digits of every number kept. Nothing is checked yet.

JSON and YAML follow one rule for numbers: the JSON number grammar without an exponent is a number (`Decimal`);
in YAML everything else is text. Duplicate keys, non-finite numbers, YAML aliases and control characters are refused.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from . import parse
from .listing import ENDINGS, Listing, Seat, arranged, listed
from .locate import printable
from .pointers import escape
from .problems import AT_KEY, Problem, Rejected
from .project import Project
from .reuse import DISK, FRESH, Files, Keep

MAX_BYTES: Final = 2 * 1024 * 1024
"""The most that one file of records/ may hold: some 500 results of 60 conditions each in another script than Latin."""
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
    anchors_file: str | None = None
    anchors: Any = None


@dataclass(frozen=True)
class Loaded:
    """Everything read from `records/`: documents in path order, settings, and the SHA-256 of every file."""

    documents: tuple[Document, ...]
    settings_file: str | None
    settings: Any
    inputs: dict[str, str] = field(default_factory=dict)


def load(project: Project, keep: Keep = FRESH, files: Files = DISK) -> Loaded:
    """Read all records, sidecars and settings. Raises Rejected with every unreadable file."""
    listing = keep(arranged, listed(project))
    reader = _Reader(project, keep, files, listing.links)
    documents = tuple(map(reader.document, listing.seats))
    settings = reader.parsed(listing.settings) if listing.settings else None
    reader.problems += listing.problems
    if reader.problems:
        raise Rejected(reader.problems)
    return Loaded(documents, listing.settings, settings, dict(sorted(reader.inputs.items())))


def load_settings(project: Project, listing: Listing) -> tuple[Any, tuple[Problem, ...], dict[str, str]]:
    """Read the settings, if there are any; return them, what is wrong with the file, and its SHA-256 by its name."""
    reader = _Reader(project, FRESH, DISK, listing.links)
    data = reader.parsed(listing.settings) if listing.settings else None
    return data, tuple(reader.problems), reader.inputs


def load_one(
    project: Project, seat: Seat, links: frozenset[str]
) -> tuple[Document, tuple[Problem, ...], dict[str, str]]:
    """Read one record with what lies beside it; return it, what is wrong with its files, and their SHA-256.

    `links` are the files below `records/` that are links.
    """
    reader = _Reader(project, FRESH, DISK, links)
    document = reader.document(seat)
    return document, tuple(reader.problems), reader.inputs


def read_text(project: Project, file: str) -> str | None:
    """Return a project file's text for a report, or None where no regular file of that name lies in the project.

    What is not UTF-8 shows as replacement characters.
    """
    path = project.root / file
    if not path.is_file() or not is_inside(project, path):
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
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


class _Reader:
    """Collects problems and input hashes while files are read."""

    def __init__(self, project: Project, keep: Keep, files: Files, links: frozenset[str]) -> None:
        self.project, self.keep, self.files = project, keep, files
        self.problems: list[Problem] = []
        self.inputs: dict[str, str] = {}
        # Below a folder that lies in the project, only a link can lead out of it.
        self.doubtful = links if is_inside(project, project.records) else None

    def raw(self, name: str) -> bytes | None:
        path = self.project.root / name
        if (self.doubtful is None or name in self.doubtful) and not is_inside(self.project, path):
            self.problems.append(outside(name))
            return None
        try:
            if path.stat().st_size > MAX_BYTES:
                self.problems.append(too_large(name))
                return None
            raw = self.files.read(path)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}"
            self.problems.append(Problem(name, "", 0, "unreadable-file", message, "Let this user read it."))
            return None
        return raw

    def parsed(self, name: str) -> Any:
        """Return the data of a file, of a body its text; None where it has none."""
        raw = self.raw(name)
        if raw is None:
            return None
        data, problems, self.inputs[name] = self.keep(parsed, name, raw)
        self.problems += problems
        return data

    def document(self, seat: Seat) -> Document:
        parts = tuple(self.parsed(name) for name in (seat.file, *(name for _, name in seat.beside)))
        document, problems = self.keep(_document, seat.file, seat.id, seat.beside, parts)
        self.problems += problems
        return document


def parsed(name: str, raw: bytes) -> tuple[Any, tuple[Problem, ...], str]:
    """Return the data of a file, what is wrong with it, and its SHA-256."""
    sha256 = hashlib.sha256(raw).hexdigest()
    kind = ENDINGS.get(PurePosixPath(name).suffix)
    try:
        text = decoded(raw, name)
        data = text if kind is None else (parse.json_data if kind == "json" else parse.yaml_data)(text, name)
    except Rejected as rejected:
        return None, rejected.problems, sha256
    return data, tuple(_control_characters(name, data)), sha256


_FIELDS: Final = {
    ".figures.yml": "figures",
    ".audit.yml": "audit",
    ".claims.json": "claims",
    ".verified.json": "receipt",
    ".anchors.json": "anchors",
    ".md": "body",
}


def _document(
    file: str, record_id: str, beside: tuple[tuple[str, str], ...], parts: tuple[Any, ...]
) -> tuple[Document, tuple[Problem, ...]]:
    """Return a record with what lies beside it, and what is wrong with its name."""
    held: dict[str, Any] = {}
    for (ending, name), part in zip(beside, parts[1:], strict=True):
        # A body that could not be read is none; of other files an empty one is one, too.
        if ending != ".md" or part is not None:
            held |= {_FIELDS[ending]: part, f"{_FIELDS[ending]}_file": name}
    document = Document(file, record_id, parts[0], **held)
    if "." not in record_id:
        return document, ()
    ending = PurePosixPath(file).suffix
    remedy = f"Rename it to {record_id.replace('.', '-')}{ending} and set the id alike."
    message = "the name of a record holds no dot before its ending"
    return document, (Problem(file, "", 0, "dot-in-name", message, remedy),)


def too_large(file: str, most: int = MAX_BYTES) -> Problem:
    """Return the problem of a file that is larger than any may be; it is not read."""
    message = f"the file is larger than {most // 1024**2} MiB"
    return Problem(file, "", 0, "too-large", message, "Divide it, or leave out what no page needs.")


def outside(file: str) -> Problem:
    """Return the problem of a link that leaves the project; what it leads to is neither read nor shown."""
    return Problem(file, "", 0, "outside-project", "the file is a link that leaves the project", "Copy the file here.")


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

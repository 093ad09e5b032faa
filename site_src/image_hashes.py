"""Declared hashes of drawn images: compared at every build, written by `figures --accept`.

The bytes of a drawing are settled on one platform. On another one equal pixels settle it too; where even they
differ, the hashes are not comparable there, and the build says so in a note instead of blaming the record.
"""

from __future__ import annotations

import hashlib
import io
import platform as machine
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from .check import Explainer
from .codes import IMAGE_HASH
from .edit import set_key
from .edited import replace_text
from .figures.spec import Drawn
from .layout.form import still
from .problems import Finding
from .project import Project

Drawings = Mapping[tuple[str, str], Drawn]


@dataclass(frozen=True)
class Declared:
    """One declared hash: the image, the file and pointer that declare it, and on which platform it was drawn."""

    name: str
    file: str
    pointer: str
    sha256: str
    pixels_sha256: str | None
    platform: str | None


def platform() -> str:
    """Return system and processor, for instance Linux-x86_64."""
    return f"{machine.system()}-{machine.machine()}"


def promised(name: str, drawn: Drawn) -> bytes:
    """Return the bytes that the site serves under an image's own name."""
    return drawn.png if name.endswith(".png") else drawn.wide if name.endswith(".svg") else drawn.webp


def pixels_sha256(drawn: Drawn) -> str:
    """Return the SHA-256 of the decoded RGB pixels."""
    with Image.open(io.BytesIO(drawn.webp)) as image:
        return hashlib.sha256(image.convert("RGB").tobytes()).hexdigest()


def declared(explainer: Explainer) -> Iterator[Declared]:
    """Yield every hash that a record or its figures sidecar declares for a drawn image."""
    image, document = explainer.record.image, explainer.document
    if image and image.sha256 and explainer.hero in explainer.placed.figures:
        where = "/image/sha256"
        yield Declared(explainer.hero, document.file, where, image.sha256, image.pixels_sha256, image.platform)
    for name, entry in explainer.placed.entries.items():
        if entry.sha256 and name in explainer.placed.figures:
            where = f"/{name}/sha256"
            file = document.figures_file or ""
            yield Declared(name, file, where, entry.sha256, entry.pixels_sha256, entry.platform)


def compared(explainer: Explainer, drawings: Drawings) -> tuple[list[Finding], list[str]]:
    """Return findings for hashes that are not those of the drawn images, and notes on what cannot be compared."""
    findings, notes = [], []
    for entry in declared(explainer):
        drawn = drawings[explainer.record.id, entry.name]
        actual = hashlib.sha256(promised(entry.name, drawn)).hexdigest()
        if actual == entry.sha256 or entry.pixels_sha256 == pixels_sha256(drawn):
            continue
        if entry.platform and entry.platform != platform():
            notes.append(f"{entry.name}: its hash was written on {entry.platform}, not comparable on {platform()}")
            continue
        message = f"the declared hash of {entry.name} is not that of the image drawn, {actual}"
        remedy = "Look at the image, then write its hash with figures --accept."
        findings.append(Finding(entry.file, entry.pointer, IMAGE_HASH, message, remedy))
    return findings, notes


def accept(project: Project, explainer: Explainer, drawings: Drawings) -> list[str]:
    """Write hash, pixel hash and platform of every drawn image beside its declaration. Returns the files changed."""
    changed: dict[str, str] = {}
    document = explainer.document
    for name in sorted(explainer.placed.figures):
        drawn = drawings[explainer.record.id, name]
        values = {
            "platform": platform(),
            "pixels_sha256": pixels_sha256(drawn),
            "sha256": hashlib.sha256(promised(name, drawn)).hexdigest(),
        }
        if name == explainer.hero and explainer.record.image:
            _write(project, changed, document.file, "/image", values)
        else:
            file = document.figures_file or f"{Path(document.file).with_suffix('').as_posix()}.figures.yml"
            kind = explainer.placed.figures[name].kind
            _ensure_entry(project, changed, file, name, kind, name in explainer.placed.entries)
            _write(project, changed, file, f"/{name}", values)
    before = {file: _read(project, file) for file in changed}
    written = {file: still(before[file], text, file) for file, text in changed.items() if text != before[file]}
    for file, text in written.items():
        replace_text(project.root / file, text)
    return [*written]


def _read(project: Project, file: str) -> str:
    path = project.root / file
    return path.read_text("utf-8-sig") if path.is_file() else ""


def _ensure_entry(
    project: Project, changed: dict[str, str], file: str, name: str, kind: str, is_declared: bool
) -> None:
    if not is_declared:
        text = changed.get(file, _read(project, file))
        gap = "" if not text or text.endswith("\n") else "\n"
        changed[file] = f"{text}{gap}{name}:\n  kind: {kind}\n"


def _write(project: Project, changed: dict[str, str], file: str, pointer: str, values: dict[str, str]) -> None:
    text = changed.get(file, _read(project, file))
    syntax = "json" if file.endswith(".json") else "yaml"
    for key, value in values.items():
        text = set_key(text, syntax, pointer, key, value)
    changed[file] = text

"""The `export` command: one record into a folder of its own, in the form of another program."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final

from . import assets, citations
from .check import Checked, Explainer, check
from .claims.examine import OPEN_CLAIMS
from .exporters import repro
from .exporters.documents import MEDIA_TYPES, Document, Documents
from .load import load
from .problems import Rejected, Surroundings
from .project import Project
from .rendering import Artifact
from .sources import snapshots
from .write import collect, publish

Exporter = Callable[[Explainer, Documents, str], dict[str, bytes]]
FORMATS: Final[dict[str, tuple[Exporter, str]]] = {"repro": (repro.files, repro.MANIFEST)}


def export(project: Project, form: str, record_id: str, out: Path, folder: Path | None) -> tuple[int, int]:
    """Write the record `record_id` as `form` into `out`; return how many claims and cited documents it holds.

    `folder` holds source documents, laid out OWNER/REPO/REVISION/PATH; they are named where they lie and not copied.
    Raises Rejected where claims do not hold or are not bound, Surroundings where there is nothing to export, or
    where `out` holds what is not an export of this form.
    """
    loaded = load(project)
    explainer = _chosen(check(loaded, assets.own_names(project), drafts=True), record_id)
    exporter, main = FORMATS[form]
    out = out.resolve()
    _refuse_foreign(project, out, main)
    found = _documents(explainer, out, folder) if folder else {}
    made = exporter(explainer, found, version("pinpress"))
    artifacts = [Artifact(name, data, explainer.document.file) for name, data in made.items()]
    names = [n for n in loaded.inputs if Path(n).name.partition(".")[0] == record_id or n == loaded.settings_file]
    publish(collect(artifacts, {n: loaded.inputs[n] for n in names}, version("pinpress")), out)
    return len(explainer.claims.stated), len(found)


def default_out(project: Project, record_id: str) -> Path:
    """Return the folder of an export that names none."""
    return project.root / "export" / record_id


def _chosen(checked: Checked, record_id: str) -> Explainer:
    known = {e.record.id: e for e in checked.explainers}
    if record_id not in known:
        raise Surroundings(f"No record has the id {record_id}. There are: {', '.join(sorted(known))}.")
    explainer = known[record_id]
    unbound = [f.as_problem() for f in explainer.findings if f.code == OPEN_CLAIMS]
    if unbound:
        raise Rejected(unbound)
    if not explainer.claims.stated:
        raise Surroundings(f"No number in the prose of {record_id} states a field; there is nothing to export.")
    return explainer


def _refuse_foreign(project: Project, out: Path, main: str) -> None:
    """Refuse a folder that is read as records, and one that holds a site or anything else."""
    if out == project.records or project.records in out.parents:
        raise Surroundings(f"{out} lies in the folder of records, where every file is read. Name another --out.")
    if out.is_dir() and any(out.iterdir()) and not (out / main).is_file():
        raise Surroundings(f"{out} holds files and no {main}. Name another --out, or empty the folder.")


def _documents(explainer: Explainer, out: Path, folder: Path) -> Documents:
    """Return the cited documents that the folder holds with the bytes of their pins, in a form that is read as text."""
    if not folder.is_dir():
        raise Surroundings(f"{folder} is no folder. Name one that is laid out OWNER/REPO/REVISION/PATH.")
    found: dict[int, Document] = {}
    for number, source in citations.numbered(explainer.record):
        path = snapshots.path(folder.resolve(), source)
        raw = path.read_bytes() if path and path.suffix in MEDIA_TYPES else b""
        if path and hashlib.sha256(raw).hexdigest() == source.document_sha256:
            found[number] = Document(source, Path(os.path.relpath(path, out)).as_posix(), raw)
    return found

"""The `export` command: one record into a folder of its own, in the form of another program."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from . import assets, citations, crating
from .check import Checked, Explainer, check
from .claims.examine import OPEN_CLAIMS
from .exporters import crate, repro
from .exporters.documents import MEDIA_TYPES, Document, Documents
from .load import Loaded, load
from .problems import Rejected, Surroundings
from .project import Project
from .rendering import Artifact
from .sources import snapshots
from .write import collect, publish

REPRO: Final = "repro"
CRATE: Final = "ro-crate"


def export_crate(project: Project, record_id: str, out: Path) -> int:
    """Write the guide of the record `record_id` as an RO-Crate into `out`; return how many files it holds.

    Raises Rejected where the project is not sound or names no licence, Surroundings where there is no such record,
    or where `out` holds what is no crate.
    """
    loaded = load(project)
    checked = check(loaded, assets.own_names(project), drafts=True)
    explainer = _known(checked, record_id)
    out = out.resolve()
    _refuse_foreign(project, out, crate.METADATA)
    made = crating.files(project, loaded, checked, explainer, version("pinpress"))
    _publish(made, explainer, loaded, out)
    return len(made)


def export(project: Project, record_id: str, out: Path, folder: Path | None) -> tuple[int, int]:
    """Write the claims of the record `record_id` into `out`; return how many claims and cited documents it holds.

    `folder` holds source documents, laid out OWNER/REPO/REVISION/PATH; they are named where they lie and not copied.
    Raises Rejected where claims do not hold or are not bound, Surroundings where there is nothing to export, or
    where `out` holds what is not an export of this form.
    """
    loaded = load(project)
    explainer = _bound(_known(check(loaded, assets.own_names(project), drafts=True), record_id))
    out = out.resolve()
    _refuse_foreign(project, out, repro.MANIFEST)
    found = _documents(explainer, out, folder) if folder else {}
    _publish(repro.files(explainer, found, version("pinpress")), explainer, loaded, out)
    return len(explainer.claims.stated), len(found)


def default_out(project: Project, form: str, record_id: str) -> Path:
    """Return the folder of an export that names none; that of each form is its own."""
    return project.root / "export" / (record_id if form == REPRO else f"{record_id}-{form}")


def _publish(made: Mapping[str, bytes], explainer: Explainer, loaded: Loaded, out: Path) -> None:
    artifacts = [Artifact(name, data, explainer.document.file) for name, data in made.items()]
    inputs = crating.inputs(loaded, explainer.record.id)
    publish(collect(artifacts, inputs, version("pinpress")), out)


def _known(checked: Checked, record_id: str) -> Explainer:
    known = {e.record.id: e for e in checked.explainers}
    if record_id not in known:
        raise Surroundings(f"No record has the id {record_id}. There are: {', '.join(sorted(known))}.")
    return known[record_id]


def _bound(explainer: Explainer) -> Explainer:
    """Return a record whose numbers are all bound, one at least. Raises Rejected and Surroundings for another."""
    unbound = [f.as_problem() for f in explainer.findings if f.code == OPEN_CLAIMS]
    if unbound:
        raise Rejected(unbound)
    if not explainer.claims.stated:
        raise Surroundings(
            f"No number in the prose of {explainer.record.id} states a field; there is nothing to export."
        )
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

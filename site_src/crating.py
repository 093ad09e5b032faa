"""A record of a project → an RO-Crate of its guide: files as project and site hold them, and their metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from . import assets, guide_outputs, pipeline
from .check import Checked, Explainer
from .exporters import crate
from .exporters.crate import Held, Publication
from .figures.spec import Drawn
from .hrefs import Hrefs
from .listing import SETTINGS, SIDECARS
from .load import Loaded
from .pictures import addresses
from .problems import Problem, Rejected, Surroundings
from .project import Project
from .rendering import Artifact, file_of
from .resolve import resolve
from .reuse import FRESH, Reuse

_SIDECARS: Final = {
    ".md": "The prose of the record.",
    ".figures.yml": "What each figure of the record shows, as pointers into it.",
    ".audit.yml": "The findings that were accepted, each with its reason.",
    ".claims.json": "The claim lock: each number of the prose with the field of the record that it states.",
    ".verified.json": "The receipt: what the cited documents printed when they were last asked.",
    ".anchors.json": "The ids of headings that readers may have linked.",
}
_BESIDE: Final = {
    "record.json": "The record, digits as written.",
    "results.csv": "Every measurement with unit, statistic, conditions and evidence; what is null says why.",
    "claims.json": "Every claim of the prose with its field and the line of its source.",
    "index.md": "The guide as Markdown.",
    "cite.bib": "The guide and its sources as BibTeX.",
    "cite.json": "The guide and its sources as CSL-JSON.",
    "dataset.jsonld": "The results as a schema.org Dataset.",
}


def files(project: Project, loaded: Loaded, checked: Checked, explainer: Explainer, version: str) -> dict[str, bytes]:
    """Return the files of the crate by path. Raises Rejected, Surroundings where one changed, or two clash."""
    settings, record = checked.settings, explainer.record
    if not settings.license:
        message = "the project names no licence, and a crate must have one"
        remedy = "Add `license: https://ADDRESS-OF-THE-LICENCE`, the licence of your guides and their data."
        file = loaded.settings_file or f"records/{SETTINGS}"
        raise Rejected([Problem(file, "", None, "missing-licence", message, remedy)])
    alone = Checked(settings, (explainer,))
    kept, made = _of_project(project, loaded, record.id), _of_site(project, alone)
    if clash := sorted(kept.keys() & made.keys()):
        raise Surroundings(f"{clash[0]} is a file of the project and of its site. Give the guide another path.")
    held = {**kept, **made}
    hrefs = Hrefs(site_url=settings.site_url or "")
    at = Publication(settings.title, settings.site_url or "", hrefs.absolute(record.path), settings.license)
    return {crate.METADATA: crate.metadata(record, held, at, version), **{p: h.data for p, h in held.items()}}


def inputs(loaded: Loaded, record_id: str) -> dict[str, str]:
    """Return what an export of a record is made from: the record, its sidecars and the settings, with their SHA-256."""
    own = [n for n in loaded.inputs if PurePosixPath(n).name.partition(".")[0] == record_id]
    names = [*own, loaded.settings_file] if loaded.settings_file else own
    return {name: loaded.inputs[name] for name in sorted(names)}


def _of_project(project: Project, loaded: Loaded, record_id: str) -> dict[str, Held]:
    """Return the record, its sidecars and the settings as they were checked."""
    found = {}
    for name, sha256 in inputs(loaded, record_id).items():
        data = (project.root / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise Surroundings(f"{name} changed while it was exported. Nothing was written; try again.")
        found[name] = Held(data, _what(name), is_made=False)
    return found


def _what(name: str) -> str:
    """Return what a file of the project is, by its name."""
    if PurePosixPath(name).name == SETTINGS:
        return "The settings of the site."
    ending = next((e for e in (".md", *SIDECARS) if name.endswith(e)), "")
    return _SIDECARS[ending] if ending else "The record, as its editor keeps it."


def _of_site(project: Project, alone: Checked) -> dict[str, Held]:
    """Return the data files, figures and images of the only guide, where its site has them."""
    (explainer,) = alone.explainers
    drawn = pipeline.draw(project, alone).figures
    own = assets.own(project, frozenset(explainer.placed.files), Reuse())
    hrefs = Hrefs(site_url=alone.settings.site_url or "")
    (guide,) = resolve(alone, drawn, assets.sizes(own, FRESH), hrefs).guides
    found = {
        a.path: Held(a.data, _of_data(a)) for a in guide_outputs.beside(guide, explainer, alone.settings.title, hrefs)
    }
    found |= dict(_pictures(explainer, drawn))
    return found | {a.address.lstrip("/"): Held(a.data, "An image of the guide.", is_made=False) for a in own.values()}


def _of_data(artifact: Artifact) -> str:
    return _BESIDE[PurePosixPath(artifact.path).name]


def _pictures(explainer: Explainer, drawn: Mapping[tuple[str, str], Drawn]) -> Iterator[tuple[str, Held]]:
    """Yield the files of each figure, in the order of the page; what each shows is told by its title."""
    figures = explainer.placed.figures
    titles = {file_of(address): spec.title for name, spec in figures.items() for address in addresses(name).values()}
    for artifact in guide_outputs.figure_files(explainer, tuple(drawn[explainer.record.id, name] for name in figures)):
        what = "The values plotted in a figure" if artifact.path.endswith(".csv") else "A figure"
        yield artifact.path, Held(artifact.data, f"{what}: {titles[artifact.path]}")

"""build() and check(): the straight road from records to a site, readable aloud."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import assets, budget, image_hashes, navigation, words
from .cache import FolderStore, NoStore, Store
from .check import Checked, check, settle, unmatched
from .codes import IMAGE_HASH
from .drawing import Drawings, Order, draw_all
from .hrefs import Hrefs
from .load import Loaded, load
from .policy import policy
from .problems import Finding, Problem, Rejected
from .project import Project
from .render import Rendering, render
from .resolve import resolve
from .templating import Templates
from .write import collect, publish

CODES_OF_BUILD = frozenset({IMAGE_HASH})


@dataclass(frozen=True)
class Summary:
    """What a run did, for its last line."""

    records: int
    pages: int
    findings: tuple[Finding, ...]
    drawn: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """How to build: `jobs` figures at once (0: one a processor), `cache` in place of the project's own."""

    strict: bool = False
    jobs: int = 0
    offline: bool = False
    drafts: bool = False
    cache: Path | None = None


def check_project(project: Project, *, strict: bool = False) -> Summary:
    """Read and check the records; nothing is drawn or written. Raises Rejected."""
    checked = check(load(project), assets.own_names(project), drafts=True)
    _settle_accounts(checked, strict=strict, built=False)
    return Summary(len(checked.explainers), 0, _findings(checked))


def build(project: Project, out: Path, options: Options | None = None) -> Summary:
    """Publish the site into `out`, all or nothing. Raises Rejected and Surroundings."""
    files, summary = site_files(project, options)
    publish(files, out)
    return summary


def site_files(project: Project, options: Options | None = None) -> tuple[dict[str, bytes], Summary]:
    """Return every file of the site by its path, the manifest included."""
    wish = options or Options()
    loaded = load(project)
    checked = check(loaded, assets.own_names(project), drafts=wish.drafts)
    drawings = draw(project, checked, FolderStore((wish.cache or project.cache) / "figures"), wish.jobs)
    checked, notes = with_build_findings(checked, drawings)
    _settle_accounts(checked, strict=wish.strict, built=True)
    rendering = _rendering(project, checked, drawings, wish.offline)
    artifacts = [*render(rendering)]
    files = collect(artifacts, _inputs(loaded, rendering), version("pinpress"))
    if heavy := [*budget.faults(artifacts, frozenset(e.record.path for e in checked.explainers))]:
        raise Rejected(heavy)
    pages = sum(path.endswith(".html") for path in files)
    return files, Summary(len(checked.explainers), pages, _findings(checked), drawings.drawn, drawings.reused, notes)


def draw(project: Project, checked: Checked, store: Store | None = None, jobs: int = 0) -> Drawings:
    """Draw every figure of the site, `jobs` at a time (0: one per processor)."""
    named = [(e, n, s) for e in checked.explainers for n, s in e.placed.figures.items()]
    orders = [Order(e.record.id, e.document.file, n, s) for e, n, s in named]
    return draw_all(orders, store or NoStore(), project.own_fonts, jobs or os.cpu_count() or 1)


def with_build_findings(checked: Checked, drawings: Drawings) -> tuple[Checked, tuple[str, ...]]:
    """Add what only drawing can find: declared hashes that are not those of the images, and notes about them."""
    explainers, notes = [], list[str]()
    for explainer in checked.explainers:
        found, told = image_hashes.compared(explainer, drawings.figures)
        notes += told
        explainers.append(replace(explainer, findings=settle([*explainer.findings, *found], explainer.acknowledged)))
    return replace(checked, explainers=tuple(explainers)), tuple(notes)


def _settle_accounts(checked: Checked, *, strict: bool, built: bool) -> None:
    """Refuse acknowledgements of nothing and, if strict, findings nobody acknowledged."""
    skip = frozenset() if built else CODES_OF_BUILD
    problems: list[Problem] = [p for e in checked.explainers for p in unmatched(e, e.findings, skip)]
    if strict:
        problems += [f.as_problem() for f in _findings(checked) if f.reason is None]
    if problems:
        raise Rejected(problems)


def _findings(checked: Checked) -> tuple[Finding, ...]:
    return tuple(f for e in checked.explainers for f in e.findings)


def _rendering(project: Project, checked: Checked, drawings: Drawings, offline: bool) -> Rendering:
    shipped = assets.shipped(project)
    own = assets.own(project, frozenset(n for e in checked.explainers for n in e.placed.files))
    hrefs = Hrefs(offline, checked.settings.site_url or "")
    site = resolve(checked, drawings.figures, assets.sizes(own), hrefs)
    functions: dict[str, Callable[..., Any]] = {
        "at": lambda here, name: hrefs.to(here, shipped[name].address),
        "to": hrefs.to,
        "public": hrefs.absolute,
        "day": words.date,
        "navigation": navigation.links,
        "policy": policy,
    }
    return Rendering(site, checked, drawings.figures, shipped, own, hrefs, Templates(project, functions))


def _inputs(loaded: Loaded, rendering: Rendering) -> Mapping[str, str]:
    """Return the SHA-256 of every file the site was made from."""
    used = [*rendering.assets.values(), *rendering.own.values()]
    return {
        **loaded.inputs,
        **rendering.templates.inputs(),
        **{a.origin: hashlib.sha256(a.data).hexdigest() for a in used},
    }

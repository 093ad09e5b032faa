"""Building and checking: the straight road from records to a site, readable aloud."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version

from . import assets, budget, indexing, templating
from .cache import FolderStore, NoStore
from .check import Checked, check
from .codes import IMAGE_HASH
from .drawing import Drawings, Order, Progress, draw_all, salt_of, silent
from .environment import templates_of
from .hrefs import Hrefs
from .load import Loaded, load
from .making import compared, left_out, stale
from .options import Options, Summary
from .problems import Finding, Problem, Rejected
from .project import Project
from .quick import build
from .render import closing, render
from .rendering import Artifact, Rendering, paired
from .resolve import resolve
from .reuse import FRESH, Keep, Reuse, Store
from .templating import Sources
from .write import collect

__all__ = ["Options", "Ready", "Summary", "build", "check_project", "draw", "prepare", "site_files"]
CODES_OF_BUILD = frozenset({IMAGE_HASH})


def check_project(project: Project, *, strict: bool = False) -> Summary:
    """Read and check the records; nothing is drawn or written. Raises Rejected."""
    checked = check(load(project), assets.own_names(project), drafts=True)
    _settle_accounts(checked, strict=strict, built=False)
    return Summary(len(checked.explainers), 0, _findings(checked))


def site_files(project: Project, options: Options | None = None) -> tuple[dict[str, bytes], Summary]:
    """Return every file of the site by its path, the manifest included."""
    return prepare(project, options).finish()


@dataclass(frozen=True)
class Ready:
    """A site about to be rendered, the SHA-256 of every file it was made from, and its figures."""

    rendering: Rendering
    inputs: Mapping[str, str]
    drawings: Drawings
    notes: tuple[str, ...]

    def finish(self) -> tuple[dict[str, bytes], Summary]:
        """Render every file, the manifest included. Raises Rejected and Surroundings."""
        artifacts = [*render(self.rendering)]
        artifacts += closing(self.rendering, {a.path: a.data for a in artifacts})
        if heavy := self.heavy(artifacts):
            raise Rejected(heavy)
        return collect(artifacts, self.inputs, version("pinpress")), self._summary(artifacts)

    def heavy(self, artifacts: Iterable[Artifact]) -> tuple[Problem, ...]:
        """Return what is over its budget among rendered files."""
        routes = frozenset(e.record.path for e in self.rendering.checked.explainers)
        return tuple(budget.faults(artifacts, routes, self.rendering.keep))

    def _summary(self, artifacts: Iterable[Artifact]) -> Summary:
        """Return what the run did, once it is rendered."""
        checked, drawn, reused = self.rendering.checked, self.drawings.drawn, self.drawings.reused
        pages = sum(a.path.endswith(".html") for a in artifacts)
        return Summary(len(checked.explainers), pages, _findings(checked), drawn, reused, self.notes)


def prepare(project: Project, options: Options | None = None, reuse: Reuse | None = None) -> Ready:
    """Run the stages before rendering, with what `reuse` holds of the build before. Raises Rejected."""
    wish, again = options or Options(), reuse or Reuse()
    loaded = load(project, again.keep, again.files)
    checked = check(loaded, assets.own_names(project), drafts=wish.drafts, keep=again.keep)
    drawings = draw(project, checked, FolderStore((wish.cache or project.cache) / "figures"), wish.jobs, again)
    checked, notes = with_build_findings(checked, drawings, again.keep)
    _settle_accounts(checked, strict=wish.strict, built=True, keep=again.keep)
    sources = templating.read(project, again)
    rendering = _rendering(project, checked, drawings, sources, wish.offline, again)
    if not wish.offline:
        store = FolderStore((wish.cache or project.cache) / "search")
        prose = partial(indexing.prose_index, rendering.site.language, store, store.folder)
        rendering = replace(rendering, prose=prose)
    inputs = _inputs(loaded, rendering, sources, again.keep)
    return Ready(rendering, inputs, drawings, notes if wish.drafts else (*notes, *left_out(_drafts(loaded))))


def _drafts(loaded: Loaded) -> list[str]:
    return [str(d.data["id"]) for d in loaded.documents if d.data.get("draft") is True]


def draw(
    project: Project,
    checked: Checked,
    store: Store | None = None,
    jobs: int = 0,
    reuse: Reuse | None = None,
    progress: Progress = silent,
) -> Drawings:
    """Draw every figure of the site, `jobs` at a time (0: one per processor)."""
    named = [(e, n, s) for e in checked.explainers for n, s in e.placed.figures.items()]
    orders = [Order(e.record.id, e.document.file, n, s) for e, n, s in named]
    at_once = jobs or os.cpu_count() or 1
    again = reuse or Reuse()
    salt = salt_of(project.own_fonts, again)
    return draw_all(orders, store or NoStore(), project.own_fonts, at_once, salt, again, progress)


def with_build_findings(checked: Checked, drawings: Drawings, keep: Keep = FRESH) -> tuple[Checked, tuple[str, ...]]:
    """Add what only drawing can find: declared hashes that are not those of the images, and notes about them."""
    explainers, notes = [], list[str]()
    for explainer in checked.explainers:
        drawn = tuple((n, drawings.figures[explainer.record.id, n]) for n in explainer.placed.figures)
        found, told = keep(compared, explainer, drawn)
        notes += told
        explainers.append(found)
    return replace(checked, explainers=tuple(explainers)), tuple(notes)


def _settle_accounts(checked: Checked, *, strict: bool, built: bool, keep: Keep = FRESH) -> None:
    """Refuse acknowledgements of nothing and, if strict, findings nobody acknowledged."""
    skip = frozenset() if built else CODES_OF_BUILD
    problems: list[Problem] = [p for e in checked.explainers for p in keep(stale, e, skip)]
    if strict:
        problems += [f.as_problem() for f in _findings(checked) if f.reason is None]
    if problems:
        raise Rejected(problems)


def _findings(checked: Checked) -> tuple[Finding, ...]:
    return tuple(f for e in checked.explainers for f in e.findings)


def _rendering(
    project: Project, checked: Checked, drawings: Drawings, sources: Sources, offline: bool, reuse: Reuse
) -> Rendering:
    shipped = assets.shipped(project, reuse)
    own = assets.own(project, frozenset(n for e in checked.explainers for n in e.placed.files), reuse)
    hrefs = reuse.keep(Hrefs, offline, checked.settings.site_url or "")
    site = resolve(checked, drawings.figures, assets.sizes(own, reuse.keep), hrefs, reuse.keep)
    addresses = tuple((name, asset.address) for name, asset in shipped.items())
    templates = reuse.keep(templates_of, project, sources, hrefs, addresses)
    return Rendering(site, checked, paired(site, checked), drawings.figures, shipped, own, hrefs, templates, reuse.keep)


def _inputs(loaded: Loaded, rendering: Rendering, sources: Sources, keep: Keep) -> Mapping[str, str]:
    """Return the SHA-256 of every file the site was made from."""
    used = [*rendering.assets.values(), *rendering.own.values()]
    also = dict(file for asset in used for file in asset.also)
    return {**loaded.inputs, **sources.inputs, **{a.origin: keep(_sha256, a.data) for a in used}, **also}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

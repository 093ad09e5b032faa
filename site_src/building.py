"""A project → its published site: what the last build left is taken over where nothing that it came from has changed.

Records are made one by one, side by side; then the pages of the whole site. A site built in this way equals one that
is built from nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from . import aside, assets, budget, indexing, last_build, templating
from .cache import FolderStore
from .check import Checked, Explainer, agree, read_settings
from .clashes import refuse_clashes
from .crew import each
from .drawing import salt_of
from .environment import templates_of
from .hrefs import Hrefs
from .last_build import Hashes, History
from .listing import Listing, Seat, arranged, listed
from .load import load_settings
from .making import Entry, Frame, Made, Step, left_out, make
from .options import Options, Progress, Summary
from .parts import lazy, read
from .problems import Problem, Rejected, Surroundings
from .project import Project
from .rendering import Artifact, Rendering
from .reuse import Reuse
from .searching import Searching
from .sitewide import Sitewide
from .staging import Staging, Written
from .states import State
from .tracing import Trace
from .unpickling import Lost
from .view import Guide, Site
from .write import Publishing, manifest

_LIBRARIES: Final = ("pinpress", "jinja2", "markdown-it-py", "mdit-py-plugins", "pydantic", "pyyaml", "pagefind-bin")


def build(
    project: Project, out: Path, options: Options, place: Path, there: Mapping[str, State]
) -> tuple[Summary, Mapping[str, State]]:
    """Publish the site into `out`, with the history that lies at `place`; return the states of the files in `out`.

    `there` are those before the build. Raises Rejected and Surroundings.
    """
    cache = options.cache or project.cache
    aside.sweep(cache / name for name in ("figures", "parts", "search", "site"))
    try:
        run = _Build(project, out, options, place, last_build.read(place), there)
        return run.run(), run.publishing.states
    except Lost:
        pass
    try:
        run = _Build(project, out, options, place, History(), there)
        return run.run(), run.publishing.states
    except Lost as lost:
        told = f"{lost} was changed by somebody else while the site was made. Build again; the last site is as it was."
        raise Surroundings(told) from None


@dataclass(frozen=True)
class _Given:
    """What is read before any record. `context` is a hash of it; `inputs` are its files with their SHA-256."""

    listing: Listing
    unread: tuple[Problem, ...]
    wrong: tuple[Problem, ...]
    inputs: Mapping[str, str]
    shipped: Mapping[str, assets.Asset]
    frame: Frame
    context: str


def _given(project: Project, options: Options) -> _Given:
    """Read it. Raises Rejected."""
    listing = arranged(listed(project))
    data, unread, inputs = load_settings(project, listing)
    settings, wrong = read_settings(listing.settings or "", data)
    names, sources = assets.own_names(project), templating.read(project, Reuse())
    shipped, hrefs = assets.shipped(project, Reuse()), Hrefs(options.offline, settings.site_url or "")
    salt = salt_of(project.own_fonts, Reuse())
    cache = options.cache or project.cache
    frame = Frame(
        project=project,
        links=listing.links,
        settings=settings,
        asset_names=names,
        hrefs=hrefs,
        templates=templates_of(project, sources, hrefs, tuple((name, a.address) for name, a in shipped.items())),
        shipped=tuple(Artifact(a.address.lstrip("/"), a.data, a.origin) for a in shipped.values()),
        salt=salt,
        figures=FolderStore(cache / "figures"),
        kept=cache / "parts",
        drafts=options.drafts,
    )
    told = (
        _program(), settings, sorted(inputs.items()), sorted(names), sorted(sources.inputs.items()), hrefs, salt,
        options.drafts,
        [(a.address, hashlib.sha256(a.data).hexdigest()) for a in shipped.values()],
    )  # fmt: skip
    also = dict(file for asset in shipped.values() for file in asset.also)
    found = {**inputs, **sources.inputs, **also}
    context = hashlib.sha256(repr(told).encode()).hexdigest()
    return _Given(listing, (*listing.problems, *unread), wrong, found, shipped, frame, context)


def _program() -> str:
    """Return a hash of this program: its files, the versions of what it stands on."""
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in _LIBRARIES).encode())
    folder = Path(__file__).parent
    for path in sorted(p for p in folder.rglob("*") if p.suffix in {".py", ".yml", ".js", ".css"}):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


class _Build:
    """One build."""

    def __init__(
        self, project: Project, out: Path, options: Options, place: Path, before: History, there: Mapping[str, State]
    ) -> None:
        self.project, self.options, self.place = project, options, place
        # In CI every file is read: nobody there knows how its clock and its file system were set.
        self.hashes = Hashes(project.root, {} if os.environ.get("CI") else before.hints)
        self.given = _given(project, options)
        self.kept_before = {e.key for e in before.entries.values() if e.key}
        is_same = before.context == self.given.context
        self.before = before if is_same else replace(before, entries={}, audits={}, outputs={})
        self.reason = (
            "the last build did not have it" if is_same or not before.context else "what every page depends on changed"
        )
        self.publishing = Publishing(out, self.before, there)
        self.trace = Trace()
        self.jobs = options.jobs or os.cpu_count() or 1
        self.anew = dict[str, str]()

    def run(self) -> Summary:
        """Make what must be made, publish it if anything differs, and leave a history."""
        with self.publishing:
            entries = self._entries()
            try:
                self._judge(entries)
                return self._finish(entries)
            except Rejected:
                # What was made of the records is good for the next attempt; the output is as it was.
                self._leave(entries, replace(self.before, spare={}, spare_number=0))
                raise

    def _finish(self, entries: Sequence[Entry]) -> Summary:
        made = sorted(((e, m) for e in entries if (m := e.made)), key=lambda pair: pair[0].card.path)
        rendering = self._rendering(made)
        searching = Searching(self.place.with_suffix(".search"), self.given.context, self.jobs)
        whole = Sitewide(rendering, made, self.before, self.publishing, self.jobs, searching)
        whole.make()
        files = [f for _, m in made for f in m.files] + whole.files
        refuse_clashes(files)
        files += self.publishing.put_all([manifest(files, self._inputs(entries, rendering), version("pinpress"))])
        after = replace(self.before, audits=whole.audits, outputs=whole.outputs, places=whole.places)
        is_new = not self.publishing.is_published(files)
        after = self.publishing.publish(files, after) if is_new else self.publishing.kept(after)
        self._leave(entries, after)
        drafts = [e.card.id for e in entries if e.card.draft and not e.made]
        return self._summary(made, files, tuple(left_out(drafts)))

    def _leave(self, entries: Sequence[Entry], after: History) -> None:
        known = {e.seat.file: e for e in entries}
        last_build.write(self.place, replace(after, context=self.given.context, hints=self.hashes.hints, entries=known))
        for key in self.kept_before - {e.key for e in entries}:
            with suppress(OSError):
                (self.given.frame.kept / key).unlink(missing_ok=True)

    def _entries(self) -> list[Entry]:
        """Return every record, made now or before, in the order of their files."""
        seats = self.given.listing.seats
        found = {seat.file: entry for seat in seats if (entry := self._known(seat))}
        todo = [seat for seat in seats if seat.file not in found]
        if todo:
            frame = self.given.frame
            if len(todo) == 1:
                hear = partial(self._hear_of_one, self.options.progress)
                frame = replace(frame, drawers=self.jobs, hear=hear)
            shared = frame, self.publishing.staging
            drawn, reused = 0, sum(len(m.drawn) + len(m.reused) for e in found.values() if (m := e.made))
            for count, entry in enumerate(each(_make, shared, todo, self.jobs, few=1), 1):
                found[entry.seat.file] = entry
                if made := entry.made:
                    self.publishing.note(made.files)
                    drawn, reused = drawn + len(made.drawn), reused + len(made.reused)
                self.options.progress(count, len(todo), drawn, reused)
        return [found[seat.file] for seat in seats]

    @staticmethod
    def _hear_of_one(progress: Progress, done: int, total: int, reused: int) -> None:
        """Tell of the figures of a record that is made by itself."""
        progress(0, 1, done, reused)

    def _known(self, seat: Seat) -> Entry | None:
        """Return what an earlier build made of a record, if every file it was made from is the same."""
        entry = self.before.entries.get(seat.file)
        if reason := self._changed(seat, entry):
            self.anew[seat.file] = reason
            return None
        return entry

    def _changed(self, seat: Seat, entry: Entry | None) -> str:
        """Return why a record is made again, "" where it need not be."""
        if entry is None:
            return self.reason
        now = self.hashes.all_of((seat.file, *(name for _, name in seat.beside)))
        images = {f"assets/{name}": sha256 for name, sha256 in (entry.made.images if entry.made else {}).items()}
        for found, known in ((now, dict(entry.inputs)), (self.hashes.all_of(images), images)):
            if found != known:
                names = sorted(name for name, _ in (found or known).items() ^ known.items())
                return f"{', '.join(dict.fromkeys(names)) or 'one of its files'} changed"
        if entry.seat != seat or (entry.made and entry.made.problems):
            return "its files have other names" if entry.seat != seat else "it was refused before"
        there = entry.made is None or all(map(self.publishing.has, entry.made.files))
        return "" if there else "the output does not hold its files any more"

    def _judge(self, entries: Sequence[Entry]) -> None:
        """Raise Rejected with all that is wrong at the first stage where anything is."""
        agree([e.card for e in entries], self.given.wrong, unread=self.given.unread, drafts=self.options.drafts)
        made = [m for e in entries if (m := e.made)]
        for step in Step:
            problems = [p for m in made if m.step is step for p in m.problems]
            if step is Step.ACCOUNTS and self.options.strict:
                problems += [f.as_problem() for m in made for f in m.findings if f.reason is None]
            if step is Step.WEIGHT:
                problems += budget.of_all(self.given.frame.shipped)
            if problems:
                raise Rejected(problems)

    def _rendering(self, made: Sequence[tuple[Entry, Made]]) -> Rendering:
        """Return the site, whose records are read when a page asks for them."""
        frame = self.given.frame
        pairs = tuple((self._lazy(Guide, e), self._lazy(Explainer, e)) for e, _ in made)
        at = {e.seat.file: explainer for (e, _), (_, explainer) in zip(made, pairs, strict=True)}
        checked = Checked(frame.settings, tuple(at[s.file] for s in self.given.listing.seats if s.file in at))
        site = Site(**vars(frame.front), guides=tuple(guide for guide, _ in pairs))
        own = assets.own(self.project, frozenset(n for e, _ in made for n in e.card.own), Reuse())
        rendering = Rendering(
            site, checked, pairs, {}, self.given.shipped, own, frame.hrefs, frame.templates, trace=self.trace
        )
        if self.options.offline:
            return rendering
        store = FolderStore((self.options.cache or self.project.cache) / "search")
        return replace(rendering, prose=partial(indexing.prose_index, site.language, store, store.folder))

    def _lazy(self, kind: type[Any], entry: Entry) -> Any:
        path = self.given.frame.kept / entry.key
        return lazy(kind, lambda name: read(path, entry.parts[name]), self.trace)

    def _inputs(self, entries: Sequence[Entry], rendering: Rendering) -> Mapping[str, str]:
        """Return the SHA-256 of every file the site was made from."""
        used = [*rendering.assets.values(), *rendering.own.values()]
        own = {asset.origin: hashlib.sha256(asset.data).hexdigest() for asset in used}
        return {**{k: v for e in entries for k, v in e.inputs.items()}, **own, **self.given.inputs}

    def _summary(self, made: Sequence[tuple[Entry, Made]], files: Sequence[Written], notes: tuple[str, ...]) -> Summary:
        ours = [m for _, m in made]
        fresh = [m for e, m in made if e.seat.file in {*self.anew}]
        drawn = tuple(n for m in fresh for n in m.drawn)
        reused = tuple(n for m in ours for n in (*m.drawn, *m.reused) if n not in {*drawn})
        return Summary(
            records=len(made),
            pages=sum(f.path.endswith(".html") for f in files),
            findings=tuple(f for m in ours for f in m.findings),
            drawn=drawn,
            reused=reused,
            notes=(*(n for m in ours for n in m.notes), *notes),
            anew=self.anew,
        )


def _make(shared: tuple[Frame, Staging], seat: Seat) -> Entry:
    return make(*shared, seat)

"""An editor's preview: the same pipeline into memory, served on loopback, rebuilt and brought up to date on change.

A rebuild takes over what the one before made. What the changed record alone gives is served first, then the pages
of the whole site. A failed rebuild keeps the last good site and shows its problems over it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import secrets
import socket
import time
import webbrowser
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import uvicorn

from . import report, write
from .clashes import MANIFEST, refuse_clashes
from .edition import Edition
from .pipeline import Options, Ready, prepare
from .problems import Problem, Rejected, Surroundings
from .project import Project
from .recall import KeptFiles, Memory
from .render import OF_ONE_RECORD, ON_DEMAND, OUTPUTS, render
from .rendering import Artifact, file_of
from .reuse import Reuse
from .serving import application
from .watching import changes, mode

_GRACE_S: Final = 0.3
_NAMED: Final = 3


@dataclass(frozen=True)
class Outcome:
    """What one rebuild came to, in one line, or why it came to nothing."""

    line: str
    problems: tuple[Problem, ...] = ()


@dataclass
class Preview:
    """The last good site in memory, and what is wrong with the records as they stand."""

    project: Project
    jobs: int = 0
    explain: bool = False
    edition: Edition | None = None
    problems: list[dict[str, Any]] = field(default_factory=list)
    failure: str = ""
    on_end: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        """Start with nothing remembered."""
        self._memory, self._files = Memory(), KeptFiles()
        self._reuse = Reuse(self._memory, self._files)
        self._names: list[tuple[str, str]] = []
        self._known: frozenset[tuple[str, str]] = frozenset()
        self._whole: Edition | None = None
        self._builds, self._name = 0, secrets.token_hex(4)
        self._news, self.watching = asyncio.Condition(), asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: tuple[Edition | None, list[dict[str, Any]], str] = (None, [], _news(None, []))

    def rebuild(self, paths: Sequence[str] = ()) -> Outcome:
        """Run the pipeline; on success the new edition is served, else `problems` of the outcome tell why not."""
        self._files.doubt(paths)
        started = time.perf_counter()
        first = self._whole is None
        try:
            # Where the server runs already, a process is not split: its other threads may hold locks.
            jobs = 1 if self._loop else self.jobs
            ready = prepare(self.project, Options(jobs=jobs, drafts=True), self._reuse)
            edition = self._edition(ready)
        except Rejected as rejected:
            self._serve(self._whole)
            return Outcome("", rejected.problems)
        except OSError as error:
            self._serve(self._whole)
            name = Path(error.filename).name if error.filename else "a file"
            message = f"{name} went away or cannot be read: {error.strerror}"
            return Outcome("", (Problem("", "", None, "unreadable-file", message, "Put it back, or save again."),))
        self._whole = edition
        self._serve(edition)
        took = (time.perf_counter() - started) * 1000
        self._memory.settle()
        if first:
            # The site stays for as long as the preview runs; looking through all of it again takes longer than a build.
            gc.collect()
            gc.freeze()
        return Outcome(self._line(edition, ready, edition.files if first else edition.changed, took))

    def _edition(self, ready: Ready) -> Edition:
        """Render what single records give, let it be served, then the rest. Raises Rejected."""
        self._builds += 1
        build = f"{self._name}-{self._builds}"
        whole = self._whole
        before = whole.files if whole else None
        rendering = ready.rendering
        early = tuple(render(rendering, [o for o in OUTPUTS if o in OF_ONE_RECORD]))
        files = {a.path: a.data for a in early}
        changed = _changed(before, files)
        if changed and all((a.path, a.origin) in self._known for a in early):
            self._serve(Edition(build, files, ready.inputs, changed, rendering, frozenset(files)))
        late = tuple(render(rendering, [o for o in OUTPUTS if o not in OF_ONE_RECORD | set(ON_DEMAND.values())]))
        self._refuse_clashes([*early, *late])
        heavy = ready.heavy([*early, *late])
        files = {**files, **{a.path: a.data for a in late}}
        changed = _changed(before, files)
        # Open pages are told of a build that changed something, and of no other.
        build = build if changed or not whole else whole.build
        return Edition(build, files, ready.inputs, changed, rendering, heavy=heavy)

    def _refuse_clashes(self, artifacts: Sequence[Artifact]) -> None:
        names = [(a.path, a.origin) for a in artifacts]
        if names != self._names:
            refuse_clashes(artifacts)
            self._names, self._known = names, frozenset(names)

    def _serve(self, edition: Edition | None) -> None:
        """Put an edition in place, and wake those who wait for it."""
        self.edition = edition
        if self._loop:
            asyncio.run_coroutine_threadsafe(self.tell(), self._loop)

    def _line(self, edition: Edition, ready: Ready, changed: Collection[str], took: float) -> str:
        pages, total = (sum(p.endswith(".html") for p in paths) for paths in (changed, edition.files))
        drawn = ready.drawings.drawn
        line = f"{pages} of {total} pages, {len(changed)} files, {len(drawn)} figures drawn, {took:.0f} ms"
        line += "; too heavy to be published" if edition.heavy else ""
        if self.explain:
            line += "".join(f"\n  {path}" for path in edition.changed) + "".join(f"\n  drawn {n}" for n in drawn)
        return line

    async def tell(self) -> None:
        """Wake everybody who waits for news."""
        async with self._news:
            self._news.notify_all()

    async def complete(self, name: str) -> Edition | None:
        """Return the edition once it can answer for a file: at once, or when the pages of the whole site are made."""
        async with self._news:
            await self._news.wait_for(
                lambda: not self.edition or self.edition.served is None or name in self.edition.served
            )
        return self.edition

    async def after(self, told: str) -> str:
        """Return what open pages are told, once it differs from what they were told last."""
        async with self._news:
            await self._news.wait_for(lambda: self.news() != told)
        return self.news()

    def news(self) -> str:
        """Return the state for open pages, as JSON: the build, what changed in it, what is wrong now."""
        if self._told[:2] != (self.edition, self.problems):
            self._told = (self.edition, self.problems, _news(self.edition, self.problems))
        return self._told[2]

    def manifest(self, edition: Edition) -> bytes:
        """Return the manifest of an edition."""
        files = [Artifact(path, data, "") for path, data in edition.whole.items()]
        return write.collect(files, edition.inputs, version("pinpress"))[MANIFEST]

    async def watch(self) -> None:
        """Rebuild on every portion of changes. A failure is shown only when nothing more changes for a moment:
        the save may be half done.
        """
        self._loop = asyncio.get_running_loop()
        portions = changes(self.project)
        upcoming = asyncio.ensure_future(anext(portions))
        try:
            while True:
                portion = await upcoming
                upcoming = asyncio.ensure_future(anext(portions))
                outcome = await asyncio.to_thread(self.rebuild, sorted(portion))
                # Not before the first portion, which stands for what changed until the watch began.
                self.watching.set()
                if outcome.problems:
                    await asyncio.wait({upcoming}, timeout=_GRACE_S)
                    if upcoming.done():
                        continue
                    # Nothing has changed since; a file that was replaced under our eyes is there now.
                    outcome = await asyncio.to_thread(self.rebuild, sorted(portion))
                if portion or outcome.problems or (self.edition and self.edition.changed):
                    self.report(_named(self.project, portion) or "before the watch", outcome)
                await self.tell()
        finally:
            upcoming.cancel()

    def report(self, reason: str, outcome: Outcome) -> None:
        """Say in one line what a rebuild came to, after its problems, and keep these for open pages."""
        found = report.entries(self.project, outcome.problems)
        self.problems = json.loads(report.as_json(found))
        self.failure = report.text(found)
        # What is only too heavy says nothing false: an editor sees it while making it lighter.
        if outcome.line and self.edition and self.edition.heavy:
            print(report.text(report.entries(self.project, self.edition.heavy)), flush=True)
        if outcome.problems:
            kept = "the last good site is served" if self.edition else "there is nothing to serve yet"
            print(f"{self.failure}\n{reason}: not rebuilt, {kept}", flush=True)
        else:
            print(f"{reason}: {outcome.line}", flush=True)


def _news(edition: Edition | None, problems: list[dict[str, Any]]) -> str:
    told: dict[str, Any] = {"build": "", "guides": [], "files": [], "heavy": 0, "problems": problems}
    if edition:
        changed = frozenset(edition.changed)
        told["build"], told["heavy"] = edition.build, len(edition.heavy)
        told["guides"] = [p for e in edition.checked.explainers if file_of(p := e.record.path) in changed]
        told["files"] = [f"/{p}" for p in edition.changed if not p.endswith(".html")]
    return json.dumps(told)


def _changed(before: Mapping[str, bytes] | None, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the files that differ from those before; none where there were none to differ from."""
    if before is None:
        return ()
    return tuple(p for p, data in files.items() if (old := before.get(p)) is not data and old != data)


def _named(project: Project, portion: frozenset[str]) -> str:
    """Return the names of what changed, the first of them if they are many."""
    # Polling names the folder of a file that came or went, too.
    above = {parent for p in portion for parent in Path(p).parents}
    paths = sorted({Path(p) for p in portion} - above)
    names = [project.name(p) if p.is_relative_to(project.root) else p.name for p in paths]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def serve(
    project: Project,
    host: str,
    port: int,
    *,
    open_browser: bool = False,
    follow: bool = False,
    jobs: int = 0,
    explain: bool = False,
) -> int:
    """Serve until Ctrl-C. Raises Surroundings for a port in use, naming the next free one."""
    bound = _bind(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{bound.getsockname()[1]}/"
    print(f"Preview at {address} (Ctrl-C stops it); changes are noticed {mode()}", flush=True)
    preview = Preview(project, jobs, explain)
    preview.report("start", preview.rebuild())
    ended = list[BaseException]()
    app = application(preview, host, follow=follow, ended=ended.append)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, server_header=False))
    preview.on_end = lambda: setattr(server, "should_exit", True)
    if open_browser:
        webbrowser.open(address)
    server.run(sockets=[bound])
    if ended and isinstance(ended[0], OSError):
        remedy = "WATCHFILES_FORCE_POLLING=1 looks at the files in turn."
        raise Surroundings(f"Changes cannot be noticed: {ended[0]}. {remedy}") from ended[0]
    if ended:
        raise ended[0]
    return 0


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen()  # requests wait from now on, instead of being refused until the first build is done
    except (OSError, OverflowError) as error:
        bound.close()
        free = next((p for p in range(max(port, 1024) + 1, 65536) if _is_free(family, host, p)), 0)
        reason = error.strerror if isinstance(error, OSError) else "ports end at 65535"
        raise Surroundings(f"{host}:{port} cannot be served: {reason}. Try --port {free}.") from None
    return bound


def _is_free(family: int, host: str, port: int) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError, OverflowError):
            probe.bind((host, port))
            return True
    return False

"""A staged site → its folder, all or nothing.

The whole tree is staged in a new folder beside the output, on the same file system, and the two folders are then
exchanged in one step: renameat2(RENAME_EXCHANGE) on Linux, two renames elsewhere. Until that step the last good
site is untouched; a crash leaves it, and at most a staging folder that the next build removes. The tree that was
replaced stays beside the output as a spare: the next build stages its site from it. Files in the output that the last
manifest does not list were put there by somebody else and are carried over. One build at a time publishes there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final

from .clashes import MANIFEST, refuse_clashes
from .exchange import IN_PLACE, exchange, flush
from .last_build import History
from .lock import alone
from .problems import Surroundings
from .rendering import Artifact
from .staging import Staging, Written, written
from .states import State, is_like, state, states, unchanged

_FOLDER_MODE: Final = 0o755


def manifest(files: Iterable[Written], inputs: Mapping[str, str], version: str) -> Artifact:
    """Return the manifest of files in path order: each with size and SHA-256, then what they were made from."""
    outputs = [f'   "path": {_quoted(f.path)},\n   "size": {f.size},\n   "sha256": "{f.sha256}"' for f in sorted(files)]
    sources = [f'   "path": {_quoted(path)},\n   "sha256": "{sha256}"' for path, sha256 in sorted(inputs.items())]
    head = f' "generator": {_quoted(f"pinpress {version}")},\n'
    told = f'{head} "outputs": {_list(outputs)},\n "inputs": {_list(sources)}'
    return Artifact(MANIFEST, f"{{\n{told}\n}}\n".encode(), "manifest")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(objects: Iterable[str]) -> str:
    """Return a list of objects as `json.dumps` indents it by one; it takes thirty times as long for a large site."""
    inner = ",\n".join(f"  {{\n{one}\n  }}" for one in objects)
    return f"[\n{inner}\n ]" if inner else "[]"


def collect(artifacts: Iterable[Artifact], inputs: Mapping[str, str], version: str) -> dict[str, bytes]:
    """Return path → bytes with the manifest. Raises Rejected where two outputs share one path."""
    found = sorted(artifacts, key=lambda a: a.path)
    refuse_clashes(found)
    told = manifest(map(written, found), inputs, version)
    return {a.path: a.data for a in (*found, told)}


def publish(files: Mapping[str, bytes], out: Path) -> None:
    """Put files in place of the folder `out`. Raises Surroundings where the machine does not let it."""
    with alone(out.resolve()), Publishing(out, History()) as publishing:
        publishing.publish(publishing.put_all(Artifact(p, data, p) for p, data in files.items()), History())
        publishing.drop_spare()


class Publishing:
    """One publication into the folder `out`, whose lock is held. The block raises Surroundings where the machine fails.

    `intact` are the files in `out` that are as the last build left them, by path with their SHA-256.
    """

    def __init__(self, out: Path, history: History, there: Mapping[str, State] | None = None) -> None:
        """Publish into `out`, which may hold the site that `history` is of; `there` are its files, if they are known.

        `states` are those of the files in `out`, before the block and after it.
        """
        self.out = out.resolve()
        self._history = history
        self._there = there
        self._folder = self.out.with_name(f".{self.out.name}.staging-{os.getpid()}")
        self._spare = self.out.with_name(f".{self.out.name}.spare")
        self._staging: Staging | None = None
        self._placed = dict[str, str]()
        self.states: Mapping[str, State] = {}
        self._in_spare: Mapping[str, State] = {}
        self._held: Mapping[str, str] = {}
        self._number = 0
        self.intact: Mapping[str, str] = {}

    def __enter__(self) -> Publishing:
        """Look at what is there."""
        with _told(self.out):
            self.states, known = states(self.out) if self._there is None else self._there, self._history.published
            self.intact = unchanged(self.out, known, self.states)
            # A manifest that somebody damaged makes nothing foreign of files that are as the last build left them.
            is_ours = self.intact and (MANIFEST not in self.intact or self.intact.keys() == known.keys())
            self._ours = {*known} if is_ours else _listed(self.out)
            self._held = self._known_spare()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing beside the output but a spare."""
        shutil.rmtree(self._folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise _surroundings(error, self.out) from error
        if isinstance(error, KeyboardInterrupt) and self._is_out:
            raise KeyboardInterrupt(IN_PLACE) from None

    @property
    def _is_out(self) -> bool:
        """Tell whether the site that was staged is the one in `out` by now."""
        return self._number != 0 and self.out.exists() and self.out.stat().st_ino == self._number

    @property
    def staging(self) -> Staging:
        """The folder that the site is put together in: the spare one if there is one, else a new one."""
        if self._staging is None:
            self._staging = Staging(self._folder, self._taken())
        return self._staging

    def _known_spare(self) -> dict[str, str]:
        """Return what lies in the spare folder as the last build left it, if it is the one that it left."""
        known = self._history.spare
        with suppress(OSError):
            if self._history.spare_number == self._spare.stat().st_ino:
                self._in_spare = states(self._spare)
                return unchanged(self._spare, known, self._in_spare)
        return {}

    def _taken(self) -> Mapping[str, str]:
        """Take the spare folder and return what lies in it, or make a new one."""
        if self._held:
            with suppress(OSError):
                self._spare.rename(self._folder)
                # A file may share its bytes with the published one, and be edited with it.
                staging = Staging(self._folder, {})
                for path in self._in_spare.keys() - self._held.keys():
                    staging.remove(path)
                return self._held
        self._held = {}
        shutil.rmtree(self._spare, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self._folder.chmod(_FOLDER_MODE)
        return {}

    def has(self, file: Written) -> bool:
        """Tell whether a file need not be made again."""
        return file.sha256 in {self.intact.get(file.path), self._held.get(file.path)}

    def is_published(self, files: Iterable[Written]) -> bool:
        """Tell whether the output holds just these files, others' aside."""
        return {f.path: f.sha256 for f in files} == self.intact and self._ours == self.intact.keys()

    def note(self, files: Iterable[Written]) -> None:
        """Note that files were staged."""
        self._placed.update((f.path, f.sha256) for f in files)

    def put_all(self, artifacts: Iterable[Artifact]) -> list[Written]:
        """Stage files, unless the output holds them as they are."""
        files = []
        for artifact in artifacts:
            file = Written(
                artifact.path, artifact.origin, hashlib.sha256(artifact.data).hexdigest(), len(artifact.data)
            )
            if not self.has(file):
                self.note([self.staging.put(artifact)])
            files.append(file)
        return files

    def publish(self, files: Iterable[Written], history: History) -> History:
        """Put the staged site in place of the output; return the history with what lies where now."""
        wanted = {f.path: f.sha256 for f in files}
        staging = self.staging
        for path in staging.held.keys() - wanted.keys():
            staging.remove(path)
        linked = [p for p, sha256 in wanted.items() if sha256 not in {self._placed.get(p), staging.held.get(p)}]
        for path in linked:
            staging.link(path, self.out)
        self._carry_over(self.out, self._folder, self._foreign(self.states, wanted))
        touched = (wanted.keys() & self._placed.keys()) | {*linked}
        after = {p: state(self._folder / p) if p in touched else self._in_spare[p] for p in wanted}
        self._refuse_changed(linked, after)
        flush(self._folder)
        self._number = self._folder.stat().st_ino
        exchange(self._folder, self.out)
        replaced = states(self._folder)
        # What others put there since the look at it lies in the tree that was replaced.
        foreign = self._foreign(replaced, wanted)
        self._carry_over(self._folder, self.out, [p for p in foreign if replaced[p] != self.states.get(p)])
        return self._left(replace(history, published={p: (sha, after[p]) for p, sha in wanted.items()}), replaced)

    def kept(self, history: History) -> History:
        """Return the history of a build that changed nothing, with the states of the output as they are now."""
        return replace(history, published={p: (sha256, self.states[p]) for p, sha256 in self.intact.items()})

    def _foreign(self, found: Mapping[str, State], wanted: Iterable[str]) -> list[str]:
        """Return the files that others put into the output; a file of ours wins over one of theirs."""
        return sorted(found.keys() - self._ours - {*wanted})

    def _refuse_changed(self, linked: Iterable[str], after: Mapping[str, State]) -> None:
        """Raise Surroundings if a file that was taken over from the output was changed while the site was made."""
        for path in linked:
            before = self.states.get(path)
            # Where the file system makes no links, it is a copy.
            if not is_like(before, after[path]) and not is_like(before, state(self.out / path)):
                told = f"{self.out / path} was changed while the site was made"
                raise Surroundings(f"{told}. Build again; the last site is as it was.")

    def _left(self, history: History, replaced: Mapping[str, State]) -> History:
        """Keep the spare; return the history with what lies in it, as far as nobody touched it since the first look."""
        number = self._keep_spare()
        ours = self.intact.items() if number else ()
        spare = {p: (sha, replaced[p]) for p, sha in ours if is_like(self.states[p], replaced.get(p))}
        foreign = self._foreign(replaced, history.published)
        self.states = {p: known for p, (_, known) in history.published.items()}
        self.states |= {p: state(self.out / p) for p in foreign if os.path.lexists(self.out / p)}
        return replace(history, spare=spare, spare_number=number)

    def drop_spare(self) -> None:
        """Keep no spare: nothing will be published here again soon."""
        shutil.rmtree(self._spare, ignore_errors=True)

    @staticmethod
    def _carry_over(source: Path, target: Path, paths: Iterable[str]) -> None:
        """Copy what others put into the output from one tree to the other."""
        for path in paths:
            there = target / path
            if not any(p.is_file() for p in there.parents) and not there.is_dir():
                there.parent.mkdir(parents=True, exist_ok=True)
                there.unlink(missing_ok=True)
                shutil.copy2(source / path, there, follow_symlinks=False)

    def _keep_spare(self) -> int:
        """Keep the tree that was replaced, with the files in it that are surely ours; return its number, 0 for none."""
        if not self._folder.is_dir():
            return 0
        staging = Staging(self._folder, {})
        for path in self.states.keys() - self.intact.keys():
            staging.remove(path)
        shutil.rmtree(self._spare, ignore_errors=True)
        self._folder.rename(self._spare)
        return self._spare.stat().st_ino


def _listed(out: Path) -> set[str]:
    """Return the files that the last build wrote. A folder with other content and no manifest is not ours."""
    manifest_file = out / MANIFEST
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return set()
    try:
        outputs = json.loads(manifest_file.read_bytes())["outputs"]
        return {*(str(entry["path"]) for entry in outputs), MANIFEST}
    except (OSError, ValueError, KeyError, TypeError):
        message = f"{out} holds files and no manifest of pinpress. Name another --out, or empty the folder."
        raise Surroundings(message) from None


def _surroundings(error: OSError, out: Path) -> Surroundings:
    return Surroundings(f"{error.filename or out}: {error.strerror or error}. The last site is as it was.")


@contextmanager
def _told(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _surroundings(error, out) from error

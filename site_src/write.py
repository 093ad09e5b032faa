"""A staged site → its folder, all or nothing.

The whole tree is staged in a new folder beside the output, on the same file system, and the two folders are then
exchanged in one step: renameat2(RENAME_EXCHANGE) on Linux, two renames elsewhere. Until that step the last good
site is untouched; a crash leaves it, and at most a staging folder that the next build removes. The tree that was
replaced stays beside the output as a spare: the next build stages its site from it. Files in the output that the last
manifest does not list were put there by somebody else and are carried over.
"""

from __future__ import annotations

import ctypes
import errno
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
from .last_build import History
from .problems import Surroundings
from .rendering import Artifact
from .staging import Staging, Written, written
from .states import State, state, states

_FOLDER_MODE: Final = 0o755
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


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
    with Publishing(out, History()) as publishing:
        publishing.publish(publishing.put_all(Artifact(p, data, p) for p, data in files.items()), History())
        publishing.drop_spare()


class Publishing:
    """One publication into the folder `out`. The block raises Surroundings where the machine does not let it.

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
        self.intact: Mapping[str, str] = {}

    def __enter__(self) -> Publishing:
        """Look at what is there."""
        with _told(self.out):
            self.states, known = states(self.out) if self._there is None else self._there, self._history.published
            self.intact = {p: k[0] for p, now in self.states.items() if (k := known.get(p)) and k[1] == now}
            self._ours = _listed(self.out) if self.intact.keys() != known.keys() or not known else {*known}
            self._held = self._known_spare()
            _remove_leftovers(self.out)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing beside the output but a spare."""
        shutil.rmtree(self._folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise _surroundings(error, self.out) from error

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
                return {p: sha256 for p, (sha256, known_state) in known.items() if self._in_spare.get(p) == known_state}
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
        touched = {*self._placed}
        for path, sha256 in wanted.items():
            if self._placed.get(path) != sha256 and staging.held.get(path) != sha256:
                staging.link(path, self.out)
                touched.add(path)
        foreign = self._carry_over(wanted)
        after = {p: state(self._folder / p) if p in touched else self._in_spare[p] for p in wanted}
        after |= {p: state(self._folder / p) for p in foreign}
        _flush(self._folder)
        _exchange(self._folder, self.out)
        spare, number = {p: (sha256, self.states[p]) for p, sha256 in self.intact.items()}, self._keep_spare()
        self.states = after
        published = {path: (sha256, after[path]) for path, sha256 in wanted.items()}
        return replace(history, published=published, spare=spare if number else {}, spare_number=number)

    def drop_spare(self) -> None:
        """Keep no spare: nothing will be published here again soon."""
        shutil.rmtree(self._spare, ignore_errors=True)

    def _carry_over(self, wanted: Mapping[str, str]) -> list[str]:
        """Copy what others put into the output and return it; a file of ours wins over one of theirs."""
        carried = []
        for path in sorted(self.states.keys() - self._ours - wanted.keys()):
            there = self._folder / path
            if not any(p.is_file() for p in there.parents) and not there.exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.out / path, there, follow_symlinks=False)
                carried.append(path)
        return carried

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


def _remove_leftovers(out: Path) -> None:
    """Remove staging folders whose process has ended, left by a build that was killed."""
    for folder in out.parent.glob(f".{out.name}.staging-*"):
        pid = folder.name.rpartition("-")[2]
        if pid.isdecimal() and not _is_running(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _surroundings(error: OSError, out: Path) -> Surroundings:
    return Surroundings(f"{error.filename or out}: {error.strerror}. The last site is as it was.")


@contextmanager
def _told(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _surroundings(error, out) from error


def _flush(folder: Path) -> None:
    """Have the file system write down all that was staged, so that no power cut leaves a site of empty files."""
    try:
        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        os.sync()
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        if syncfs(handle):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(folder))
    finally:
        os.close(handle)


def _exchange(staging: Path, out: Path) -> None:
    """Swap the staged tree with the published one; afterwards `staging` holds the old site."""
    if not out.exists():
        staging.rename(out)
    elif not _exchange_atomically(staging, out):
        old = staging.with_name(staging.name + "-old")
        out.rename(old)
        staging.rename(out)
        old.rename(staging)


def _exchange_atomically(staging: Path, out: Path) -> bool:
    """Try renameat2; False where the kernel or the file system has no exchange."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    done = renameat2(_AT_FDCWD, os.fsencode(staging), _AT_FDCWD, os.fsencode(out), _RENAME_EXCHANGE)
    if done == 0:
        return True
    code = ctypes.get_errno()
    if code in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
        return False
    raise OSError(code, os.strerror(code), str(out))

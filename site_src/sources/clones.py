"""A clone on this disk, a revision and a path → the document's bytes, the commit, the date of its last change.

Reads with git, never writes and never asks a network: no shell, no replaced objects, no lazy fetching of a partial
clone, no configuration of the system. A revision or a path comes out of an address and is not trusted: what could be
an option or an expression of git is refused. A document is None where the clone does not hold it, and `why_not` tells
the reason; Surroundings is raised where the clone itself cannot be read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..permalinks import is_commit
from ..problems import Surroundings

_SECONDS: Final = 60
# Of the caller's environment git sees what finds programs and the user's own settings, nothing that redirects it.
_KEPT: Final = ("PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP")
_SET: Final = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
# Neither a transport nor a program of the clone's own configuration runs.
_CALM: Final = ("-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false")
_HASH: Final = re.compile(r"[0-9a-f]{4,64}")
# What git-check-ref-format forbids in a name, and with it every expression of gitrevisions: main~2, :/text, @{1}.
_NO_NAME: Final = re.compile(r"^[-/.]|[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|[/.]$|^@$")


@dataclass(frozen=True)
class Commit:
    """A commit in a clone and, if it was found under a name, what that name is: the tag v1."""

    hash: str
    known_as: str = ""


def find(clone: Path, revision: str) -> Commit | None:
    """Return the commit of a full or abbreviated hash, a branch or a tag; None where the clone has none of the name.

    A branch is first looked for as the clone last fetched it, because that is what a forge shows. Raises Surroundings
    where a branch and a tag of one name stand at two commits.
    """
    if _NO_NAME.search(revision):
        return None
    if is_commit(revision):
        return Commit(revision) if _commit(clone, revision) == revision else None
    named = [Commit(found, words) for ref, words in _names(clone, revision) if (found := _commit(clone, ref))]
    branches, tags = ([c for c in named if c.known_as.startswith("the tag ") == is_tag] for is_tag in (False, True))
    if branches and tags and branches[0].hash != tags[0].hash:
        raise Surroundings(
            f"{revision} is a branch and a tag in {clone}, at two commits. Put the commit that is meant into the "
            f"address: {branches[0].hash} or {tags[0].hash}."
        )
    if not named and _HASH.fullmatch(revision) and (found := _commit(clone, revision)):
        return Commit(found, f"the short hash {revision}")
    return named[0] if named else None


def _names(clone: Path, revision: str) -> Iterator[tuple[str, str]]:
    """Yield what a name can stand for, as git names it and in words."""
    branch, tag = revision.removeprefix("refs/heads/"), revision.removeprefix("refs/tags/")
    if revision == "HEAD":
        yield "refs/remotes/origin/HEAD", "the default branch of origin as last fetched"
        yield "HEAD", "what the clone has checked out"
        return
    if not revision.startswith("refs/tags/"):
        remotes = (_git(clone, "remote") or b"").decode("utf-8", "replace").split()
        for remote in sorted(remotes, key=lambda name: (name != "origin", name)):
            yield f"refs/remotes/{remote}/{branch}", f"the branch {branch} of {remote} as last fetched"
        yield f"refs/heads/{branch}", f"the local branch {branch}"
    if not revision.startswith("refs/heads/"):
        yield f"refs/tags/{tag}", f"the tag {tag}"


def commit_of(clone: Path, revision: str) -> str | None:
    """Return the full hash of the commit that a revision stands at, or None."""
    found = find(clone, revision)
    return found.hash if found else None


def _commit(clone: Path, revision: str) -> str | None:
    said = _git(clone, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    return said.decode().strip() if said else None


def show(clone: Path, revision: str, path: str) -> bytes | None:
    """Return the bytes of the document at a path and a revision, as committed; None where there is none."""
    commit = commit_of(clone, revision)
    return _git(clone, "cat-file", "blob", f"{commit}:{path}") if commit and _is_path(path) else None


def blob(clone: Path, digest: str) -> bytes | None:
    """Return the bytes of a document by the hash that git gives them, or None."""
    return _git(clone, "cat-file", "blob", digest) if is_commit(digest) else None


def changed_at(clone: Path, revision: str, path: str) -> str | None:
    """Return when the last commit up to a revision changed the document: 2026-11-29T10:30:00+01:00.

    None where there is no such document, and where a shallow clone ends before that commit.
    """
    commit = commit_of(clone, revision)
    if commit is None or not _is_path(path):
        return None
    said = (_git(clone, "log", "-1", "--format=%cI %P", commit, "--", path) or b"").decode()
    date, _, parents = said.strip().partition(" ")
    if date and not parents and _git(clone, "rev-parse", "--is-shallow-repository") == b"true\n":
        return None
    return date.replace("+00:00", "Z") or None


def paths(clone: Path, revision: str) -> tuple[str, ...]:
    """Return the paths of all documents at a revision."""
    commit = commit_of(clone, revision)
    said = _git(clone, "ls-tree", "-r", "-z", "--name-only", commit) if commit else None
    return tuple(name.decode("utf-8", "surrogateescape") for name in (said or b"").split(b"\0") if name)


def why_not(clone: Path, revision: str, path: str, called: str = "") -> str:
    """Return the sentence why `show` found nothing; `called` stands for the folder, where that is nobody's business."""
    commit, name = commit_of(clone, revision), called or str(clone)
    if commit is None and is_commit(revision):
        return f"{name} has no commit {revision[:12]}: git fetch origin {revision} may bring it."
    if commit is None:
        return f"{name} has no commit, branch or tag named {revision}."
    if not _is_path(path):
        return f"{path!r} is no path in a repository."
    kind = (_git(clone, "cat-file", "-t", f"{commit}:{path}") or b"").decode().strip()
    there = {"tree": "a folder", "commit": "a submodule"}.get(kind)
    return f"At {commit[:12]}, {path} is {there or 'no document'} in {name}."


def _is_path(path: str) -> bool:
    """Tell whether a path leads down from the root of a repository; git reads ./a and ../a in other ways."""
    steps = path.split("/")
    return not path.startswith("-") and "\0" not in path and not {"", ".", ".."} & set(steps)


def _git(clone: Path, *arguments: str) -> bytes | None:
    """Return what git prints, or None where it has no answer. Raises Surroundings where it cannot work at all."""
    done = _run(clone, arguments)
    if done.returncode == 0:
        return done.stdout
    asked = _run(clone, ("rev-parse", "--git-dir"))
    if asked.returncode != 0:
        raise Surroundings(_refusal(clone, asked.stderr.decode("utf-8", "replace")))
    return None


def _run(clone: Path, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("git")
    if program is None:
        raise Surroundings("git reads a clone, and it is missing: apt-get install git.")
    if not clone.is_dir():
        raise Surroundings(f"{clone} is no folder.")
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    # A folder inside another repository is not a clone of its own.
    environment |= _SET | {"GIT_CEILING_DIRECTORIES": str(clone.resolve().parent)}
    command = [program, "-C", str(clone.resolve()), "--no-pager", *_CALM, *arguments]
    try:
        return subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Surroundings(f"git gave no answer about {clone} within {_SECONDS} seconds.") from None
    except (OSError, ValueError) as error:
        raise Surroundings(f"git cannot read {clone}: {error}.") from None


def _refusal(clone: Path, said: str) -> str:
    if "not a git repository" in said:
        return f"{clone} is not the top folder of a git repository."
    if "dubious ownership" in said:
        return f"{clone} belongs to another user. If you trust it: git config --global --add safe.directory {clone}"
    first = (said.strip().splitlines() or ["no reason given"])[0].removeprefix("fatal: ")
    return f"git cannot read {clone}: {first}."

"""Build the site twice, in two folders and two environments; where both are alike, write what a release consists of.

`make artifact` runs it: dist/ then holds the archive, the statement, the bill of materials and SHA256SUMS.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from site_src.project import RESOURCES
from site_src.release import packing
from site_src.release.attestation import SOURCES, statement
from site_src.release.reading import read
from tests.release.bom import bom

_PARTS: Final = ("records", "templates", "assets")
_ARCHIVE: Final = "site.tar.zst"


@dataclass(frozen=True)
class Surrounding:
    """Everything that a build must not depend on. A variable that is empty is not set."""

    folder: str
    jobs: int
    umask: int
    variables: Mapping[str, str] = field(default_factory=dict)


SURROUNDINGS: Final = (
    Surrounding("one", 1, 0o022, {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "", "PYTHONHASHSEED": "0"}),
    Surrounding(
        "another ünd spaced/deep",
        2,
        0o077,
        {"TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "C", "PYTHONHASHSEED": "4242"},
    ),
)


def build(project: Path, into: Path, around: Surrounding, *, strict: bool = True) -> Path:
    """Copy a project into a folder, build and pack it there as `around` says; return the folder of the copy."""
    root = into / around.folder
    for part in _PARTS:
        if (project / part).is_dir():
            shutil.copytree(project / part, root / part)
    cwd = root / "elsewhere"
    cwd.mkdir()
    env = {**os.environ, **around.variables, "HOME": str(cwd)}
    env = {name: value for name, value in env.items() if value}
    strictly = ["--strict"] if strict else []
    for words in (["build", *strictly, "--jobs", str(around.jobs)], ["archive", "--out", str(root / _ARCHIVE)]):
        command = [sys.executable, str(RESOURCES / "build.py"), *words, "-q", "--project", str(root)]
        subprocess.run(command, cwd=cwd, env=env, umask=around.umask, check=True)
    return root


def first_difference(one: Path, other: Path) -> str:
    """Return in words where two trees first differ, or nothing."""
    trees = [{p.relative_to(t).as_posix(): p for p in t.rglob("*") if p.is_file()} for t in (one, other)]
    for path in sorted({*trees[0], *trees[1]}):
        there = [path in tree for tree in trees]
        if not all(there):
            return f"{path} is in {one if there[0] else other} alone"
        if trees[0][path].read_bytes() != trees[1][path].read_bytes():
            return f"{path} differs between {one} and {other}"
        if len({tree[path].stat().st_mode for tree in trees}) > 1:
            return f"{path} has another mode in {one} than in {other}"
    return ""


def main(project: Path, dist: Path, surroundings: Sequence[Surrounding] = SURROUNDINGS, *, strict: bool = True) -> int:
    """Write the release of a project into a folder, or tell how two builds differ. Returns an exit code."""
    with TemporaryDirectory() as folder:
        one, other = (build(project, Path(folder), around, strict=strict) for around in surroundings)
        told = first_difference(one / "_site", other / "_site")
        if not told and (one / _ARCHIVE).read_bytes() != (other / _ARCHIVE).read_bytes():
            told = f"{_ARCHIVE} differs, and the two sites do not"
        if told:
            print(f"Two builds are not alike: {told}. Nothing was written.", file=sys.stderr)
            return 1
        site = read(one / "_site")
        stated = statement(
            site.listing, (one / "_site" / SOURCES).read_bytes(), {"offline": False, "drafts": False, "strict": strict}
        )
        files = {_ARCHIVE: (one / _ARCHIVE).read_bytes(), "site.intoto.json": stated, "bom.cdx.json": bom()}
    for name, data in files.items():
        packing.put(dist / name, data)
    packing.put(dist / packing.SUMS, packing.sums("", files).encode())
    names = ", ".join([*files, packing.SUMS])
    print(f"{len(site.files)} files, alike from 2 builds: {names} in {dist}")
    return 0


if __name__ == "__main__":
    sys.exit(main(RESOURCES, RESOURCES / "dist"))

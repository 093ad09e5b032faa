"""Builds on disks that are full or cannot be written: `python -m tests.audit.disks KIND FOLDER`.

It mounts file systems, so it runs in a mount namespace of its own: `unshare -m`, or `unshare -Urm` for who is
not root). It ends with a traceback where something does not hold.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from site_src.exits import SURROUNDINGS
from site_src.project import RESOURCES, Project
from site_src.quick import build
from tests.bench import corpus
from tests.edits import Editor, clean, tree

_SIZE: Final = 64 << 20
KINDS: Final = ("full-output", "full-cache", "read-only-output", "read-only-cache")


def namespace() -> list[str]:
    """Return what starts a command in a mount namespace of its own."""
    return ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-Urm"]


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def small(folder: Path) -> None:
    """Put a disk of its own under a folder, with what the folder holds."""
    kept = folder.with_name(f"{folder.name}.kept")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, kept)
    mount("-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder))
    shutil.copytree(kept, folder, dirs_exist_ok=True)
    shutil.rmtree(kept)


@contextmanager
def full(folder: Path, left: int) -> Iterator[None]:
    """Fill the disk of a folder but for some bytes until the block ends."""
    filler = folder / "filler"
    told = os.statvfs(folder)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, told.f_bavail * told.f_frsize - left))
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write into a folder until the block ends."""
    mount("--bind", str(folder), str(folder))
    mount("-o", "remount,ro,bind", str(folder))
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def refused(root: Path, out: Path, reason: str) -> None:
    """Build; see that the build ends with one sentence and leaves the site as it was."""
    before = tree(out)
    line = [sys.executable, str(RESOURCES / "build.py"), "build", "-q", "--project", str(root), "--out", str(out)]
    run = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == SURROUNDINGS, (run.returncode, run.stderr)
    assert run.stderr.endswith(f"{reason}. The last site is as it was.\n"), run.stderr
    assert run.stderr.count("\n") == 1, run.stderr
    assert run.stdout == ""
    assert tree(out) == before


def mended(root: Path, out: Path, beside: Path) -> None:
    """Build; see that the site equals a clean one and that nothing of the failed builds is left."""
    build(Project(root), out)
    assert tree(out) == clean(root, beside)
    assert {p.name for p in out.parent.iterdir()} <= {"_site", "._site.spare"}
    assert [*(root / ".cache").rglob(".new-*")] == []


def main(kind: str, folder: Path) -> None:
    """Make a site, take its disk away, and give it back."""
    os.environ.pop("CI", None)
    root, disk = corpus.write(2, folder / "site"), folder / "disk"
    what, _, part = kind.rpartition("-")
    small(disk)
    out = disk / "_site"
    build(Project(root), out)
    if part == "cache":
        small(root / ".cache")
    place = disk if part == "output" else root / ".cache"
    size = sum(map(len, tree(out).values())) if part == "output" else 0
    editor = Editor(root, 1)
    for share in (0.0, 0.1, 0.5, 0.9) if (what, part) == ("full", "output") else (0.0,):
        editor.title()
        (root / "records" / "site.yml").write_text(f"title: Left {share}\n", "utf-8")
        shutil.rmtree(disk / "._site.spare", ignore_errors=True)
        with full(place, int(size * share)) if what == "full" else read_only(place):
            refused(root, out, "No space left on device" if what == "full" else "Read-only file system")
        mended(root, out, folder / "clean")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

"""The same input gives the same bytes, whatever surrounds the build."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from site_src.project import RESOURCES, Project

BUILD = RESOURCES / "build.py"


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def build(project: Project, out: Path, cwd: Path, *options: str, umask: int = 0o022, **env: str) -> dict[str, bytes]:
    """Build in a process of its own, without a cache, and return the tree."""
    subprocess.run(["rm", "-rf", str(project.cache)], check=True)
    command = [sys.executable, str(BUILD), "build", "--project", str(project.root), "--out", str(out), *options]
    run = subprocess.run(
        command, cwd=cwd, env={**os.environ, **env}, umask=umask, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return tree(out)


def test_surroundings_do_not_reach_the_bytes(copied: Callable[[str], Project], tmp_path: Path) -> None:
    project = copied("other")
    plain = build(project, tmp_path / "plain", tmp_path, "--jobs", "1", PYTHONHASHSEED="0")
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / "matplotlibrc").write_text("font.size: 31\nsvg.fonttype: none\nfigure.dpi: 13\nlines.linewidth: 9\n")
    other = build(
        project,
        tmp_path / "elsewhere" / "deep",
        odd,
        "--jobs",
        "2",
        umask=0o077,
        PYTHONHASHSEED="4242",
        TZ="Pacific/Kiritimati",
        LANG="tr_TR.UTF-8",
        LC_ALL="C",
        HOME=str(odd),
    )
    assert plain.keys() == other.keys()
    assert [p for p in plain if plain[p] != other[p]] == []
    modes = {p.stat().st_mode & 0o777 for p in (tmp_path / "elsewhere" / "deep").rglob("*") if p.is_file()}
    assert modes == {0o644}


def test_another_folder_and_a_warm_cache_give_the_same_bytes(copied: Callable[[str], Project], tmp_path: Path) -> None:
    project = copied("other")
    first = build(project, tmp_path / "first", tmp_path)
    moved = Project(project.root.rename(tmp_path / "moved ünd spaced"))
    command = [sys.executable, str(BUILD), "build", "--out", str(tmp_path / "second")]
    for _ in range(2):
        run = subprocess.run(command, cwd=moved.root, capture_output=True, text=True, check=True)
    assert "0 drawn" in run.stdout
    assert tree(tmp_path / "second") == first

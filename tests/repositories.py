"""Real git repositories on this disk, the same on every machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str, day: str = "2026-11-02T10:30:00+01:00") -> str:
    who = {f"GIT_{role}_{what}": "b@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    when = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    calm = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(command, cwd=folder, env=who | when | calm, capture_output=True, check=True)
    return done.stdout.decode().strip()


def commit(folder: Path, files: dict[str, bytes], day: str) -> str:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", "a run", day=day)
    return git(folder, "rev-parse", "HEAD")

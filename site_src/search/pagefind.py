"""Pages → the files of their search index, by Pagefind's command line in a temporary folder of its own.

Pagefind writes a user interface, a playground and programs for other languages as well; only what the search page
loads is returned. Raises Surroundings where the program is not there, does not run or fails.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from .. import aside
from ..problems import Surroundings

PACKAGE: Final = "pagefind-bin"
_MODULE: Final = "pagefind_bin"
_NAMES: Final = ("pagefind_extended", "pagefind", "pagefind_extended.exe", "pagefind.exe")
_USED: Final = re.compile(
    r"pagefind(?:-entry\.json|\.js|\.[\w-]+\.pf_meta)|wasm\.[\w-]+\.pagefind|(?:fragment|index)/[\w.-]+"
)
_SECONDS: Final = 600
_WAY_OUT: Final = "Run `make setup`, or build with --offline, which leaves the search in prose out."


def program() -> Path:
    """Return Pagefind's program, as its wheel brings it."""
    found = importlib.util.find_spec(_MODULE)
    folders = [Path(folder) for folder in found.submodule_search_locations or ()] if found else []
    for path in (folder / name for folder in folders for name in _NAMES):
        if path.is_file():
            return path
    what = "its package is not installed" if not found else "its package holds none for this system"
    raise Surroundings(f"The search needs the program Pagefind, and {what}. {_WAY_OUT}")


def edition() -> str:
    """Return the version of Pagefind, on which the bytes of an index depend."""
    program()
    return version(PACKAGE)


def index(pages: Mapping[str, bytes], language: str, work: Path) -> dict[str, bytes]:
    """Return the files of the index of `pages` (HTML by path), read as the language of a tag such as `en`.

    They are made in a temporary folder inside the folder `work`.
    """
    try:
        work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=work, prefix=aside.prefix()) as name:
            found = _indexed(Path(name), pages, language.partition("-")[0].lower())
    except OSError as error:
        what = error.filename or work
        raise Surroundings(f"{what}: {error.strerror}. The search is built there in a temporary folder.") from error
    programs = {p for p in found if p.startswith("wasm.")}
    own = programs - {"wasm.unknown.pagefind"} or programs
    return {p: data for p, data in found.items() if _USED.fullmatch(p) and (p in own or p not in programs)}


def _indexed(folder: Path, pages: Mapping[str, bytes], language: str) -> dict[str, bytes]:
    """Write the pages into a folder, run Pagefind over them and return all that it wrote."""
    for path, content in pages.items():
        (folder / "pages" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "pages" / path).write_bytes(content)
    _run(folder, language)
    out = folder / "out"
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def _run(folder: Path, language: str) -> None:
    """Run Pagefind from `pages` to `out`; neither settings of the caller nor a file of its folder have a say."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PAGEFIND_")}
    options = ["--site", "pages", "--output-path", "out", "--force-language", language, "--silent"]
    try:
        done = subprocess.run(
            [program(), *options], cwd=folder, env=kept, capture_output=True, check=False, timeout=_SECONDS
        )
    except OSError as error:
        raise Surroundings(
            f"The search needs Pagefind, which does not run here: {error.strerror}. {_WAY_OUT}"
        ) from None
    except subprocess.TimeoutExpired:
        raise Surroundings(f"Pagefind was stopped: it had not finished after {_SECONDS} s. {_WAY_OUT}") from None
    if done.returncode or not (folder / "out" / "pagefind-entry.json").is_file():
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip() or "it said nothing"
        raise Surroundings(f"Pagefind failed with code {done.returncode}: {said}. {_WAY_OUT}")

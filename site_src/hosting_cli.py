"""The command host. An edge: it prints."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import DONE

if TYPE_CHECKING:
    from .project import Project

_FOR_PROGRAMS: Final = ("json", "sarif")
_NO_BROTLI: Final = "No .br files: the package brotli is not installed (pip install 'pinpress[brotli]')."


def add_command(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    host = commands.add_parser("host", parents=[common], help="write what a web server or a store serves the site with")
    host.add_argument("--site", metavar="DIR", help="folder of the site (default: PROJECT/_site)")
    host.add_argument("--out", metavar="DIR", help="folder to write (default: PROJECT/dist/host)")
    host.set_defaults(command=_host)


def _host(options: argparse.Namespace) -> int:
    from .hosting.bundle import bundle
    from .hosting.compressed import has_brotli
    from .problems import Surroundings
    from .report import WRITERS
    from .write import publish

    started = begin()
    project: Project = options.project
    site = Path(options.site) if options.site else project.default_out
    out = Path(options.out) if options.out else project.root / "dist" / "host"
    if not site.is_dir():
        raise Surroundings(f"{site} is no folder. Build the site first, or name it with --site DIR.")
    if out.resolve().is_relative_to(site.resolve()) or site.resolve().is_relative_to(out.resolve()):
        raise Surroundings(f"{out} and the site {site} lie in each other. Name another --out.")
    files = bundle(site, with_brotli=has_brotli())
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Surroundings(f"{error.filename}: {error.strerror}. Nothing was written.") from error
    publish(files, out)
    is_for_programs = options.format in _FOR_PROGRAMS
    if is_for_programs:
        print(WRITERS[options.format]([]))
    if not options.quiet:
        told = sys.stderr if is_for_programs else sys.stdout
        if not has_brotli():
            print(_NO_BROTLI, file=told)
        packed = sum(path.endswith((".gz", ".br")) for path in files)
        print(f"{len(files)} files, {packed} of them packed, in {since(started)}: {out}", file=told)
    return DONE

"""The command export. An edge: it prints."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import DONE, USAGE

if TYPE_CHECKING:
    from .project import Project

FORMATS: Final = ("repro", "ro-crate")


def add_command(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    export = commands.add_parser("export", parents=[common], help="write a record for another program")
    export.add_argument(
        "form",
        choices=FORMATS,
        metavar="FORM",
        help="repro: a repro.yaml for claims-cli; ro-crate: the guide as an RO-Crate",
    )
    export.add_argument("id", metavar="ID", help="record")
    export.add_argument(
        "--out", metavar="DIR", help="folder of the export (default: PROJECT/export/ID, or ID-ro-crate)"
    )
    export.add_argument("--snapshots", metavar="DIR", help="repro: source documents, laid out OWNER/REPO/REVISION/PATH")
    export.set_defaults(command=_export)


def _export(options: argparse.Namespace) -> int:
    from . import export

    started = begin()
    project: Project = options.project
    out = Path(options.out) if options.out else export.default_out(project, options.form, options.id)
    if options.form == export.CRATE:
        if options.snapshots:
            print("A crate names cited documents and holds none: leave --snapshots out.", file=sys.stderr)
            return USAGE
        counted = f"{export.export_crate(project, options.id, out)} files"
    else:
        counted = _repro(options, out)
    if not options.quiet:
        print(f"1 record, {counted} in {since(started)}: {out}")
    return DONE


def _repro(options: argparse.Namespace, out: Path) -> str:
    """Write the claims of a record; return how many they are, and what they are judged by."""
    from .export import export

    folder = Path(options.snapshots) if options.snapshots else None
    claims, documents = export(options.project, options.id, out, folder)
    cited = f", {documents} cited document{'s' * (documents != 1)}" if folder else ""
    return f"{claims:,} claim{'s' * (claims != 1)}{cited}"

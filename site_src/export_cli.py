"""The command export. An edge: it prints."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import DONE

if TYPE_CHECKING:
    from .project import Project

FORMATS: Final = ("repro",)


def add_command(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    export = commands.add_parser("export", parents=[common], help="write a record's claims for another program")
    export.add_argument("form", choices=FORMATS, metavar="FORM", help="repro: a repro.yaml for claims-cli")
    export.add_argument("id", metavar="ID", help="record")
    export.add_argument("--out", metavar="DIR", help="folder of the export (default: PROJECT/export/ID)")
    export.add_argument("--snapshots", metavar="DIR", help="source documents, laid out OWNER/REPO/REVISION/PATH")
    export.set_defaults(command=_export)


def _export(options: argparse.Namespace) -> int:
    from .export import default_out, export

    started = begin()
    project: Project = options.project
    out = Path(options.out) if options.out else default_out(project, options.id)
    folder = Path(options.snapshots) if options.snapshots else None
    claims, documents = export(project, options.form, options.id, out, folder)
    if not options.quiet:
        cited = f", {documents} cited document{'s' * (documents != 1)}" if folder else ""
        print(f"1 record, {claims:,} claim{'s' * (claims != 1)}{cited} in {since(started)}: {out}")
    return DONE

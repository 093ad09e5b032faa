"""The command anchors. An edge: it prints."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import DONE

if TYPE_CHECKING:
    from .project import Project

_FOR_PROGRAMS: Final = ("json", "sarif")


def add_command(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    anchors = commands.add_parser(
        "anchors", parents=[common], help="remember the heading ids that readers may have linked"
    )
    anchors.add_argument("ids", nargs="*", metavar="ID", help="records (default: all that are published)")
    anchors.add_argument(
        "--check", action="store_true", help="write nothing; an id that is not remembered is a problem"
    )
    anchors.set_defaults(command=_anchors)


def _anchors(options: argparse.Namespace) -> int:
    from . import remembering
    from .problems import Rejected
    from .report import WRITERS

    started = begin()
    project: Project = options.project
    found = remembering.remembered(project, options.ids)
    if options.check and (problems := [p for one in found for p in one.problems()]):
        raise Rejected(problems)
    is_for_programs = options.format in _FOR_PROGRAMS
    out = sys.stderr if is_for_programs else sys.stdout
    for one in () if options.check else remembering.write(project, found):
        if not options.quiet:
            print(f"{one.file}  {', '.join(f'#{i}' for i in one.new) or 'no heading'}", file=out)
    if is_for_programs:
        print(WRITERS[options.format]([]))
    if not options.quiet:
        known = sum(len(one.ids) for one in found if one.is_kept or not options.check)
        print(
            f"{len(found)} record{'s' * (len(found) != 1)}, {known} heading ids remembered in {since(started)}",
            file=out,
        )
    return DONE

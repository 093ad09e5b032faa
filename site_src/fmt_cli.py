"""The command fmt. An edge: it prints."""

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
    fmt = commands.add_parser("fmt", parents=[common], help="lay out records and their sidecars in one way")
    fmt.add_argument("ids", nargs="*", metavar="ID", help="records (default: all, and the settings)")
    fmt.add_argument("--check", action="store_true", help="write nothing; a file with another layout is a problem")
    fmt.add_argument("--diff", action="store_true", help="write nothing; print what would change")
    fmt.set_defaults(command=_fmt)


def _fmt(options: argparse.Namespace) -> int:
    from . import formatting
    from .problems import Rejected
    from .report import WRITERS

    started = begin()
    project: Project = options.project
    records, found = formatting.layouts(project, options.ids)
    changed = [one for one in found if one.is_changed]
    is_for_programs = options.format in _FOR_PROGRAMS
    out = sys.stderr if is_for_programs else sys.stdout
    for one in changed if options.diff else ():
        print(one.diff(), end="", file=out)
    if options.check and changed:
        raise Rejected(one.problem() for one in changed)
    is_trial = options.check or options.diff
    for file in () if is_trial else formatting.write(project, changed):
        if not options.quiet:
            print(f"laid out  {file}", file=out)
    if is_for_programs:
        print(WRITERS[options.format]([]))
    if not options.quiet:
        told = f"{len(changed)} {'would be ' if is_trial else ''}laid out anew"
        counted = f"{records} record{'s' * (records != 1)}, {len(found)} file{'s' * (len(found) != 1)}"
        print(f"{counted}, {told} in {since(started)}", file=out)
    return DONE

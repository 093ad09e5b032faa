"""The commands on claims: bind and mutate. An edge: it prints."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .elapsed import begin, since
from .exits import CONTENT, DONE

if TYPE_CHECKING:
    from .binding import Binding
    from .project import Project


def add_commands(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser of all; nothing heavy is imported until one runs."""
    bind = commands.add_parser("bind", parents=[common], help="bind every number in prose to a field of its record")
    bind.add_argument("ids", nargs="*", metavar="ID", help="records (default: all)")
    bind.add_argument("--dry-run", action="store_true", help="write nothing, ask nothing")
    bind.add_argument("--json", action="store_true", help="print claims and questions as JSON; ask nothing")
    bind.add_argument("--keep", action="store_true", help="keep the fields of sentences whose words changed")
    bind.set_defaults(command=_bind)
    mutate = commands.add_parser("mutate", parents=[common], help="count how many slips of bound numbers are caught")
    mutate.add_argument("ids", nargs="*", metavar="ID", help="records (default: all)")
    mutate.add_argument("--sample", type=int, default=200, metavar="N", help="slips that go through the whole check")
    mutate.add_argument("--snapshots", metavar="DIR", help="source documents, laid out OWNER/REPO/REVISION/PATH")
    mutate.add_argument("--write", action="store_true", help="keep the counts in the locks, for the method page")
    mutate.add_argument("--json", action="store_true", help="print the outcome as JSON")
    mutate.set_defaults(command=_mutate)


def _bind(options: argparse.Namespace) -> int:
    from . import binding
    from .terminal import terminal

    started = begin()
    project: Project = options.project
    found = binding.bindings(project, options.ids)
    found = [binding.keep(b) for b in found] if options.keep else found
    asked = terminal() if not (options.dry_run or options.json) else None
    if asked:
        found = [binding.ask(project, b, asked) if b.questions else b for b in found]
    new = [b for b in found if binding.is_new(project, b)]
    for one in [] if options.dry_run else new:
        binding.write(project, one)
    if options.json:
        print(json.dumps([binding.as_plain(b) for b in found], ensure_ascii=False, indent=2))
    else:
        _say_bindings(found, [b.file for b in new], options)
        drafts = [draft for one in found for draft in one.drafts]
        still_open = sum(draft.why is not None for draft in drafts)
        told = f"{len(found)} record{'s' * (len(found) != 1)}, {len(drafts):,} numbers, {still_open} open"
        _say(options, f"{told} in {since(started)}")
    return CONTENT if any(b.questions for b in found) else DONE


def _say_bindings(found: Sequence[Binding], new: Sequence[str], options: argparse.Namespace) -> None:
    from . import binding
    from .report import entries, text

    for one in found:
        for problem, lines in binding.asked(one):
            print(text(entries(options.project, [problem])), file=sys.stderr)
            for line in lines:
                print(f"    {line}", file=sys.stderr)
        bound, asked = len(one.drafts), sum(d.why is not None for d in one.drafts)
        written = "would be written" if options.dry_run else "written"
        state = written if one.file in new else "unchanged"
        _say(options, f"{one.file}: {bound - asked} of {bound} numbers have a class, {asked} open; {state}")


def _mutate(options: argparse.Namespace) -> int:
    from . import binding, mutation

    started = begin()
    folder = Path(options.snapshots) if options.snapshots else None
    records = binding.bindings(options.project, options.ids)
    found = mutation.mutate(options.project, records, options.sample, folder)
    for record, outcome in zip(records, found, strict=True) if options.write else ():
        mutation.write(options.project, record, outcome)
    if options.json:
        print(json.dumps([o.as_plain() for o in found], ensure_ascii=False, indent=2))
    else:
        for line in mutation.table(found):
            print(line)
        for one in found:
            for told in [*one.survivors, *(f"the whole check disagrees: {d}" for d in one.disagreeing)]:
                print(f"{one.record}: {told}")
            if one.exempt:
                _say(
                    options, f"{one.record}: {len(one.exempt)} evidence lines exempt, a neighbour prints the same cell"
                )
            _say(options, f"{one.record}: {one.sampled} slips through the whole check, {len(one.disagreeing)} disagree")
        slips = sum(one.sampled for one in found)
        told = f"{len(found)} record{'s' * (len(found) != 1)}, {slips} slips through the whole check"
        _say(options, f"{told}; mutated in {since(started)}")
    return CONTENT if any(o.survivors or o.disagreeing for o in found) else DONE


def _say(options: argparse.Namespace, line: str) -> None:
    if not options.quiet:
        print(line)

"""The command that reads sources: verify. An edge: it prints, and it reads the clock."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import CONTENT, DONE, SURROUNDINGS
from .problems import Surroundings
from .source_cli import clone, online

_PLACES: Final = "--snapshots DIR, --clone OWNER/REPO=PATH and --online say where they are."

if TYPE_CHECKING:
    from .sources.obtain import Places
    from .sources.online import Online
    from .verifying import Verified


def add_commands(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    verify = commands.add_parser("verify", parents=[common], help="ask the pinned documents whether they still say so")
    verify.add_argument("ids", nargs="*", metavar="ID", help="records (default: all)")
    verify.add_argument(
        "--snapshots", metavar="DIR", help="documents, laid out OWNER/REPO/REVISION/PATH or by-hash/SHA256"
    )
    verify.add_argument(
        "--clone",
        action="append",
        default=[],
        type=clone,
        metavar="OWNER/REPO=PATH",
        help="a git clone on this disk (may be repeated)",
    )
    verify.add_argument("--online", action="store_true", help="fetch over https what is not at hand")
    verify.add_argument("--require-all", action="store_true", help="what could not be checked is an error")
    verify.add_argument("--report", action="store_true", help="print a Markdown table, for a pull request")
    verify.add_argument("--json", action="store_true", help="print the receipts as JSON")
    verify.set_defaults(command=_verify)


def _verify(options: argparse.Namespace) -> int:
    from . import verifying
    from .sources.kept import SourceCache

    started = begin()
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    with online(options, SourceCache(options.project.source_cache)) as network:
        found = verifying.run(options.project, options.ids, _places(options, network), today)
    if options.json:
        print(json.dumps([one.as_plain() for one in found], ensure_ascii=False, indent=2))
    elif options.report:
        print(verifying.report(found))
    else:
        _say(found, options)
        if not (options.snapshots or options.clone or options.online or options.quiet):
            print(f"No document was read: {_PLACES}", file=sys.stderr)
        if not options.quiet:
            counted = f"{len(found)} record{'s' * (len(found) != 1)}, {_total(one.counts() for one in found)}"
            print(f"{counted} in {since(started)}")
    if any(one.contradictions for one in found):
        return CONTENT
    if any(one.unreachable for one in found) or (options.require_all and any(one.unchecked for one in found)):
        return SURROUNDINGS
    return DONE


def _places(options: argparse.Namespace, network: Online | None) -> Places:
    from .sources.cloned import Clones
    from .sources.obtain import Places

    folder = Path(options.snapshots) if options.snapshots else None
    if folder is not None and not folder.is_dir():
        raise Surroundings(f"{options.snapshots} is no folder of snapshots.")
    return Places(folder, Clones.of(options.clone), network)


def _say(found: Sequence[Verified], options: argparse.Namespace) -> None:
    for one in found:
        for told in [*one.contradictions, *one.unreachable]:
            print(f"{one.record}: {told}", file=sys.stderr)
        for source in one.unchecked if options.verbose or options.require_all else ():
            print(f"{one.record}: {source} was not checked", file=sys.stderr)
        if not options.quiet:
            sources, values = one.counts()
            print(f"{one.file}: {_counted(sources)} of the sources; {_counted(values)} of the values")


def _total(counts: Iterable[tuple[Any, Any]]) -> str:
    both = list(counts)
    sources, values = (
        (sum(sum(part.values()) for part in parts) for parts in zip(*both, strict=True)) if both else (0, 0)
    )
    return f"{sources} source{'s' * (sources != 1)}, {values} value{'s' * (values != 1)}"


def _counted(counts: Any) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "none"

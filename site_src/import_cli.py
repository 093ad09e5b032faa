"""The command that reads result files: import. An edge: it prints, and it reads the clock."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .elapsed import begin, since
from .exits import DONE, USAGE
from .source_cli import clone

if TYPE_CHECKING:
    from .importing import Given, Outcome


def add_command(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    one = commands.add_parser("import", parents=[common], help="turn result files into measurements of a record")
    one.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a result file as its tool wrote it")
    one.add_argument("--from", dest="source_format", metavar="FORMAT", help="its format (default: recognised)")
    one.add_argument("--into", type=_id, metavar="ID", help="record, or new draft (default: named after the file)")
    one.add_argument(
        "--source-url",
        action="append",
        default=[],
        metavar="URL",
        help="its address at a commit; one for each FILE, or a folder that ends in / for all",
    )
    one.add_argument("--publisher", metavar="NAME", help="who published it, if the address does not tell")
    one.add_argument(
        "--metric", action="append", default=[], metavar="NAME", help="take this metric alone (repeatable)"
    )
    one.add_argument("--clone", action="append", default=[], type=clone, metavar="OWNER/REPO=PATH", help="a git clone")
    one.add_argument("--dry-run", action="store_true", help="print the record, write nothing")
    one.set_defaults(command=_import)


def _id(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", text):
        raise argparse.ArgumentTypeError(f"{text} cannot name a record: letters, digits, - and _")
    return text


def _import(options: argparse.Namespace) -> int:
    import datetime

    from . import importing
    from .sources.cloned import Clones

    started = begin()
    given = _given(options)
    if given is None:
        print("Give one --source-url for each FILE, or one that ends in / for all.", file=sys.stderr)
        return USAGE
    today = datetime.datetime.now(datetime.UTC).date()
    wish = importing.Wish(today, options.source_format, tuple(options.metric), Clones.of(options.clone))
    record_id = options.into or importing.record_id_of(options.files[0])
    outcome = importing.run(options.project, record_id, given, wish)
    for note in () if options.quiet else outcome.notes:
        print(note, file=sys.stderr)
    if options.dry_run:
        print(outcome.text, end="")
    elif outcome.is_changed:
        importing.write(options.project, outcome)
    if not options.quiet:
        # Not beside the record, where it is what is printed.
        out = sys.stderr if options.dry_run else sys.stdout
        print(_said(outcome, is_written=not options.dry_run), file=out)
        print(f"1 record, {_counted(outcome)} in {since(started)}", file=out)
    return DONE


def _given(options: argparse.Namespace) -> list[Given] | None:
    """Pair the files with their addresses; None where they do not pair."""
    from .importing import Given

    urls, files = options.source_url, options.files
    if len(urls) == 1 and urls[0].endswith("/"):
        urls = urls * len(files)
    if urls and len(urls) != len(files):
        return None
    return [Given(file, url, options.publisher) for file, url in zip(files, urls or [None] * len(files), strict=True)]


def _said(outcome: Outcome, *, is_written: bool) -> str:
    """Return what became of the record, and what to do next."""
    if not outcome.is_changed:
        return f"{outcome.file}: unchanged, it holds all of this already"
    what = "new draft" if outcome.is_new else "added to"
    next_step = "Review it in the preview; then bind, check and verify it." if is_written else "Nothing was written."
    return f"{outcome.file}: {what}. {next_step}"


def _counted(outcome: Outcome) -> str:
    """Return how much an import added."""
    names = {"sources": "source", "campaigns": "campaign", "reported_results": "result"}
    parts = [f"{n} {names[key]}{'s' * (n != 1)}" for key, n in outcome.added.items() if n]
    return ", ".join(parts) or "nothing added"

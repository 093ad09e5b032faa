"""The commands on sources: pin, and what it shares with verify. An edge: it prints, and it reads the clock."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .elapsed import begin, since
from .exits import CONTENT, DONE, SURROUNDINGS, USAGE

if TYPE_CHECKING:
    from .sources.kept import SourceCache
    from .sources.online import Online
    from .sources.pin import SourceEntry


def add_commands(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser of all; nothing heavy is imported until one runs."""
    pin = commands.add_parser("pin", parents=[common], help="turn a link into a source entry of a record")
    pin.add_argument("url", metavar="URL", help="a link as pasted, with its line; a SWHID or arXiv:ID, too")
    pin.add_argument(
        "--clone",
        action="append",
        default=[],
        type=clone,
        metavar="OWNER/REPO=PATH",
        help="read the repository from its clone on this disk (may be repeated)",
    )
    pin.add_argument("--online", action="store_true", help="fetch over https what no clone holds")
    pin.add_argument("--json", action="store_true", help="print JSON instead of YAML")
    pin.set_defaults(command=_pin, without_project=True)


def clone(text: str) -> tuple[str, Path]:
    """Read OWNER/REPO=PATH."""
    name, _, folder = text.partition("=")
    if not name.strip("/") or not folder:
        raise argparse.ArgumentTypeError(f"{text} is not OWNER/REPO=PATH")
    return name.strip("/"), Path(folder).expanduser()


@contextmanager
def online(options: argparse.Namespace, cache: SourceCache | None = None) -> Iterator[Online | None]:
    """Give the network if it is asked for; it shows on the terminal what it does, and keeps what it fetched."""
    if not options.online:
        yield None
        return
    from .sources.online import Online
    from .terminal import Fetching

    with closing(Fetching(is_quiet=options.quiet)) as shown:
        yield Online(cache=cache, progress=shown.hear)


def _pin(options: argparse.Namespace) -> int:
    from .sources.cloned import Clones
    from .sources.origin import Origin
    from .sources.pin import NoAddress, entry

    started = begin()
    try:
        with online(options) as network:
            origin = Origin(Clones.of(options.clone), network)
            found = entry(
                options.url,
                origin.obtain,
                read_on=date.today(),
                settle=origin.settle,
                changed_at=origin.changed_at,
            )
    except NoAddress as error:
        print(error, file=sys.stderr)
        return USAGE
    if options.json:
        print(json.dumps(_plain(found), ensure_ascii=False, indent=2))
    else:
        print(_yaml(found), end="")
    for note in found.notes if not (options.quiet and found.is_complete) else ():
        print(note, file=sys.stderr)
    if found.fault:
        print(found.fault, file=sys.stderr)
        return CONTENT
    if found.missing:
        print(f"The entry is not complete without {', '.join(found.missing)}.", file=sys.stderr)
        return SURROUNDINGS
    if not options.quiet:
        # Not beside the entry, which goes into a record.
        print(f"1 source, complete in {since(started)}", file=sys.stderr)
    return DONE


def _plain(found: SourceEntry) -> dict[str, Any]:
    return {
        "source": dict(found.fields),
        "evidence": dict(found.evidence) if found.evidence else None,
        "missing": list(found.missing),
        "notes": [*found.notes, *([found.fault] if found.fault else [])],
    }


def _yaml(found: SourceEntry) -> str:
    """Return the entry as it stands in a record, and the evidence of a value on the line of the link."""
    from .skeleton import scalar

    lines = [f"{key}: {scalar(value)}" for key, value in found.fields.items()]
    lines += [f"# {key}: not known yet" for key in found.missing]
    text = "sources:\n  - " + "\n    ".join(lines) + "\n"
    if found.evidence:
        held = ", ".join(f"{key}: {scalar(value)}" for key, value in found.evidence.items())
        text += f"# of a value on the line of the link\nevidence: {{{held}}}\n"
    return text

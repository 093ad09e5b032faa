"""The command that begins things: new. An edge: it asks, prints, reads the clock and writes files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import CONTENT, DONE, USAGE
from .problems import Surroundings
from .source_cli import clone, online

if TYPE_CHECKING:
    from .project import Project

_STARTER: Final = Path(__file__).parent / "starter"
# Folders that begin with a dot are kept without it, so that no packager drops them.
_DOTTED: Final = ("github", "gitignore", "gitlab-ci.yml", "vscode")


def add_command(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser of all; nothing heavy is imported until it runs."""
    new = commands.add_parser("new", help="begin a guide or a site")
    kinds = new.add_subparsers(required=True, metavar="KIND")
    guide = kinds.add_parser("guide", parents=[common], help="write a draft record with its sources, and its text")
    guide.add_argument("id", metavar="ID", help="name of the record: letters, digits and -")
    guide.add_argument("--title", help="title of the page (asked for if left out)")
    guide.add_argument("--source", action="append", default=[], metavar="URL", help="a pinned link (may be repeated)")
    guide.add_argument(
        "--clone",
        action="append",
        default=[],
        type=clone,
        metavar="OWNER/REPO=PATH",
        help="read the document from a clone on this disk (may be repeated)",
    )
    guide.add_argument("--online", action="store_true", help="fetch over https what no clone holds")
    guide.set_defaults(command=_guide)
    site = kinds.add_parser("site", parents=[common], help="write a folder with three example records and a workflow")
    site.add_argument("folder", metavar="DIR", help="a folder that is empty or not there yet")
    site.set_defaults(command=_site, without_project=True)


def _guide(options: argparse.Namespace) -> int:
    from . import skeleton

    started = begin()
    project: Project = options.project
    title = options.title or _asked("Title: ")
    links = options.source or list(_all_asked("Link to a source, at a commit (none: enter): "))
    fault = skeleton.fault_of_id(options.id)
    if fault or not (title or "").strip() or not links:
        print(fault or "A guide needs a title and a source: --title TITLE --source URL", file=sys.stderr)
        return USAGE
    sources, refused = _sources(options, links)
    if refused:
        print("\n".join(refused), file=sys.stderr)
        return CONTENT
    has_schema = (project.root / skeleton.SCHEMA_FILE).is_file()
    text = skeleton.guide(options.id, title, sources, date.today().isoformat(), has_schema=has_schema)
    record, body = (project.records / f"{options.id}{ending}" for ending in (".yml", ".md"))
    taken = [p for p in (record, body, record.with_suffix(".json"), record.with_suffix(".yaml")) if p.exists()]
    if taken:
        raise Surroundings(f"{project.name(taken[0])} is there already. Nothing was written.")
    record.write_text(text, "utf-8")
    body.write_text(skeleton.body(), "utf-8")
    if not options.quiet:
        print(f"{project.name(record)} and {project.name(body)} are written, as a draft. See it with preview.")
        counted = f"1 record, {len(sources)} source{'s' * (len(sources) != 1)}, 2 files"
        print(f"{counted} in {since(started)}")
    return DONE


def _asked(question: str) -> str:
    """Ask a person; "" where none sits there."""
    return input(question).strip() if sys.stdin.isatty() and sys.stdout.isatty() else ""


def _all_asked(question: str) -> Iterator[str]:
    while answer := _asked(question):
        yield answer


def _sources(options: argparse.Namespace, links: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a source entry for each link, or why there is none. A hash nobody could compute stands as zeros."""
    from .rules import UNREAD
    from .sources.cloned import Clones
    from .sources.origin import Origin
    from .sources.pin import NoAddress, entry

    found, refused = list[dict[str, Any]](), list[str]()
    with online(options) as network:
        origin = Origin(Clones.of(options.clone), network)
        for link in links:
            try:
                pinned = entry(link, origin.obtain, read_on=date.today(), settle=origin.settle)
            except NoAddress as error:
                refused.append(str(error))
                continue
            lacking = [key for key in pinned.missing if key not in {"document_sha256", "last_commit_at"}]
            if lacking or pinned.fault:
                refused += [f"{link}: no {', '.join(lacking)}"] * bool(lacking) + [*pinned.notes, pinned.fault]
            fields = {**pinned.fields, "document_sha256": pinned.fields.get("document_sha256", UNREAD)}
            taken = {f["document_id"] for f in found}
            if fields.get("document_id") in taken:
                fields["document_id"] = f"{fields['document_id']}-{len(found) + 1}"
            found.append(fields)
    return found, [line for line in refused if line]


def _site(options: argparse.Namespace) -> int:
    from . import skeleton

    started = begin()
    folder = Path(options.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Surroundings(f"{folder} is there already and not empty. Nothing was written.")
    paths = sorted(p for p in _STARTER.rglob("*") if p.is_file())
    starter = {_named(p.relative_to(_STARTER)): p.read_bytes() for p in paths}
    try:
        files = skeleton.site(starter)
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    except OSError as error:
        raise Surroundings(f"{error.filename}: {error.strerror}") from error
    if not options.quiet:
        print(f"{folder} holds a site with three invented examples. See it: pinpress preview --open --project {folder}")
        print(f"{len(files)} files in {since(started)}")
    return DONE


def _named(path: Path) -> str:
    first, *rest = path.parts
    return "/".join([f".{first}" if first in _DOTTED else first, *rest])

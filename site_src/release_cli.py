"""The commands of a release: archive, attest, verify-site and diff. An edge: it prints."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .elapsed import begin, since
from .exits import DONE

if TYPE_CHECKING:
    from .pipeline import Options
    from .project import Project

_FOR_PROGRAMS: Final = ("json", "sarif")


def add_commands(commands: Any, common: argparse.ArgumentParser, drawing: argparse.ArgumentParser) -> None:
    """Add the commands to the parser of all; nothing heavy is imported until one runs."""
    archive = commands.add_parser("archive", parents=[common], help="pack the site into one archive, always alike")
    archive.add_argument("--site", metavar="DIR", help="folder of the site (default: PROJECT/_site)")
    archive.add_argument("--out", metavar="FILE", help=".tar.zst or .tar.gz (default: PROJECT/dist/site.tar.zst)")
    archive.set_defaults(command=_archive)
    built = argparse.ArgumentParser(add_help=False)
    built.add_argument("--offline", action="store_true", help="the site was built with --offline")
    built.add_argument("--drafts", action="store_true", help="the site was built with --drafts")
    attest = commands.add_parser(
        "attest", parents=[common, drawing, built], help="build again and state what the site was made from"
    )
    attest.add_argument("--site", metavar="DIR", help="folder of the site (default: PROJECT/_site)")
    attest.add_argument("--out", metavar="FILE", help="statement (default: PROJECT/dist/site.intoto.json)")
    attest.set_defaults(command=_attest)
    verify = commands.add_parser(
        "verify-site",
        parents=[common, drawing, built],
        help="check a published site against its manifest, and with --project by building it again",
    )
    verify.add_argument("site", metavar="DIR|ARCHIVE", help="folder or archive of a site")
    verify.set_defaults(command=_verify, without_project=True)
    diff = commands.add_parser("diff", parents=[common], help="tell what changed for readers between two sites")
    diff.add_argument("old", metavar="OLD", help="folder, archive or manifest of a site")
    diff.add_argument("new", metavar="NEW", help="another one")
    diff.set_defaults(command=_diff, without_project=True)


def _archive(options: argparse.Namespace) -> int:
    from .clashes import MANIFEST
    from .release.comparing import refuse_differences
    from .release.packing import add_sum, ending_of, pack, placed
    from .release.reading import files_of_folder, read

    started = begin()
    folder = _site_folder(options)
    out = Path(options.out) if options.out else options.project.root / "dist" / "site.tar.zst"
    ending, site = ending_of(out), read(folder)
    refuse_differences(site)
    with placed(out) as file:
        pack(_unchanged(files_of_folder(folder, site.name), {**site.files, MANIFEST: None}), file, ending)
    beside = add_sum(out)
    size = out.stat().st_size
    counted = f"{len(site.files) + 1} files, {size:,} bytes in {since(started)}"
    _done(options, f"{counted}: {out}, with its SHA-256 in {beside.name}")
    return DONE


def _unchanged(files: Iterator[tuple[str, bytes]], known: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield files as they were when they were checked. Raises Surroundings where somebody wrote meanwhile."""
    from .problems import Surroundings
    from .release.reading import stamp

    for path, data in files:
        if path not in known or known[path] not in {None, stamp(data)}:
            raise Surroundings(f"{path} changed while the site was packed. No archive was written; try again.")
        yield path, data


def _attest(options: argparse.Namespace) -> int:
    from .release.attestation import SOURCES, statement
    from .release.packing import add_sum, put

    started = begin()
    project: Project = options.project
    folder = _site_folder(options)
    out = Path(options.out) if options.out else project.root / "dist" / "site.intoto.json"
    site = _reproduced(folder, project, options)
    sources = (folder / SOURCES).read_bytes()
    put(out, statement(site.listing, sources, {"offline": options.offline, "drafts": options.drafts}))
    add_sum(out)
    counted = (
        f"{len(site.listing.outputs)} files, built again with the same bytes from {len(site.listing.inputs)} inputs"
    )
    _done(options, f"{counted} in {since(started)}: {out}")
    return DONE


def _verify(options: argparse.Namespace) -> int:
    from .project import open_project
    from .release.comparing import refuse_differences
    from .release.reading import folder_of, read

    started = begin()
    where = folder_of(Path(options.site))
    if options.project is None:
        site = read(where)
        refuse_differences(site)
        told = "as its manifest lists them"
    else:
        options.project = open_project(options.project)
        site = _reproduced(where, options.project, options)
        told = f"as its manifest lists them and as {options.project.root} gives them"
    _done(options, f"{len(site.files)} files {told}, in {since(started)}: {where}")
    return DONE


def _reproduced(where: Path, project: Project, options: argparse.Namespace) -> Any:
    """Return a site that fits its manifest and that its project gives byte for byte. Raises Rejected."""
    from .release.comparing import refuse_differences
    from .release.reading import read
    from .release.rebuilding import rebuilt, refuse_other

    site = read(where)
    refuse_differences(site)
    with _drawing_apart(), rebuilt(project, _wish(options)) as again:
        refuse_other(site, again, where)
    return site


def _wish(options: argparse.Namespace) -> Options:
    from .pipeline import Options

    return Options(options.strict, options.jobs, options.offline, options.drafts)


@contextmanager
def _drawing_apart() -> Iterator[None]:
    """Keep matplotlib's own cache out of the project and of the home folder."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("MPLCONFIGDIR", folder)
        yield


def _diff(options: argparse.Namespace) -> int:
    from .release import changed_text, changes

    started = begin()
    found = changes.changes(Path(options.old), Path(options.new))
    if options.format == "json":
        print(changed_text.as_json(found))
    else:
        out = sys.stderr if options.format in _FOR_PROGRAMS else sys.stdout
        for line in changed_text.lines(found):
            print(line, file=out)
        if options.format in _FOR_PROGRAMS:
            _say_nothing_amiss(options)
    _say(options, f"{changed_text.summary(found)} in {since(started)}")
    return DONE


def _site_folder(options: argparse.Namespace) -> Path:
    from .problems import Surroundings

    project: Project = options.project
    folder = Path(options.site) if options.site else project.default_out
    if not folder.is_dir():
        raise Surroundings(f"{folder} is no folder. Build the site first, or name it with --site DIR.")
    return folder


def _done(options: argparse.Namespace, line: str) -> None:
    """Print the summary of a command that found nothing amiss, with the empty report that a program reads."""
    if options.format in _FOR_PROGRAMS:
        _say_nothing_amiss(options)
    _say(options, line)


def _say_nothing_amiss(options: argparse.Namespace) -> None:
    from .report import WRITERS

    print(WRITERS[options.format]([]))


def _say(options: argparse.Namespace, line: str) -> None:
    if not options.quiet:
        print(line, file=sys.stderr if options.format in _FOR_PROGRAMS else sys.stdout)

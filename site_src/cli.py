"""The commands and exit codes; the only place that turns exceptions into words.

0 done · 2 usage · 3 content · 4 surroundings · 130 Ctrl-C. A traceback with Python's own 1 is a bug of pinpress.
Nothing heavy is imported until a command runs, so that --help answers at once.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from . import (
    anchors_cli,
    claim_cli,
    doctor_cli,
    export_cli,
    fmt_cli,
    hosting_cli,
    import_cli,
    new_cli,
    release_cli,
    source_cli,
    verify_cli,
)
from .elapsed import begin, since
from .exits import CONTENT, DONE, INTERRUPTED, SURROUNDINGS, USAGE

if TYPE_CHECKING:
    from .pipeline import Summary
    from .problems import Rejected
    from .project import Project

__all__ = ["CONTENT", "DONE", "INTERRUPTED", "SURROUNDINGS", "USAGE", "main"]
_FORMATS: Final = ("text", "json", "sarif", "github")
_FOR_PROGRAMS: Final = ("json", "sarif")
_SETUP: Final = (
    "pinpress needs its locked packages, and {} is missing. Run `make setup`, then .venv/bin/python build.py"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A report quotes records in any script; an encoding that lacks a character must not end it.
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return _guarded(command, options)
    except KeyboardInterrupt as stop:
        print(f"Stopped. {str(stop) or options.stopped}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _guarded(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    try:
        from .problems import Rejected, Surroundings
        from .project import open_project

        try:
            if not options.without_project:
                options.project = open_project(options.project)
                _prepare(options.project)
            return command(options)
        except Rejected as rejected:
            return _report(options.project, rejected, options)
        except Surroundings as failure:
            print(failure, file=sys.stderr)
            return SURROUNDINGS
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        print(f"{error.filename}: {error.strerror}. Run the command again when that is mended.", file=sys.stderr)
        return SURROUNDINGS
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("site_src"):
            raise
        print(_SETUP.format(error.name), file=sys.stderr)
        return SURROUNDINGS


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.set_defaults(without_project=False, stopped="The last site is as it was.")
    common.add_argument(
        "--project", metavar="DIR", help="folder that holds records/ (default: here, else the checkout)"
    )
    common.add_argument("--strict", action="store_true", help="findings nobody acknowledged are problems")
    common.add_argument("--format", choices=_FORMATS, default="text", help="how problems are written")
    common.add_argument("-v", "--verbose", action="store_true", help="list the findings")
    common.add_argument("-q", "--quiet", action="store_true", help="say nothing but problems")
    drawing = argparse.ArgumentParser(add_help=False)
    drawing.add_argument(
        "--jobs", type=_jobs, default=0, metavar="N", help="figures drawn at once (default: one a core)"
    )

    parser = argparse.ArgumentParser(
        prog="pinpress",
        description="Explainer records in, a site out on which every number leads to its source line.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    build = commands.add_parser("build", parents=[common, drawing], help="write the site")
    build.add_argument("--out", metavar="DIR", help="folder of the site (default: PROJECT/_site)")
    build.add_argument("--offline", action="store_true", help="links that work in a folder opened from disk")
    build.add_argument("--drafts", action="store_true", help="publish records marked as drafts, too")
    build.add_argument("--explain", action="store_true", help="tell for each figure why it was drawn or reused")
    build.set_defaults(command=_build)
    check = commands.add_parser("check", parents=[common], help="check the records; write nothing")
    check.set_defaults(command=_check)
    preview = commands.add_parser("preview", parents=[common, drawing], help="serve the site and rebuild on change")
    preview.add_argument("--host", default="127.0.0.1", help="address to serve on (default: 127.0.0.1)")
    preview.add_argument("--port", type=int, default=8000, help="port (default: 8000; 0: any free one)")
    preview.add_argument("--open", action="store_true", help="open the browser")
    preview.add_argument("--follow", action="store_true", help="open pages go to the guide that changed")
    preview.add_argument("--explain", action="store_true", help="list the files that each rebuild changed")
    preview.set_defaults(command=_preview)
    figures = commands.add_parser("figures", parents=[common, drawing], help="draw the figures only; list their hashes")
    figures.add_argument("--accept", action="store_true", help="write the hashes into records and figures sidecars")
    figures.set_defaults(command=_figures)
    claim_cli.add_commands(commands, common)
    verify_cli.add_commands(commands, common)
    for edge in (fmt_cli, anchors_cli, hosting_cli, export_cli, import_cli):
        edge.add_command(commands, common)
    source_cli.add_commands(commands, common)
    new_cli.add_command(commands, common)
    release_cli.add_commands(commands, common, drawing)
    doctor_cli.add_commands(commands, common, _parser)
    schema = commands.add_parser("schema", parents=[common], help="print the JSON Schema of a record")
    schema.set_defaults(command=_schema, without_project=True)
    return parser


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes from 1 to 256")
    return int(text)


def _report(project: Project, rejected: Rejected, options: argparse.Namespace) -> int:
    """Print the problems: on stderr for a person, on stdout for a program."""
    from . import report

    problems = rejected.problems
    found = report.entries(project, problems, rejected.texts)
    written = report.WRITERS[options.format](found)
    if options.format != "text":
        print(written)
        return CONTENT
    files = len({p.file for p in problems})
    print(written, file=sys.stderr)
    n = len(problems)
    counted = f"{n} problem{'s' * (n != 1)} in {files} file{'s' * (files != 1)}"
    print(f"{counted}. Nothing was written; the last site is as it was.", file=sys.stderr)
    return CONTENT


def _build(options: argparse.Namespace) -> int:
    from .options import Options
    from .quick import build
    from .terminal import Making

    started = begin()
    project: Project = options.project
    out = Path(options.out) if options.out else project.default_out
    with closing(Making(is_quiet=options.quiet)) as shown:
        wish = Options(options.strict, options.jobs, options.offline, options.drafts, progress=shown.hear)
        summary = build(project, out, wish)
    options.stopped = "The site is in its place."
    _say_findings(summary, options)
    for note in summary.notes:
        _say(options, note)
    if options.explain and not options.quiet:
        _explain(summary)
    drawn, reused = len(summary.drawn), len(summary.reused)
    figures = f"{drawn + reused} figures ({drawn} drawn, {reused} reused)"
    _say_nothing_amiss(options)
    _say(options, f"{_counts(summary)}, {summary.pages} pages, {figures} in {since(started)}: {out}")
    return DONE


def _check(options: argparse.Namespace) -> int:
    from .pipeline import check_project

    started = begin()
    summary = check_project(options.project, strict=options.strict)
    _say_findings(summary, options)
    _say_nothing_amiss(options)
    _say(options, f"{_counts(summary)} checked in {since(started)}")
    return DONE


def _preview(options: argparse.Namespace) -> int:
    from .preview import serve

    return serve(
        options.project,
        options.host,
        options.port,
        open_browser=options.open,
        follow=options.follow,
        jobs=options.jobs,
        explain=options.explain,
    )


def _figures(options: argparse.Namespace) -> int:
    import hashlib

    from . import assets, image_hashes
    from .check import check
    from .load import load
    from .pipeline import draw
    from .terminal import Drawing

    started = begin()
    project: Project = options.project
    checked = check(load(project), assets.own_names(project))
    with closing(Drawing(is_quiet=options.quiet)) as shown:
        drawings = draw(project, checked, None, options.jobs, progress=shown.hear)
    if options.accept:
        for file in [f for e in checked.explainers for f in image_hashes.accept(project, e, drawings.figures)]:
            _say(options, f"accepted  {file}")
    for (record_id, name), drawn in sorted(drawings.figures.items()):
        _say(options, f"{hashlib.sha256(drawn.webp).hexdigest()}  {record_id}  {name}")
    if not options.quiet:
        # Not among the hashes, which programs read.
        n = len(checked.explainers)
        counted = f"{n} record{'s' * (n != 1)}, {len(drawings.figures)} figures drawn"
        print(f"{counted} in {since(started)}", file=sys.stderr)
    return DONE


def _schema(options: argparse.Namespace) -> int:
    from .schema import record_schema

    print(record_schema(), end="")
    return DONE


def _prepare(project: Project) -> None:
    """Keep matplotlib's own cache inside the project's; it would otherwise write into the home folder."""
    os.environ.setdefault("MPLCONFIGDIR", str(project.cache / "matplotlib"))


def _say(options: argparse.Namespace, line: str) -> None:
    """Print a line for a person, beside what a program reads where it reads the output."""
    if not options.quiet:
        print(line, file=sys.stderr if options.format in _FOR_PROGRAMS else sys.stdout)


def _say_nothing_amiss(options: argparse.Namespace) -> None:
    """Print the report of no problem, where a program reads the output."""
    if options.format in _FOR_PROGRAMS:
        from .report import WRITERS

        print(WRITERS[options.format]([]))


def _say_findings(summary: Summary, options: argparse.Namespace) -> None:
    if not options.verbose or not summary.findings:
        return
    from .report import findings_text

    _say(options, findings_text(summary.findings))


def _counts(summary: Summary) -> str:
    known = sum(f.reason is not None for f in summary.findings)
    findings = f"{len(summary.findings)} finding{'s' * (len(summary.findings) != 1)}"
    acknowledged = f" ({known} acknowledged)" if known else ""
    return f"{summary.records} record{'s' * (summary.records != 1)}, {findings}{acknowledged}"


def _explain(summary: Summary) -> None:
    for name, reason in summary.anew.items():
        print(f"made    {name}: {reason}")
    for name in summary.drawn:
        print(f"drawn   {name}: no figure with these values, style, fonts and library versions is in .cache/")
    for name in summary.reused:
        print(f"reused  {name}: its values, style, fonts and library versions are unchanged")

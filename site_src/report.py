"""Problems and findings → words for a person, or the same values as JSON, SARIF or GitHub annotations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from . import locate
from .load import read_text
from .problems import Finding, Problem
from .project import Project

FORMATS: Final = ("text", "json", "sarif", "github")
_SARIF: Final = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True)
class Entry:
    """A problem with its place, ready to print."""

    problem: Problem
    place: locate.Place | None


def entries(
    project: Project, problems: Iterable[Problem], known: Mapping[str, str | None] | None = None
) -> list[Entry]:
    """Find the place of each problem in its file, each file read once; sorted by file and place.

    `known` holds the texts of files that do not lie in the project.
    """
    texts: dict[str, str | None] = dict(known or {})
    found = []
    for problem in problems:
        if problem.file not in texts:
            texts[problem.file] = read_text(project, problem.file) if problem.file else None
        text = texts[problem.file]
        found.append(Entry(problem, _place(text, problem) if text is not None else None))
    return sorted(
        found,
        key=lambda e: (e.problem.file, e.place.line if e.place else 0, e.place.column if e.place else 0),
    )


def _place(text: str, problem: Problem) -> locate.Place:
    kind = "json" if Path(problem.file).suffix == ".json" else "yaml"
    return locate.place(text, locate.offset_of(text, kind, problem.pointer, problem.offset))


def text(found: list[Entry]) -> str:
    """Return the report for a terminal: place, fact and code; the excerpt; pointer and remedy."""
    return "\n".join(_entry_text(e) for e in found)


def _entry_text(entry: Entry) -> str:
    problem, place = entry.problem, entry.place
    file, message, remedy = map(locate.printable, (problem.file, problem.message, problem.remedy))
    where = f"{file}:{place.line}:{place.column}" if place else file or "site"
    lines = [f"{where}  {message}  [{problem.code}]"]
    if place and place.excerpt.strip():
        lines += [f"  {place.excerpt}", f"  {place.caret}"]
    pointer = f"{locate.printable(problem.pointer)} · " if problem.pointer else ""
    return "\n".join([*lines, f"  {pointer}{remedy}"])


def as_json(found: list[Entry]) -> str:
    """Return a JSON list with one object per problem, in ASCII: it reads the same in every terminal's encoding."""
    return json.dumps([_values(e) for e in found], indent=1)


def _values(entry: Entry) -> dict[str, Any]:
    problem, place = entry.problem, entry.place
    return {
        "code": problem.code,
        "file": problem.file,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "pointer": problem.pointer,
        "message": problem.message,
        "remedy": problem.remedy,
        "excerpt": place.excerpt if place else None,
    }


def sarif(found: list[Entry]) -> str:
    """Return a SARIF 2.1.0 log, in ASCII as well."""
    rules = [{"id": code} for code in sorted({e.problem.code for e in found})]
    driver = {"name": "pinpress", "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_sarif_result(e) for e in found]}
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=1)


def _sarif_result(entry: Entry) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(entry.problem.file) or "."}}
    if entry.place:
        location["region"] = {"startLine": entry.place.line, "startColumn": entry.place.column}
    return {
        "ruleId": entry.problem.code,
        "level": "error",
        "message": {"text": f"{entry.problem.message}. {entry.problem.remedy}"},
        "locations": [{"physicalLocation": location}],
        "properties": {"pointer": entry.problem.pointer},
    }


def github(found: list[Entry]) -> str:
    """Return workflow commands that GitHub shows beside the lines of a pull request."""
    return "\n".join(_github_line(e) for e in found)


def _github_line(entry: Entry) -> str:
    problem, place = entry.problem, entry.place
    where = f",line={place.line},col={place.column}" if place else ""
    file = _escaped(problem.file).replace(",", "%2C").replace(":", "%3A")
    return f"::error file={file}{where},title={problem.code}::{_escaped(f'{problem.message}. {problem.remedy}')}"


def _escaped(words: str) -> str:
    """Return words for a workflow command: its own marks encoded, and what no page shows as in a terminal."""
    lines = re.split("\r\n|[\r\n]", words)
    return "%0A".join(locate.printable(line).replace("%", "%25") for line in lines)


WRITERS: Final[dict[str, Callable[[list[Entry]], str]]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
    "github": github,
}


def findings_text(found: Iterable[Finding]) -> str:
    """Return findings for a terminal: one line per code and file, with how many and how many are acknowledged."""
    counts: dict[tuple[str, str], list[int]] = {}
    for finding in found:
        tally = counts.setdefault((finding.file, finding.code), [0, 0])
        tally[0] += 1
        tally[1] += finding.reason is not None
    lines = []
    for (file, code), (n, known) in sorted(counts.items()):
        lines.append(f"{locate.printable(file)}  {code}: {n}" + (f", {known} acknowledged" if known else ""))
    return "\n".join(lines)

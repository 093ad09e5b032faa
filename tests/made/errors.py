"""The registry of codes and the cases of the tests → docs/errors.md: cause, example and remedy of every code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from site_src.codes import FINDINGS, PROBLEMS
from site_src.project import RESOURCES
from tests.made import findings
from tests.made.reports import Entry, entries

PAGE: Final = RESOURCES / "docs" / "errors.md"
REJECTS: Final = RESOURCES / "tests" / "rejects"
_RECORDS: Final = RESOURCES / "docs" / "records.md"
_INTRO: Final = """\
# Every code of a problem or finding

Made from the code and from the cases in `tests/`; `make golden` writes it anew. Each example is what `check` or
`build` prints: place, fact and code, the part of the file at fault, then where it is in the record and what to do.

- [Problems](#problems) stop a page from being published.
- [Findings](#findings) are defects of the evidence, printed on the page. They stop a strict build unless
  [an entry accepts them](records.md#the-audit-sidecar).
"""
# What a longer remedy is about: a name, a number, an address. Two that differ in it alone are one.
_VARIES: Final = re.compile(r"[0-9a-f]{12,}|\d+|“[^”]*”|'[^']*'|https?://\S+|\S+[./]\S+")
_DRAWN: Final = re.compile(r"(?<=, )[0-9a-f]{64}(?=  \[)")
_MOST_REMEDIES: Final = 6


def problems() -> dict[str, list[Entry]]:
    """Return the problems that the cases show, by code; the case named after the code alone comes first."""
    found: dict[str, list[Entry]] = {}
    for case in sorted(REJECTS.glob("[a-z]*"), key=lambda p: p.name):
        code = case.name.partition("--")[0]
        told = [e for e in entries((case / "report.txt").read_text("utf-8")) if e.code == code]
        found.setdefault(code, []).extend(told)
    return found


def causes() -> dict[str, str]:
    """Return what each finding is found for, as the record format tells it."""
    chapter = _RECORDS.read_text("utf-8").partition("## Findings\n")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", chapter, re.M)
    return {code: f"{text}.".replace("](#", "](records.md#") for code, text in told}


def missing(codes: Iterable[str], shown: Mapping[str, Sequence[Entry]], caused: Mapping[str, str]) -> list[str]:
    """Return the codes that no example shows, or whose cause nobody tells."""
    return [code for code in codes if not shown.get(code) or not caused.get(code)]


def section(code: str, cause: str, shown: Sequence[Entry]) -> str:
    """Return the part of one code."""
    first = shown[0]
    report = "\n".join([_DRAWN.sub("HASH", first.lines[0]), *first.lines[1:]])
    others = list(_others(shown))
    listed = "\n".join(f"- {remedy}" for remedy in others)
    more = f"\nIn other cases:\n\n{listed}\n" if others else ""
    fence = "````" if "```" in report else "```"
    return f"### {code}\n\n{cause}\n\n{fence}text\n{report}\n{fence}\n\n**Remedy.** {_prose(first.remedy)}\n{more}"


def _others(shown: Sequence[Entry]) -> Iterator[str]:
    seen = {_VARIES.sub("#", shown[0].remedy)}
    for entry in shown[1:]:
        kind = _VARIES.sub("#", entry.remedy)
        if kind not in seen and len(seen) < _MOST_REMEDIES:
            seen.add(kind)
            yield _prose(entry.remedy)


def _prose(text: str) -> str:
    """Keep what Markdown would take for markup as it is."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text)


def page() -> str:
    """Return the text of docs/errors.md."""
    of_problems = _chapter("Problems", PROBLEMS, PROBLEMS, problems())
    return f"{_INTRO}\n{of_problems}\n{_chapter('Findings', FINDINGS, causes(), findings.samples())}"


def _chapter(title: str, codes: Iterable[str], told: Mapping[str, str], shown: Mapping[str, Sequence[Entry]]) -> str:
    lacking = missing(codes, shown, told)
    assert not lacking, f"no example or no cause of {lacking}: add a case in tests/, or a row in docs/records.md"
    return "\n".join([f"## {title}\n", *(section(code, told[code], shown[code]) for code in codes)])

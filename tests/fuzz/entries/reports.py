"""Reports: problems whose every text is hostile → text that shows it, JSON that keeps it, one line for GitHub."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from site_src import report
from site_src.codes import PROBLEMS
from site_src.load import normal_lines
from site_src.problems import AT_KEY, Finding, Problem, Rejected
from tests.fuzz.target import NOWHERE, of_cases, told

TEXT = st.text(min_size=1, max_size=20)
CONTENTS = st.one_of(st.text(max_size=80), st.sampled_from(['{"a": [1, "\\u202ex"]}', "a:\n  - b: |\n      x\n"]))
OFFSETS = st.one_of(st.none(), st.just(AT_KEY), st.integers(0, 200))
CODES = st.sampled_from(sorted(PROBLEMS))
FILE = "records/a.md"


def _holds(case: tuple[str, list[tuple[int | None, str, str, str]]]) -> None:
    content, drawn = case
    problems = [Problem(FILE, "", *one) for one in drawn]
    told(Rejected(problems).problems, FILE, content.encode("utf-8", "replace"))
    others = [Problem(message, f"/{remedy}", None, code, message, remedy) for _, code, message, remedy in drawn]
    found = report.entries(NOWHERE, others, {p.file: None for p in others})
    assert all(c == "\n" or c.isprintable() for c in report.text(found))
    told_in_json = [(p["file"], p["message"], p["remedy"]) for p in json.loads(report.as_json(found))]
    assert sorted(told_in_json) == sorted((p.file, p.message, p.remedy) for p in others)
    assert len(report.github(found).splitlines()) == len(others)
    findings = [Finding(p.file, p.pointer, p.code, p.message, p.remedy) for p in others]
    assert all(c == "\n" or c.isprintable() for c in report.findings_text(findings))
    normal_lines(content)


TARGET = of_cases(st.tuples(CONTENTS, st.lists(st.tuples(OFFSETS, CODES, TEXT, TEXT), min_size=1, max_size=4)), _holds)

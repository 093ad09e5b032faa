"""Every folder of `tests/rejects/` is a small project that breaks one rule, beside the report a person gets for it.

A folder is named CODE or CODE--WHAT; `report.txt` is what the command prints on stderr; a file `command` holds
"build" where only a build finds the problem, or the whole command, `import …` or `export …`; a file `grow` names one
that is filled up with blanks to so many bytes. Folders with a leading underscore are no cases: `_sound/` is a project
without a problem, `_outside/` is what links out of a project lead to.

`GOLDEN=1 python -m pytest tests/test_rejects.py` rewrites every report.txt; the difference is then reviewed like code.
Without GOLDEN nothing is ever written into the checkout.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import pytest

from site_src import codes
from site_src.cli import CONTENT, DONE, main
from site_src.codes import FINDINGS, PROBLEMS
from site_src.problems import AT_KEY, Problem, Rejected

HERE: Final = Path(__file__).resolve().parent / "rejects"
SOURCE: Final = HERE.parent.parent / "site_src"
REWRITE: Final = os.environ.get("GOLDEN") == "1"
CASES: Final = sorted(p.name for p in HERE.iterdir() if p.is_dir() and not p.name.startswith("_"))
FORMATS_CASE: Final = "wrong-type--formats"
_CODE_IN_REPORT: Final = re.compile(r"  \[([a-z0-9-]+)\]$", re.M)
_CODE: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def code_of(case: str) -> str:
    return case.partition("--")[0]


def command_of(case: str) -> str:
    file = HERE / case / "command"
    return file.read_text().strip() if file.exists() else "check"


def words_of(case: str, project: Path) -> list[str]:
    """Return the command of a case; files that it names lie in the project."""
    return [str(project / word) if (project / word).is_file() else word for word in command_of(case).split()]


def copied(case: str, into: Path) -> Path:
    """Copy a case, links as links, with what they lead to beside it."""
    shutil.copytree(HERE / "_outside", into / "_outside")
    ignored = shutil.ignore_patterns("report.txt", "command", "grow")
    project = Path(shutil.copytree(HERE / case, into / case, symlinks=True, ignore=ignored))
    if (HERE / case / "grow").exists():
        name, size = (HERE / case / "grow").read_text().split()
        (project / name).write_text((project / name).read_text().ljust(int(size)))
    return project


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project without a problem, built: its `_site` is the last good site, its `.cache` spares drawing again."""
    root = Path(shutil.copytree(HERE / "_sound", tmp_path_factory.mktemp("sound") / "project"))
    assert main(["build", "--jobs", "1", "--quiet", "--project", str(root)]) == DONE
    assert (root / "_site" / "index.html").is_file()
    return root


@pytest.mark.parametrize("case", CASES)
def test_is_refused_with_its_report(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], sound: Path) -> None:
    project = copied(case, tmp_path)
    shutil.copytree(sound / ".cache", project / ".cache")
    command = command_of(case)

    assert main([*words_of(case, project), "--project", str(project), *_one_job(command)]) == CONTENT

    said = capsys.readouterr()
    if REWRITE:
        (HERE / case / "report.txt").write_text(said.err, "utf-8")
    assert said.err == (HERE / case / "report.txt").read_text("utf-8")
    assert said.out == ""
    told = set(_CODE_IN_REPORT.findall(said.err))
    assert code_of(case) in told
    assert told <= set(PROBLEMS)
    assert "Traceback" not in said.err
    assert str(tmp_path) not in said.err, "a report must read the same on every machine"
    assert not (project / "_site").exists()


@pytest.mark.parametrize(
    "case", [c for c in CASES if not command_of(c).startswith(("anchors", "export", "import", "fmt", "verify-site"))]
)
def test_build_leaves_the_last_good_site(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], sound: Path
) -> None:
    project = copied(case, tmp_path)
    for folder in ("_site", ".cache"):
        shutil.copytree(sound / folder, project / folder)

    assert main(["build", "--project", str(project), *_one_job("build")]) == CONTENT

    assert capsys.readouterr().err == (HERE / case / "report.txt").read_text("utf-8")
    assert tree(project / "_site") == tree(sound / "_site")
    assert not list(project.glob("._site.staging-*"))


def _one_job(command: str) -> list[str]:
    return ["--jobs", "1"] if command == "build" else []


def test_every_code_has_a_case_and_every_case_a_code() -> None:
    assert {code_of(case) for case in CASES} == set(PROBLEMS)


@pytest.mark.parametrize("case", [c for c in CASES if command_of(c) == "build"])
def test_check_alone_does_not_find_what_needs_a_build(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--project", str(copied(case, tmp_path))]) == DONE
    assert capsys.readouterr().err == ""


def test_what_cannot_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe would block the build; what this user may not read is no bug of ours. Neither can lie in a repository."""
    records = tmp_path / "records"
    records.mkdir()
    os.mkfifo(records / "pipe.json")
    shut = records / "shut.json"
    shut.write_text("{}")
    shut.chmod(0)
    assert main(["check", "--project", str(tmp_path)]) == CONTENT
    said = capsys.readouterr().err
    assert "records/pipe.json  this is no regular file  [unreadable-file]" in said
    assert os.geteuid() == 0 or "records/shut.json  the file cannot be read: Permission denied" in said


# --- the machine formats


class Told(NamedTuple):
    """What every format says of one problem."""

    code: str
    file: str
    line: int
    column: int
    words: str


def test_every_format_tells_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = copied(FORMATS_CASE, tmp_path)
    told = {}
    for name, read in (("text", _from_text), ("json", _from_json), ("sarif", _from_sarif), ("github", _from_github)):
        assert main(["check", "--project", str(project), "--format", name]) == CONTENT
        said = capsys.readouterr()
        assert said.err == "" or name == "text"
        told[name] = list(read(said.err if name == "text" else said.out))
    assert len(told["text"]) > 3
    assert len({t.file for t in told["text"]}) > 1
    assert told["json"] == told["sarif"] == told["github"] == told["text"]


def test_programs_can_read_the_report_of_any_file_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "zwei Br\u00fcder #1%.json"
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / name).write_text('{"k\U0001f989": nein}', "utf-8")
    for form, read in (("json", _from_json), ("sarif", _from_sarif), ("github", _from_github)):
        assert main(["check", "--project", str(tmp_path), "--format", form]) == CONTENT
        output = capsys.readouterr().out
        [told] = read(output)
        assert told.file == f"records/{name}"
        assert output.isascii() or form == "github"


def test_equal_places_are_told_in_one_order() -> None:
    problems = [Problem("a", "/b", offset, "c", m, r) for offset in (None, AT_KEY, 0) for m in "xyz" for r in "uv"]
    assert (
        Rejected(problems).problems
        == Rejected(reversed(problems)).problems
        == tuple(sorted(problems, key=lambda p: (-2 if p.offset is None else p.offset, p.message, p.remedy)))
    )


def _from_text(report: str) -> Iterator[Told]:
    """Read a report; each problem is its place and fact, the excerpt, the caret, pointer and remedy."""
    lines = report.splitlines()
    for at, line in enumerate(lines):
        if match := re.fullmatch(r"(.+?):(\d+):(\d+)  (.+)  \[([a-z0-9-]+)\]", line):
            file, row, column, message, code = match.groups()
            remedy = lines[at + 3].partition(" · ")[2]
            yield Told(code, file, int(row), int(column), f"{message}. {remedy}")


def _from_json(output: str) -> Iterator[Told]:
    for entry in json.loads(output):
        assert set(entry) == {"code", "file", "line", "column", "pointer", "message", "remedy", "excerpt"}
        assert entry["excerpt"]
        words = f"{entry['message']}. {entry['remedy']}"
        yield Told(entry["code"], entry["file"], entry["line"], entry["column"], words)


def _from_sarif(output: str) -> Iterator[Told]:
    """Read a log and check what SARIF 2.1.0 requires (sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.28, 3.29, 3.30)."""
    log = json.loads(output)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "pinpress"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules))
    for result in run["results"]:
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["ruleId"] in rules
        [location] = result["locations"]
        place: dict[str, Any] = location["physicalLocation"]
        assert re.fullmatch(r"[\w./~%-]+", place["artifactLocation"]["uri"], re.ASCII), "a URI reference (RFC 3986)"
        region = place["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        yield Told(
            result["ruleId"],
            unquote(place["artifactLocation"]["uri"]),
            region["startLine"],
            region["startColumn"],
            result["message"]["text"],
        )


def _from_github(output: str) -> Iterator[Told]:
    """Read workflow commands as the runner does: properties by comma, then the percent escapes undone."""
    for line in output.splitlines():
        match = re.fullmatch(r"::error (.+?)::(.+)", line)
        assert match, line
        values = dict(pair.split("=", 1) for pair in match[1].split(","))
        file = values["file"].replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
        words = match[2].replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
        yield Told(values["title"], file, int(values["line"]), int(values["col"]), words)


# --- the registry of codes

# Where a call's code stands: name of the callee → position of the argument.
CALLS: Final = {
    "Problem": 3,
    "Finding": 2,
    "Fault": 1,
    "refuse": 1,
    "PydanticCustomError": 0,
}


class Use(NamedTuple):
    """A code as site_src writes it; `pattern` where part of it is computed."""

    where: str
    callee: str
    pattern: str


def _uses() -> Iterator[Use]:
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                found = _code_of_call(node)
            elif isinstance(node, ast.Return) and node.value is not None:
                found = [("return", first) for first in _first_of_triples(node.value)]
            else:
                continue
            for callee, written in found:
                if pattern := _pattern(written):
                    yield Use(f"{file.name}:{node.lineno}", callee, pattern)


def _code_of_call(call: ast.Call) -> list[tuple[str, ast.expr]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in CALLS:
        return []
    by_name = [k.value for k in call.keywords if k.arg == "code"]
    by_place = call.args[CALLS[name] : CALLS[name] + 1]
    if name == "Problem" and any(isinstance(arg, ast.Starred) for arg in call.args):
        # A place given as one value moves the rest: the code is then the last but two, unless that is given so, too.
        by_place = [arg for arg in call.args[-3:-2] if not isinstance(call.args[-1], ast.Starred)]
    return [(name, code) for code in by_name or by_place]


def _first_of_triples(value: ast.expr) -> list[ast.expr]:
    """Return what may be the code of a returned (code, message, remedy)."""
    triples = [n for n in _returned(value) if isinstance(n, ast.Tuple) and len(n.elts) == 3]
    texts = [t.elts for t in triples if all(isinstance(e, ast.Constant | ast.JoinedStr | ast.Name) for e in t.elts)]
    return [e[0] for e in texts if isinstance(e[0], ast.Constant)]


def _returned(value: ast.expr) -> Iterator[ast.expr]:
    """Yield a returned value and what it may be a choice or a pair of; arguments of calls are not returned."""
    yield value
    if isinstance(value, ast.Tuple | ast.IfExp | ast.BoolOp):
        for child in ast.iter_child_nodes(value):
            if isinstance(child, ast.expr):
                yield from _returned(child)


def _pattern(written: ast.expr) -> str | None:
    if isinstance(written, ast.Constant) and isinstance(written.value, str):
        return re.escape(written.value)
    if isinstance(written, ast.JoinedStr):
        parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else "[a-z0-9-]+" for p in written.values]
        return "".join(parts)
    return None


def test_every_code_in_the_source_is_registered() -> None:
    uses = list(_uses())
    assert {u.callee for u in uses} == {*CALLS, "return"}, "the search finds no code in some kind of place"
    unknown = [u for u in uses if not any(re.fullmatch(u.pattern, code) for code in _registry(u.callee))]
    assert unknown == []


def _registry(callee: str) -> dict[str, str]:
    return FINDINGS if callee == "Finding" else PROBLEMS


def test_every_registered_code_occurs_in_the_source() -> None:
    patterns = {u.pattern for u in _uses()}
    for file in SOURCE.rglob("*.py"):
        if file.name != "codes.py":
            nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
            texts = [n.value for n in nodes if isinstance(n, ast.Constant)]
            # A code that several modules write is a constant of the registry.
            texts += [getattr(codes, n.id, None) for n in nodes if isinstance(n, ast.Name)]
            patterns |= {re.escape(t) for t in texts if isinstance(t, str) and _CODE.fullmatch(t)}
    registered = [*PROBLEMS, *FINDINGS]
    assert [code for code in registered if not any(re.fullmatch(p, code) for p in patterns)] == []


def test_codes_are_words_in_order_with_one_sentence_each() -> None:
    for registry in (PROBLEMS, FINDINGS):
        assert list(registry) == sorted(registry)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code) for code in registry)
    assert all(re.fullmatch(r"[A-Z][^\n]+\.", sentence) for sentence in PROBLEMS.values())
    assert not set(PROBLEMS) & set(FINDINGS)

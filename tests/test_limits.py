"""Input made to exhaust the machine, through the command line: a located, coded refusal, soon and in little memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from site_src.cli import CONTENT, DONE, main
from site_src.project import RESOURCES
from site_src.serial import json_text
from tests.records import sound

# Processor time and memory of a whole command; starting takes about half a second of it.
SECONDS: Final = 3.0
MEGABYTES: Final = 500
LAUGHS: Final = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else 'ha'}]\n" for n in range(9))
BOMBS: Final = {
    "deep.json": ("[" * 10**6, "too-deep"),
    "deep.yml": ("[" * 10**6, "too-deep"),
    "line.json": ('{"a": "' + "x" * 10**7 + '"}', "too-large"),
    "most.json": ('{"id": "' + "x" * 2_000_000 + '"}', "missing-key"),
    "laughs.yml": (LAUGHS, "yaml-alias"),
    "keys.json": ("{" + ",".join(f'"k{n}":1' for n in range(10**6)) + "}", "too-large"),
    "digits.json": (f'{{"a": {"9" * 10**5}}}', "number-too-long"),
    "digits.yml": (f"a: {'9' * 10**5}", "number-too-long"),
    "exponent.json": ('{"a": 1e999999999}', "not-finite"),
    "surrogate.json": ('{"a": "\\ud800"}', "control-character"),
    "control.json": ('{"a": "\\u0007"}', "control-character"),
}


def run(*words: str) -> tuple[int, str, float, float]:
    """Run a command; return its exit code, what it said, its processor seconds and its peak memory in MB."""
    with subprocess.Popen([sys.executable, "build.py", *words], cwd=RESOURCES, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("command", ["check", "build", "fmt", "verify"])
def test_a_bomb_is_refused_soon(command: str, name: str, tmp_path: Path) -> None:
    text, code = BOMBS[name]
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / name).write_text(text)
    result, said, seconds, megabytes = run(command, "--project", str(tmp_path))
    if command == "fmt" and code in {"missing-key", "control-character"}:
        # What a record means is no matter of its layout.
        assert "Traceback" not in said
        return
    assert result == CONTENT, said[-2000:]
    assert f"records/{name}" in said
    assert f"[{code}]" in said
    assert seconds < SECONDS
    assert megabytes < MEGABYTES


@pytest.mark.parametrize(
    ("svg", "fault"),
    [
        ('<?xml version="1.0" encoding="cp037"?><svg viewBox="0 0 1 1"/>', "not in UTF-8"),
        ('<?xml-stylesheet href="https://e.example/x.xsl"?><svg viewBox="0 0 1 1"/>', "processing instruction"),
        ('<svg viewBox="0 0 1 1"><style>a{}<b/>@IMPORT "https://e.example"</style></svg>', "loads another file"),
        ('<svg viewBox="0 0 1 1"><g style="fill:u\\72l(https://e.example)"/></svg>', "loads another file"),
        ('<svg viewBox="0 0 1 1"><style>a{fill:url(https://e.example</style></svg>', "loads another file"),
        ('<svg viewBox="0 0 1 1"><a href="#"><set attributeName="href" to="#x"/></a></svg>', "changes the attribute"),
        ('<svg viewBox="0 0 1 1"><a href="#"><set to=" jAva&#10;script:x()"/></a></svg>', "runs code"),
    ],
)
def test_an_svg_that_could_do_something_is_refused(
    svg: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("records", "assets"):
        (tmp_path / folder).mkdir()
    (tmp_path / "assets" / "x.svg").write_text(svg)
    data = sound() | {"body_markdown": "![It.](/assets/x.svg)"}
    (tmp_path / "records" / "brook.json").write_text(json_text(data))
    assert main(["build", "--jobs", "1", "--project", str(tmp_path)]) == CONTENT
    said = capsys.readouterr().err
    assert "assets/x.svg" in said
    assert fault in said
    assert "[broken-image]" in said


def test_a_report_shows_overrides_of_direction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(sound() | {"published_on": "2025\u202e-03"}))
    assert main(["check", "--project", str(tmp_path)]) == CONTENT
    said = capsys.readouterr().err
    assert "2025\\u202e-03" in said
    assert "\u202e" not in said


@pytest.mark.parametrize(
    "text", ["{{ site.__class__.__mro__ }}", "{{ to.__globals__ }}", "{{ 'a' * 10**9 }}", "{" * 90]
)
def test_a_template_of_a_project_stays_in_its_sandbox(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("records", "templates"):
        (tmp_path / folder).mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(sound()))
    assert main(["build", "-q", "--jobs", "1", "--project", str(tmp_path)]) == DONE
    (tmp_path / "templates" / "index.html.j2").write_text(text)
    assert main(["build", "--jobs", "1", "--project", str(tmp_path)]) == CONTENT
    assert "templates/index.html.j2:1:1" in (said := capsys.readouterr().err)
    assert "[template]" in said

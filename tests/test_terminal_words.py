"""What commands say where the terminal is poor: no colours, ASCII alone, few columns, or no terminal at all."""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from site_src.cli import CONTENT, DONE, _parser
from site_src.project import RESOURCES
from site_src.serial import json_text
from site_src.terminal import Drawing
from tests.records import REPORT, sound
from tests.result_files import LLAMA_MD

BUILD: Final = str(RESOURCES / "build.py")
POOR: Final = {"PYTHONIOENCODING": "ascii:strict", "LC_ALL": "C", "NO_COLOR": "1", "COLUMNS": "20"}
SECONDS: Final = r" in \d+\.\d s"
IMPORTED: Final = rf"1 record, 1 source, 1 campaign, \d+ results?{SECONDS}"
# They print what a program reads, or run until they are stopped; test_pin.py holds what pin says beside an entry.
WITHOUT: Final = {"schema", "completion", "preview", "pin"}
# They print what goes into a file, and the summary beside it.
ASIDE: Final = {"figures"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A record whose title states a value, which bind finds without asking."""
    (tmp_path / "records").mkdir()
    [result, *_] = sound()["reported_results"]
    record = {**sound(), "title": f"K\u00e4lte: {result['value']} {result['unit']}"}
    (tmp_path / "records" / "brook.json").write_text(json_text(record), "utf-8")
    return tmp_path


def run(project: Path, words: Sequence[str], more: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, BUILD, *words, "--project", str(project)]
    return subprocess.run(command, env={**os.environ, **more}, cwd=project, capture_output=True, check=False)


SUMMARIES: Final = [
    (["build", "--jobs", "1"], rf"1 record, .+ pages, 1 figures \(1 drawn, 0 reused\){SECONDS}: .+"),
    (["check"], rf"1 record, \d+ findings? checked{SECONDS}"),
    (["figures", "--jobs", "1"], rf"1 record, 1 figures drawn{SECONDS}"),
    (["fmt"], rf"1 record, 1 file, \d laid out anew{SECONDS}"),
    (["anchors"], rf"1 record, \d+ heading ids remembered{SECONDS}"),
    (["bind"], rf"1 record, \d+ numbers, \d+ open{SECONDS}"),
    (["verify"], rf"1 record, 1 source, \d+ values?{SECONDS}"),
    (["new", "guide", "swan", "--title", "Swan", "--source", REPORT], rf"1 record, 1 source, 2 files{SECONDS}"),
    (["import", "heron.md", "--into", "heron", "--source-url", REPORT.replace("REPORT", "heron")], IMPORTED),
    (["mutate", "--sample", "1"], rf"1 record, \d+ slips through the whole check; mutated{SECONDS}"),
    (["export", "repro", "brook"], rf"1 record, 1 claim{SECONDS}: .+"),
    (["archive", "--out", "site.tar.gz"], rf"\d+ files, [\d,]+ bytes{SECONDS}: .+"),
    (["host"], rf"\d+ files, \d+ of them packed,{SECONDS}: .+"),
    (["attest", "--jobs", "1"], rf"\d+ files, built again .+{SECONDS}: .+"),
    (["verify-site", "_site"], rf"\d+ files as its manifest lists them .+,{SECONDS}: .+"),
    (["diff", "_site", "_site"], rf".+{SECONDS}"),
    (["doctor"], rf"\d+ things looked at{SECONDS}: .+"),
]
# What a command needs before it: the claims bound, or the site built.
BOUND: Final = ["bind"]
BUILT: Final = ["build", "-q", "--jobs", "1"]
BEFORE: Final = {
    **{"mutate": BOUND, "export": BOUND},
    **{"archive": BUILT, "host": BUILT, "attest": BUILT, "verify-site": BUILT, "diff": BUILT},
}


@pytest.mark.parametrize(("words", "last"), SUMMARIES, ids=lambda part: part[0] if isinstance(part, list) else "")
def test_each_command_ends_with_a_summary_in_ascii(project: Path, words: list[str], last: str) -> None:
    (project / "heron.md").write_bytes(LLAMA_MD)
    if before := BEFORE.get(words[0]):
        assert run(project, before, POOR).returncode == DONE
    done = run(project, words, POOR)
    said = done.stdout + done.stderr
    assert b"Traceback" not in said
    assert said.isascii()
    assert b"\x1b" not in said
    assert done.stdout, said
    told = (done.stderr if words[0] in ASIDE else done.stdout).decode().splitlines()
    assert re.fullmatch(last, told[-1]), told


def test_no_command_is_without_a_summary() -> None:
    """What `--help` lists is tried above, but for what prints a text for programs or runs until it is stopped."""
    (choices,) = (a.choices for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert {*choices} - WITHOUT == {words[0] for words, _ in SUMMARIES}


def test_a_result_file_is_imported_without_a_terminal(project: Path) -> None:
    (project / "K\u00e4lte.md").write_bytes(LLAMA_MD)
    url = f"https://github.com/heron/runs/blob/{'3c' * 20}/K%C3%A4lte.md"
    done = run(project, ["import", "K\u00e4lte.md", "--into", "heron", "--source-url", url], POOR)
    assert (done.returncode, b"Traceback" in done.stderr) == (DONE, False), done.stderr
    assert (done.stdout + done.stderr).isascii()
    *_, said, last = done.stdout.decode().splitlines()
    assert said.startswith("records/heron.yml: new draft. ")
    assert re.fullmatch(IMPORTED, last)
    refused = run(project, ["import", "K\u00e4lte.md", "--from", "nothing"], POOR)
    assert refused.returncode == CONTENT
    assert b"K\\xe4lte.md" in refused.stderr
    assert b"[import-format]" in refused.stderr


@pytest.mark.parametrize("columns", [12, 24, 200])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_a_terminal_shows_a_bar_while_figures_are_drawn(project: Path, columns: int, encoding: str) -> None:
    said = on_a_terminal(project, ["build", "--jobs", "1"], columns, {"PYTHONIOENCODING": encoding, "TERM": "xterm"})
    assert "making: " in said
    assert "Traceback" not in said
    assert encoding == "utf-8" or said.isascii()
    bar = [line for line in re.split(r"[\r\n]", said) if line.startswith("making: ")]
    assert bar
    assert all(len(line) <= max(columns, len("making: ")) for line in bar)
    assert re.search(rf"1 record, .+ \(1 drawn, 0 reused\){SECONDS}", said)
    assert "drawing" not in on_a_terminal(project, ["build", "--jobs", "1"], columns, {}), "nothing is drawn again"


IMPORT: Final = ["import", "heron.md", "--into", "heron", "--source-url", REPORT.replace("REPORT", "heron")]


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize(
    ("words", "last"),
    [
        (["build", "--jobs", "1"], rf"1 record, .+ \(1 drawn, 0 reused\){SECONDS}: .+"),
        (["check"], rf"1 record, \d+ findings? checked{SECONDS}"),
        (["bind"], rf"1 record, \d+ numbers, 0 open{SECONDS}"),
        (["verify"], rf"1 record, 1 source, \d+ values?{SECONDS}"),
        (IMPORT, IMPORTED),
    ],
    ids=lambda part: part[0] if isinstance(part, list) else "",
)
def test_a_poor_terminal_shows_words_alone(project: Path, words: list[str], last: str, columns: int) -> None:
    (project / "heron.md").write_bytes(LLAMA_MD)
    poor = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "NO_COLOR": "1", "TERM": "vt100"}
    said = on_a_terminal(project, words, columns, poor)
    assert said.isascii()
    assert "\x1b" not in said
    assert "Traceback" not in said
    shown = re.split(r"[\r\n]+", said.rstrip())
    assert re.fullmatch(last, shown[-1]), shown
    assert all(len(line) <= columns for line in shown if line.startswith("making: "))


def on_a_terminal(project: Path, words: Sequence[str], columns: int, more: Mapping[str, str]) -> str:
    """Run a command whose output is a terminal so many columns wide, and return what it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}} | dict(more)
    command = [sys.executable, BUILD, *words, "--project", str(project)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=project) as process:
        os.close(theirs)
        said = b""
        while chunk := _chunk(ours):
            said += chunk
    os.close(ours)
    assert process.returncode == DONE, said
    return said.decode()


def _chunk(terminal: int) -> bytes:
    """Return what came next; Linux ends a terminal that nobody holds with an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_without_a_terminal_a_line_stands_for_ten_figures(capsys: pytest.CaptureFixture[str]) -> None:
    for is_quiet in (False, True):
        shown = Drawing(is_quiet=is_quiet)
        for done in range(1, 26):
            shown.hear(done, 25, 3)
        shown.close()
    assert capsys.readouterr().err == "10 of 25 figures drawn, 3 reused\n20 of 25 figures drawn, 3 reused\n"

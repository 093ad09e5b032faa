"""The tutorial, word by word: its files are written, its edits made, its commands run, and what they print compared.

Commands run as a reader's would: real processes, in a folder of their own, with no network to ask. Seconds, the
folder and a port that is free differ from machine to machine, everything else must be as shown.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from site_src.exits import CONTENT, DONE, INTERRUPTED
from site_src.project import RESOURCES
from tests.made.tutorial import Command, Edit, File, Step, steps

TUTORIAL: Final = (RESOURCES / "docs" / "tutorial.md").read_text("utf-8")
HOME: Final = "/home/you"
PORT: Final = "8123"


def same(text: str, folder: Path) -> str:
    """Return a text without what differs from machine to machine."""
    return re.sub(r"\d+\.\d s\b", "# s", text).replace(str(folder), HOME)


def environment() -> dict[str, str]:
    """Return the surroundings of a new user: pinpress on the path, no network behind any proxy."""
    names = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**names, "PATH": path, "https_proxy": "http://127.0.0.1:9", "PYTHONUNBUFFERED": "1"}


def ran(command: Command, cwd: Path) -> str:
    done = subprocess.run(
        command.words,
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    refused = re.search(r"  \[[a-z-]+\]$", command.output, re.M)
    assert done.returncode == (CONTENT if refused else DONE), done.stdout
    return done.stdout


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def previewed(command: Command, cwd: Path) -> str:
    """Run the preview until its first line, fetch the page the tutorial names, stop it as Ctrl-C does."""
    (address,) = re.findall(rf"`http://127\.0\.0\.1:{PORT}(/\S+)`", TUTORIAL)
    port = str(free_port())
    words = [word.replace(PORT, port) for word in command.words]
    server = subprocess.Popen(words, cwd=cwd, env=environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        first = server.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{address}", timeout=60) as answer:
            assert "399.610" in answer.read().decode()
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)
    assert server.returncode == INTERRUPTED
    return first.replace(port, PORT)


def followed(found: Iterator[Step], folder: Path) -> Path:
    """Do every step; return the folder in which the reader ends."""
    cwd = folder
    for step in found:
        match step:
            case File(name, text):
                (cwd / name).parent.mkdir(parents=True, exist_ok=True)
                (cwd / name).write_text(text, "utf-8")
            case Edit(name, old, new):
                before = (cwd / name).read_text("utf-8")
                assert before.count(old) == 1, f"{name} does not hold, once:\n{old}"
                (cwd / name).write_text(before.replace(old, new), "utf-8")
            case Command(("cd", name), _):
                cwd = cwd / name
            case Command(words, output):
                told = (previewed if "preview" in words else ran)(step, cwd)
                assert same(told, folder) == same(output, folder), f"$ {' '.join(words)}\n{told}"
    return cwd


def test_the_tutorial_is_true(tmp_path: Path) -> None:
    site = followed(steps(TUTORIAL), tmp_path)
    page = (site / "_site" / "guides" / "heron-batch" / "index.html").read_text("utf-8")
    assert "399.610" in page
    assert "not reported" in page
    assert "3c9f2d1b7a6e5d4c3b2a19087f6e5d4c3b2a1908" in page


def test_every_block_of_the_tutorial_is_a_step() -> None:
    found = list(steps(TUTORIAL))
    assert {type(step) for step in found} == {File, Edit, Command}
    commands = {step.words[1] for step in found if isinstance(step, Command) and step.words[0] == "pinpress"}
    assert commands == {"new", "import", "bind", "check", "preview", "build"}


def test_a_wrong_word_of_the_tutorial_is_found(tmp_path: Path) -> None:
    false = TUTORIAL.replace("three invented examples", "four invented examples").partition("## 2.")[0]
    with pytest.raises(AssertionError, match="pinpress new site notes"):
        followed(steps(false), tmp_path)
    gone = "```diff\n--- notes.txt\n-old\n+new\n```\n"
    (tmp_path / "notes.txt").write_text("other\n")
    with pytest.raises(AssertionError, match=r"notes\.txt does not hold"):
        followed(steps(gone), tmp_path)


@pytest.mark.parametrize("block", ["```python\nprint()\n```\n", "```console\nno prompt\n```\n", "```json\n{}\n```\n"])
def test_a_block_that_is_no_step_is_refused(block: str) -> None:
    with pytest.raises(ValueError, match="no step"):
        list(steps(block))

"""The preview: a real server on loopback, the built bytes, a rebuild on change."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_src.pipeline import Options, site_files
from site_src.project import RESOURCES, Project
from site_src.serial import json_text
from tests.records import sound


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(sound()))
    return Project(tmp_path)


@contextmanager
def preview(project: Project, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the server until the block ends; yield the process and the address it printed."""
    command = [sys.executable, "-u", str(RESOURCES / "build.py"), "preview", "--project", str(project.root), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process, address(process)
        finally:
            process.terminate()


def address(process: subprocess.Popen[str]) -> str:
    for line in process.stdout or ():
        if match := re.search(r"http://\S+/", line):
            return match.group()
    raise AssertionError(process.stderr.read() if process.stderr else "")


def get(url: str, host: str | None = None) -> tuple[int, bytes]:
    request = urllib.request.Request(url, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_serves_the_built_bytes_but_for_the_client(project: Project) -> None:
    files, _ = site_files(project, Options(drafts=True))
    with preview(project, "--port", "0") as (_, base):
        for path, data in files.items():
            status, served = get(base + path)
            assert status == 200
            assert (
                served.replace(b'<script src="/.preview/reload.js"></script>\n', b"").replace(
                    b" script-src 'self';", b""
                )
                == data
            ), path
        assert get(base + "notes/brook/")[0] == 200
        assert get(base + "nowhere/")[0] == 404
        assert get(base, host="evil.example")[0] == 400


def test_a_change_is_rebuilt_and_a_mistake_keeps_the_last_site(project: Project) -> None:
    record = project.records / "brook.json"
    with preview(project, "--port", "0") as (process, base):
        assert process.stdout is not None
        with urllib.request.urlopen(base + ".preview/events") as events:
            assert events.readline() == b": waiting\n"
            record.write_text(record.read_text().replace('"It ran."', '"It ran twice."'))
            assert next(line for line in events if line.startswith(b"data")) == b"data: built\n"
        assert b"It ran twice." in get(base + "notes/brook/")[1]
        record.write_text("{")
        assert any("not rebuilt" in line for line in iter(process.stdout.readline, ""))
        assert b"It ran twice." in get(base + "notes/brook/")[1]


def test_a_busy_port_is_named_with_a_free_one(project: Project) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, str(RESOURCES / "build.py"), "preview", "--project", str(project.root)]
        run = subprocess.run([*command, "--port", str(port)], capture_output=True, text=True, check=False)
    assert run.returncode == 4
    assert re.search(rf"127\.0\.0\.1:{port} cannot be served: .* Try --port \d+\.", run.stderr)
    assert [p.name for p in project.records.iterdir()] == ["brook.json"]

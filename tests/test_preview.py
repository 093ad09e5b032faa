"""The preview: a real server on loopback, the built bytes, a rebuild on change."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from site_src.pipeline import Options, site_files
from site_src.preview import Preview
from site_src.project import RESOURCES, Project
from site_src.serial import json_text
from tests.records import sound


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(sound()))
    return Project(tmp_path)


@contextmanager
def preview(project: Project, *options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the server until the block ends; yield the process and the address it printed."""
    command = [sys.executable, "-u", str(RESOURCES / "build.py"), "preview", "--project", str(project.root), *options]
    env = {**os.environ, **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
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


CARD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} 9"/>'
TAG = re.compile(rb'<script src="/\.preview/client\.js" data-build="[0-9a-f]{8}-\d+" data-follow="no"></script>\n')


def line(process: subprocess.Popen[str], part: str) -> str:
    """Return the next line of the terminal that holds a part."""
    assert process.stdout is not None
    return next(told for told in iter(process.stdout.readline, "") if part in told)


@contextmanager
def news(base: str) -> Iterator[Iterator[dict[str, Any]]]:
    """Yield what open pages are told, the state at the beginning first."""
    with urllib.request.urlopen(base + ".preview/events") as events:
        yield (json.loads(told[6:]) for told in events if told.startswith(b"data: "))


def until_built(told: Iterator[dict[str, Any]], build: str) -> list[dict[str, Any]]:
    """Return what is told up to another build than this one."""
    heard = []
    for one in told:
        heard.append(one)
        if one["build"] != build and not one["problems"]:
            return heard
    raise AssertionError(heard)


def unmarked(served: bytes, built: bytes) -> bytes:
    """Take the client out of a page again, and the leave to run it where the page had none."""
    without = TAG.sub(b"", served)
    if b"script-src 'self'" in built:
        return without
    return without.replace(b"'self' ", b"") if b"script-src" in built else without.replace(b" script-src 'self';", b"")


def test_serves_the_built_bytes_but_for_the_client(project: Project) -> None:
    files, _ = site_files(project, Options(drafts=True))
    with preview(project, "--port", "0") as (_, base):
        for path, data in files.items():
            status, served = get(base + path)
            assert status == 200
            assert unmarked(served, data) == data, path
            assert (served != data) == path.endswith(".html")
        for path in ("notes/brook", "results", "results/metrics", "search"):
            assert get(base + path) == get(base + path + "/")
            assert get(base + path)[0] == 200
        assert get(base + "notes/brook/")[0] == 200
        assert get(base + "nowhere/")[0] == 404


def test_after_edits_it_still_serves_the_built_bytes(project: Project) -> None:
    record = project.records / "brook.json"
    with preview(project, "--port", "0") as (_, base), news(base) as told:
        first = next(told)["build"]
        (project.records / "brook.md").write_text("## There\n\nIt ran, and it stopped.\n")
        record.write_text(json_text({**sound(), "title": "Brook, again", "body_markdown": None}))
        until_built(told, first)
        files, _ = site_files(project, Options(drafts=True))
        for path, data in files.items():
            assert unmarked(get(base + path)[1], data) == data, path


def test_a_change_is_rebuilt_and_a_mistake_keeps_the_last_site(project: Project) -> None:
    record = project.records / "brook.json"
    with preview(project, "--port", "0") as (process, base), news(base) as told:
        first = next(told)
        assert first["problems"] == []
        record.write_text(record.read_text().replace('"It ran."', '"It ran twice."'))
        (*_, second) = until_built(told, first["build"])
        assert second["guides"] == ["/notes/brook/"]
        assert b"It ran twice." in get(base + "notes/brook/")[1]
        record.write_text("{")
        failed = next(one for one in told if one["problems"])
        assert [(p["file"], p["code"], p["line"]) for p in failed["problems"]] == [
            ("records/brook.json", "broken-json", 1)
        ]
        assert "the last good site is served" in line(process, "not rebuilt")
        assert b"It ran twice." in get(base + "notes/brook/")[1]
        record.write_text(json_text(sound()))
        (*_, mended) = until_built(told, second["build"])
        assert mended["problems"] == []
        assert re.search(
            r"records/brook\.json: \d+ of \d+ pages, \d+ files, 0 figures drawn, \d+ ms", line(process, " ms")
        )


def test_it_starts_with_a_mistake_and_goes_on_from_there(project: Project) -> None:
    record = project.records / "brook.json"
    record.write_text("{")
    with preview(project, "--port", "0") as (process, base), news(base) as told:
        assert [p["code"] for p in next(told)["problems"]] == ["broken-json"]
        status, page = get(base)
        assert (status, b"broken-json" in page, b"/.preview/client.js" in page) == (200, True, True)
        record.write_text(json_text(sound()))
        until_built(told, "")
        assert b"Brook" in get(base)[1]
        assert "there is nothing to serve yet" in line(process, "not rebuilt")


def test_half_done_saves_are_never_told_as_mistakes(project: Project) -> None:
    record = project.records / "brook.json"
    with preview(project, "--port", "0") as (_, base), news(base) as told:
        build = next(told)["build"]
        for number in range(10):
            whole = json_text({**sound(), "answer": f"It ran {number} times."})
            with record.open("w") as file:
                file.write(whole[:200])
                file.flush()
                beside = record.with_name(".brook.json.new")
                beside.write_text(whole)
            beside.replace(record)
            heard = until_built(told, build)
            assert [one["problems"] for one in heard if one["problems"]] == []
            build = heard[-1]["build"]
        assert b"It ran 9 times." in get(base + "notes/brook/")[1]


def git(project: Project, *words: str) -> None:
    who = ["-c", "user.name=brook", "-c", "user.email=brook@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=project.root, check=True, capture_output=True)


def test_a_checkout_of_many_files_is_one_rebuild(project: Project) -> None:
    (project.root / ".gitignore").write_text(".cache/\n")
    (project.root / "assets").mkdir()
    for number in range(100):
        (project.root / "assets" / f"card-{number}.svg").write_text(CARD.format(16))
    body = "\n\n".join(f"![Card](/assets/card-{n}.svg)" for n in range(8))
    (project.records / "brook.md").write_text(body)
    (project.records / "brook.json").write_text(json_text({**sound(), "body_markdown": None}))
    git(project, "init")
    git(project, "add", ".")
    git(project, "commit", "-m", "sixteen")
    git(project, "checkout", "-b", "other")
    for number in range(100):
        (project.root / "assets" / f"card-{number}.svg").write_text(CARD.format(32))
    git(project, "commit", "-a", "-m", "thirty-two")
    with preview(project, "--port", "0") as (process, base):
        line(process, "start: ")
        get(base)  # from its first answer on, every save is noticed
        git(project, "checkout", "main")
        assert "assets/card-0.svg, assets/card-1.svg, assets/card-10.svg and 97 more: 1 of " in line(process, " ms")
        assert b'width="16"' in get(base + "notes/brook/")[1]


def test_what_else_a_build_reads_counts_too(project: Project) -> None:
    with preview(project, "--port", "0") as (process, base):
        line(process, "start: ")
        get(base)  # from its first answer on, every save is noticed
        (project.records / "site.yml").write_text("title: Brooks\n")
        assert line(process, " ms").startswith("records/site.yml: ")
        assert b"<title>Brooks</title>" in get(base)[1]
        (project.root / "assets").mkdir()
        (project.root / "assets" / "style.css").write_text("a{color:#123}")
        assert "assets" in line(process, " ms")
        style = re.search(rb'href="(assets/style\.\w+\.css)"', get(base)[1])
        assert style is not None
        assert get(base + style[1].decode())[1] == b"a{color:#123}"
        (project.records / "brook.json").rename(project.records / "rill.json")
        (project.records / "rill.json").write_text(json_text({**sound(), "id": "rill", "path": "/notes/rill/"}))
        line(process, " pages")
        assert get(base + "notes/brook/")[0] == 404
        assert get(base + "notes/rill/")[0] == 200
        (project.records / "rill.json").unlink()
        line(process, " pages")
        assert get(base + "notes/rill/")[0] == 404


def test_changes_are_noticed_by_polling_where_events_do_not_come(project: Project) -> None:
    with preview(project, "--port", "0", WATCHFILES_FORCE_POLLING="1", WATCHFILES_POLL_DELAY_MS="50") as (
        process,
        base,
    ):
        line(process, "start: ")
        get(base)  # from its first answer on, every save is noticed
        (project.records / "site.yml").write_text("title: Brooks\n")
        assert line(process, " ms").startswith("records/site.yml: ")
        assert b"Brooks" in get(base)[1]


def test_drafts_open_claims_and_findings_are_marked(project: Project) -> None:
    (project.records / "brook.json").write_text(json_text({**sound(), "draft": True, "answer": "It ran 12 times."}))
    with preview(project, "--port", "0") as (_, base):
        marks = json.loads(get(base + ".preview/marks?page=/notes/brook/audit/")[1])
        assert marks["draft"] is True
        assert marks["drafts"] == ["/notes/brook/"]
        assert [(o["written"], o["sentence"]) for o in marks["open"]] == [("12", "It ran 12 times.")]
        assert "open-claims" in {f["code"] for f in marks["findings"]}
        assert json.loads(get(base + ".preview/marks?page=/")[1])["open"] == []


def test_only_what_is_still_to_be_made_keeps_a_request_waiting(project: Project) -> None:
    served = Preview(project, jobs=1)
    served.rebuild()
    edition = served.edition
    assert edition is not None
    assert edition.at_hand("notes/brook/index.html") is edition.files
    for name in ("results/index.html", "robots.txt"):
        assert edition.at_hand(name) is None
        made = edition.beside(name)
        assert name in made
        assert edition.at_hand(name) is made


def asked(base: str, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str]]:
    """Send one request with the path as it is written; return the status and the headers of the answer."""
    host = base.removeprefix("http://").rstrip("/")
    connection = HTTPConnection(host)
    connection.request(method, path, headers={"Host": host, **headers})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}


def test_it_answers_its_own_pages_only(project: Project) -> None:
    with preview(project, "--port", "0") as (_, base):
        port = base.rstrip("/").rpartition(":")[2]
        assert asked(base, "/")[0] == 200
        assert asked(base, "/", Host=f"localhost:{port}")[0] == 200
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "0.0.0.0", "192.0.2.1"):
            assert asked(base, "/", Host=host)[0] == 400, host
            assert asked(base, "/.preview/events", Host=host)[0] == 400, host
        for origin in ("https://evil.example", "http://127.0.0.1:1", "null"):
            assert asked(base, "/.preview/marks", Origin=origin)[0] == 403, origin
        status, headers = asked(base, "/.preview/marks", Origin=base.rstrip("/"))
        assert status == 200
        assert not [name for name in headers if name.startswith("access-control-")]
        for path in ("/", "/nowhere", "/manifest.json", "/notes/brook", "/.preview/client.js"):
            assert asked(base, path)[1]["cache-control"] == "no-store", path
        assert asked(base, "/", method="POST")[0] == 405
        assert asked(base, "/", method="OPTIONS", Origin="https://evil.example")[0] in {403, 405}


@pytest.mark.parametrize(
    "path",
    ["/../records/brook.json", "/..%2frecords/brook.json", "/%2e%2e/records/brook.json", "//etc/passwd",
     "/.preview/../../preview.py", "/.preview/client.js/../../preview.py", "/.preview/..%2f..%2fpreview.py"],
)  # fmt: skip
def test_no_address_leads_out_of_the_site(project: Project, path: str) -> None:
    with preview(project, "--port", "0") as (_, base):
        assert asked(base, path)[0] == 404


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

"""Where verify gets documents: folders of snapshots, real clones, a real server behind a real proxy; in this order."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from site_src import serial
from site_src.cli import main
from site_src.exits import CONTENT, DONE, INTERRUPTED, SURROUNDINGS, USAGE
from site_src.parse import yaml_data
from site_src.permalinks import Blob
from site_src.project import RESOURCES
from site_src.sources import histories, large
from site_src.sources.manners import Step
from site_src.terminal import Fetching
from tests.hostile import Hostile, Script, certificate_of, hostile, leads_to, ok, status
from tests.records import sound
from tests.repositories import commit, git

REPORT = b"# Runs\n\n## Replies\n\nOne lane gave 12.50 replies/min.\n"
CHANGED = REPORT.replace(b"12.50", b"12.51")
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 55\n"
HOST = "forge.example"


@dataclass
class Site:
    """A project of one record with one value on line 5 of one document."""

    root: Path

    def cites(self, url: str, revision: str, data: bytes = REPORT, also: Sequence[str] = (), **change: Any) -> None:
        row = sound()["reported_results"][0]
        row = {k: v for k, v in row.items() if not k.startswith(("source_", "evidence_url"))}
        row |= {"evidence": {"document": "report", "line": 5}}
        source = sound()["sources"][0] | {"pinned_url": url, "revision": revision, "document_path": "REPORT.md"}
        source |= {"repository": "brook-labs/runs", "document_sha256": hashlib.sha256(data).hexdigest()} | change
        record = sound() | {"schema_version": "1.1.0", "summary": "A run.", "answer": "It ran."}
        more = [source | {"document_id": f"more-{n}", "pinned_url": other} for n, other in enumerate(also)]
        record |= {"sources": [source, *more], "reported_results": [row]}
        (self.root / "records").mkdir(exist_ok=True)
        (self.root / "records" / "brook.json").write_text(serial.json_text(record) + "\n", "utf-8")
        (self.root / "records" / "brook.audit.yml").write_text("[]\n", "utf-8")

    def verify(self, *arguments: str) -> int:
        return main(["verify", "--project", str(self.root), *arguments])

    def receipt(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.root / "records" / "brook.verified.json").read_text("utf-8"))
        return found

    def outcome(self) -> tuple[str | None, str, str]:
        """Return how the source was obtained, what it came to, and what its value came to."""
        (source,), (value,) = self.receipt()["sources"], self.receipt()["values"]
        return source.get("obtained"), source["outcome"], value["outcome"]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "site").mkdir()
    return Site(tmp_path / "site")


# A clone.


@dataclass
class Repository:
    """A repository whose document says one thing at `first` and another at `second`."""

    folder: Path
    first: str
    second: str

    @property
    def option(self) -> str:
        return f"brook-labs/runs={self.folder}"

    def url(self, revision: str) -> str:
        return f"https://github.com/brook-labs/runs/blob/{revision}/REPORT.md"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    folder = tmp_path_factory.mktemp("origin")
    git(folder, "init", "-q")
    first = commit(folder, {"REPORT.md": REPORT, "large.bin": POINTER}, "2026-11-02T10:30:00+01:00")
    return Repository(folder, first, commit(folder, {"REPORT.md": CHANGED}, "2026-11-03T10:30:00+01:00"))


def test_a_clone_is_read_at_the_pinned_revision(site: Site, repository: Repository) -> None:
    site.cites(repository.url(repository.first), repository.first)
    assert site.verify("--clone", repository.option) == DONE
    assert site.outcome() == ("clone", "verified", "verified")


def test_another_revision_than_that_of_the_hash_is_a_contradiction(
    site: Site, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    site.cites(repository.url(repository.second), repository.second)
    assert site.verify("--clone", repository.option) == CONTENT
    assert site.outcome() == ("clone", "hash-differs", "hash-differs")
    assert "its fixed revision has other bytes" in capsys.readouterr().err


def test_a_folder_of_snapshots_comes_before_a_clone(site: Site, repository: Repository, tmp_path: Path) -> None:
    site.cites(repository.url(repository.second), repository.second)
    held = tmp_path / "documents" / "brook-labs" / "runs" / repository.second / "REPORT.md"
    held.parent.mkdir(parents=True)
    held.write_bytes(REPORT)
    assert site.verify("--snapshots", str(tmp_path / "documents"), "--clone", repository.option) == DONE
    assert site.outcome() == ("snapshot", "verified", "verified")


def test_a_commit_that_the_clone_lacks_is_asked_for_and_not_had(
    site: Site, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    site.cites(repository.url("e" * 40), "e" * 40)
    assert site.verify("--clone", repository.option) == SURROUNDINGS
    assert site.outcome() == (None, "unreachable", "unreachable")
    why = "the clone of brook-labs/runs has no commit eeeeeeeeeeee"
    assert why in capsys.readouterr().err
    # A receipt is published: it tells no folder of this machine.
    assert site.receipt()["sources"][0]["reason"].startswith(why)
    assert str(repository.folder) not in json.dumps(site.receipt())


def test_what_is_not_had_today_keeps_what_was_found_before(site: Site, repository: Repository, tmp_path: Path) -> None:
    site.cites(repository.url(repository.first), repository.first)
    assert site.verify("--clone", repository.option) == DONE
    before = site.receipt()
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    assert site.verify("--clone", f"brook-labs/runs={empty}") == SURROUNDINGS
    assert site.receipt() == before


def test_all_is_required_of_this_run(site: Site, repository: Repository) -> None:
    site.cites(repository.url(repository.first), repository.first)
    assert site.verify("--clone", repository.option, "--require-all") == DONE
    assert site.verify() == DONE
    assert site.verify("--require-all") == SURROUNDINGS


def test_a_clone_of_another_repository_is_nobody_asked(site: Site, repository: Repository) -> None:
    site.cites(repository.url(repository.first), repository.first)
    assert site.verify("--clone", f"elsewhere/runs={repository.folder}") == DONE
    assert site.outcome() == (None, "not-checked", "not-checked")


def test_the_pointer_of_a_large_file_is_not_its_bytes(site: Site, repository: Repository) -> None:
    url = repository.url(repository.first).replace("REPORT.md", "large.bin")
    site.cites(url, repository.first, document_path="large.bin")
    assert site.verify("--clone", repository.option) == SURROUNDINGS
    assert site.receipt()["sources"][0]["reason"] == large.WHY


@pytest.mark.parametrize("given", ["runs", "=x", "brook-labs/runs="])
def test_a_clone_is_named_with_its_repository(site: Site, given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        site.verify("--clone", given)
    assert left.value.code == USAGE
    assert "is not OWNER/REPO=PATH" in capsys.readouterr().err


# The network: the command itself, https, a certificate of a host that exists nowhere, and a proxy that leads to it.


@dataclass
class Forge:
    """A forge behind a proxy."""

    server: Hostile
    proxy: Hostile

    @property
    def site(self) -> str:
        return f"https://{HOST}:{self.server.server_port}"

    def url(self, revision: str = "a" * 40) -> str:
        return f"{self.site}/brook-labs/runs/src/commit/{revision}/REPORT.md"

    def serves(self, *replies: Any, revision: str = "a" * 40) -> None:
        """Script the raw address of the document."""
        self.server.serves(f"/brook-labs/runs/raw/commit/{revision}/REPORT.md", *replies)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate_of(HOST, tmp_path_factory.mktemp("tls"))


@pytest.fixture
def forge(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    for name in ("ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with hostile(certificate) as server, hostile() as proxy:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.server_port}")
        yield Forge(server, proxy)


def test_the_network_is_asked_only_if_that_is_asked_for(site: Site, forge: Forge) -> None:
    forge.serves(ok(REPORT))
    site.cites(forge.url(), "a" * 40)
    assert site.verify() == DONE
    assert main(["build", "--project", str(site.root), "--out", str(site.root / "out"), "-q"]) == DONE
    assert (forge.server.asked, forge.proxy.tunnels) == ([], [])


def test_the_raw_address_is_fetched_and_the_editor_told(
    site: Site, forge: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.serves(ok(REPORT))
    site.cites(forge.url(), "a" * 40)
    assert site.verify("--online") == DONE
    assert site.outcome() == ("network", "verified", "verified")
    raw = f"{forge.site}/brook-labs/runs/raw/commit/{'a' * 40}/REPORT.md"
    said = capsys.readouterr()
    assert said.err == f"fetching {raw}\n"
    told, ended = said.out.splitlines()
    assert told == "records/brook.verified.json: 1 verified of the sources; 1 verified of the values"
    assert re.fullmatch(r"1 record, 1 source, 1 value in \d+\.\d s", ended)
    assert forge.proxy.tunnels == [f"{HOST}:{forge.server.server_port}"]


def test_quiet_is_quiet(site: Site, forge: Forge, capsys: pytest.CaptureFixture[str]) -> None:
    forge.serves(ok(REPORT))
    site.cites(forge.url(), "a" * 40)
    assert site.verify("--online", "-q") == DONE
    assert capsys.readouterr() == ("", "")


def test_what_was_fetched_is_asked_for_on_a_condition(site: Site, forge: Forge) -> None:
    forge.serves(ok(REPORT, ETag='"one"'), status(304))
    site.cites(forge.url(), "a" * 40)
    assert [site.verify("--online", "-q"), site.verify("--online", "-q")] == [DONE, DONE]
    assert [request.headers["If-None-Match"] for request in forge.server.asked] == [None, '"one"']
    assert site.outcome() == ("network", "verified", "verified")


def test_other_bytes_at_a_fixed_revision_are_a_contradiction(site: Site, forge: Forge) -> None:
    forge.serves(ok(CHANGED))
    site.cites(forge.url(), "a" * 40)
    assert site.verify("--online", "-q") == CONTENT
    assert site.outcome() == ("network", "hash-differs", "hash-differs")


def test_an_editable_page_that_changed_has_drifted_and_stops_nothing(
    site: Site, forge: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.server.serves("/notes", ok(CHANGED))
    site.cites(f"{forge.site}/notes", "copy read on 2026-11-01", public_URL_is_immutable=False)
    assert site.verify("--online", "-q") == DONE
    assert site.outcome() == ("network", "drifted", "drifted")
    assert main(["check", "--project", str(site.root), "--strict"]) == CONTENT
    assert "[source-drifted]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (status(404), "the server answered 404 Not Found"),
        (leads_to("http://169.254.169.254/latest/meta-data"), "it leads on to"),
        (ok(POINTER), "the pointer of a file in Git LFS"),
    ],
    ids=["gone", "redirect", "pointer"],
)
def test_what_could_not_be_had_has_its_reason(
    site: Site, forge: Forge, reply: Any, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.serves(reply)
    site.cites(forge.url(), "a" * 40)
    assert site.verify("--online", "-q") == SURROUNDINGS
    assert site.outcome() == (None, "unreachable", "unreachable")
    assert why in site.receipt()["sources"][0]["reason"]
    assert why in capsys.readouterr().err


def test_ctrl_c_leaves_a_receipt_of_what_was_read(site: Site, forge: Forge) -> None:
    forge.serves(ok(REPORT))
    asked = threading.Event()

    def hangs(to: Script) -> None:
        asked.set()
        to.server.over.wait(60)

    forge.server.serves("/notes", hangs)
    site.cites(forge.url(), "a" * 40, also=[f"{forge.site}/notes", f"{forge.site}/unasked"])
    command = [sys.executable, "-m", "site_src", "verify", "--project", str(site.root), "--online", "-q"]
    with subprocess.Popen(command, cwd=RESOURCES) as process:
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == INTERRUPTED
    assert [source["outcome"] for source in site.receipt()["sources"]] == ["verified", "not-checked", "not-checked"]
    assert [value["outcome"] for value in site.receipt()["values"]] == ["verified"]
    assert len(forge.server.asked) == 2


def pieces_of(terminal: int) -> Iterator[bytes]:
    """Yield what a terminal was sent, until the last program that wrote to it has closed it."""
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 65536):
            yield piece


def test_a_person_sees_a_bar_with_what_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = os.openpty()
    termios.tcsetwinsize(far, (24, 100))
    with os.fdopen(far, "w") as screen:
        monkeypatch.setattr(sys, "stderr", screen)
        shown = Fetching(is_quiet=False)
        for total in (None, 1024):
            shown.hear(Step("https://forge.example/a-long-way/to/REPORT.md", 1024, total))
        shown.hear(Step("https://forge.example/other", waiting=3, cause="the server answered 429"))
        shown.close()
    seen = b"".join(pieces_of(near)).decode()
    os.close(near)
    assert "forge.example/a-long-way/to/REPORT.md" in seen
    assert "https://forge.example/other: the server answered 429; asking again in 3 s" in seen


def test_a_clone_comes_before_the_network_and_leaves_to_it_what_it_lacks(
    site: Site, forge: Forge, repository: Repository
) -> None:
    forge.serves(ok(REPORT))
    site.cites(forge.url(repository.first), repository.first)
    assert site.verify("--online", "-q", "--clone", repository.option) == DONE
    assert (site.outcome()[0], forge.server.asked) == ("clone", [])
    site.cites(forge.url(), "a" * 40)
    assert site.verify("--online", "-q", "--clone", repository.option) == DONE
    assert (site.outcome()[0], len(forge.server.asked)) == ("network", 1)


def history(commit: str) -> Any:
    """Return the answer of Forgejo about one commit."""
    return ok(json.dumps([{"sha": commit, "commit": {"committer": {"date": "2026-11-02T10:30:00+01:00"}}}]).encode())


def test_a_link_is_pinned_online(forge: Forge, capsys: pytest.CaptureFixture[str]) -> None:
    forge.serves(ok(REPORT))
    commits = "/api/v1/repos/brook-labs/runs/commits?sha="
    forge.server.serves(f"{commits}{'a' * 40}&limit=1&path=REPORT.md", history("b" * 40))
    assert main(["pin", f"{forge.url()}#L5", "--online", "-q"]) == DONE
    said = capsys.readouterr()
    printed: Any = yaml_data(said.out, "")
    assert printed["sources"][0]["document_sha256"] == hashlib.sha256(REPORT).hexdigest()
    assert printed["sources"][0]["last_commit_at"] == "2026-11-02T10:30:00+01:00"
    assert printed["sources"][0]["revision"] == "a" * 40
    assert said.err == ""


def test_a_branch_is_asked_of_its_forge(forge: Forge, capsys: pytest.CaptureFixture[str]) -> None:
    forge.serves(ok(REPORT))
    forge.server.serves("/api/v1/repos/brook-labs/runs/commits?sha=main&limit=1", history("a" * 40))
    url = f"{forge.site}/brook-labs/runs/src/branch/main/REPORT.md"
    assert main(["pin", url, "--online"]) == DONE
    said = capsys.readouterr()
    assert yaml_data(said.out, "")["sources"][0]["pinned_url"] == forge.url()
    assert f"The forge says that main stands at {'a' * 40}." in said.err
    assert "last_commit_at is left out" in said.err


@pytest.mark.parametrize("answer", [b"[]", b"<html>", b'[{"sha": "main"}]'])
def test_a_branch_that_its_forge_does_not_tell_stays_one(
    forge: Forge, answer: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.server.serves("/api/v1/repos/brook-labs/runs/commits?sha=main&limit=1", ok(answer))
    url = f"{forge.site}/brook-labs/runs/src/branch/main/REPORT.md"
    assert main(["pin", url, "--online", "-q"]) == SURROUNDINGS
    said = capsys.readouterr()
    assert "    # revision: not known yet\n" in said.out
    assert "'main' can move. To find the commit:" in said.err


def test_a_link_that_cannot_be_fetched_is_not_complete(forge: Forge, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", forge.url(), "--online", "-q"]) == SURROUNDINGS
    said = capsys.readouterr()
    assert "    # document_sha256: not known yet\n" in said.out
    assert "the server answered 404 Not Found" in said.err
    assert "--clone" not in said.err


def test_a_clone_is_asked_before_the_network_for_a_pin(
    forge: Forge, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--online", "-q", "--clone", repository.option]
    assert main(["pin", forge.url(repository.first), *arguments]) == DONE
    assert forge.server.asked == []
    assert yaml_data(capsys.readouterr().out, "")["sources"][0]["last_commit_at"] == "2026-11-02T10:30:00+01:00"


HISTORIES = [
    (
        Blob("github", "github.com", "o/n", "v1", "a b.md"),
        "https://api.github.com/repos/o/n/commits?sha=v1&per_page=1&path=a+b.md",
        [{"sha": "c" * 40, "commit": {"committer": {"date": "2026-11-02T09:30:00Z"}}}],
    ),
    (
        Blob("gitlab", "git.example", "g/s/n", "v1", "d/a.md"),
        "https://git.example/api/v4/projects/g%2Fs%2Fn/repository/commits?ref_name=v1&per_page=1&path=d%2Fa.md",
        [{"id": "c" * 40, "committed_date": "2026-11-02T09:30:00Z"}],
    ),
]


@pytest.mark.parametrize(("place", "address", "answer"), HISTORIES, ids=["github", "gitlab"])
def test_each_forge_is_asked_in_its_way(place: Blob, address: str, answer: Any) -> None:
    asked = list[str]()

    def read(url: str) -> bytes:
        asked.append(url)
        return json.dumps(answer).encode()

    assert histories.newest(place, read, of_path=True) == histories.Change("c" * 40, "2026-11-02T09:30:00Z")
    assert asked == [address]


def test_a_forge_without_histories_is_not_asked() -> None:
    place = Blob("bitbucket", "bitbucket.org", "o/n", "main", "a.md")
    assert histories.newest(place, pytest.fail, of_path=False) is None

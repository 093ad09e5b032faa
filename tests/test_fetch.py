"""Fetching with manners, against a real server on this machine that has none."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any, Final

import pytest

from site_src.project import RESOURCES, Project
from site_src.sources.addresses import endpoints
from site_src.sources.fetch import Fetched, fetch
from site_src.sources.kept import SourceCache
from site_src.sources.manners import Clock, Manners, Step
from site_src.sources.patience import seconds_asked
from site_src.sources.unreachable import Unreachable
from tests.hostile import (
    HEAD,
    Hostile,
    Reply,
    certificate_of,
    drips,
    endless,
    hangs,
    hostile,
    leads_to,
    lingers,
    ok,
    resets,
    sends,
    status,
    zipped,
)

HERE: Final = frozenset({"127.0.0.1", "localhost"})
LOCAL: Final = Manners(tries=1, max_bytes=100_000, allow_plain=HERE, allow_private=HERE)
PATIENT: Final = replace(LOCAL, tries=3)
NOW: Final = 1_800_000_000.0
DOCUMENT: Final = b"| rate | 329.010 |\n" * 100


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def server() -> Iterator[Hostile]:
    with hostile() as running:
        yield running


@pytest.fixture
def cache(tmp_path: Path) -> SourceCache:
    return SourceCache(Project(tmp_path).source_cache)


class Waits:
    """A clock that stands still and keeps how long it was asked to wait."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.clock = Clock(lambda: NOW, self.slept.append)


STILL: Final = Waits().clock


def failure(url: str, manners: Manners = LOCAL, clock: Clock = STILL, **rest: Any) -> Unreachable:
    """Return how a fetch fails; every failure names what was asked and is one paragraph without control signs."""
    with pytest.raises(Unreachable) as caught:
        fetch(url, manners, clock=clock, **rest)
    assert str(caught.value).isprintable()
    assert str(caught.value).endswith(f"{caught.value.happened}. {caught.value.remedy}")
    return caught.value


def files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file())


def assert_whole(cache: SourceCache, *documents: bytes) -> None:
    """Assert that the cache holds these documents, each under its hash and with one address, and nothing else."""
    hashes = {hashlib.sha256(d).hexdigest() for d in documents}
    found = files(cache.folder)
    assert {p.name for p in found if p.parent.name == "by-hash"} == hashes
    assert {json.loads(p.read_text())["sha256"] for p in found if p.parent.name == "by-address"} == hashes
    assert len(found) == 2 * len(hashes)
    assert all(hashlib.sha256(p.read_bytes()).hexdigest() == p.name for p in found if p.parent.name == "by-hash")


# What a server may do well.


def test_a_document_comes_with_what_the_server_calls_it(server: Hostile) -> None:
    day = "Mon, 30 Nov 2026 12:00:00 GMT"
    url = server.serves("/a?b=c", ok(DOCUMENT, ETag='"one"', Last_Modified=day))
    assert fetch(f"{url}#L3", LOCAL) == Fetched(f"{url}#L3", url, DOCUMENT, '"one"', day, from_cache=False)
    headers = server.asked[0].headers
    assert headers["Accept-Encoding"] == "gzip"
    assert headers["User-Agent"].startswith("pinpress/")
    assert headers["Host"] == f"127.0.0.1:{server.server_port}"


def test_other_bytes_than_expected_are_the_callers_to_judge(server: Hostile) -> None:
    expected = hashlib.sha256(DOCUMENT).hexdigest()
    got = fetch(server.serves("/a", ok(DOCUMENT[:-1] + b" ")), LOCAL)
    assert hashlib.sha256(got.data).hexdigest() != expected


@pytest.mark.parametrize("members", [1, 3])
def test_gzip_is_undone(server: Hostile, members: int) -> None:
    packed = gzip.compress(DOCUMENT) * members
    url = server.serves("/a", ok(packed, Content_Encoding="gzip"))
    assert fetch(url, LOCAL).data == DOCUMENT * members


def test_a_chunked_document(server: Hostile) -> None:
    url = server.serves("/a", sends(HEAD, b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nhello\r\n", b"0\r\n\r\n"))
    assert fetch(url, LOCAL).data == b"hello"


def test_progress_hears_bytes_and_their_total(server: Hostile) -> None:
    steps = list[Step]()
    url = server.serves("/a", ok(DOCUMENT), sends(HEAD, b"\r\n", DOCUMENT))
    fetch(url, LOCAL, progress=steps.append)
    assert steps[0] == Step(url, 0, len(DOCUMENT))
    assert steps[-1] == Step(url, len(DOCUMENT), len(DOCUMENT))
    fetch(url, LOCAL, progress=steps.append)
    assert steps[-1] == Step(url, len(DOCUMENT), None)


# The cache.


def test_unchanged_bytes_come_from_the_cache(server: Hostile, cache: SourceCache) -> None:
    day = "Mon, 30 Nov 2026 12:00:00 GMT"
    url = server.serves("/a", ok(DOCUMENT, ETag='W/"one"', Last_Modified=day), status(304), ok(b"new", ETag='"two"'))
    first, second, third = (fetch(url, LOCAL, cache) for _ in range(3))
    assert second == replace(first, from_cache=True)
    assert (third.data, third.etag, third.last_modified, third.from_cache) == (b"new", '"two"', None, False)
    asked = [(s.headers["If-None-Match"], s.headers["If-Modified-Since"]) for s in server.asked]
    assert asked == [(None, None), ('W/"one"', day), ('W/"one"', day)]


def test_nothing_is_confirmed_that_was_not_asked(server: Hostile) -> None:
    assert failure(server.serves("/a", status(304))).reason == "answer"


def test_validators_belong_to_the_address_that_gave_them(server: Hostile, cache: SourceCache) -> None:
    url = server.serves("/a", leads_to("/b"), leads_to("/b"), leads_to("/c"))
    server.serves("/b", ok(DOCUMENT, ETag='"1"'), status(304))
    server.serves("/c", ok(b"other", ETag='"1"'))
    first, second, third = (fetch(url, LOCAL, cache) for _ in range(3))
    assert (first.answered_by, second.from_cache, third.data) == (url[:-1] + "b", True, b"other")
    asked = [(s.path, s.headers["If-None-Match"]) for s in server.asked]
    assert asked == [("/a", None), ("/b", None), ("/a", None), ("/b", '"1"'), ("/a", None), ("/c", None)]


def test_a_validator_that_cannot_be_sent_back_is_forgotten(server: Hostile, cache: SourceCache) -> None:
    url = server.serves("/a", sends(HEAD, b'ETag: "a\r\n b"\r\nLast-Modified: \x1b[31m\r\n\r\n', DOCUMENT))
    assert [fetch(url, LOCAL, cache).etag for _ in range(2)] == [None, None]
    assert server.asked[1].headers["If-Modified-Since"] is None


@pytest.mark.parametrize("damage", ["bytes", "no bytes", "index", "address", "hash", "form"])
def test_a_damaged_cache_heals(server: Hostile, cache: SourceCache, damage: str) -> None:
    def reply(to: Any) -> None:
        (status(304) if to.headers["If-None-Match"] else ok(DOCUMENT, ETag='"one"'))(to)

    url = server.serves("/a", reply)
    fetch(url, LOCAL, cache)
    index, stored = files(cache.folder)
    told = json.loads(index.read_text())
    if damage == "bytes":
        stored.write_bytes(DOCUMENT.replace(b"329", b"330"))
    elif damage == "no bytes":
        stored.unlink()
    elif damage == "index":
        index.write_bytes(index.read_bytes()[:-9])
    else:
        wrong = {"address": {"url": "https://x.example/"}, "hash": {"sha256": "../../a"}, "form": {"etag": 1}}[damage]
        index.write_text(json.dumps(told | wrong))
    assert cache.get(url) is None
    assert not index.exists()
    healed = fetch(url, LOCAL, cache)
    assert (healed.data, healed.from_cache) == (DOCUMENT, False)
    assert fetch(url, LOCAL, cache).from_cache
    assert_whole(cache, DOCUMENT)


def test_the_cache_is_a_snapshot_folder_and_may_be_unwritable(server: Hostile, tmp_path: Path) -> None:
    cache = SourceCache(tmp_path / "cache")
    fetch(server.serves("/a", ok(DOCUMENT)), LOCAL, cache)
    assert (cache.folder / "by-hash" / hashlib.sha256(DOCUMENT).hexdigest()).read_bytes() == DOCUMENT
    (tmp_path / "file").write_text("")
    assert fetch(server.serves("/a", ok(DOCUMENT)), LOCAL, SourceCache(tmp_path / "file")).data == DOCUMENT


def test_a_failure_keeps_nothing(server: Hostile, cache: SourceCache) -> None:
    failure(server.serves("/a", sends(HEAD, b"Content-Length: 900\r\n\r\n", DOCUMENT[:100])), cache=cache)
    assert not cache.folder.exists()


def test_ctrl_c_in_the_middle_leaves_a_whole_cache(server: Hostile, cache: SourceCache) -> None:
    whole = server.serves("/a", ok(DOCUMENT))
    half = server.serves("/b", hangs(HEAD, b"Content-Length: 900\r\n\r\n", DOCUMENT[:100]))
    code = (
        "import sys; from pathlib import Path\n"
        "from site_src.sources.fetch import fetch\n"
        "from site_src.sources.kept import SourceCache\n"
        "from site_src.sources.manners import Manners\n"
        "here = frozenset({'127.0.0.1'})\n"
        "manners, cache = Manners(allow_plain=here, allow_private=here), SourceCache(Path(sys.argv[1]))\n"
        "fetch(sys.argv[2], manners, cache)\n"
        "fetch(sys.argv[3], manners, cache, lambda step: print(step.received, flush=True))\n"
    )
    command = [sys.executable, "-c", code, str(cache.folder), whole, half]
    with subprocess.Popen(command, cwd=RESOURCES, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout
        assert next(line for line in child.stdout if line != "0\n") == "100\n"
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert_whole(cache, DOCUMENT)
    assert fetch(whole, LOCAL, cache).data == DOCUMENT


def test_ctrl_c_while_writing_leaves_no_half_file(
    server: Hostile, cache: SourceCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    url = server.serves("/a", ok(DOCUMENT))
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Path, "replace", interrupted)
        fetch(url, LOCAL, cache)
    assert files(cache.folder) == []
    assert fetch(url, LOCAL, cache).data == DOCUMENT


# What a server may do badly.


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (status(404), "not-found"),
        (status(410), "not-found"),
        (status(403), "forbidden"),
        (status(429), "too-many-requests"),
        (status(403, Retry_After="9"), "too-many-requests"),
        (status(500), "server-error"),
        (status(599), "server-error"),
        (status(206, b"part"), "answer"),
        (status(204), "answer"),
        (status(302), "answer"),
        (sends(b"SSH-2.0-OpenSSH_9.2\r\n"), "answer"),
        (sends(HEAD, b"X: " + b"x" * 70_000 + b"\r\n\r\n"), "answer"),
        (sends(HEAD, b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), "answer"),
        (sends(), "reset"),
        (resets(), "reset"),
        (resets(HEAD, b"Content-Length: 900\r\n\r\n", b"half"), "truncated"),
        (sends(HEAD, b"Content-Length: 900\r\n\r\n", b"half"), "truncated"),
        (sends(HEAD, b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nhel"), "truncated"),
        (sends(HEAD, b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nhello\r\n"), "truncated"),
        (ok(gzip.compress(DOCUMENT)[:-9], Content_Encoding="gzip"), "truncated"),
        (ok(gzip.compress(DOCUMENT)[:-8] + bytes(8), Content_Encoding="gzip"), "answer"),
        (ok(DOCUMENT, Content_Encoding="gzip"), "answer"),
        (ok(DOCUMENT, Content_Encoding="br"), "answer"),
        (ok(DOCUMENT, Content_Encoding="gzip, gzip"), "answer"),
        (ok(b"x" * 100_001), "too-large"),
        (hangs(HEAD, b"Content-Length: 10737418240\r\n\r\n"), "too-large"),
        (endless(HEAD + b"\r\n", b"x" * 9_999), "too-large"),
        (endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"8000\r\n" + b"x" * 0x8000 + b"\r\n"), "too-large"),
        (zipped(bytes(50_000_000)), "too-large"),
        (endless(HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"")), "too-large"),
    ],
)
def test_a_failure_has_a_word(server: Hostile, reply: Reply, reason: str) -> None:
    url = server.serves("/a", reply)
    failed = failure(url)
    assert (failed.reason, failed.url) == (reason, url)
    assert len(server.asked) == 1


def test_ten_gigabytes_are_refused_before_they_are_read(server: Hostile) -> None:
    steps = list[Step]()
    url = server.serves("/a", hangs(HEAD, b"Content-Length: 10737418240\r\n\r\n"))
    assert "10737418240" in failure(url, progress=steps.append).happened
    assert steps == []


def test_a_length_that_lies_is_cut(server: Hostile) -> None:
    url = server.serves("/a", endless(HEAD + b"Content-Length: 10\r\n\r\n", b"0123456789"))
    assert fetch(url, LOCAL).data == b"0123456789"


@pytest.mark.parametrize("sent", [(), (HEAD,), (HEAD, b"Content-Length: 900\r\n\r\n", b"half")])
def test_a_silent_server_is_left(server: Hostile, sent: tuple[bytes, ...]) -> None:
    failed = failure(server.serves("/a", hangs(*sent)), replace(LOCAL, read_seconds=0.1))
    assert (failed.reason, failed.happened) == ("timeout", "the server sent nothing for 0.1 s")


@pytest.mark.parametrize(
    ("start", "drop"),
    [
        (HEAD, b"X: y\r\n"),
        (b"", b"H"),
        (HEAD + b"Content-Length: 900\r\n\r\n", b"x"),
        (HEAD + b"\r\n", b"x"),
    ],
    ids=["headers", "status line", "body", "body without a length"],
)
def test_a_server_that_drips_is_left_when_the_time_is_over(server: Hostile, start: bytes, drop: bytes) -> None:
    failed = failure(server.serves("/a", drips(start, drop)), replace(LOCAL, total_seconds=0.3))
    assert (failed.reason, failed.happened) == ("timeout", "it was not complete after 0.3 s")


def test_a_host_that_does_not_accept() -> None:
    """A listener whose queue is full lets a connection wait; gVisor and some systems refuse it instead."""
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for one in (first, second):
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/"
        manners = replace(LOCAL, connect_seconds=0.1, read_seconds=0.1)
        assert failure(url, manners).reason in {"timeout", "refused"}
    assert failure(url).reason == "refused"


def test_a_name_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert failure("https://nowhere.example/a", Manners()).reason == "name"


# Asking again.


def test_a_server_that_recovers(server: Hostile) -> None:
    waits = Waits()
    steps = list[Step]()
    url = server.serves("/a", status(500), resets(HEAD, b"Content-Length: 9\r\n\r\n", b"half"), ok(DOCUMENT))
    assert fetch(url, PATIENT, progress=steps.append, clock=waits.clock).data == DOCUMENT
    assert waits.slept == [1, 2]
    told = [(s.waiting, s.cause) for s in steps if s.waiting]
    assert told == [(1, "the server answered 500 Internal Server Error"), (2, "the document broke off")]


@pytest.mark.parametrize(
    ("asked", "slept"),
    [
        ("7", 7),
        ("60", 60),
        (formatdate(NOW + 30, usegmt=True), 30),
        (formatdate(NOW - 30, usegmt=True), 1),
        ("0", 1),
        ("-5", 1),
        ("soon", 1),
    ],
)
def test_a_server_is_left_alone_for_as_long_as_it_says(server: Hostile, asked: str, slept: float) -> None:
    waits = Waits()
    url = server.serves("/a", status(429, Retry_After=asked), ok(DOCUMENT))
    assert fetch(url, PATIENT, clock=waits.clock).data == DOCUMENT
    assert waits.slept == [slept]


@pytest.mark.parametrize("asked", ["61", "999999999", formatdate(NOW + 3600, usegmt=True)])
def test_a_server_that_wants_longer_is_not_asked_again(server: Hostile, asked: str) -> None:
    waits = Waits()
    failed = failure(server.serves("/a", status(503, Retry_After=asked)), PATIENT, waits.clock)
    assert (failed.reason, failed.wait, waits.slept) == ("server-error", seconds_asked(asked, NOW), [])
    assert "wants to be left alone" in failed.happened
    assert len(server.asked) == 1


def test_dates_without_a_zone_are_utc_and_impossible_ones_are_none() -> None:
    assert seconds_asked("Fri, 15 Jan 2027 08:00:10 -0000", NOW) == 10
    assert seconds_asked("Fri, 99 Jan 2027 08:00:10 GMT", NOW) is None
    assert seconds_asked(None, NOW) is None


@pytest.mark.parametrize(
    ("code", "reason", "times"), [(429, "too-many-requests", 3), (500, "server-error", 3), (404, "not-found", 1)]
)
def test_asking_ends(server: Hostile, code: int, reason: str, times: int) -> None:
    waits = Waits()
    failed = failure(server.serves("/a", status(code)), PATIENT, waits.clock)
    assert (failed.reason, len(server.asked), waits.slept) == (reason, times, [1, 2][: times - 1])
    assert ("asked 3 times" in failed.happened) == (times == 3)


def test_two_at_a_time_at_one_host(server: Hostile) -> None:
    url = server.serves("/a", lingers(ok(DOCUMENT)))
    got = list[Fetched]()
    threads = [threading.Thread(target=lambda: got.append(fetch(url, LOCAL))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(got), server.most_busy) == (8, 2)


# Where a redirect may lead.


def test_a_redirect_on_the_same_host_is_followed(server: Hostile) -> None:
    url = server.serves("/a", leads_to("b/c?d=e#f"))
    server.serves("/b/c?d=e", status(307, Location=url[:-2] + "/é ü".encode().decode("latin-1")))
    there = server.serves("/%C3%A9%20%C3%BC", ok(DOCUMENT))
    got = fetch(url, LOCAL)
    assert (got.url, got.answered_by, got.data) == (url, there, DOCUMENT)


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("/a", "in a circle"),
        ("/b", "in a circle"),
        ("/0", "more than 5 times"),
        ("http://localhost:{port}/b", "another host"),
        ("http://127.0.0.1:{other}/b", "another host"),
        ("//user@127.0.0.1:{port}/b", "hides where it leads"),
        ("https://example.com/b", "another host"),
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address"),
        ("https://[::ffff:10.0.0.1]/", "private or reserved"),
        ("https://2130706433/", "neither a name"),
        ("https://metadata.google.internal/", "name of this machine or network"),
        ("file:///etc/passwd", "not an http or https address"),
        ("ftp://127.0.0.1/a", "not an http or https address"),
        ("javascript:alert(1)", "not an http or https address"),
        ("http://[::1/", "malformed address"),
        ("https://exam\x1bple.com/", "it leads on to"),
    ],
)
def test_a_redirect_is_not_followed(server: Hostile, location: str, words: str) -> None:
    there = location.format(port=server.server_port, other=server.server_port + 1)
    url = server.serves("/a", leads_to(there))
    server.serves("/b", leads_to("/a"))
    for number in range(9):
        server.serves(f"/{number}", leads_to(f"/{number + 1}"))
    failed = failure(url)
    assert failed.reason == "redirect"
    assert words in failed.happened
    assert len(server.asked) == {"/a": 1, "/b": 2, "/0": 6}.get(location, 1)


# Which addresses may be asked.


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.com/a", "only https"),
        ("HTTP://EXAMPLE.COM/a", "only https"),
        ("https://127.0.0.1/a", "127.0.0.1 is a loopback address"),
        ("https://[::1]/a", "::1 is a loopback address"),
        ("https://localhost./a", "localhost is a name of this machine"),
        ("https://printer.local/a", "a name of this machine or network"),
        ("https://10.1.2.3/a", "private"),
        ("https://100.64.0.1/a", "private"),
        ("https://0.0.0.0/a", "private"),
        ("https://224.0.0.1/a", "private"),
        ("https://[fe80::1]/a", "link-local"),
        ("https://[fe80::1%25eth0]/a", "neither a name"),
        ("https://[fd00::1]/a", "private"),
        ("https://[fec0::1]/a", "private"),
        ("https://[::ffff:127.0.0.1]/a", "loopback"),
        ("https://[::127.0.0.1]/a", "private"),
        ("https://[64:ff9b::7f00:1]/a", "loopback"),
        ("https://[2002:7f00:1::]/a", "loopback"),
        ("https://127.1/a", "neither a name"),
        ("https://0x7f000001/a", "neither a name"),
        ("https://münchen.example/a", "xn--"),
        ("https://a..b/a", "neither a name"),
        ("https://user:secret@example.com/a", "user name"),
        ("https://example.com:0/a", "no host"),
        ("https://example.com:99999/a", "malformed"),
        ("ftp://example.com/a", "not an http or https address"),
        ("file:///etc/passwd", "not an http or https address"),
        ("https://example.com/a\x1b[31m b", "percent-encoded"),
        ("", "not an http or https address"),
    ],
)
def test_an_address_is_refused_before_anything_is_asked(url: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", None)
    failed = failure(url, Manners())
    assert failed.reason == "address"
    assert words in failed.happened


def resolving(monkeypatch: pytest.MonkeyPatch, *numeric: str) -> list[str]:
    """Let every name have these addresses; return the list of names that were looked up."""
    asked = list[str]()

    def lookup(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(family[":" in n], socket.SOCK_STREAM, 6, "", (n, port, 0, 0)[: 4 if ":" in n else 2]) for n in numeric]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return asked


@pytest.mark.parametrize("bad", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1%lo", "fd00::1"])
def test_a_name_at_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch, bad: str) -> None:
    resolving(monkeypatch, "93.184.215.14", bad)
    failed = failure("https://harmless.example/a", Manners())
    assert failed.reason == "address"
    assert f"harmless.example is at {bad}" in failed.happened


def test_a_real_name_of_loopback_is_refused_although_plain_is_allowed(server: Hostile) -> None:
    url = server.serves("/a", ok(DOCUMENT), host="localhost")
    failed = failure(url, Manners(allow_plain=HERE))
    assert (failed.reason, server.asked) == ("address", [])
    assert fetch(url, LOCAL).data == DOCUMENT


def test_public_addresses_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    numeric = ["140.82.121.4", "2606:50c0:8000::154", "64:ff9b::8c52:7904"]
    resolving(monkeypatch, *numeric)
    assert [e[1][0] for e in endpoints("https://a.example/", "a.example", 443, Manners())] == numeric


def test_a_name_is_looked_up_once_and_the_connection_goes_to_what_was_judged(
    server: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rebinding: the name would lead elsewhere at a second look."""
    asked = resolving(monkeypatch, "127.0.0.1")
    monkeypatch.setattr(socket, "create_connection", None)
    url = server.serves("/a", ok(DOCUMENT), host="moving.example")
    moving = frozenset({"moving.example"})
    assert fetch(url, Manners(allow_plain=moving, allow_private=moving)).data == DOCUMENT
    assert asked == ["moving.example"]
    assert server.asked[0].headers["Host"] == f"moving.example:{server.server_port}"


def test_the_next_address_is_tried(server: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "::1", "127.0.0.1")
    assert fetch(server.serves("/a", ok(DOCUMENT)), LOCAL).data == DOCUMENT


# Proxies.


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_proxy_from_the_environment_is_used(server: Hostile, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    server.serves("http://source.example/a?b=c", ok(DOCUMENT))
    monkeypatch.setenv(name, f"http://user:s%40fe@127.0.0.1:{server.server_port}")
    plain = replace(LOCAL, allow_plain=frozenset({"source.example"}))
    assert fetch("http://source.example/a?b=c", plain).data == DOCUMENT
    assert server.asked[0].headers["Proxy-Authorization"] == "Basic dXNlcjpzQGZl"
    assert server.asked[0].headers["Host"] == "source.example"


def test_no_proxy_is_respected(server: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    url = server.serves("/a", ok(DOCUMENT))
    failed = failure(url)
    assert failed.reason == "proxy"
    monkeypatch.setenv("no_proxy", "example.com,127.0.0.1")
    assert fetch(url, LOCAL).data == DOCUMENT


@pytest.mark.parametrize("proxy", ["socks5://user:secret@127.0.0.1:1080", "http://:80", "http://[::1"])
def test_a_proxy_of_no_use_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    failed = failure("https://source.example/a", Manners())
    assert failed.reason == "proxy"
    assert "secret" not in str(failed)


def test_behind_a_proxy_literal_addresses_are_still_judged(server: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.server_port}")
    assert failure("https://169.254.169.254/a", Manners()).reason == "address"
    assert failure("https://box.internal/a", Manners()).reason == "address"
    assert server.tunnels == []


def test_a_drip_behind_a_proxy_ends_as_well(server: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    server.serves("http://source.example/a", drips(HEAD + b"\r\n", b"x"))
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
    plain = replace(LOCAL, allow_plain=frozenset({"source.example"}), total_seconds=0.3)
    assert failure("http://source.example/a", plain).reason == "timeout"


# TLS.


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate_of("localhost", tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secure(certificate: Path) -> Iterator[Hostile]:
    with hostile(certificate) as running:
        yield running


def test_a_certificate_nobody_trusts(secure: Hostile) -> None:
    failed = failure(secure.serves("/a", ok(DOCUMENT), host="localhost"), PATIENT)
    assert (failed.reason, secure.asked) == ("tls", [])
    assert "self-signed certificate" in failed.happened or "self signed certificate" in failed.happened


def test_a_trusted_certificate_must_name_the_host(
    secure: Hostile, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection goes to a numeric address; the name that is asked for must still be the certificate's."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetch(secure.serves("/a", ok(DOCUMENT), host="localhost"), LOCAL).data == DOCUMENT
    resolving(monkeypatch, "127.0.0.1")
    url = secure.serves("/a", ok(DOCUMENT), host="other.example")
    failed = failure(url, Manners(allow_private=frozenset({"other.example"})))
    assert failed.reason == "tls"
    assert "other.example" in failed.happened


def test_a_server_without_tls(server: Hostile) -> None:
    url = server.serves("/a", ok(DOCUMENT)).replace("http:", "https:")
    assert failure(url).reason in {"tls", "reset"}


def test_a_silent_handshake_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        assert failure(url, replace(LOCAL, connect_seconds=0.1)).reason == "timeout"
        assert failure(url, replace(LOCAL, total_seconds=0.1)).reason == "timeout"


def test_a_body_over_tls_ends_with_its_time(
    secure: Hostile, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    url = secure.serves("/a", drips(HEAD + b"\r\n", b"x"), host="localhost")
    assert failure(url, replace(LOCAL, total_seconds=0.5)).happened == "it was not complete after 0.5 s"


def test_https_goes_through_a_proxy_in_a_tunnel(
    server: Hostile, secure: Hostile, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("https_proxy", f"127.0.0.1:{server.server_port}")
    url = secure.serves("/a", ok(DOCUMENT), host="localhost")
    assert fetch(url, LOCAL).data == DOCUMENT
    assert server.tunnels == [f"localhost:{secure.server_port}"]


# The rest.


def test_a_failure_crosses_to_another_process() -> None:
    failed = Unreachable("https://a.example/", "timeout", "nothing came", 3.0)
    again = pickle.loads(pickle.dumps(failed))
    assert (str(again), again.reason, again.wait) == (str(failed), "timeout", 3.0)
    assert str(failed) == (
        "https://a.example/ was not fetched: nothing came. Try again later, or supply the document with --snapshots."
    )

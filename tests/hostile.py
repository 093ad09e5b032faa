"""A real web server on this machine that misbehaves as a test tells it to, and a proxy that keeps a list.

A script is a sequence of replies for one path: every request takes the next one, the last one stays. A reply that
waits does so on `over`, which the end of the test sets; nothing sleeps.
"""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from tests.browser import program


class Hostile(ThreadingHTTPServer):
    """Listens on a free port of 127.0.0.1; keeps the requests it saw and the most it had at one time."""

    daemon_threads = True
    request_queue_size = 32

    def __init__(self, certificate: Path | None = None) -> None:
        """Listen; with a certificate (PEM, key included) over TLS."""
        super().__init__(("127.0.0.1", 0), Script)
        self.scripts: dict[str, list[Reply]] = {}
        self.asked: list[Script] = []
        self.tunnels: list[str] = []
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.busy = self.most_busy = 0
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            # The handshake belongs to the thread of the request; one that fails must not stop the others.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def serves(self, path: str, *replies: Reply, host: str = "127.0.0.1") -> str:
        """Answer a path with these replies, one after the other, and return its address."""
        self.scripts[path] = list(replies)
        return f"{self.scheme}://{host}:{self.server_port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that go away are what the tests are about."""


class Script(BaseHTTPRequestHandler):
    """One request; answers as the script of its path says, then closes the connection."""

    server: Hostile
    timeout = 10

    def do_GET(self) -> None:
        """Take the next reply of the path."""
        server = self.server
        with server.lock:
            server.asked.append(self)
            server.busy += 1
            server.most_busy = max(server.busy, server.most_busy)
            script = server.scripts.get(self.path, [status(404)])
            reply = script.pop(0) if len(script) > 1 else script[0]
        try:
            reply(self)
        finally:
            with server.lock:
                server.busy -= 1

    def do_CONNECT(self) -> None:
        """Pass bytes on in both directions, whoever the client asked for, to the port it named on this machine."""
        self.server.tunnels.append(self.path)
        with socket.create_connection(("127.0.0.1", int(self.path.rpartition(":")[2]))) as far:
            self.raw(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_pass_on, args=(far, self.connection), daemon=True)
            back.start()
            _pass_on(self.connection, far)
            back.join()

    def raw(self, *pieces: bytes) -> None:
        """Send bytes as they are."""
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Say nothing."""


Reply = Callable[[Script], None]
HEAD: Final = b"HTTP/1.1 200 OK\r\n"


def _pass_on(near: socket.socket, far: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := near.recv(65536):
            far.sendall(piece)
    with contextlib.suppress(OSError):
        far.shutdown(socket.SHUT_WR)


def status(code: int, body: bytes = b"", **headers: str) -> Reply:
    """Answer with a status, headers (underscores for hyphens) and a whole body."""

    def reply(to: Script) -> None:
        to.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            to.send_header(name.replace("_", "-"), value)
        to.end_headers()
        to.raw(body)

    return reply


def ok(body: bytes, **headers: str) -> Reply:
    """Answer with a document."""
    return status(200, body, **headers)


def leads_to(location: str) -> Reply:
    """Redirect."""
    return status(302, Location=location)


def zipped(body: bytes) -> Reply:
    """Answer with a document in gzip."""
    return ok(gzip.compress(body), Content_Encoding="gzip")


def sends(*pieces: bytes) -> Reply:
    """Send raw bytes, the status line included, and close."""
    return lambda to: to.raw(*pieces)


def hangs(*pieces: bytes) -> Reply:
    """Send raw bytes and then nothing until the test is over."""

    def reply(to: Script) -> None:
        to.raw(*pieces)
        to.server.over.wait(10)

    return reply


def drips(start: bytes, drop: bytes) -> Reply:
    """Send a start and then a drop at a time, fast enough for every single read, for five seconds."""

    def reply(to: Script) -> None:
        to.raw(start)
        for _ in range(250):
            if to.server.over.wait(0.02):
                break
            to.raw(drop)

    return reply


def endless(start: bytes, piece: bytes) -> Reply:
    """Send a start and then pieces as fast as they are taken, until nobody listens."""

    def reply(to: Script) -> None:
        to.raw(start)
        while not to.server.over.is_set():
            to.raw(piece)

    return reply


def resets(*pieces: bytes) -> Reply:
    """Send raw bytes and break the connection."""

    def reply(to: Script) -> None:
        to.raw(*pieces)
        to.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        to.connection.close()

    return reply


def lingers(then: Reply) -> Reply:
    """Hold a request long enough for any other that may come at the same time."""

    def reply(to: Script) -> None:
        to.server.over.wait(0.05)
        then(to)

    return reply


@contextmanager
def hostile(certificate: Path | None = None) -> Iterator[Hostile]:
    """Run a server until the block ends."""
    with Hostile(certificate) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


def certificate_of(host: str, folder: Path) -> Path:
    """Return a certificate for a host, signed by itself, with its key (PEM)."""
    openssl = program(("openssl",), "OpenSSL", "apt-get install openssl")
    names = ["-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(folder / "key")]
    command = [openssl, "req", "-x509", "-days", "2", *names, *key, "-out", str(folder / "certificate")]
    subprocess.run(command, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "certificate").read_text() + (folder / "key").read_text())
    return both

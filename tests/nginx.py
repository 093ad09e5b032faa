"""A real nginx on a free port, for tests; it serves what `host` wrote."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROGRAM: Final = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
_MODULE: Final = Path("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so")
HAS_BROTLI: Final = _MODULE.is_file()


class Server:
    """A running nginx."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, encodings: str = "") -> tuple[int, dict[str, str], bytes]:
        """Return status, headers by their lower-case names, and body of an answer; no redirect is followed."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", path, headers={"Accept-Encoding": encodings} if encodings else {})
            answer = connection.getresponse()
            names = [name.lower() for name, _ in answer.getheaders()]
            assert len(names) == len(set(names)), f"a header is sent twice: {names}"
            return answer.status, {n.lower(): v for n, v in answer.getheaders()}, answer.read()


@contextlib.contextmanager
def served(host: Path, prefix: Path) -> Iterator[Server]:
    """Start nginx with its own prefix, and end it; the files of `host` are included as docs/deploy.md tells."""
    assert PROGRAM
    (prefix / "logs").mkdir(parents=True)
    port = _free_port()
    config = prefix / "nginx.conf"
    config.write_text(_config(host, prefix, port))
    command = [PROGRAM, "-p", str(prefix), "-c", str(config), "-e", str(prefix / "logs" / "error.log")]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    assert "warn" not in tested.stderr, tested.stderr
    with subprocess.Popen([*command, "-g", "daemon off;"]) as running:
        try:
            _await(port)
            yield Server(port)
        finally:
            running.terminate()


def _config(host: Path, prefix: Path, port: int) -> str:
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = " ".join(
        f"{kind}_temp_path {prefix}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    load = f"load_module {_MODULE};" if HAS_BROTLI else ""
    brotli = f"include {host}/nginx/brotli.conf;" if HAS_BROTLI else ""
    return f"""
{load}
{user}
worker_processes 1;
pid {prefix}/nginx.pid;
events {{}}
http {{
    {temporary}
    access_log off;
    include {host}/nginx/http.conf;
    server {{
        listen 127.0.0.1:{port};
        set $pinpress {host};
        include {host}/nginx/server.conf;
        {brotli}
    }}
}}
"""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await(port: int) -> None:
    """Wait until somebody listens: each attempt that is refused returns at once."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 1):
            return
    raise AssertionError("nginx does not listen")

"""A real browser and a real web server for the tests, both on this machine only.

`chromium` and `serve` are fixtures; a `conftest.py` that wants them imports them by name. What a person
lacks makes a test skip; under `CI=true` the same lack makes it fail, so that no check is lost unseen.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NoReturn, Protocol

import pytest
from playwright.sync_api import Browser, sync_playwright


class Serve(Protocol):
    """Serves a folder until the session ends; `base` is the path under which it appears."""

    def __call__(self, folder: Path, base: str = "/") -> str:
        """Return the address of the folder without a closing slash."""
        ...


FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)
"""A page under test reaches the loopback address and nothing else; no name is ever looked up."""


def lacking(what: str, remedy: str) -> NoReturn:
    """Skip the test that needs `what`, or fail it where `CI=true` says that everything must be there."""
    words = f"{what} is missing: {remedy}"
    if os.environ.get("CI") == "true":
        pytest.fail(words, pytrace=False)
    pytest.skip(words)


def program(names: tuple[str, ...], what: str, remedy: str) -> str:
    """Return the path of the first of `names` that is on PATH; without one the test skips or fails."""
    for name in names:
        if found := shutil.which(name):
            return found
    lacking(what, remedy)


def chromium_program() -> str:
    """Return the path of the one Chromium that every check uses."""
    return program(("chromium", "chromium-browser"), "Chromium", "apt-get install chromium")


class _QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder below a base path and writes no access log."""

    base = "/"

    def translate_path(self, path: str) -> str:
        """Return the file for an address; what lies outside the base path does not exist."""
        if not path.startswith(self.base):
            return str(Path(self.directory) / "no-such-file")
        return super().translate_path("/" + path.removeprefix(self.base))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Say nothing: what a test wants to know of a request it asks the browser."""


@contextmanager
def served(folder: Path, base: str = "/") -> Iterator[str]:
    """Serve `folder` on a free port of 127.0.0.1 and yield its address, for example `http://127.0.0.1:40123`."""
    below = type("Handler", (_QuietHandler,), {"base": base})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(below, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{base.rstrip('/')}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, headless, one process for the whole session."""
    path = chromium_program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Return a function that serves a folder until the session ends and answers with its address."""
    with ExitStack() as stack:
        yield lambda folder, base="/": stack.enter_context(served(folder, base))

"""How long after a save the changed page is served, by pinpress and by the previews of other generators, in one run.

    PEERS=DIR python -m tests.bench.previews N [DIR]

Every preview serves the same N invented guides, one after the other; DIR is a project of as many, whose figures need
not be drawn. One word is added to one guide, and the page is asked for every few milliseconds until it holds the word:
no preview is trusted to say when it is done. A pause after each edit lets it end what it still does.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from site_src.project import RESOURCES

from . import corpus, peers
from .peers import Peer

EDITS: Final = 15
_ASK_AGAIN_S: Final = 0.003
_PAUSE_S: Final = 1.0
_PATIENCE_S: Final = 300.0


class Preview(NamedTuple):
    """A preview: its command, the folder it runs in, the file that is edited, the address of its page."""

    name: str
    command: list[str]
    root: Path
    source: Path
    page: str


def ours(count: int, root: Path, port: int) -> Preview:
    """Return the preview of pinpress."""
    if not (root / "records").is_dir():
        corpus.write(count, root)
    name = corpus.identity(1)
    command = [sys.executable, str(RESOURCES / "build.py"), "preview", "--port", str(port), "--project", str(root)]
    return Preview("pinpress", command, RESOURCES, root / "records" / f"{name}.md", f"guides/{name}/")


def theirs(peer: Peer, count: int, root: Path, port: int) -> Preview:
    """Return the preview of a peer, with its input of as many guides."""
    peer.write(count, root)
    name = corpus.identity(1)
    return Preview(peer.name, peer.serve(port), root, root / peer.source / f"{name}.md", f"guides/{name}/")


def times(preview: Preview, port: int) -> tuple[float, list[float]]:
    """Return the seconds until the page is served first, and the milliseconds of each edit."""
    address, text = f"http://127.0.0.1:{port}/{preview.page}", preview.source.read_text("utf-8")
    started = time.perf_counter()
    nothing = subprocess.DEVNULL
    with subprocess.Popen(
        preview.command, cwd=preview.root, start_new_session=True, stdout=nothing, stderr=nothing, stdin=nothing
    ) as server:
        try:
            _wait(address, b"</html>", server)
            first, took = time.perf_counter() - started, list[float]()
            for number in range(EDITS):
                time.sleep(_PAUSE_S)
                word = f"edited{number}of{os.getpid()}"
                preview.source.write_text(f"{text}\nIt was {word}.\n", "utf-8")
                saved = time.perf_counter()
                _wait(address, word.encode(), server)
                took.append((time.perf_counter() - saved) * 1000)
        finally:
            os.killpg(server.pid, 15)
            preview.source.write_text(text, "utf-8")
    return first, took


def _wait(address: str, words: bytes, server: subprocess.Popen[bytes]) -> None:
    """Ask for a page until it holds these words. Raises AssertionError where it never does."""
    until = time.perf_counter() + _PATIENCE_S
    while time.perf_counter() < until and server.poll() is None:
        with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(address) as answer:
            if words in answer.read():
                return
        time.sleep(_ASK_AGAIN_S)
    raise AssertionError(f"{address} never held {words.decode()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main(count: int, folder: Path | None) -> None:
    """Print a line for each preview, with how many times pinpress's median its own is."""
    with tempfile.TemporaryDirectory() as made:
        port = _free_port()
        median = 0.0
        for preview in _previews(count, folder or Path(made) / "ours", Path(made), port):
            first, took = times(preview, port)
            now = statistics.median(took)
            median = median or now
            told = f"first page after {first:.1f} s; edit to served, {EDITS} edits: median {now:.0f} ms"
            print(f"{preview.name}: {told}, {min(took):.0f} to {max(took):.0f} ms; {now / median:.2f}", flush=True)


def _previews(count: int, own: Path, folder: Path, port: int) -> Iterator[Preview]:
    """Yield each preview when its turn comes: the input of one is removed before that of the next is written."""
    yield ours(count, own, port)
    for peer in peers.found():
        if peer.serves:
            yield theirs(peer, count, folder / peer.name, port)
            shutil.rmtree(folder / peer.name)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)

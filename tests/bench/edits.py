"""How long after a save the changed page is served by a preview, figures unchanged.

    python -m tests.bench.edits N [DIR]

A site of N invented records is written into DIR, or into a folder of its own, and its body texts are edited one at a
time in a running preview. The clock runs from the end of the save to the last byte of the page with the new words,
asked for when the preview tells of a new build, as an open tab does. The next save comes when the rebuild has ended.
"""

from __future__ import annotations

import json
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from site_src.project import RESOURCES
from tests.bench import corpus

EDITS = 25


def times(count: int, root: Path) -> tuple[float, list[float], list[str]]:
    """Return the seconds of the first build, the milliseconds of each edit, and what the preview told of them."""
    command = [sys.executable, "-u", str(RESOURCES / "build.py"), "preview", "--port", "0", "--project", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            base = next(w for line in server.stdout for w in line.split() if w.startswith("http://"))
            started = time.perf_counter()
            next(line for line in server.stdout if line.startswith("start: "))
            first = time.perf_counter() - started
            with urllib.request.urlopen(base + ".preview/events") as events:
                builds = (json.loads(told[6:])["build"] for told in events if told.startswith(b"data: "))
                next(builds)
                took, told = list[float](), list[str]()
                for number in range(EDITS):
                    took.append(_edit(root, base, number, builds))
                    # Nobody saves again before the lists of the whole site are done, of which the line tells.
                    told.append(server.stdout.readline().strip())
        finally:
            server.terminate()
    return first, took, told


def _edit(root: Path, base: str, number: int, builds: Iterator[str]) -> float:
    """Edit one body and return the milliseconds until its page is served."""
    name = corpus.identity(2 * number + 1)
    body = root / "records" / f"{name}.md"
    # A folder may be used again: these words stand in no text yet.
    words = f"Edited for the {'again ' * number}time, {secrets.token_hex(4)}."
    text = f"{corpus.record(2 * number + 1)['body_markdown']}\n{words}\n"
    beside = body.with_name(f".{name}.new")
    beside.write_text(text, "utf-8")
    started = time.perf_counter()
    beside.replace(body)
    for _ in builds:
        with urllib.request.urlopen(f"{base}guides/{name}/") as answer:
            if words.encode() in answer.read():
                return (time.perf_counter() - started) * 1000
    raise AssertionError("the preview went away")


def main(count: int, folder: str | None) -> None:
    """Print one line: the first build, then median and range of the edits."""
    with tempfile.TemporaryDirectory() as made:
        root = Path(folder or made)
        if not (root / "records").is_dir():
            corpus.write(count, root)
        first, took, told = times(count, root)
    print(
        f"{count} records: first build {first:.1f} s; edit to served, {EDITS} edits: "
        f"median {statistics.median(took):.0f} ms, {min(took):.0f} to {max(took):.0f} ms"
    )
    print(f"the preview's own line of the last: {told[-1]}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)

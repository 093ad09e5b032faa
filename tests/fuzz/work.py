"""One process of `make fuzz`: feeds one entry point, guided by coverage where atheris is installed, and reports.

The last line it prints is `INPUTS n`. Exit code 0: nothing found; anything else: the input lies in the folder given.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

SECONDS_AN_INPUT: Final = 2.0
MEGABYTES: Final = 500
# Tracing each branch of the code makes it slower; the limit is one on the code as it runs.
_TRACED: Final = 5


class Slow(AssertionError):
    """One input took longer than any may."""


@contextlib.contextmanager
def in_time(most: float) -> Iterator[None]:
    """Raise Slow where the block used more processor time; what others do on this machine does not count."""
    start = time.process_time()
    yield
    if (used := time.process_time() - start) > most:
        raise Slow(f"{used:.1f} s for one input; {most:.0f} s are the most")


def main() -> int:
    """Feed one entry point for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--findings", type=Path, required=True)
    parser.add_argument("--alone", action="store_true", help="hypothesis alone, without atheris")
    options = parser.parse_args()
    try:
        import atheris
    except ImportError:
        atheris = None
    if options.alone or atheris is None:
        return _by_hypothesis(options)
    with atheris.instrument_imports(include=["site_src"]):
        from tests.fuzz.target import load

        target = load(options.name)

    options.corpus.mkdir(parents=True, exist_ok=True)
    for seed in target.seeds:
        (options.corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)

    def one(data: bytes) -> None:
        with in_time(SECONDS_AN_INPUT * _TRACED):
            target.one(data)

    limits = [f"-rss_limit_mb={MEGABYTES}", "-timeout=60", "-max_len=8192", "-detect_leaks=0"]
    limits += [f"-max_total_time={options.seconds}", f"-artifact_prefix={options.findings}/", "-print_final_stats=1"]
    # What a gate says must not hang on chance; other inputs are for those who look for them.
    limits += ["-seed=1"] if os.environ.get("CI") else []
    atheris.Setup([sys.argv[0], *limits, str(options.corpus)], one)
    atheris.Fuzz()
    return 0


def _by_hypothesis(options: Any) -> int:
    from tests.fuzz.target import load

    target, tried, last = load(options.name), 0, [b""]

    def one(data: bytes) -> None:
        last[0] = data
        with in_time(SECONDS_AN_INPUT):
            target.one(data)

    ends = time.monotonic() + options.seconds
    try:
        while time.monotonic() < ends:
            tried += type(target)(one, target.seeds, target.draw).by_hypothesis(100)
    except BaseException:
        options.findings.joinpath(f"crash-{hashlib.sha256(last[0]).hexdigest()[:40]}").write_bytes(last[0])
        raise
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    assert peak < MEGABYTES, f"{peak} MB; {MEGABYTES} MB are the most"
    print(f"INPUTS {tried}", flush=True)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "svg")
    sys.exit(main())

"""`make fuzz`: every entry point for its share of the seconds, in processes of their own, and what came of it.

Working corpora grow in `.cache/fuzz/corpus`, from run to run. What breaks an entry point is made as small as it can be
and written to `tests/fuzz/found/NAME/`, where `pytest tests/test_fuzz.py` feeds it again for ever after.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.fuzz.target import FOUND, NAMES

ROOT: Final = FOUND.parent.parent.parent
CORPORA: Final = ROOT / ".cache" / "fuzz" / "corpus"
_MINIMISING_SECONDS: Final = 20
# A worker imports the package, traced; no input may keep it longer than that beyond its time.
_GRACE_SECONDS: Final = 120


@dataclass(frozen=True)
class Outcome:
    """What came of one entry point: how many inputs it took, what it said last, and the inputs that broke it."""

    name: str
    inputs: int
    said: str
    found: tuple[Path, ...] = ()
    failed: bool = False


def main() -> int:
    """Feed the entry points that are named, or all; return 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)} (default: all)")
    parser.add_argument("--seconds", type=int, default=120, help="for all together, divided among them (default 120)")
    parser.add_argument(
        "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes (default: one a core)"
    )
    parser.add_argument("--alone", action="store_true", help="hypothesis alone, without atheris")
    options = parser.parse_args()
    names = options.names or list(NAMES)
    if unknown := set(names) - set(NAMES):
        parser.error(f"no entry point is named {', '.join(sorted(unknown))}")
    if not options.alone and not _has_atheris():
        print("atheris has no wheel for this machine: hypothesis works alone, without coverage to guide it")
        options.alone = True
    share = max(1, options.seconds * min(options.jobs, len(names)) // len(names))
    print(f"{len(names)} entry points, {share} s each, {options.jobs} at a time", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda name: fed(name, share, alone=options.alone), names))
    for one in outcomes:
        print(_line(one))
    broken = [one.name for one in outcomes if one.failed]
    total = f"{sum(one.inputs for one in outcomes)} inputs at {len(outcomes)} entry points"
    print(f"{total}: " + (f"broken: {', '.join(broken)}" if broken else "nothing found"))
    return 1 if broken else 0


def _line(one: Outcome) -> str:
    told = f"{one.name:<12} {one.inputs:>9} inputs"
    if not one.failed:
        return told
    files = ", ".join(path.relative_to(ROOT).as_posix() for path in one.found) or "no input was kept"
    return f"{told}  BROKEN by {files}\n{one.said}"


def _has_atheris() -> bool:
    try:
        import atheris  # noqa: F401
    except ImportError:
        return False
    return True


def fed(name: str, seconds: int, *, alone: bool = False) -> Outcome:
    """Feed one entry point in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        findings = Path(folder)
        command = [sys.executable, "-m", "tests.fuzz.work", name, "--seconds", str(seconds)]
        command += ["--corpus", str(CORPORA / name), "--findings", folder, *(["--alone"] if alone else [])]
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=seconds + _GRACE_SECONDS, check=False)
            said, failed = (done.stdout + done.stderr).decode("utf-8", "replace"), done.returncode != 0
        except subprocess.TimeoutExpired as late:
            said, failed = (late.stderr or b"").decode("utf-8", "replace") + "\nit did not end", True
        counts = re.findall(r"^INPUTS (\d+)$|^stat::number_of_executed_units:\s*(\d+)|^#(\d+)\s", said, re.M)
        inputs = max((int(number) for match in counts for number in match if number), default=0)
        kept = tuple(_kept(name, path) for path in sorted(findings.iterdir())) if failed else ()
    # An entry point that took no input was not fuzzed, whatever the exit code says.
    trace = re.search(r"^Traceback \(most recent call last\):.+?(?===\d+==|\Z)", said, re.M | re.S)
    return Outcome(name, inputs, (trace[0] if trace else said)[-3000:], kept, failed or not inputs)


def _kept(name: str, path: Path) -> Path:
    """Keep an input that broke an entry point, as small as it can be made and still break it."""
    kind = path.name.partition("-")[0]
    data = path.read_bytes()
    if kind == "crash":
        data = smaller(name, data)
    folder = FOUND / name
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / path.name[:20]
    kept.write_bytes(data)
    return kept


def smaller(name: str, data: bytes) -> bytes:
    """Return the input without whatever it can lose and still break the entry point, tried for some seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(data)
        command = [sys.executable, "-m", "tests.fuzz.shrink", name, str(path)]
        # One that cannot be made smaller is kept as it is.
        subprocess.run(
            command, cwd=ROOT, capture_output=True, timeout=_MINIMISING_SECONDS + _GRACE_SECONDS, check=False
        )
        return path.read_bytes()


if __name__ == "__main__":
    sys.exit(main())

"""Pure steps over many values → their results, in other processes where there are enough of them.

A step's first input is the same for all values. Processes are forked, so it need not be picklable: it is there when
they begin. Results come in the order of the values, whatever the order of work.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from .problems import Surroundings

Shared = TypeVar("Shared")
Value = TypeVar("Value")
Result = TypeVar("Result")
FEW: Final = 4
"""Values that are not worth other processes."""

_PR_SET_PDEATHSIG: Final = 1
_job: tuple[Callable[[Any, Any], Any], Any] | None = None


def each(
    step: Callable[[Shared, Value], Result], shared: Shared, values: Sequence[Value], jobs: int, few: int = FEW
) -> Iterator[Result]:
    """Yield `step(shared, value)` for each value, `jobs` at a time where there are more than `few`."""
    global _job  # noqa: PLW0603  # what a forked process is to find in its memory
    if jobs == 1 or len(values) <= few:
        yield from (step(shared, value) for value in values)
        return
    _job = step, shared
    try:
        workers = min(jobs, len(values))
        with crew(workers) as pool:
            # Small portions, so that no process is left with much to do when the others have done.
            yield from pool.map(_run, values, chunksize=max(1, min(8, len(values) // (16 * workers))))
    finally:
        _job = None


@contextmanager
def crew(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Yield forked processes, which end with the block. Raises Surroundings where one was killed."""
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(os.getpid(),))
    try:
        yield pool
    except BrokenProcessPool:
        told = "A process of the build was killed, as systems do that run out of memory. --jobs 1 needs the least."
        raise Surroundings(told) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(parent: int) -> None:
    """Let the process that asked for the work answer Ctrl-C, which a terminal sends to all of them; end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        # Else a worker whose parent was killed waits for work for ever.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _run(value: Any) -> Any:
    assert _job is not None
    step, shared = _job
    return step(shared, value)

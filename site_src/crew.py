"""Pure steps over many values → their results, in other processes where there are enough of them.

A step's first input is the same for all values. Processes are forked, so it need not be picklable: it is there when
they begin. Results come in the order of the values, whatever the order of work.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final, TypeVar

Shared = TypeVar("Shared")
Value = TypeVar("Value")
Result = TypeVar("Result")
FEW: Final = 4
"""Values that are not worth other processes."""

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
        context = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_ctrl_c)
        try:
            # Small portions, so that no process is left with much to do when the others have done.
            yield from pool.map(_run, values, chunksize=max(1, min(8, len(values) // (16 * workers))))
        finally:
            pool.shutdown(cancel_futures=True)
    finally:
        _job = None


def _leave_ctrl_c() -> None:
    """Let the process that asked for the work answer Ctrl-C; a terminal sends it to all of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(value: Any) -> Any:
    assert _job is not None
    step, shared = _job
    return step(shared, value)

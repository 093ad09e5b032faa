"""Run a command of pinpress and do it harm at one of its steps: `python -m tests.stepping HARM AT WORD…`.

A step is a file that is opened for writing, made, linked, renamed or removed, or a function that is looked up in the C
library, as the exchange of two folders is. Python tells of each before it happens. HARM and AT say:

    kill N       end the process at step N, as kill -9 does; +N is the Nth step after the exchange, +0 itself
    interrupt N  send Ctrl-C at such a step
    shrink N     let no file grow beyond N bytes
    vanish PATH  remove the file PATH the moment it is opened for reading
    count PATH   write the number of steps into the file PATH
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, Final

from site_src.cli import main

_CHANGES: Final = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "ctypes.dlsym"})
_EXCHANGE: Final = "renameat2"
_SIGNALS: Final = {"kill": signal.SIGKILL, "interrupt": signal.SIGINT}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Steps:
    """Counts the steps of this process, and does its harm at one of them."""

    def __init__(self, harm: str, at: str) -> None:
        self.harm, self.at, self.count, self.pid = harm, at, 0, os.getpid()
        self.is_counting = not at.startswith("+")

    def hear(self, event: str, told: tuple[Any, ...]) -> None:
        """Hear of what is about to happen."""
        if event == "open" and self.harm == "vanish" and str(told[0]) == self.at and not told[2] & _WRITING:
            Path(self.at).unlink(missing_ok=True)
        if os.getpid() == self.pid and (event in _CHANGES or (event == "open" and told[2] & _WRITING)):
            self._step(event, told)

    def _step(self, event: str, told: tuple[Any, ...]) -> None:
        if self.is_counting:
            self.count += 1
        else:
            self.is_counting = event == "ctypes.dlsym" and told[1] == _EXCHANGE
        if self.is_counting and self.harm in _SIGNALS and self.count == int(self.at):
            os.kill(self.pid, _SIGNALS[self.harm])


def run(harm: str, at: str, words: list[str]) -> int:
    """Run a command and return its exit code."""
    # A parent may have left it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    steps = Steps(harm, at)
    if harm == "shrink":
        # Python ignores the signal that comes with it; the write fails.
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(at), int(at)))
    else:
        sys.addaudithook(steps.hear)
    code = main(words)
    if harm == "count":
        told = str(steps.count)
        Path(at).write_text(told, "utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1], sys.argv[2], sys.argv[3:]))

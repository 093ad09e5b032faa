"""An end to one request, whatever it is doing: a connection that is still open then is cut.

A timeout per read does not bound the whole: a server that sends a byte now and then, in its headers or in its body,
keeps every single read alive. The lookup of a name is outside; the system's resolver has limits of its own.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import TracebackType
from typing import Self


class Deadline:
    """A block that may last `seconds`. Connections that were handed to `watch` are shut down when it is over."""

    def __init__(self, seconds: float) -> None:
        """Count from now."""
        self._end = time.monotonic() + seconds
        self._levers: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self.passed = False

    def __enter__(self) -> Self:
        """Start the watch."""
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let the watched connections go."""
        self._timer.cancel()
        with self._lock:
            for lever in self._levers:
                lever.close()
            self._levers.clear()

    def left(self) -> float:
        """Return the seconds that are left, never below a moment, so that it serves as a timeout."""
        return max(self._end - time.monotonic(), 0.001)

    def watch(self, connection: socket.socket) -> None:
        """Cut this connection at the end. A duplicate is kept: TLS takes the original over."""
        with self._lock:
            self._levers.append(connection.dup())
        if self.passed:
            self._cut()

    def _cut(self) -> None:
        self.passed = True
        with self._lock:
            for lever in self._levers:
                with contextlib.suppress(OSError):
                    lever.shutdown(socket.SHUT_RDWR)

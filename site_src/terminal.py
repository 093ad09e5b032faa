"""An editor's terminal: one key at a time, if a person sits there."""

from __future__ import annotations

import sys
from typing import Final

from .claims.dialogue import STOP, Terminal

_INTERRUPT: Final = "\x03"


def terminal() -> Terminal | None:
    """Return the terminal of the session, or None where input or output is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    return Terminal(_say, _key, input)


def _say(line: str) -> None:
    print(line, flush=True)


def _key() -> str:
    """Return the next key without waiting for a line; the end of input stops the session. Raises KeyboardInterrupt."""
    try:
        import termios
        import tty
    except ImportError:
        return (input()[:1] or " ").lower()
    before = termios.tcgetattr(sys.stdin)
    try:
        # At once, so that a key pressed before its question is not lost.
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        key = sys.stdin.read(1)
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
    if key == _INTERRUPT:
        raise KeyboardInterrupt
    return key.lower() or STOP

"""An editor's terminal: one key at a time, if a person sits there; and what is being fetched or drawn."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NoReturn

from .claims.dialogue import STOP, Terminal

if TYPE_CHECKING:
    from tqdm import tqdm

    from .sources.manners import Step

_INTERRUPT: Final = "\x03"
# Signs of an address beside a bar: what is left of 80 is the bar's.
_NAME: Final = 40
# Figures drawn between two lines where nobody watches: about a second of work.
_FIGURES_A_LINE: Final = 10
# Records made between two lines there.
_RECORDS_A_LINE: Final = 10


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


class Fetching:
    """Shows on standard error what is being fetched: a bar where a person watches, else a line a document."""

    def __init__(self, *, is_quiet: bool) -> None:
        """Say nothing at all if quiet."""
        self.is_quiet = is_quiet
        self._url = ""
        self._bar: tqdm[NoReturn] | None = None

    def hear(self, step: Step) -> None:
        """Show one step of the network client."""
        if self.is_quiet:
            return
        if step.url != self._url:
            self.close()
            self._url = step.url
            if not sys.stderr.isatty():
                print(f"fetching {step.url}", file=sys.stderr, flush=True)
        if step.cause:
            self.close()
            print(f"{step.url}: {step.cause}; asking again in {step.waiting:.0f} s", file=sys.stderr, flush=True)
        elif sys.stderr.isatty():
            self._show(step)

    def _show(self, step: Step) -> None:
        from tqdm import tqdm

        if self._bar is None:
            name = step.url.partition("://")[2]
            name = name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"
            self._bar = tqdm(desc=name, unit="B", unit_scale=True, unit_divisor=1024, leave=False)
        self._bar.total = step.total
        self._bar.update(step.received - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None


class Making:
    """Shows on standard error how many records are made: a bar where a person watches, else a line now and then.

    The bar has the rate and the time that is left; both name the figures that were drawn and reused.
    """

    def __init__(self, *, is_quiet: bool) -> None:
        """Say nothing at all if quiet."""
        self.is_quiet = is_quiet
        self._bar: tqdm[NoReturn] | None = None

    def hear(self, done: int, total: int, drawn: int, reused: int) -> None:
        """Show that one more record is made."""
        if self.is_quiet:
            return
        figures = f"{drawn} figures drawn, {reused} reused"
        if not sys.stderr.isatty():
            if done % _RECORDS_A_LINE == 0 if done else drawn % _FIGURES_A_LINE == 0:
                print(f"{done} of {total} records made, {figures}", file=sys.stderr, flush=True)
            return
        from tqdm import tqdm

        if self._bar is None:
            self._bar = tqdm(desc="making", total=total, unit="record", leave=False)
        self._bar.set_postfix_str(figures, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None


class Drawing:
    """Shows on standard error how many figures are drawn: a bar where a person watches, else a line now and then.

    The bar has the rate and the time that is left; both name the figures that are not drawn again.
    """

    def __init__(self, *, is_quiet: bool) -> None:
        """Say nothing at all if quiet."""
        self.is_quiet = is_quiet
        self._bar: tqdm[NoReturn] | None = None

    def hear(self, done: int, total: int, reused: int) -> None:
        """Show that one more figure is drawn."""
        if self.is_quiet:
            return
        if not sys.stderr.isatty():
            if done % _FIGURES_A_LINE == 0:
                print(f"{done} of {total} figures drawn, {reused} reused", file=sys.stderr, flush=True)
            return
        from tqdm import tqdm

        if self._bar is None:
            self._bar = tqdm(desc="drawing", total=total, unit="figure", leave=False, postfix=f"{reused} reused")
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None

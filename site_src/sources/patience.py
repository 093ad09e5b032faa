"""How long to wait before asking again: a failure and the number of tries so far → seconds."""

from __future__ import annotations

import re
from datetime import UTC
from email.utils import parsedate_to_datetime

from .manners import Manners
from .unreachable import TRANSIENT, Unreachable


def seconds_asked(retry_after: str | None, now: float) -> float | None:
    """Return the seconds a Retry-After header asks for, given in seconds or as a date (RFC 9110, 10.2.3), or None."""
    text = (retry_after or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
        return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def pause(failure: Unreachable, tries: int, manners: Manners) -> float:
    """Return the seconds to wait after the `tries`-th try failed, or raise the failure where asking again is no use.

    The waits double. A server that names a longer one gets it; one longer than we stay is not cut short, which would be
    rude and vain, but ends the asking.
    """
    if failure.reason not in TRANSIENT or tries >= manners.tries:
        raise failure.after(tries)
    own = min(manners.first_wait * 2.0 ** (tries - 1), manners.longest_wait)
    if failure.wait is not None and failure.wait > manners.longest_wait:
        words = f"{failure.happened} and wants to be left alone for {failure.wait:.0f} s"
        raise Unreachable(failure.url, failure.reason, words, failure.wait).after(tries)
    return max(own, failure.wait or 0)

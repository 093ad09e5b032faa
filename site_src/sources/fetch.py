"""Fetch one document with manners: an address → its bytes, from the network or, where the server agrees, as kept.

One call is one turn at the host. It asks with the validators of the kept copy, follows redirects on the same host,
repeats what may be gone a moment later, and keeps what it got. It prints nothing; `progress` hears every step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from .addresses import Address, after_redirect, parse
from .kept import Kept, SourceCache
from .manners import Clock, Manners, Progress, Step, silent
from .patience import pause, seconds_asked
from .turns import turn
from .unreachable import Reason, Unreachable

if TYPE_CHECKING:
    from .wire import Answer

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_ETAG: Final = re.compile(r'(W/)?"[\x21\x23-\x7e\x80-\xff]{0,1000}"')
_DATE: Final = re.compile(r"[A-Za-z0-9,:+ -]{1,60}")
_REASONS: Final[dict[int, Reason]] = {
    401: "forbidden",
    403: "forbidden",
    404: "not-found",
    407: "proxy",
    408: "timeout",
    410: "not-found",
    429: "too-many-requests",
    451: "forbidden",
}


@dataclass(frozen=True)
class Fetched:
    """A document. `answered_by` is the address behind redirects; the validators are as the server told them.

    `from_cache` says that the server confirmed (304) that the kept bytes are still what it serves.
    """

    url: str
    answered_by: str
    data: bytes
    etag: str | None
    last_modified: str | None
    from_cache: bool


def fetch(
    url: str,
    manners: Manners,
    cache: SourceCache | None = None,
    progress: Progress = silent,
    clock: Clock = Clock(),  # noqa: B008  (frozen, and without state)
) -> Fetched:
    """Return the document at an https address. Raises Unreachable; an interruption leaves the cache whole."""
    address = parse(url, manners)
    kept = cache.get(address.url) if cache else None
    with turn(address.host, manners.per_host):
        answered_by, answer = _patiently(address, kept, manners, progress, clock)
    if answer.status == HTTPStatus.NOT_MODIFIED and kept:
        return Fetched(url, kept.answered_by, kept.data, kept.etag, kept.last_modified, from_cache=True)
    etag = _sound(_ETAG, answer.headers.get("etag"))
    last_modified = _sound(_DATE, answer.headers.get("last-modified"))
    if cache:
        cache.put(Kept(address.url, answered_by.url, etag, last_modified, answer.data))
    return Fetched(url, answered_by.url, answer.data, etag, last_modified, from_cache=False)


def _patiently(
    address: Address, kept: Kept | None, manners: Manners, progress: Progress, clock: Clock
) -> tuple[Address, Answer]:
    """Return who answered and the answer, a 200 or a 304, after as many tries as manners allow."""
    tries = 0
    while True:
        tries += 1
        try:
            return _followed(address, kept, manners, progress, clock)
        except Unreachable as failure:
            seconds = pause(failure, tries, manners)
            progress(Step(address.url, waiting=seconds, cause=failure.happened))
        clock.sleep(seconds)


def _followed(
    address: Address, kept: Kept | None, manners: Manners, progress: Progress, clock: Clock
) -> tuple[Address, Answer]:
    """Return the address at the end of the redirects, and its answer."""
    from . import wire

    seen = [address]
    while True:
        here = seen[-1]
        validators = _validators(kept) if kept and kept.answered_by == here.url else {}
        headers = {"User-Agent": f"pinpress/{version('pinpress')}", **validators}

        def received(count: int, total: int | None) -> None:
            progress(Step(address.url, count, total))

        answer = wire.ask(here, headers, manners, received)
        if answer.status in _REDIRECTS and "location" in answer.headers:
            seen.append(_next(here, answer.headers["location"], seen, manners))
        elif answer.status == HTTPStatus.OK or (answer.status == HTTPStatus.NOT_MODIFIED and validators):
            return here, answer
        else:
            raise _failure(here.url, answer, clock.now())


def _next(here: Address, location: str, seen: list[Address], manners: Manners) -> Address:
    there = after_redirect(here, location, manners)
    if there in seen:
        raise Unreachable(here.url, "redirect", "its redirects run in a circle")
    if len(seen) > manners.redirects:
        raise Unreachable(here.url, "redirect", f"it leads on more than {manners.redirects} times")
    return there


def _failure(url: str, answer: Answer, now: float) -> Unreachable:
    """Return what a status means that brings no document."""
    status = answer.status
    wait = seconds_asked(answer.headers.get("retry-after"), now)
    reason = _REASONS.get(status, "server-error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "answer")
    if status == HTTPStatus.FORBIDDEN and wait is not None:
        reason = "too-many-requests"  # so does GitHub answer who asks too often
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else ""
    return Unreachable(url, reason, f"the server answered {status} {phrase}".rstrip(), wait)


def _validators(kept: Kept) -> dict[str, str]:
    told = {"If-None-Match": kept.etag, "If-Modified-Since": kept.last_modified}
    return {name: value for name, value in told.items() if value}


def _sound(form: re.Pattern[str], value: str | None) -> str | None:
    """Return a validator that may be sent back as it is, or None; what a server sends may hold line breaks."""
    return value if value and form.fullmatch(value) else None

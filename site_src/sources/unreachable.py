"""Why a document could not be had: one short stable word for machines, one sentence for a person."""

from __future__ import annotations

from typing import Final, Literal

from ..problems import Surroundings

Reason = Literal[
    "address",  # not an address that may be asked: no https, a private address, a malformed one
    "name",  # the host's name has no address
    "refused",  # nothing listens there, or there is no way to it
    "timeout",
    "reset",  # the connection broke before an answer
    "tls",
    "proxy",
    "redirect",  # it leads on to where we do not follow
    "not-found",
    "forbidden",
    "too-many-requests",
    "server-error",
    "too-large",
    "truncated",
    "answer",  # an answer that is no document: another status, a damaged or unasked encoding
]

TRANSIENT: Final[frozenset[Reason]] = frozenset(
    {"refused", "timeout", "reset", "truncated", "too-many-requests", "server-error"}
)
"""Reasons that may be gone a moment later, and for which alone a request is repeated."""

_REMEDIES: Final[dict[Reason, str]] = {
    "address": "Put a public https address in the record.",
    "name": "Check the spelling of the host, and that this machine has a network.",
    "refused": "Check the host and the port, and that this machine has a network.",
    "timeout": "Try again later, or supply the document with --snapshots.",
    "reset": "Try again later, or supply the document with --snapshots.",
    "tls": "If a browser trusts this host, name your certificates in SSL_CERT_FILE.",
    "proxy": "Check HTTPS_PROXY and NO_PROXY in the environment.",
    "redirect": "Put the address in the record that serves the document itself.",
    "not-found": "Check the revision and the path in the record; the document may be gone.",
    "forbidden": "The document is not public; supply it with --snapshots or --clone.",
    "too-many-requests": "Try again later, or supply the document with --snapshots or --clone.",
    "server-error": "Try again later, or supply the document with --snapshots.",
    "too-large": "Supply the document with --snapshots or --clone.",
    "truncated": "Try again later, or supply the document with --snapshots.",
    "answer": "Open the address in a browser; it may not be the document itself.",
}


class Unreachable(Surroundings):
    """A document could not be had. Its text says what was asked, what happened and what to do."""

    def __init__(self, url: str, reason: Reason, happened: str, wait: float | None = None) -> None:
        """Compose the text; `wait` is how many seconds the server wants to be left alone, if it said so."""
        self.url, self.reason, self.happened, self.wait = url, reason, happened, wait
        self.remedy = _REMEDIES[reason]
        super().__init__(f"{url} was not fetched: {happened}. {self.remedy}")

    def __reduce__(self) -> tuple[type[Unreachable], tuple[str, Reason, str, float | None]]:
        """Return how to make an equal one, so that it may cross to another process."""
        return Unreachable, (self.url, self.reason, self.happened, self.wait)

    def after(self, tries: int) -> Unreachable:
        """Return the same failure, telling how often it was tried."""
        if tries == 1:
            return self
        return Unreachable(self.url, self.reason, f"{self.happened}; asked {tries} times", self.wait)

"""What a page may load: its Content Security Policy, and the hash that lets a block of data stand in it."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

_DIRECTIVES: Final = (
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
)
HEADER_ONLY: Final = "frame-ancestors 'none'"
"""A directive that browsers ignore in a meta element."""


def policy(block: str = "", scripts: str = "") -> str:
    """Return the policy of a page.

    `block` is the text of its one inline block of data, `scripts` what it may run; "" where there is none.
    """
    allowed = " ".join([scripts] * bool(scripts) + [f"'{digest(block)}'"] * bool(block))
    first, *others = _DIRECTIVES
    return "; ".join([first, *[f"script-src {allowed}"] * bool(allowed), *others])


def digest(block: str) -> str:
    """Return the hash of an inline block as a policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()}"

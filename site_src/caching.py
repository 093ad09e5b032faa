"""A file of a site → how long a browser keeps it without asking again."""

from __future__ import annotations

import re
from typing import Final

FOR_GOOD: Final = "public, max-age=31536000, immutable"
EACH_TIME: Final = "no-cache"
"""Kept, and asked for again each time: a correction is seen at once."""
_TAG: Final = re.compile(r"\.([0-9a-f]{8,64})\.")


def is_named_by_content(path: str, sha256: str) -> bool:
    """Tell whether a file's name holds the beginning of its SHA-256: other bytes would have another name."""
    tag = _TAG.search(path, path.rfind("/") + 1)
    return tag is not None and sha256.startswith(tag[1])

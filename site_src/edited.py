"""New text for a file that an editor owns: written beside it and moved into place, so that none is ever half there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from .problems import Surroundings


def replace_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, the whole file or none of it. Raises Surroundings."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise Surroundings(f"{path.name} cannot be written: {error.strerror}") from None

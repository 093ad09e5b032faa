"""A folder of source documents, laid out OWNER/REPO/REVISION/PATH → the lines of a cited document, if they are its own.

Bytes that do not hash to the pin of the source are not that document, and are not read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from .model import Source
from .pointers import escape
from .printed_values import numbers_in

_MARKS: Final = re.compile(r"[*_`|]+")


def document(folder: Path, source: Source) -> tuple[Path, bytes] | None:
    """Return path and bytes of a source's document, or None where the folder does not hold its very bytes."""
    path = folder / (source.repository or "") / source.revision / source.document_path
    if not source.repository or not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        return None
    raw = path.read_bytes()
    return (path, raw) if hashlib.sha256(raw).hexdigest() == source.document_sha256 else None


def lines(folder: Path, source: Source) -> list[str] | None:
    """Return the lines of a source's document, or None where the folder does not hold its very bytes."""
    found = document(folder, source)
    return found[1].decode("utf-8", "replace").splitlines() if found else None


def holds(line: str, exact: str | None, value: Decimal | None) -> bool:
    """Tell whether a line prints the exact cell, or else the value as a whole number. Emphasis and blanks aside."""
    if exact is not None:
        cell = re.escape(_plain(exact))
        return re.search(rf"(?<![\w.,]){cell}(?![\w]|[.,]\d)", _plain(line)) is not None
    return value is not None and value in numbers_in(line)


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split())


def entries(data: Any, pointer: str = "") -> Iterator[tuple[str, str, int, str | None, Decimal | None]]:
    """Yield pointer, document, line, exact cell and value of every evidence entry of a record that names a line."""
    if isinstance(data, dict):
        evidence = data.get("evidence")
        if isinstance(evidence, dict):
            yield from _entry(evidence, f"{pointer}/evidence", data.get("value"))
        for key, entry in (data.get("condition_evidence") or {}).items():
            held = (data.get("conditions") or {}).get(key)
            yield from _entry(entry, f"{pointer}/condition_evidence/{escape(key)}", held)
        for key, item in data.items():
            if key not in {"evidence", "condition_evidence"}:
                yield from entries(item, f"{pointer}/{escape(key)}")
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from entries(item, f"{pointer}/{index}")


def _entry(evidence: Any, pointer: str, value: Any) -> Iterator[tuple[str, str, int, str | None, Decimal | None]]:
    line, document = evidence.get("line"), evidence.get("document")
    if isinstance(line, Decimal) and isinstance(document, str):
        number = value if isinstance(value, Decimal) else None
        yield pointer, document, int(line), evidence.get("exact"), number

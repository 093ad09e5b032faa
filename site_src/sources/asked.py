"""What was asked of a document for one value, as a digest: an answer holds as long as the question is the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

from .. import words
from ..model import Record
from .find import Wanted
from .wanted import wanted

_DIGITS: Final = 16


def questions(data: Any, record: Record) -> Iterator[tuple[Wanted, str]]:
    """Yield every value that a record says a document prints, with the digest of the question.

    The digest covers the pin of the document, the value, its unit, its line or pointer, and every word of the record
    that names its row and its column; the order of keys does not count. It tells nothing of the answer.
    """
    pins = dict[str, str]()
    for source in record.all_sources:
        for name in (source.document_id, source.pinned_url):
            if name:
                pins[name] = source.document_sha256
    for one in wanted(data, record):
        yield one, _digest(one, pins.get(one.document, ""))


def _digest(one: Wanted, pin: str) -> str:
    value = words.literal(one.value) if one.value is not None else None
    told = [pin, value, one.unit, one.line, one.exact, one.column, one.at, one.names, one.texts]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:_DIGITS]

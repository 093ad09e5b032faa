"""The loader: bytes of a record in JSON → data, or located problems."""

from __future__ import annotations

from site_src.load import parsed
from site_src.serial import json_text
from tests.fuzz.target import of_bytes, told
from tests.records import sound

FILE = "records/brook.json"


def _one(raw: bytes) -> None:
    _, problems, _ = parsed(FILE, raw)
    told(problems, FILE, raw)


TARGET = of_bytes(
    _one,
    json_text(sound()).encode(),
    b'{"a": [1, 2.50, -0, 1e5, NaN, null, true, "\\ud83d\\ude00\\u202e"], "a": {}}',
    b"[" * 70 + b"]" * 70,
    b'\xef\xbb\xbf{"k\x00": 1e999999999}\r\n',
)

"""`fmt`: any file of records/ → a layout that says the same and that another run leaves alone, or a refusal."""

from __future__ import annotations

from site_src import parse
from site_src.layout.form import canonical
from site_src.load import decoded
from site_src.problems import Rejected
from site_src.serial import json_text
from site_src.yaml_layout import block
from tests.claim_samples import record
from tests.fuzz.target import of_bytes, told

NAMES = ("records/tarn.json", "records/tarn.yml", "records/tarn.figures.yml", "records/tarn.claims.json")


def _one(raw: bytes) -> None:
    for file in NAMES:
        try:
            text = decoded(raw, file)
            made = canonical(text, file)
        except Rejected as rejected:
            told(rejected.problems, file, raw)
            continue
        assert canonical(made, file) == made, file
        read = parse.json_data if file.endswith(".json") else parse.yaml_data
        assert _exact(read(made, file)) == _exact(read(text, file)), file


def _exact(value: object) -> object:
    """Return data whose numbers keep their digits, as an order of keys does not."""
    if isinstance(value, dict):
        return {key: _exact(held) for key, held in value.items()}
    return [*map(_exact, value)] if isinstance(value, list) else (type(value).__name__, str(value))


TARGET = of_bytes(
    _one,
    json_text(record()).encode(),
    block(record()).encode(),
    b"# head\n\na:   [1.50,\n  {b: c}]  # why\n\nb: >-\n  folded\n\n  text\nc: |2\n    x\n",
    b"\"k\": 'it''s'\n- x\n--- # y\nz: \"a\\\n  b\"\n...\n",
    b'{"b":\t1.50, "a": [ ], "\\u0041": "\\/"}',
)

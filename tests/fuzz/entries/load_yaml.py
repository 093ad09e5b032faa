"""The loader: bytes of a record in YAML → data, or located problems."""

from __future__ import annotations

from site_src.load import parsed
from site_src.yaml_layout import block
from tests.fuzz.target import of_bytes, told
from tests.records import sound

FILE = "records/brook.yml"


def _one(raw: bytes) -> None:
    _, problems, _ = parsed(FILE, raw)
    told(problems, FILE, raw)


TARGET = of_bytes(
    _one,
    block(sound()).encode(),
    b"a: &x [1, 2.50, 'it''s', \"\\u202e\"]\nb: *x\n<<: {c: |\n  text\n  }\n",
    b"- " * 70 + b"x",
    b"? [a]\n: !!python/object:os.system 017\n---\nb: 12:30\n\t\xe2\x80\xa8",
)

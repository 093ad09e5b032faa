"""Slips of the pen in an export, each pinned anew, as somebody would who wants the wrong number to stand."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from site_src import locate

EACH: Final = 10
_NUMBER: Final = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Slip:
    """One changed digit of one file of an export, and the claim that must fail for it."""

    name: str
    file: str
    at: int
    new: str
    claim: str


def slips(folder: Path) -> list[Slip]:
    """Return ten slips of each kind, spread evenly over the claims: of the prose, the record, the manifest."""
    claims = json.loads((folder / "repro.yaml").read_text("utf-8"))["claims"]
    kinds = (_of_prose, _of_record, _of_reported)
    return [slip for kind in kinds for slip in _spread([*kind(folder, claims)])]


def _spread(found: Sequence[Slip]) -> Iterator[Slip]:
    step = max(len(found) // EACH, 1)
    yield from found[::step][:EACH]


def apply(folder: Path, slip: Slip, to: Path) -> Path:
    """Copy an export with one slip in it, every file pinned by the bytes it has now; return its manifest."""
    shutil.copytree(folder, to)
    path = to / slip.file
    text = path.read_text("utf-8")
    path.write_text(text[: slip.at] + slip.new + text[slip.at + 1 :], "utf-8")
    manifest = to / "repro.yaml"
    told = json.loads(manifest.read_text("utf-8"))
    for artifact in told["artifacts"]:
        artifact["digest"]["value"] = hashlib.sha256((to / artifact["path"]).read_bytes()).hexdigest()
    manifest.write_text(json.dumps(told), "utf-8")
    return manifest


def _of_prose(folder: Path, claims: Sequence[dict[str, Any]]) -> Iterator[Slip]:
    """Yield a slip of the number itself, where the sentence holds its digits once."""
    text = (folder / "prose.md").read_text("utf-8")
    for number, claim in enumerate(claims):
        written = claim["text"].partition("“")[2].partition("”")[0].partition(" ")[0]
        quoted = claim["evidence"][0]["text"]
        places = [m.start() for m in re.finditer(rf"(?<![\w.,]){re.escape(written)}(?![\d])", quoted)]
        start = text.find(quoted)
        if len(places) == 1 and start >= 0 and any(c.isdigit() for c in written):
            yield _slip("prose", "prose.md", text, start + places[0], written, number, claim["id"])


def _of_record(folder: Path, claims: Sequence[dict[str, Any]]) -> Iterator[Slip]:
    """Yield a slip of each number that a claim reads from the record by its pointer, inputs of arithmetic too."""
    text = (folder / "record.json").read_text("utf-8")
    offsets = {t.pointer: t.start for t in locate.json_tokens(text) if not t.is_key}
    for number, claim in enumerate(claims):
        read = [e for e in claim["evidence"] if e["kind"] == "metric" and e["artifact"] == "record"]
        lines = [e for e in claim["evidence"] if e["kind"] == "quote" and e["artifact"] == "record"]
        if read:
            at = offsets[read[-1]["pointer"]]
            held = re.compile(r"[\d.]+").search(text, at)
            assert held is not None
            yield _slip("record", "record.json", text, held.start(), held[0], number, claim["id"])
        elif lines and (held := _NUMBER.search(text, _line(text, lines[0]["text"]))):
            yield _slip("record text", "record.json", text, held.start(), held[0], number, claim["id"])


def _line(text: str, quoted: str) -> int:
    """Return where the text of the last quoted line begins: behind its key."""
    words = re.escape(" ".join(quoted.split())).replace(r"\ ", r"\s+")
    found = re.search(words, text)
    assert found is not None
    key = text.find('": ', text.rfind("\n", 0, found.end()))
    return key + 3 if key >= 0 else found.start()


def _of_reported(folder: Path, claims: Sequence[dict[str, Any]]) -> Iterator[Slip]:
    """Yield a slip of the number that the manifest says the prose prints."""
    text = (folder / "repro.yaml").read_text("utf-8")
    ends = [m.start() for m in re.finditer(r'^      "id": ', text, re.M)][-len(claims) :]
    for number, (claim, start) in enumerate(zip(claims, ends, strict=True)):
        read = next((e for e in claim["evidence"] if e["kind"] == "metric"), None)
        if read:
            at = text.index('"reported": "', start) + len('"reported": "')
            yield _slip("reported", "repro.yaml", text, at, read["reported"], number, claim["id"])


def _slip(kind: str, file: str, text: str, start: int, written: str, number: int, claim: str) -> Slip:
    """Change one digit of what is written at `start`; which one and into what follows from the claim's number."""
    digits = [i for i, c in enumerate(written) if c.isdigit()]
    at = start + digits[number % len(digits)]
    assert text[at].isdigit(), (kind, claim, text[start : start + 20])
    # The first digit of a number never becomes 0, which JSON would not read.
    new = str((int(text[at]) - 1 + 1 + number % 8) % 9 + 1)
    return Slip(f"{kind}-{claim}", file, at, new, claim)

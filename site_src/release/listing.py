"""The text of a manifest → what a site lists of itself: its files with size and SHA-256, and its inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from ..clashes import MANIFEST
from ..load import decoded
from ..parse import json_data
from ..problems import Problem, Rejected
from .names import fault_of_name, shown

_SHA256: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_REMEDY: Final = "Take the manifest.json that build wrote with the site, or build the site anew."


@dataclass(frozen=True)
class Stamp:
    """What identifies the bytes of a file: their number and their SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Listing:
    """A manifest: the generator with its version, every output but itself, and the SHA-256 of every input."""

    generator: str
    outputs: Mapping[str, Stamp]
    inputs: Mapping[str, str]


def listing(raw: bytes, file: str) -> Listing:
    """Return what a manifest says; keys that later versions add are passed over. Raises Rejected."""
    try:
        text = decoded(raw, file)
    except Rejected as rejected:
        raise Rejected(rejected.problems, {file: None}) from None
    try:
        data = json_data(text, file)
    except Rejected as rejected:
        raise Rejected(rejected.problems, {file: text}) from None
    problems = [
        Problem(file, pointer, None, "bad-manifest", message, _REMEDY) for pointer, message in sorted({*_faults(data)})
    ]
    if problems:
        raise Rejected(problems, {file: text})
    outputs = {o["path"]: Stamp(int(o["size"]), o["sha256"]) for o in data["outputs"]}
    return Listing(data["generator"], outputs, {i["path"]: i["sha256"] for i in data["inputs"]})


def _faults(data: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(data, dict):
        yield "", "a manifest is an object"
        return
    if not isinstance(data.get("generator"), str):
        yield "", "the manifest names no generator"
    for key in ("outputs", "inputs"):
        entries = data.get(key)
        if isinstance(entries, list):
            yield from _faults_of_entries(key, entries)
        else:
            yield "", f"the manifest has no list of {key}"


def _faults_of_entries(key: str, entries: Iterable[Any]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for n, entry in enumerate(entries):
        at = f"/{key}/{n}"
        path = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(path, str):
            yield at, "the entry names no file"
            continue
        if path in seen:
            yield f"{at}/path", f"{shown(path)} is listed twice"
        seen.add(path)
        if key == "outputs" and (fault := fault_of_name(path)):
            yield f"{at}/path", f"{shown(path)} {fault}"
        if key == "outputs" and path == MANIFEST:
            yield f"{at}/path", "the manifest lists itself"
        if not isinstance(entry.get("sha256"), str) or not _SHA256.fullmatch(entry["sha256"]):
            yield at, f"{shown(path)} has no SHA-256"
        if key == "outputs" and not _is_size(entry.get("size")):
            yield at, f"{shown(path)} has no size"


def _is_size(value: Any) -> bool:
    return isinstance(value, Decimal) and value >= 0 and value == int(value)

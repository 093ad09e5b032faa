"""The text of a tutorial → its steps: files to write, edits to make, commands with what they print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class File:
    """A file to write; its name stands on the first line of the block, behind //."""

    name: str
    text: str


@dataclass(frozen=True)
class Edit:
    """Lines of a file that are replaced by others."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class Command:
    """A command behind a prompt, and the lines below it."""

    words: tuple[str, ...]
    output: str


Step = File | Edit | Command


def steps(text: str) -> Iterator[Step]:
    """Yield the steps in their order. Raises ValueError for a block that is none."""
    for kind, block in _BLOCK.findall(text):
        first, _, rest = block.partition("\n")
        if kind == "console" and first.startswith("$ "):
            yield Command(tuple(shlex.split(first[2:])), rest)
        elif kind == "json" and first.startswith("// "):
            yield File(first[3:], rest)
        elif kind == "diff" and first.startswith("--- "):
            yield Edit(first[4:], _side(rest, "-"), _side(rest, "+"))
        else:
            raise ValueError(f"a block that is no step: {kind} {first}")


def _side(block: str, sign: str) -> str:
    return "".join(line[1:] for line in block.splitlines(keepends=True) if line.startswith(sign))

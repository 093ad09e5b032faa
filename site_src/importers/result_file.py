"""The bytes of one result file → its text, its JSON objects and their places. Faults are raised with their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from ..load import decoded
from ..pointers import escape
from ..problems import Problem, Rejected
from ..result_json import Literal, NonFinite, NotJson, Tree, lines, read, written
from .shape import Quantity, Spot


@dataclass(frozen=True)
class ResultFile:
    """One file: its name as reports print it, and its bytes."""

    name: str
    raw: bytes

    @cached_property
    def text(self) -> str:
        """The text. Raises Rejected where it is not UTF-8."""
        return decoded(self.raw, self.name)

    @cached_property
    def lines(self) -> list[str]:
        """The lines as verification counts them."""
        return self.text.splitlines()

    def refuse(self, at: int, code: str, message: str, remedy: str) -> Rejected:
        """Return the refusal of this file for what stands at the character `at`."""
        return Rejected([Problem(self.name, "", at, code, message, remedy)], {self.name: self.text})

    def offset_of_line(self, line: int) -> int:
        """Return where a line (from 1) begins."""
        return sum(len(one) for one in self.text.splitlines(keepends=True)[: line - 1])

    @cached_property
    def trees(self) -> list[Part]:
        """The JSON values of the file: one, or one a line. Empty where it is no JSON."""
        try:
            return [Part(self, read(self.text), "", 0, 1)]
        except NotJson:
            pass
        try:
            return [Part(self, read(line), "", start, n) for n, start, line in lines(self.text)]
        except NotJson:
            return []

    @cached_property
    def objects(self) -> list[Part]:
        """The JSON objects of the file, whether it holds one, a list of them, or one a line."""
        found = []
        for tree in self.trees:
            found += [*tree.items()] if isinstance(tree.data, list) else [tree]
        return [part for part in found if isinstance(part.data, dict)]

    def require_json(self) -> None:
        """Raise Rejected with the place where the file stops being JSON, or where a key stands twice."""
        if not self.trees:
            fault = self._fault()
            raise self.refuse(fault.offset, "broken-json", str(fault), "Give the file as the tool wrote it.")
        for part in self.trees:
            if part.tree.has_duplicates:
                at, key = part.tree.duplicate()
                message = f"the key {key} stands twice in one object, so that one of its values was lost"
                raise self.refuse(part.start + at, "duplicate-key", message, "Write the file anew with the tool.")

    def _fault(self) -> NotJson:
        """Return why the text is no JSON: of JSON lines the first broken one, else where the whole breaks."""
        try:
            read(self.text)
        except NotJson as whole:
            for at, (_, start, line) in enumerate(lines(self.text)):
                try:
                    read(line)
                except NotJson as broken:
                    return NotJson(start + broken.offset, str(broken)) if at else whole
            return whole
        return NotJson(0, "not JSON")


@dataclass(frozen=True)
class Part:
    """One JSON object or list of a file: `at` is the pointer to it in its tree, `start` where its tree begins.

    `is_pointed` is False where the tree is a part of a file that is no JSON, so that a pointer would lead nowhere.
    """

    file: ResultFile
    tree: Tree
    at: str
    start: int
    first_line: int
    is_pointed: bool = True

    @property
    def data(self) -> Any:
        """The value itself."""
        return self.tree.at(self.at) if self.at else self.tree.data

    def pointer(self, *steps: object) -> str:
        """Return the pointer to what some steps lead to."""
        return self.at + "".join(f"/{escape(step)}" for step in steps)

    def has(self, *steps: object) -> bool:
        """Tell whether some steps lead to a value, be it null."""
        return self.tree.holds(self.pointer(*steps))

    def get(self, *steps: object) -> Any:
        """Return what some steps lead to, or None."""
        return self.tree.at(self.pointer(*steps))

    def part(self, *steps: object) -> Part:
        """Return an object or list inside this one."""
        return Part(self.file, self.tree, self.pointer(*steps), self.start, self.first_line, self.is_pointed)

    def items(self, *steps: object) -> Iterator[Part]:
        """Yield the entries of a list inside this part; nothing where there is none."""
        held = self.get(*steps) if steps else self.data
        for index in range(len(held) if isinstance(held, list) else 0):
            yield self.part(*steps, index)

    def offset(self, *steps: object) -> int:
        """Return the character at which a value, or its nearest parent, stands in the file."""
        return self.start + self.tree.offset(self.pointer(*steps))

    def spot(self, *steps: object, exact: str | None = None) -> Spot:
        """Return where a value stands. A line of JSON lines is a document of its own, with pointers of its own."""
        line = self.first_line + self.file.text.count("\n", self.start, self.offset(*steps))
        if not self.is_pointed:
            # Without a pointer the words are looked for as the file writes them, escapes included.
            held = self.get(*steps)
            words = self.tree.raw(self.pointer(*steps))[1:-1] if isinstance(held, str) else ""
            return Spot(line, exact=words or exact or written(held) or None)
        return Spot(line, pointer=self.pointer(*steps), exact=exact)

    def refuse(self, steps: Sequence[object], code: str, message: str, remedy: str) -> Rejected:
        """Return the refusal of the file for what some steps of this part lead to."""
        return self.file.refuse(self.offset(*steps), code, message, remedy)

    def number(self, *steps: object) -> Decimal | None:
        """Return a finite number, or None for null, NaN, or none there. Raises Rejected for anything else."""
        value = self.get(*steps)
        if value is None or isinstance(value, NonFinite):
            return None
        if isinstance(value, Decimal):
            return value
        name = self.pointer(*steps)
        message = f"{name} is no number that a measurement can be: {written(value) or type(value).__name__:.40}"
        raise self.refuse(steps, "import-shape", message, "Check that the format is right: --from FORMAT.")

    def count(self, *steps: object) -> int | None:
        """Return a whole number, or None where there is none."""
        value = self.number(*steps)
        return int(value) if value is not None and value == value.to_integral_value() else None

    def quantity(self, *steps: object, metric: str, unit: str, statistic: str, **told: Any) -> Quantity | None:
        """Return one measured value with its place, or None where the file has no such key."""
        if not self.has(*steps):
            return None
        held, value = self.get(*steps), self.number(*steps)
        if value is None:
            said = written(held)
            told = {"null_reason": "not_reported", **told, "in_file": said if held is not None else None}
            return Quantity(metric, unit, statistic, None, self.spot(*steps, exact=said), **told)
        text = value.written if isinstance(value, Literal) and value.has_exponent else None
        return Quantity(metric, unit, statistic, value, self.spot(*steps), value_text=text, **told)

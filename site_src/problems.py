"""What can be wrong with the input, as values with an address. No printing happens here.

Rejected (Exception)      a stage found problems; nothing may be published
├── carries Problem       the page cannot be published: shape, links, contradictions
Surroundings (Exception)  the machine failed, not the content: port, disk, a foreign folder
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

AT_KEY: Final = -1
"""An offset that stands for the key of the value at a pointer, where the key is at fault and not the value."""


@dataclass(frozen=True)
class Problem:
    """One defect of the content that stops publication.

    `file` is relative to the project; `pointer` is a JSON pointer into it ("" for the whole file);
    `offset` counts characters inside the text at `pointer` (or in the file, where `pointer` is ""); None is the
    start of any value, AT_KEY its key.
    """

    file: str
    pointer: str
    offset: int | None
    code: str
    message: str
    remedy: str


@dataclass(frozen=True)
class Finding:
    """One defect of the evidence. It is published on the page, beside its acknowledgement if there is one."""

    file: str
    pointer: str
    code: str
    message: str
    remedy: str
    reason: str | None = None
    acknowledged_on: str | None = None

    def as_problem(self) -> Problem:
        """Return the problem that `--strict` makes of an unacknowledged finding."""
        return Problem(self.file, self.pointer, None, self.code, self.message, self.remedy)


class Rejected(Exception):
    """A stage could not accept its input. Holds every problem of that stage, sorted.

    `texts` are those of files outside the project, by the name that a problem gives them; a report shows places there,
    and none in a file whose text is None.
    """

    def __init__(self, problems: Iterable[Problem], texts: Mapping[str, str | None] | None = None) -> None:
        """Keep the problems in the order in which they are reported."""
        self.problems = tuple(sorted(set(problems), key=_order))
        self.texts = dict(texts or {})
        super().__init__(f"{len(self.problems)} problems")


def _order(problem: Problem) -> tuple[str, str, int, str, str, str]:
    """Return what problems are sorted by: every field, so that no two keep the order in which a set held them."""
    offset = AT_KEY - 1 if problem.offset is None else problem.offset
    return problem.file, problem.pointer, offset, problem.code, problem.message, problem.remedy


class Surroundings(Exception):
    """The surroundings failed: a port in use, a full disk, a folder that is not ours. The text is for a person."""

"""What a figure is made from: the record, the name, and what a sidecar declares of it."""

from __future__ import annotations

from dataclasses import dataclass

from ..derive import Derivations
from ..figure_entries import FigureEntry, mixed, selected, unknown_conditions
from ..interface import Words, of_drawings
from ..model import Measurement, Record


@dataclass(frozen=True)
class Asked:
    """One figure asked for. `entry` is the sidecar's, if it has one; `site` is the title of the site.

    `say` are the words of the page that shows it.
    """

    record: Record
    stem: str
    site: str
    derivations: Derivations
    say: Words
    entry: FigureEntry | None = None

    @property
    def title(self) -> str | None:
        """The declared title."""
        return self.entry.title if self.entry else None

    @property
    def drawn_words(self) -> Words:
        """The words that the drawing writes by itself."""
        return of_drawings(self.say.tag)

    @property
    def is_selecting(self) -> bool:
        """Whether the sidecar chooses results itself."""
        choice = self.entry.select if self.entry else None
        return bool(choice and (choice.metric or choice.campaign or choice.labels or choice.where))

    def results(self) -> list[Measurement]:
        """Return the results the sidecar selects. Raises CannotSelectError for none, or for mixed ones."""
        if self.entry is None:
            return []
        found = selected(self.record, self.entry.select)
        if not found:
            raise CannotSelectError("empty-figure", "its selection fits no result of the record")
        if unknown := unknown_conditions(found, self.entry):
            raise CannotSelectError("empty-figure", f"no selected result has the condition {', '.join(unknown)}")
        faults = [*mixed(found, self.entry)]
        if faults:
            raise CannotSelectError("mixed-panel", f"one panel would hold different {'; '.join(faults)}")
        return found


class CannotSelectError(Exception):
    """A declared figure cannot be made; `code` is the problem's."""

    def __init__(self, code: str, message: str) -> None:
        """Keep the code beside the words."""
        super().__init__(message)
        self.code = code

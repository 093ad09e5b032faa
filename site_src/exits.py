"""Exit codes of every command. argparse itself exits with USAGE; Python's own 1 with a traceback is our bug."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
USAGE: Final = 2
CONTENT: Final = 3
SURROUNDINGS: Final = 4
INTERRUPTED: Final = 130

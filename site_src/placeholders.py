"""What stands in a draft where an editor has still to write: the one place of these texts.

`new` and `import` write them, and a page that is no draft any more is searched for them. They are the same words
whatever the language of the page, so that they are told from what an editor wrote.
"""

from __future__ import annotations

import re
from typing import Final

TEXT: Final = "To be written."
_TITLE: Final = "Draft: results of {}"
_SUMMARY: Final = "Results of {}, imported and not reviewed yet."
_LEFT: Final = tuple(
    re.compile(r".+".join(map(re.escape, placeholder.split("{}"))), re.S) for placeholder in (TEXT, _TITLE, _SUMMARY)
)


def title(tools: str) -> str:
    """Return the title of a draft with the results of these tools."""
    return _TITLE.format(tools)


def summary(tools: str) -> str:
    """Return the summary of a draft with the results of these tools."""
    return _SUMMARY.format(tools)


def is_left(sentence: str) -> bool:
    """Tell whether a sentence is what stands for one that nobody has written."""
    return any(placeholder.fullmatch(sentence) for placeholder in _LEFT)

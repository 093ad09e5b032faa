"""One explainer → what pages of the whole site tell of it: small values, so that none of them reads a whole record."""

from __future__ import annotations

from typing import Any

from . import cited, corrections, method
from .check import Explainer
from .interface import Words


def told(say: Words, explainer: Explainer) -> dict[str, Any]:
    """Return them by the names of the fields of a guide; `say` are the words of the site."""
    return {
        "cites": cited.cites(say, explainer),
        "counted": method.counted(explainer),
        "changes": corrections.changes(explainer.record),
        "units": tuple(sorted({r.unit for r in explainer.record.reported_results})),
    }

"""A date as prose writes it → its ISO form, as far as it goes: 18 October 2026 → 2026-10-18, May 2026 → 2026-05."""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("jan", "feb", "mar mär", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"), 1
    )
    for name in names.split()
}
_MONTH: Final = re.compile(r"[^\W\d]{3,}")
_NUMBER: Final = re.compile(r"\d+")


def iso_of(written: str) -> str | None:
    """Return the ISO date of written words; None without a year or for a time of day."""
    if re.match(r"\d{4}-\d{2}-\d{2}", written):
        return written[:10]
    numbers: list[str] = _NUMBER.findall(written)
    years = [n for n in numbers if len(n) == 4]
    if not years:
        return None
    name = _MONTH.search(written)
    month = _MONTHS.get(name[0][:3].lower()) if name else None
    days = [n for n in numbers if len(n) < 3]
    if month is None:
        return years[0]
    return f"{years[0]}-{month:02d}" + (f"-{int(days[0]):02d}" if days else "")

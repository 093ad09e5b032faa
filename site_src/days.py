"""A date or a time of a record → its calendar day. Nothing here reads a clock."""

from __future__ import annotations

from datetime import UTC, datetime


def day(date: str) -> str:
    """Return the ISO day of a date or of a time; a time that names its zone is taken in UTC."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return date[:10]
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()


def between(earlier: str, later: str) -> int:
    """Return how many days lie between two dates or times; negative where the first is the later one."""
    return (datetime.fromisoformat(day(later)) - datetime.fromisoformat(day(earlier))).days

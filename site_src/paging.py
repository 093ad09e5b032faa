"""A long list → pages of a bounded number of rows, and the links between them. A page names five others at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

Row = TypeVar("Row")


class NavLink(NamedTuple):
    """A link at the head of a page; `current` is its aria-current, if any."""

    route: str
    text: str
    current: str


def pages(base: str, rows: Sequence[Row], size: int) -> Iterator[tuple[str, tuple[Row, ...], tuple[NavLink, ...]]]:
    """Yield route, rows and links of each page of `size` rows; the first is at `base`, and there always is one."""
    chunks = [tuple(rows[i : i + size]) for i in range(0, len(rows), size)] or [()]
    for number, chunk in enumerate(chunks, 1):
        yield route(base, number), chunk, links(base, number, len(chunks))


def route(base: str, number: int) -> str:
    """Return the address of one page of a list: its base, and from the second on its number below it."""
    return base if number == 1 else f"{base}{number}/"


def links(base: str, number: int, count: int) -> tuple[NavLink, ...]:
    """Return the links to the first, the neighbouring and the last page; none where there is but one page."""
    shown = sorted({1, number - 1, number, number + 1, count} & set(range(1, count + 1)))
    return tuple(NavLink(route(base, n), f"{n:,}", "page" if n == number else "") for n in shown) if count > 1 else ()

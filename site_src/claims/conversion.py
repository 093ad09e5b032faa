"""A number in one unit → the same in another unit of its kind, exactly; never rounded, and never between kinds."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

# Kind of quantity: canonical unit → how many of the smallest it is.
_KINDS: Final[tuple[dict[str, int], ...]] = (
    {"ns": 1, "µs": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9},
    {
        "bytes": 1,
        **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", 1)},
        **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", 1)},
    },
    {"W": 1, "kW": 1000},
    {"J": 1, "Wh": 3600, "kWh": 3_600_000},
    {"%": 1, "": 100},
)
_DIGITS: Final = 60


def converted(value: Decimal, unit: str, to: str) -> Decimal | None:
    """Return a value of one canonical unit in another; None for other kinds, and where digits would be lost."""
    kind = next((k for k in _KINDS if unit in k and to in k), None)
    if kind is None:
        return value if unit == to else None
    found = Fraction(value) * kind[unit] / kind[to]
    with localcontext() as context:
        context.prec = _DIGITS
        decimal = Decimal(found.numerator) / found.denominator
    return decimal if Fraction(decimal) == found else None

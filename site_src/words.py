"""Keys → labels and units, numbers → digits, the same in every language. Nothing is rounded, converted or dropped.

The words of the interface are those of `interface`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

# Suffixes by which keys of this field carry their unit, longest first.
_UNITS: Final = (
    ("_tokens_per_second", "tokens/s"),
    ("_requests_per_second", "requests/s"),
    ("_per_second", "per s"),
    ("_milliseconds", "ms"),
    ("_microseconds", "µs"),
    ("_seconds", "s"),
    ("_minutes", "min"),
    ("_percent", "%"),
    ("_tokens", "tokens"),
    ("_bytes", "bytes"),
    ("_watts", "W"),
    ("_joules", "J"),
    ("_ms", "ms"),
    ("_us", "µs"),
    ("_KiB", "KiB"),
    ("_MiB", "MiB"),
    ("_GiB", "GiB"),
    ("_TiB", "TiB"),
    ("_KB", "KB"),
    ("_MB", "MB"),
    ("_GB", "GB"),
    ("_TB", "TB"),
)
_ACRONYMS: Final = {
    w.lower(): w
    for w in [
        "TTFT",
        "TPOT",
        "ITL",
        "VRAM",
        "RAM",
        "GPU",
        "CPU",
        "KV",
        "HTTP",
        "SD",
        "ID",
        "URL",
        "SHA256",
        "OOM",
        "PCIe",
        "E2E",
        "TP",
        "PP",
        "DP",
        "EP",
        "MTP",
        "QPS",
        "RPS",
    ]
}
_BYTE_UNITS: Final = {"bytes", "B", "KiB", "MiB", "GiB", "TiB", "KB", "MB", "GB", "TB", "kB"}


def number(value: Decimal) -> str:
    """Return the digits as written, with thousands commas: 17235.90 → 17,235.90, -3.0 → −3.0."""
    sign, digits, fraction = _split(literal(value))
    grouped = re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", digits) if len(digits) > 3 else digits
    return ("−" if sign else "") + grouped + fraction


def literal(value: Decimal) -> str:
    """Return the number as the record writes it: no exponent, trailing zeros kept."""
    return format(value, "f")


def _split(text: str) -> tuple[str, str, str]:
    sign, body = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, dot, fraction = body.partition(".")
    return sign, whole, dot + fraction


def is_bytes(unit: str) -> bool:
    """Tell whether a unit counts bytes."""
    return unit in _BYTE_UNITS


@lru_cache(maxsize=8192)
def split_unit(key: str) -> tuple[str, str]:
    """Split a key into its stem and the unit its suffix names: group_wall_seconds → group_wall, s."""
    for suffix, unit in _UNITS:
        if key.endswith(suffix) and len(key) > len(suffix):
            return key[: -len(suffix)], unit
    return key, ""


@lru_cache(maxsize=8192)
def label(key: str) -> str:
    """Turn a key or code into words: available_GPU_memory → Available GPU memory."""
    words = [_ACRONYMS.get(w.lower(), w) for w in re.split(r"[_\s]+", key.strip()) if w]
    text = " ".join(words)
    first = words[0] if words else ""
    return text[:1].upper() + text[1:] if first.islower() and first.isalpha() else text


def is_range(key: str, value: object) -> bool:
    """Tell whether a field holds a range: a key that ends in _range and two numbers."""
    return (
        key.endswith("_range")
        and isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(v, Decimal) for v in value)
    )


def fraction(value: Fraction, places: int) -> str:
    """Return a fraction with so many decimals, halves rounded away from zero, thousands grouped."""
    scaled = abs(value) * 10**places
    whole = int(scaled + Fraction(1, 2))
    digits = str(whole).rjust(places + 1, "0")
    literal = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return number(Decimal(f"-{literal}" if value < 0 and whole else literal))

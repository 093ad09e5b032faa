"""Every cache of a pure function has a bound, so that memory does not grow with the number of records."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module

import site_src


def unbounded(namespace: dict[str, object]) -> list[str]:
    """Return the names of caches without a bound."""
    kept = {name: getattr(value, "cache_parameters", None) for name, value in namespace.items()}
    return [name for name, parameters in kept.items() if callable(parameters) and parameters()["maxsize"] is None]


def test_every_cache_is_bounded() -> None:
    names = [m.name for m in pkgutil.walk_packages(site_src.__path__, "site_src.") if "__main__" not in m.name]
    assert "site_src.words" in names
    # Layouts are kept by the ending of a file, of which there are five.
    texts = [name for name in names if not name.startswith("site_src.layout.")]
    assert [f"{name}.{cache}" for name in texts for cache in unbounded(vars(import_module(name)))] == []


def test_a_cache_without_a_bound_is_told() -> None:
    assert unbounded({"endless": lru_cache(maxsize=None)(str), "short": lru_cache(maxsize=2)(str)}) == ["endless"]

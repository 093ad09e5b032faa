"""uv.lock and what is installed → each locked package with version, files, hashes and licence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from typing import Any, Final

from site_src.project import RESOURCES

LOCK: Final = RESOURCES / "uv.lock"
_CLASSIFIER: Final = "License :: "
_MOST: Final = 60


@dataclass(frozen=True)
class Package:
    """A locked package, its files with their SHA-256, and the names and versions that it needs.

    A name can be locked in two versions, for two versions of Python. `licence` is None where this one is not installed.
    """

    name: str
    version: str
    files: tuple[tuple[str, str], ...]
    needs: tuple[tuple[str, str], ...]
    licence: str | None


def packages() -> Iterator[Package]:
    """Yield every package of the lock but the project itself, by name."""
    entries = sorted(tomllib.loads(LOCK.read_text("utf-8"))["package"], key=lambda p: (p["name"], p["version"]))
    versions: dict[str, list[str]] = {}
    for entry in entries:
        versions.setdefault(entry["name"], []).append(entry["version"])
    for entry in entries:
        if "editable" not in entry["source"]:
            yield Package(
                entry["name"],
                entry["version"],
                tuple(sorted(_files(entry))),
                tuple(sorted(set(_needs(entry, versions)))),
                licence_of(entry["name"], entry["version"]),
            )


def _needs(entry: dict[str, Any], versions: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield what a package needs; the lock names a version only where there are two."""
    for needed in entry.get("dependencies", []):
        name = needed["name"]
        yield from ((name, v) for v in ([needed["version"]] if "version" in needed else versions[name]))


def _files(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for file in [*entry.get("wheels", []), *([entry["sdist"]] if "sdist" in entry else [])]:
        kind, _, digest = file["hash"].partition(":")
        assert kind == "sha256", f"{entry['name']} is locked with {kind}"
        yield file["url"], digest


def licence_of(name: str, locked: str) -> str | None:
    """Return the licence that an installed package states; None where this version is not installed."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    return _stated(told) if told["Version"] == locked else None


def _stated(told: PackageMetadata) -> str:
    """Return the SPDX expression, else the classifiers, else a short text, else that nothing is stated."""
    fields = {key: told[key] for key in told}
    if expression := fields.get("License-Expression"):
        return expression
    named = [c.rpartition(" :: ")[2] for c in told.get_all("Classifier") or [] if c.startswith(_CLASSIFIER)]
    if named := [n for n in named if n != "OSI Approved"]:
        return " and ".join(sorted(named))
    text = re.sub(r"\s+", " ", fields.get("License", "")).strip()
    return text if 0 < len(text) <= _MOST else "not stated in its metadata"

"""Which names a file of a site can have, whatever an archive or a manifest says."""

from __future__ import annotations

from ..load import CONTROL
from ..locate import printable


def fault_of_name(name: str) -> str | None:
    """Return what is wrong with the name of a site's file, or None."""
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or parts[0].endswith(":"):
        return "is no path inside a site"
    if ".." in parts:
        return "leads out of the site"
    if "" in parts or "." in parts:
        return "is no plain path"
    return "holds a control character" if CONTROL.search(name) else None


def shown(name: str) -> str:
    """Return a name as a report prints it, long ones cut."""
    return printable(name if len(name) <= 200 else f"{name[:200]}…")

"""The lock and the installed packages → docs/licences.md: every locked package with its version and licence."""

from __future__ import annotations

import re
from typing import Final

from site_src.project import RESOURCES
from tests.release.packages import Package, packages

PAGE: Final = RESOURCES / "docs" / "licences.md"
UNKNOWN: Final = "not installed where this page was made"
_ROW: Final = re.compile(r"^\| (\S+) \| (\S+) \| (.+) \|$", re.M)
_INTRO: Final = """\
# Licences of the locked packages

Made from `uv.lock` and from what the installed packages state of themselves; `make golden` writes it anew. pinpress
itself is under the MIT licence, its font under the SIL Open Font License 1.1.

| Package | Version | Licence, in the package's own words |
|---|---|---|
"""


def page() -> str:
    """Return the text of the page. What is not installed on this machine keeps the licence that the page has of it."""
    written = PAGE.read_text("utf-8") if PAGE.is_file() else ""
    known = {(name, version): licence for name, version, licence in _ROW.findall(written)}
    return _INTRO + "".join(_row(package, known) for package in packages())


def _row(package: Package, known: dict[tuple[str, str], str]) -> str:
    licence = package.licence or known.get((package.name, package.version)) or UNKNOWN
    return f"| {package.name} | {package.version} | {licence.replace('|', '/')} |\n"

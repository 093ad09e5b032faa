"""Small real projects against their expected trees. `make golden` (GOLDEN=1) rewrites them; the diff is reviewed.

Pages, tables and records are compared to the byte. Of drawn figures only the names are: their bytes depend on
the processor, and tests of their own look at them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from site_src.pipeline import Options, site_files
from site_src.project import Project
from tests.conftest import SITES

DRAWN = (".webp", ".png", ".woff2", ".ico")
HASHED = re.compile(rb"\.[0-9a-f]{10}\.(?=css|js|svg|txt|woff2)|(?<=/exact)-[0-9a-f]{10}(?=/)")
# The indexes of the search have tests of their own.
INDEXES = ("search/exact-", "search/pagefind/")
CASES = sorted(p.name for p in SITES.iterdir() if (p / "records").is_dir())


def text_files(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return what is compared to the byte; the list of all names stands in for the rest."""
    kept = {
        p: d
        for p, d in files.items()
        if (not p.endswith(DRAWN) and not p.startswith(("assets/", *INDEXES))) or p.endswith("csv")
    }
    kept.pop("manifest.json")
    names = "\n".join(sorted(p for p in files if "." not in Path(p).stem)) + "\n"
    return {p: HASHED.sub(b".HASH.", d) for p, d in kept.items()} | {"names.txt": names.encode()}


@pytest.mark.parametrize("case", CASES)
def test_site_equals_its_expected_tree(case: str, tmp_path: Path) -> None:
    files, _ = site_files(Project(SITES / case), Options(cache=tmp_path))
    found, expected = text_files(files), SITES / case / "expected"
    if os.environ.get("GOLDEN"):
        for path, data in found.items():
            (expected / path).parent.mkdir(parents=True, exist_ok=True)
            (expected / path).write_bytes(data)
    wanted = {p.relative_to(expected).as_posix() for p in expected.rglob("*") if p.is_file()}
    assert set(found) == wanted
    for path, data in found.items():
        assert data.decode() == (expected / path).read_text("utf-8"), path

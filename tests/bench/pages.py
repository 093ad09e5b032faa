"""Build a project's guides with their data, the index and the sitemap, and nothing else: what other generators make.

    python -m tests.bench.pages DIR OUT

No search, no explorer of results, no list of sources; figures come from the cache.
"""

from __future__ import annotations

import sys
from pathlib import Path

from site_src import quick, sitewide
from site_src.options import Options
from site_src.project import Project

LEFT_OUT = {"results", "search", "sources", "method_page"}


def main(root: Path, out: Path) -> None:
    """Build, and say how many records there were."""
    # Here alone, and for no published site: these outputs are not asked for.
    for name in LEFT_OUT:
        sitewide.OUTPUTS.pop(name)
    summary = quick.build(Project(root.resolve()), out, Options(cache=root / ".cache" / "pages"))
    print(f"{summary.records} records")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""A small site for the formats of machines: two guides and a draft, with texts that no format may stumble over."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from site_src import shape
from site_src.model import Record, Settings
from site_src.pipeline import Options, site_files
from site_src.project import Project
from site_src.serial import json_text
from tests.records import COMMIT, HASH, sound

SITE_URL = "https://notes.example.org/lab/"
ODD = r"""Brook & <Heron>: 50 % of "#1" {a_b} ~ \n $x^2$ | *it* [is] `so`]]>"""
BODY = """Opening.

Text with [a link inside](/notes/heron/), [one to a part](#parts), and [one outside](https://example.org/x).

![Rates](/assets/brook-rates.webp)

*Two rates.*

## Parts

```results
metrics: [reply_rate]
```

```python
# not a heading | no table


print("[no link](/notes/heron/)")
```

| a | b |
|---|---|
| 1 | 2 |
"""


def hostile() -> dict[str, Any]:
    """Return a record whose texts hold what XML, LaTeX, Markdown, HTML or JSON give a meaning to."""
    data = sound()
    first = data["reported_results"][0]
    nothing = {**first, "label": "wait | at <the> door_", "metric": "door_wait", "unit": "ms", "value": None}
    second = {**first, "label": "_second_ *run*", "value": Decimal("329.010"), "source_line": Decimal(10)}
    conditions = {"lanes": None, "mode": "a|b\\c", "repetitions": Decimal(1), "metric_denominator": "wall time"}
    second |= {"conditions": conditions, "evidence_url": None}
    data["reported_results"] = [first, second, {**nothing, "conditions": {}, "evidence_url": None}]
    data |= {
        "title": ODD,
        "body_markdown": BODY,
        "modified_on": "2025-04-01T09:30:00+02:00",
    }
    data["conditions"] = {"site_runs": Decimal(0)}
    data["supplemental_sources"] = [forum()]
    return data


def forum() -> dict[str, Any]:
    """Return a source that can change."""
    return {
        "document_id": "forum", "publisher": "Forum & friends", "repository": None, "revision": "snapshot of 1 March",
        "document_path": "thread/17_{a}", "pinned_url": "https://forum.example.org/t/17?a=1&b=2_x#p",
        "checked_on": "2025-03-01", "document_sha256": "c" * 64, "public_URL_is_immutable": False,
    }  # fmt: skip


def heron(**change: Any) -> dict[str, Any]:
    """Return another record; its source lies in an archive."""
    data = sound() | {"id": "heron", "path": "/notes/heron/", "title": "Reiher läuft", "lang": "de"}
    data["models"], data["hardware"] = ["Heron 12B"], ["Gaudi 3"]
    content = f"swh:1:cnt:{COMMIT}"
    kept: dict[str, Any] = {"revision": content, "pinned_url": f"https://archive.softwareheritage.org/{content}"}
    kept |= {"report_url": "https://heron.example.org/REPORT.md", "repository": None}
    data["sources"][0] |= kept
    data["reported_results"][0]["evidence_url"] = None
    return data | change


def draft() -> dict[str, Any]:
    """Return a record that is not to be published, below the path of one that is."""
    return heron(id="heron-next", path="/notes/heron/next/", title="Not yet", draft=True)


def record(data: dict[str, Any]) -> Record:
    """Return a record of sound shape."""
    found = shape.record("records/x.json", data)
    assert isinstance(found, Record), found
    return found


def settings(**change: Any) -> Settings:
    """Return settings of a site."""
    return Settings(**({"title": "Notes & <more>", "description": "What was seen."} | change))


def write(root: Path, *records: dict[str, Any], site_url: str = SITE_URL) -> Project:
    """Write a project of these records."""
    (root / "records").mkdir(parents=True)
    for data in records:
        (root / "records" / f"{data['id']}.json").write_text(json_text(data), "utf-8")
    named = f"site_url: {site_url}\n" if site_url else ""
    (root / "records" / "site.yml").write_text(f'title: "Notes & <more>"\n{named}', "utf-8")
    return Project(root)


def built(root: Path, *records: dict[str, Any], site_url: str = SITE_URL, **options: Any) -> dict[str, bytes]:
    """Return the files of a site of these records."""
    files, _ = site_files(write(root, *records, site_url=site_url), Options(cache=root / "cache", **options))
    return files


__all__ = ["HASH", "ODD", "SITE_URL", "built", "draft", "forum", "heron", "hostile", "record", "settings", "write"]

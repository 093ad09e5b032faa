"""The project under audit: its root, its guides, its words for failure, and a small sound page to spoil."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]

Folder = Callable[..., Path]
"""Writes a small site into a temporary folder: `folder(body, css, svg)`, each of them optional."""

GOOD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="description" content="A page that is sound in every respect.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
content="default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'">
<link rel="icon" href="icon.svg" type="image/svg+xml"><link rel="stylesheet" href="style.css"></head>
<body><a class="skip" href="#main">Skip to main content</a>
<main id="main" tabindex="-1"><h1>A page</h1><p>One line.</p><details><summary>More</summary><p>Detail.</p></details>
{body}</main>
</body></html>
"""
CSS = "body { color: #14181d; background: #fff; }\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Dot</title><circle r="4"/></svg>\n'


def write_folder(root: Path, body: str = "", css: str = CSS, svg: str = SVG) -> Path:
    """Write a site of one page, one style sheet and one picture into `root`; return `root`."""
    (root / "index.html").write_text(GOOD.replace("{body}", body), "utf-8")
    (root / "style.css").write_text(css, "utf-8")
    (root / "icon.svg").write_text(svg, "utf-8")
    return root


def guide_paths() -> list[str]:
    """Return the address of every published record of the project, read from the record itself."""
    files = sorted(file for file in (ROOT / "records").rglob("*") if file.suffix in {".json", ".yml", ".yaml"})
    records = [_read(file) for file in files if "." not in file.stem and file.stem != "site"]
    return [record["path"] for record in records if not record.get("draft")]


def _read(file: Path) -> dict[str, Any]:
    text = file.read_text("utf-8-sig")
    record: dict[str, Any] = json.loads(text) if file.suffix == ".json" else yaml.safe_load(text)
    return record


def expect_none(faults: dict[str, list[str]]) -> None:
    """Fail with every fault of every page in full; a comparison would cut the list short."""
    if lines := [f"{where}: {fault}" for where, found in faults.items() for fault in found]:
        pytest.fail("\n".join(lines), pytrace=False)

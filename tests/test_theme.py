"""The example theme: variables and blocks reach every page, can be read, and are those that docs/theming.md tells."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from selectolax.lexbor import LexborHTMLParser

from site_src.cli import CONTENT, DONE, main
from site_src.project import RESOURCES

THEME: Final = RESOURCES / "tests" / "theme"
SOUND: Final = RESOURCES / "tests" / "rejects" / "_sound"
PAGE: Final = (RESOURCES / "docs" / "theming.md").read_text("utf-8")
STYLE: Final = (RESOURCES / "assets" / "style.css").read_text("utf-8")
# Text on its background: 4.5. What carries a meaning without words: 3.
TEXT: Final = [(i, b) for b in ("page", "panel") for i in ("ink", "ink2", "link", "visited")] + [
    ("info-ink", "info"),
    ("warn-ink", "warn"),
    ("focus-ink", "focus"),
]
MARKS: Final = [("edge", "page"), ("a", "page"), ("a", "panel")]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("themed")
    for folder in (SOUND, THEME):
        shutil.copytree(folder, root, dirs_exist_ok=True)
    assert main(["build", "-q", "--jobs", "1", "--project", str(root)]) == DONE
    return root


def pages(project: Path) -> Iterator[tuple[str, LexborHTMLParser]]:
    for path in sorted((project / "_site").rglob("*.html")):
        yield path.relative_to(project / "_site").as_posix(), LexborHTMLParser(path.read_text("utf-8"))


def test_the_style_ends_with_the_theme(project: Path) -> None:
    (style,) = (project / "_site" / "assets").glob("style.*.css")
    css = style.read_text("utf-8")
    assert css.endswith((THEME / "assets" / "theme.css").read_text("utf-8"))
    assert css.index("--link:#0a52a0") < css.index("--link:#6b2c00")
    assert css.count("@font-face") == STYLE.count("@font-face")
    manifest = json.loads((project / "_site" / "manifest.json").read_text("utf-8"))
    assert "assets/theme.css" in [one["path"] for one in manifest["inputs"]]


def test_replaced_blocks_stand_on_every_page_and_its_markup_is_whole(project: Path) -> None:
    found = dict(pages(project))
    assert len(found) > 10
    for name, page in found.items():
        foot = page.css("footer")
        assert len(foot) == 1, name
        assert "kept by the Heron Lab" in foot[0].text(), name
        assert len(page.css("main")) == len(page.css("h1")) == len(page.css("header.top")) == 1, name
        assert not page.css("[style], style"), name
        ids = [node.attributes["id"] for node in page.css("[id]")]
        assert len(ids) == len(set(ids)), name
    guide = found["guides/heron-decode/index.html"]
    first = guide.css_first("main p")
    assert first is not None
    assert first.text() == "A guide of the Heron Lab."
    assert guide.css_first("main .answer") is not None, "super() keeps what the block held"


def variables(css: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the variables on a light screen and on a dark one."""
    light, dark = re.findall(r":root\{(.*?)\}", css, re.S)[:2]
    found = [dict(re.findall(r"--([\w-]+):([^;]+);", block)) for block in (light, dark)]
    return found[0], {**found[0], **found[1]}


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def faint(css: str) -> list[str]:
    """Return the pairs of variables that have too little contrast, on a light screen or a dark one."""
    defaults = variables(STYLE)
    schemes = [{**default, **own} for default, own in zip(defaults, variables(css), strict=True)]
    asked = [(pair, 4.5) for pair in TEXT] + [(pair, 3.0) for pair in MARKS]
    return [f"{i} on {b}" for s in schemes for (i, b), floor in asked if contrast(s[i], s[b]) < floor]


def test_the_theme_and_the_shipped_style_have_contrast() -> None:
    theme = (THEME / "assets" / "theme.css").read_text("utf-8")
    assert faint(STYLE) == faint(theme) == []
    assert faint(theme.replace("--ink2:#544c3d", "--ink2:#a59c8c")) == ["ink2 on page", "ink2 on panel"]
    assert round(contrast("#000", "#ffffff"), 3) == 21


def test_variables_and_blocks_are_all_told() -> None:
    rows = re.findall(r"^\| (`.+?) \|", PAGE, re.M)
    told = {name for row in rows for name in re.findall(r"`--([\w-]+)`", row)} | {f"s{n}" for n in range(1, 9)}
    assert told == variables(STYLE)[0].keys()
    base = (RESOURCES / "templates" / "base.html.j2").read_text("utf-8")
    blocks = {row.strip("`") for row in rows if not row.startswith("`--")}
    assert blocks == set(re.findall(r"\{% block (\w+) %\}", base))


def test_a_fault_of_the_theme_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(SOUND, tmp_path, dirs_exist_ok=True)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "theme.css").write_text("\nbody{background:url(wall.png)}\n", "utf-8")
    assert main(["build", "--jobs", "1", "--project", str(tmp_path)]) == CONTENT
    assert "assets/theme.css:2:17  the style asks for wall.png" in capsys.readouterr().err

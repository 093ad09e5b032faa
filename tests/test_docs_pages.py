"""The pages of docs/ that are written by hand: their commands exist, their files can be read, their session is one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from PIL import Image

from site_src.cli import DONE, main
from site_src.project import RESOURCES
from tests.claim_samples import project, record
from tests.made.picture import MOST_BYTES, PICTURE, SIZE
from tests.test_claim_terminal import DIFFERENCE, sessions

__all__ = ["sessions"]
DOCS: Final = RESOURCES / "docs"
PAGES: Final = sorted(DOCS.glob("*.md"))
_BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_CALL: Final = re.compile(r"(?<![\w/@-])pinpress ([a-z]+)((?: (?:[^`\s&|>;)]+))*)")


def calls(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands that a page's code names, each with its options."""
    code = "\n".join([b for _, b in _BLOCK.findall(text)] + re.findall(r"`([^`\n]+)`", _BLOCK.sub("", text)))
    return [(m[1], re.findall(r"(?<!\S)--[a-z-]+", m[2])) for m in _CALL.finditer(code)]


def known(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    return capsys.readouterr().out if ended.value.code == DONE else ""


def unknown(text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the commands and options of a page that there are not."""
    found = []
    for command, options in calls(text):
        told = known(capsys, command)
        if command == "new":
            told += known(capsys, "new", "guide") + known(capsys, "new", "site")
        found += [command] * (not told) + [f"{command} {o}" for o in options if not re.search(rf"{o}(?![\w-])", told)]
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.name))
def test_every_command_of_a_page_exists(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert unknown(path.read_text("utf-8"), capsys) == []


def test_a_command_or_option_that_is_not_there_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    page = "Run `pinpress publish`.\n```\npinpress build --fast --strict\npinpress check\n```\n"
    assert sorted(unknown(page, capsys)) == ["build --fast", "publish"]
    assert sum(len(calls(path.read_text("utf-8"))) for path in PAGES) > 20


def test_the_index_names_every_page_once() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    named = re.findall(r"^\| \w* ?\| \[(.+?)\]\(\1\): \w", index, re.M)
    assert sorted([*named, "README.md", "tutorial.md"]) == [path.name for path in PAGES]
    assert "](tutorial.md)" in index


def test_the_session_of_the_claims_page_is_one(tmp_path: Path, sessions: Any) -> None:
    (shown,) = (b for kind, b in _BLOCK.findall((DOCS / "claims.md").read_text("utf-8")) if kind == "text")
    project(tmp_path, record(f"It was 4 of them. {DIFFERENCE}"))
    session = sessions(tmp_path)
    for key in "2a":
        session.until("q stop\n")
        session.press(key)
    session.until("in words: ")
    session.press("Memory not free\n")
    assert session.end() == DONE
    # A terminal echoes a key that comes before its question has made it silent; that depends on the machine's load.
    said = re.sub(r"^[2a](?=\n|  )", "", session.said, flags=re.M)
    # So do the seconds.
    said, shown = (re.sub(r"in \d+\.\d s$", "in # s", text.strip()) for text in (said, shown))
    assert said == shown


def test_the_files_of_the_hosts_are_those_of_a_new_site() -> None:
    page = (DOCS / "deploy.md").read_text("utf-8")
    starter = RESOURCES / "site_src" / "starter"
    named = {n: n.removeprefix(".") for n in (".github/workflows/pages.yml", ".gitlab-ci.yml", "netlify.toml")}
    for name, kept in named.items():
        assert f"`new site` writes `{name}`" in page
        assert (starter / kept).is_file()
    blocks = {b.partition("\n")[0].removeprefix("# "): b for _, b in _BLOCK.findall(page) if b.startswith("# ")}
    assert yaml.safe_load(blocks["records/site.yml"])["site_url"].endswith("/")


def test_the_picture_is_light_and_shown() -> None:
    assert PICTURE.stat().st_size <= MOST_BYTES
    with Image.open(PICTURE) as image:
        assert image.size == SIZE
    assert re.search(r"!\[[^\]]{40,}\]\(docs/page\.webp\)", (RESOURCES / "README.md").read_text("utf-8"))

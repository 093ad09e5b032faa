"""A small site that is edited at random: its records, templates, style, output and cache."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from site_src.options import Options
from site_src.project import Project
from site_src.quick import build
from site_src.serial import json_text
from tests.bench import corpus

RECORDS: Final = 4


@pytest.fixture(autouse=True)
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the states of files count, which they do not in CI."""
    monkeypatch.delenv("CI", raising=False)


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was built once, with its figures in its cache."""
    root = corpus.write(RECORDS, tmp_path_factory.mktemp("drawn") / "site")
    build(Project(root), root / "_site")
    return root


@pytest.fixture
def site(drawn: Path, tmp_path: Path) -> Path:
    root = tmp_path / "site"
    shutil.copytree(drawn, root)
    return root


def clean(root: Path, beside: Path, *, offline: bool = False) -> dict[str, bytes]:
    """Return the files of a site built from nothing; drawn figures alone are taken from the project's cache."""
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    (beside / "cache").mkdir()
    (beside / "cache" / "figures").symlink_to(root / ".cache" / "figures")
    build(Project(root), beside / "out", Options(cache=beside / "cache", offline=offline, jobs=1))
    return tree(beside / "out")


class Editor:
    """Makes one random change after the other to a project, its output and its cache."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance, self.made = root, random.Random(seed), RECORDS
        self.changes: tuple[Callable[[], None], ...] = (
            self.words, self.words, self.words, self.value, self.value, self.rename, self.delete, self.add, self.title,
            self.template, self.style, self.output, self.foreign, self.parts, self.history, self.spare,
        )  # fmt: skip

    def change(self) -> str:
        """Make a change and return its name."""
        step = self.chance.choice(self.changes)
        step()
        return step.__name__

    def _records(self) -> list[Path]:
        return sorted(
            p for p in (self.root / "records").iterdir() if p.suffix in {".json", ".yml"} and p.stem != "site"
        )

    def words(self) -> None:
        bodies = sorted((self.root / "records").glob("*.md"))
        if bodies:
            body = self.chance.choice(bodies)
            body.write_text(f"{body.read_text('utf-8')}\nMore words, {self.chance.choice('abcdef')}.\n", "utf-8")

    def value(self) -> None:
        path = self.chance.choice(self._records())
        data = json.loads(path.read_text("utf-8"))
        result = self.chance.choice(data["reported_results"])
        result["statistic"] = self.chance.choice(["median of three", "single observation", "mean"])
        result["conditions"]["host"] = f"host {self.chance.randint(1, 3)}"
        path.write_text(json_text(data) + "\n", "utf-8")

    def rename(self) -> None:
        path = self.chance.choice(self._records())
        data = json.loads(path.read_text("utf-8"))
        old, new = data["id"], f"moved-{self.chance.randint(0, 10**6)}"
        data["id"], data["path"] = new, f"/guides/{new}/"
        if "body_markdown" in data:
            data["body_markdown"] = data["body_markdown"].replace(f"/assets/{old}-", f"/assets/{new}-")
        path.unlink()
        path.with_stem(new).write_text(json_text(data) + "\n", "utf-8")
        body = path.with_name(f"{old}.md")
        if body.is_file():
            body.rename(body.with_stem(new))
        for other in (self.root / "records").iterdir():
            text = other.read_text("utf-8")
            changed = text.replace(f"/guides/{old}/", f"/guides/{new}/").replace(f"/assets/{old}-", f"/assets/{new}-")
            if changed != text:
                other.write_text(changed, "utf-8")

    def delete(self) -> None:
        if len(self._records()) > 2:
            path = self.chance.choice(self._records())
            path.unlink()
            path.with_suffix(".md").unlink(missing_ok=True)
            for other in (self.root / "records").iterdir():
                text = other.read_text("utf-8")
                changed = text.replace(f"/guides/{path.stem}/#results", "/").replace(f"/guides/{path.stem}/", "/")
                if changed != text:
                    other.write_text(changed, "utf-8")

    def add(self) -> None:
        data = corpus.record(0)
        name = f"new-{self.made}"
        self.made += 1
        data |= {"id": name, "path": f"/guides/{name}/", "title": f"Added {self.made}"}
        data["body_markdown"] = f"# Added {self.made}\n\nNothing to see, and {self.chance.randint(1, 9)} to read.\n"
        (self.root / "records" / f"{name}.json").write_text(json_text(data) + "\n", "utf-8")

    def title(self) -> None:
        (self.root / "records" / "site.yml").write_text(f"title: Runs {self.chance.randint(1, 3)}\n", "utf-8")

    def template(self) -> None:
        own = self.root / "templates"
        own.mkdir(exist_ok=True)
        asks = self.chance.choice(["", "{{ site.guides|length }} guides"])
        text = '{% extends "pinpress/guide.html.j2" %}{% block main %}{{ super() }}<p>' + asks + "</p>{% endblock %}"
        (own / "guide.html.j2").write_text(text, "utf-8")

    def style(self) -> None:
        (self.root / "assets").mkdir(exist_ok=True)
        colour = self.chance.choice(["teal", "navy"])
        (self.root / "assets" / "theme.css").write_text(f"h1{{color:{colour}}}\n", "utf-8")

    def output(self) -> None:
        path = self.chance.choice(sorted(p for p in (self.root / "_site").rglob("*") if p.is_file()))
        if self.chance.random() < 0.5:
            path.unlink()
        else:
            path.write_text("edited by hand", "utf-8")

    def foreign(self) -> None:
        place = self.root / "_site" / "theirs" / f"{self.chance.randint(1, 3)}.txt"
        place.parent.mkdir(exist_ok=True)
        if place.exists():
            place.unlink()
        else:
            place.write_text("theirs", "utf-8")

    def parts(self) -> None:
        kept = sorted((self.root / ".cache" / "parts").iterdir())
        path = self.chance.choice(kept)
        if self.chance.random() < 0.5:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-100] + b"x" * 100)

    def history(self) -> None:
        for path in (self.root / ".cache" / "site").iterdir():
            path.write_bytes(path.read_bytes()[: -self.chance.randint(1, 1000)])

    def spare(self) -> None:
        shutil.rmtree(self.root / "._site.spare", ignore_errors=True)


def theirs(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if not path.startswith("theirs/")}

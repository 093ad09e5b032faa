"""The page for addresses that are not there: served at any depth below any base path, all its links work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser
from selectolax.lexbor import LexborHTMLParser

from site_src.hrefs import NOT_FOUND, Hrefs
from site_src.write import publish
from tests.lists import files_of, guide, written

GUIDES = 7


class _Host(SimpleHTTPRequestHandler):
    """A static host below a base path: what is no file is answered with 404.html and its status."""

    base = "/"

    def translate_path(self, path: str) -> str:
        inside = path.startswith(self.base)
        return super().translate_path("/" + path.removeprefix(self.base) if inside else "/no-such-file")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Say nothing."""


@contextmanager
def hosted(folder: Path, base: str) -> Iterator[str]:
    handler = type("Host", (_Host,), {"base": base})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{base}"
        finally:
            server.shutdown()
            thread.join()


def published(tmp_path: Path, settings: str) -> Path:
    records = [guide(f"g-{n}", source_checked_on=f"2025-03-0{n}") for n in range(1, GUIDES + 1)]
    project = written(tmp_path / "project", records, settings)
    out = tmp_path / "site"
    publish(files_of(project, tmp_path / "cache"), out)
    return out


@pytest.mark.parametrize(
    ("settings", "base"), [("site_url: https://notes.example.org/lab/deep/\n", "/lab/deep/"), ("", "/")]
)
def test_at_any_depth_every_link_and_file_is_there(tmp_path: Path, chromium: Browser, settings: str, base: str) -> None:
    out = published(tmp_path, settings)
    with hosted(out, base) as origin:
        page = chromium.new_page()
        failed: list[str] = []
        page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
        for missing in ("nowhere", "guides/nowhere/", "a/b/c/d/e.html", "notes/g-1/nowhere/x/"):
            failed.clear()
            answer = page.goto(origin + missing)
            assert answer is not None
            assert answer.status == 404
            assert failed == [origin + missing], "its style and fonts are found"
            assert page.locator("h1").inner_text() == "Page not found"
            assert page.locator("h1").evaluate("e => getComputedStyle(e).fontWeight") == "700"
        links = page.locator("a[href]").evaluate_all("all => all.map(a => a.href).filter(h => !h.includes('#'))")
        assert len(links) >= 3 + 3 + 5
        for link in set(links):
            assert page.request.get(link).status == 200, link
        page.close()


def test_it_names_the_parts_of_the_site_and_the_five_newest_guides(tmp_path: Path) -> None:
    page = LexborHTMLParser((published(tmp_path, "") / "404.html").read_text("utf-8"))
    assert [a.text() for a in page.css("main a")][-5:] == [f"Brook g-{n}" for n in range(GUIDES, GUIDES - 5, -1)]
    named = [(a.text(), a.attributes["href"]) for a in page.css("nav a")]
    assert [(a.text(), a.attributes["href"]) for a in page.css("main a")][:-5] == named
    (robots,) = page.css("meta[name=robots]")
    assert robots.attributes["content"] == "noindex"


def test_its_links_start_from_the_base_and_keep_their_anchor() -> None:
    hrefs = Hrefs(site_url="https://notes.example.org/lab/")
    assert hrefs.to(NOT_FOUND, "/method/", "null") == "/lab/method/#null"
    assert urlsplit(hrefs.to(NOT_FOUND, "/")).path == "/lab/"
    assert Hrefs(offline=True).to(NOT_FOUND, "/method/", "null") == "method/index.html#null"

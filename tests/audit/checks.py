"""What the audit asks of a page. Each check returns the faults it found, one line each."""

from __future__ import annotations

import gzip
import json
import os.path
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Response

Scheme = Literal["light", "dark"]

WIDTHS = (1280, 360, 320)
"""CSS pixels: a desktop, a common phone, and the reflow width of WCAG 2.2 (1.4.10)."""

SCHEMES: tuple[Scheme, ...] = ("light", "dark")

LOOKS = tuple(product(WIDTHS, SCHEMES))

AXE_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

KB = 1000

BUDGET = {"document": 15 * KB, "stylesheet": 6 * KB, "font": 30 * KB, "image/svg+xml": 30 * KB}
"""Largest gzip bytes by kind, summed over a page; an SVG is weighed by itself."""

TOTAL_BUDGET = 250 * KB

REQUEST_BUDGET = 14

_OPEN_ALL = "for (const d of document.querySelectorAll('details')) d.open = true"

_LOAD_ALL = """async () => {
  await document.fonts.ready;
  const load = i => { i.loading = 'eager'; return i.decode().catch(() => null); };
  await Promise.all([...document.images].map(load));
}"""

_RUN_AXE = "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})"

_SIDEWAYS = """() => {
  const root = document.documentElement, limit = root.clientWidth;
  if (root.scrollWidth <= limit) return null;
  const sticksOut = e => e.getBoundingClientRect().right > limit + 0.5;
  const wide = [...document.body.querySelectorAll('*')].filter(sticksOut);
  const name = e => [e.tagName.toLowerCase(), ...e.classList].join('.');
  return `${root.scrollWidth} px in ${limit} px: ${wide.slice(0, 4).map(name).join(', ')}`;
}"""

_VNU_OPTIONS = ("--stdout", "--exit-zero-always", "--format", "json", "--also-check-css", "--also-check-svg")

_OWN_FILE_BLOCKED = re.compile(
    r"Resource violates Content Security Policy \(meta tag\): [^“”]+ “(?P<reference>[^“”]+)” "
    r"blocked by “(?:style|img|font|script)-src” directive\."
)


@dataclass
class Visit:
    """One page load as the browser saw it: what it asked for, what it got, what it complained about."""

    url: str
    requests: list[str] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        """Take down what every page of `context` does from now on."""
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("response", self.answered)
        context.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        context.on("weberror", lambda error: self.complaints.append(f"exception: {error.error}"))
        context.on("requestfailed", lambda request: self.complaints.append(f"not loaded: {request.url}"))

    def answered(self, response: Response) -> None:
        """Keep one answer; its body is read later, while the page is still open."""
        self.responses.append(response)


@contextmanager
def opened(browser: Browser, url: str, width: int, scheme: Scheme, **options: Any) -> Iterator[Page]:
    """Yield the page at `url`, everything on it loaded and every `<details>` open, in a fresh profile.

    `options` are further ones of Playwright's `new_context`, for example `bypass_csp`.
    """
    context = _context(browser, url, width, scheme, options)
    try:
        page = context.new_page()
        _load(page, url)
        yield page
    finally:
        context.close()


@contextmanager
def watched(browser: Browser, url: str, width: int, scheme: Scheme) -> Iterator[tuple[Page, Visit]]:
    """Yield the page as `opened` does, under its own policy, with a record of its requests and messages."""
    context = _context(browser, url, width, scheme, {})
    visit = Visit(url)
    visit.watch(context)
    try:
        page = context.new_page()
        _load(page, url)
        yield page, visit
    finally:
        context.close()


def _context(browser: Browser, url: str, width: int, scheme: Scheme, options: dict[str, Any]) -> BrowserContext:
    """Return a fresh profile in which every request that leaves the origin of `url` is refused."""
    usual: dict[str, Any] = {
        "viewport": {"width": width, "height": 800},
        "color_scheme": scheme,
        "reduced_motion": "reduce",
        "service_workers": "block",
    }
    context = browser.new_context(**(usual | options))
    context.route(lambda address: not _is_own(address, url), lambda route: route.abort())
    return context


def _load(page: Page, url: str) -> None:
    """Open `url`, unfold it and wait for every picture, the lazy ones too."""
    page.goto(url)
    page.evaluate(_OPEN_ALL)
    page.evaluate(_LOAD_ALL)


def _is_own(address: str, url: str) -> bool:
    """Tell whether `address` has the origin of `url`, or carries its content in itself."""
    at, home = urlsplit(address), urlsplit(url)
    return at.scheme in {"data", "blob", "about"} or (at.scheme, at.netloc) == (home.scheme, home.netloc)


def pages_of(site: Path) -> list[str]:
    """Return the path of every HTML file below `site`, sorted, as a browser asks for it."""
    return sorted(_address(site, file) for file in site.rglob("*.html"))


def kinds_of(site: Path) -> list[str]:
    """Return the path of every guide, and of every other kind of page the one that weighs most, sorted.

    A kind is what one template fills: the pages of one name below the guides, the pages of one list of the site.
    """
    heaviest: dict[str, tuple[int, str]] = {}
    guides = [_address(site, f.with_name("index.html")) for f in site.rglob("record.json")]
    for file in site.rglob("*.html"):
        path = _address(site, file)
        kind = _kind(path, guides)
        heaviest[kind] = max(heaviest.get(kind, (0, "")), (file.stat().st_size, path))
    return sorted(path for _, path in heaviest.values())


def _address(site: Path, file: Path) -> str:
    return "/" + re.sub(r"(^|/)index\.html$", r"\1", file.relative_to(site).as_posix())


def _kind(path: str, guides: list[str]) -> str:
    above = max((g for g in guides if path.startswith(g)), key=len, default="")
    if above:
        return path if path == above else re.sub(r"\d+", "N", path.removeprefix(above))
    first, second, *rest = [*re.sub(r"/\d+/", "/N/", path).strip("/").split("/"), ""]
    return "/".join([first, second, *("*" for _ in rest)])


def axe_faults(page: Page, axe_source: str) -> list[str]:
    """Run axe-core in an open page; return one line for each rule that is broken, with the first element."""
    page.evaluate(axe_source + ";undefined")
    report: dict[str, Any] = page.evaluate(_RUN_AXE, list(AXE_TAGS))
    if not report["passes"]:
        return ["axe: no rule found anything to look at"]
    return [
        f"axe {found['id']}: {found['help']}, {len(found['nodes'])} times, at {found['nodes'][0]['target']}"
        for found in report["violations"]
    ]


def sideways_faults(page: Page) -> list[str]:
    """Return the widest elements if the open page scrolls sideways."""
    wide: str | None = page.evaluate(_SIDEWAYS)
    return [f"scrolls sideways, {wide}"] if wide else []


def visit_faults(visit: Visit) -> list[str]:
    """Return every request that left the origin, every answer that was no success, every console message."""
    foreign = [f"foreign request: {address}" for address in visit.requests if not _is_own(address, visit.url)]
    failed = [f"{answer.status} {answer.url}" for answer in visit.responses if not answer.ok]
    return foreign + failed + visit.complaints


def weigh(body: bytes) -> int:
    """Return the bytes on the wire: gzip where it helps, as it is where the format is compressed already."""
    return min(len(body), len(gzip.compress(body, 6, mtime=0)))


def weight_faults(visit: Visit) -> list[str]:
    """Compare a visit with the budget of a guide page; return what is over it, in gzip bytes."""
    weights = [(answer.request.resource_type, answer, weigh(answer.body())) for answer in visit.responses]
    faults: list[str] = []
    for kind in ("document", "stylesheet", "font"):
        total = sum(size for found, _, size in weights if found == kind)
        faults += _over(kind, total, BUDGET[kind])
    for _, answer, size in weights:
        if answer.headers.get("content-type", "").startswith("image/svg+xml"):
            faults += _over(urlsplit(answer.url).path, size, BUDGET["image/svg+xml"])
    faults += _over("the whole page", sum(size for _, _, size in weights), TOTAL_BUDGET)
    if len(visit.requests) > REQUEST_BUDGET:
        faults.append(f"{len(visit.requests)} requests, at most {REQUEST_BUDGET}")
    return faults


def _over(what: str, size: int, limit: int) -> list[str]:
    return [f"{what} weighs {size} bytes, at most {limit}"] if size > limit else []


FILTER = r"(?:\.\./)+assets/filter\.[0-9a-f]{10}\.js"
SEARCH = r"\.\./assets/search\.[0-9a-f]{10}\.js"


class _MarkupReader(HTMLParser):
    """Collects scripts that are no data block and not the page's own, style attributes and event handlers."""

    def __init__(self, own_script: str) -> None:
        super().__init__()
        self.own_script = own_script
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        where = f"line {self.getpos()[0]}: <{tag}>"
        held = dict(attrs)
        is_own = bool(self.own_script and re.fullmatch(self.own_script, held.get("src") or ""))
        if tag == "script" and held.get("type") != "application/ld+json" and not is_own:
            self.faults.append(f"{where} is a script")
        for name, _ in attrs:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{where} has {name}=")


def own_script(name: str) -> str:
    """Return the pattern of the one script that a page may load."""
    return FILTER if name.startswith("results/") else SEARCH if name == "search/index.html" else ""


def markup_faults(html: str, own_script: str = "") -> list[str]:
    """Return every script but JSON-LD, every `style=` and every event handler of a page's text.

    `own_script` is a pattern of the one address from which the page may load a script.
    """
    reader = _MarkupReader(own_script)
    reader.feed(html)
    reader.close()
    return reader.faults


@dataclass(frozen=True)
class Vnu:
    """The Nu Html Checker, run on files."""

    java: str
    jar: Path

    def faults(self, site: Path, base: str = "/") -> list[str]:
        """Check every page, style sheet and SVG below `site`; return each error, warning and remark.

        `base` is the path of the address under which the site is published; absolute links start with it.
        """
        files = sorted(str(file) for kind in ("html", "css", "svg") for file in site.rglob(f"*.{kind}"))
        command = [self.java, "-jar", str(self.jar), *_VNU_OPTIONS, *files]
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        if run.returncode != 0 or run.stderr:
            return [f"vnu ended with {run.returncode}: {run.stderr}"]
        messages: list[dict[str, Any]] = json.loads(run.stdout)["messages"]
        return [_line(found, site) for found in messages if not _blames_file_origin(found, site, base)]


def _line(found: dict[str, Any], site: Path) -> str:
    """Write one message of vnu as `file: kind: text, near …` (its line numbers start now at 0, now at 1)."""
    path = _file(found).relative_to(site)
    near = " ".join(found.get("extract", "").split())
    return f"{path}: {found.get('subType', found['type'])}: {found['message']} Near {near!r}"


def _file(found: dict[str, Any]) -> Path:
    """Return the file that a message of vnu is about."""
    return Path(unquote(urlsplit(found["url"]).path))


def _blames_file_origin(found: dict[str, Any], site: Path, base: str) -> bool:
    """Tell whether vnu says only that a `file:` page has no 'self' that could allow a file of this very site.

    That is its one remark which no page could avoid; a reference to anything else is not excused. What
    really loads under the policy is seen by the browser (`visit_faults`).
    """
    match = _OWN_FILE_BLOCKED.fullmatch(found["message"])
    if match is None or urlsplit(found["url"]).scheme != "file":
        return False
    reference = unquote(match["reference"])
    start = site / reference.removeprefix(base) if reference.startswith(base) else _file(found).parent / reference
    return _names_file_of(site, start)


def _names_file_of(site: Path, start: Path) -> bool:
    """Tell whether `start` is a file below `site`; vnu cuts a long name and ends it with three dots."""
    target = Path(os.path.normpath(start))
    if not target.is_relative_to(site):
        return False
    if not target.name.endswith("..."):
        return target.is_file()
    return any(file.name.startswith(target.name[:-3]) for file in target.parent.glob("*"))

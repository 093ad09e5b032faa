"""Hostile text in every text field of a record: on every page, with and without its policy, a browser runs nothing."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request

from site_src.pipeline import Options, site_files
from site_src.problems import Rejected
from site_src.project import Project
from tests.browser import Serve
from tests.fuzz.entries.check import SOUND
from tests.machine_samples import write
from tests.record_parts import places, put

PAYLOADS: Final = (
    "</script><!--<script>canary()</script>\"'><img src=x onerror=canary()><svg onload=canary()>{{7*7}}]]>",
    "=canary() </style><style>@import 'https://evil.example';*{background:url(https://evil.example)}</style>",
    "@x <a href=jAvAsCrIpT:canary()>y</a> [z](java&#115;cript:canary()) ![i](https://evil.example/i) <https://e.example>",
    "-1 &lt;script&gt;canary()&lt;/script&gt; \\u003cscript>canary()</script> `<script>` <iframe srcdoc='<script>'>",
)
BODY: Final = (
    "\n\n".join(re.sub(r"\[z\].*", "", p) for p in PAYLOADS)
    + "\n\n<details open ontoggle=canary()>\n\n| a<script> |\n|-|\n| <b> |\n"
)
CANARY: Final = """
window.canary = () => window.told('canary');
document.addEventListener('securitypolicyviolation', e => window.told('policy ' + e.violatedDirective));
"""
POLICY: Final = re.compile(rb'<meta http-equiv="?Content-Security-Policy"?[^>]*>', re.I)


def hostile() -> tuple[dict[str, Any], int]:
    """Return a record that holds a payload in every text that takes one, and how many those are."""
    data = SOUND | {"body_markdown": BODY}
    taken = 0
    texts = [at for at, held in places(data) if isinstance(held, str) and at != "/body_markdown"]
    for n, pointer in enumerate(texts):
        changed = put(data, pointer, PAYLOADS[n % len(PAYLOADS)])
        if _passes(changed):
            data, taken = changed, taken + 1
    return data, taken


def _passes(data: dict[str, Any]) -> bool:
    from site_src.check import check
    from site_src.load import Document, Loaded

    try:
        check(Loaded((Document("records/tarn.json", "tarn", data),), None, None), frozenset())
    except Rejected:
        return False
    return True


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    data, taken = hostile()
    assert taken > 30
    root = tmp_path_factory.mktemp("hostile")
    write(root, data)
    settings = {"title": PAYLOADS[0], "description": PAYLOADS[1], "site_url": "https://notes.example.org/"}
    (root / "records" / "site.yml").write_text(json.dumps(settings), "utf-8")
    files, _ = site_files(Project(root), Options(cache=root / "cache"))
    return files


def seen(page: Page, base: str, paths: list[str]) -> Iterator[str]:
    """Open pages; yield whatever ran, was asked of another host, or was complained of."""
    told: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        told.append("dialog")
        dialog.dismiss()

    def judge(request: Request) -> None:
        if not request.url.startswith((base, "data:")):
            told.append(f"request {request.url}")

    def tell(what: str) -> None:
        told.append(what)

    page.expose_function("told", tell)
    page.add_init_script(CANARY)
    page.on("dialog", dismiss)
    page.on("request", judge)
    page.on("pageerror", lambda error: told.append(f"error {error}"))
    page.on("console", lambda said: told.append(f"console {said.text}") if said.type == "error" else None)
    for path in paths:
        page.goto(f"{base}/{path}", wait_until="networkidle")
        while told:
            yield f"{path}: {told.pop()}"


@pytest.mark.parametrize("stripped", [False, True], ids=["policy", "no-policy"])
def test_no_page_runs_or_loads_anything(
    built: dict[str, bytes], stripped: bool, chromium: Browser, serve: Serve, tmp_path: Path
) -> None:
    for name, data in built.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(POLICY.sub(b"", data) if stripped and name.endswith(".html") else data)
    paths = sorted(n for n in built if n.endswith((".html", ".svg", ".xml")))
    assert len(paths) > 10
    if stripped:
        assert not any(POLICY.search((tmp_path / n).read_bytes()) for n in paths)
    page = chromium.new_page()
    assert list(seen(page, serve(tmp_path), paths)) == []
    page.close()


def test_the_browser_would_see_it(chromium: Browser, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<script>canary()</script><img src=https://evil.example/x onerror=alert(1)>")
    page = chromium.new_page()
    found = set(seen(page, serve(tmp_path), ["a.html"]))
    page.close()
    assert {"a.html: canary", "a.html: request https://evil.example/x"} <= found


def test_every_format_for_machines_is_whole(built: dict[str, bytes]) -> None:
    for name, data in built.items():
        if name.endswith(".json"):
            json.loads(data)
        elif name.endswith((".xml", ".svg")):
            ElementTree.fromstring(data)
        elif name.endswith(".csv"):
            cells = [cell for row in csv.reader(io.StringIO(data.decode())) for cell in row]
            assert not [c for c in cells if c.startswith(tuple("=+@\t\r-")) and not re.fullmatch(r"-[\d.]+", c)], name
        elif name in {"_headers", "_redirects"}:
            assert not re.search(rb"^(?![/#])\S|[<>\"]|canary\(", data, re.M), name
    assert any(n.endswith(".csv") for n in built)


def test_an_override_is_shown_for_what_it_is(tmp_path: Path) -> None:
    data = SOUND | {"title": "Ta\u202ern 1.05", "body_markdown": "It \u2066ran\u202e."}
    write(tmp_path, data)
    files, _ = site_files(Project(tmp_path), Options(cache=tmp_path / "cache"))
    pages = {n: d.decode() for n, d in files.items() if n.endswith(".html")}
    assert not [n for n, text in pages.items() if re.search("[\u202a-\u202e\u2066-\u2069]", text)]
    assert "Ta\\u202ern 1.05" in pages["notes/tarn/index.html"]

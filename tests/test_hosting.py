"""`host`: content types, caching, policies, packed copies, and a real nginx that serves them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import brotli
import pytest

from site_src.caching import EACH_TIME, FOR_GOOD, is_named_by_content
from site_src.cli import CONTENT, DONE, SURROUNDINGS, main
from site_src.hosting import kinds
from site_src.hosting.nginx import configuration
from site_src.hosting.served import File, Served
from site_src.serial import json_text
from tests import nginx
from tests.browser import lacking
from tests.records import sound

ALIAS = "/notes/rillé/"
BODY = "It ran.\n\n## Now\n\nText.\n" + "More of it.\n" * 60


def _built(root: Path, site_url: str) -> Path:
    (root / "records").mkdir(parents=True)
    record = {**sound(), "aliases": [ALIAS], "body_markdown": BODY}
    (root / "records" / "brook.json").write_text(json_text(record))
    (root / "records" / "site.yml").write_text(f"site_url: {site_url}\n")
    assert main(["build", "-q", "--jobs", "1", "--project", str(root)]) == DONE
    return root


@pytest.fixture(scope="module", params=["https://example.org/", "https://example.org/base/path/"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A small project, built and ready to be served, at the root of a host and below a path."""
    root = _built(tmp_path_factory.mktemp("hosted") / "project", request.param)
    assert main(["host", "-q", "--project", str(root)]) == DONE
    return root, request.param.removeprefix("https://example.org")


@pytest.fixture(scope="module")
def server(made: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[nginx.Server]:
    if not nginx.PROGRAM:
        lacking("nginx", "apt-get install nginx-light")
    with nginx.served(made[0] / "dist" / "host", tmp_path_factory.mktemp("nginx") / "prefix") as running:
        yield running


def _listed(root: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((root / "dist" / "host" / "headers.json").read_text("utf-8"))
    return told


# --- what is written


def test_every_file_is_listed_with_a_type_that_is_known(made: tuple[Path, str]) -> None:
    root, base = made
    told = _listed(root)
    files = {f["path"]: f for f in told["files"]}
    site = root / "_site"
    assert set(files) == {p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()}
    assert told["base"] == base
    endings = {Path(p).suffix for p in files} - {""}
    assert {".html", ".md", ".bib", ".csv", ".jsonld", ".ico", ".svg", ".webp", ".woff2", ".xml"} <= endings
    assert endings <= set(kinds.OF_ENDING), "a file of the site would be sent as bytes of no kind"
    assert {p: f["content_type"] for p, f in files.items() if f["path"].count("/") == 0} == {
        "404.html": "text/html; charset=utf-8",
        "_headers": "text/plain; charset=utf-8",
        "_redirects": "text/plain; charset=utf-8",
        "favicon.ico": "image/x-icon",
        "feed.xml": "application/atom+xml; charset=utf-8",
        "index.html": "text/html; charset=utf-8",
        "llms.txt": "text/plain; charset=utf-8",
        "manifest.json": "application/json",
        "robots.txt": "text/plain; charset=utf-8",
        "sitemap.xml": "application/xml; charset=utf-8",
        "sources.json": "application/json",
    }
    assert files["notes/brook/cite.bib"]["content_type"] == "application/x-bibtex; charset=utf-8"
    assert files["notes/brook/dataset.jsonld"]["content_type"] == "application/ld+json"
    assert kinds.content_type("a.unknown") == "application/octet-stream"


def test_what_is_named_by_its_content_is_kept_and_all_else_asked_for_again(made: tuple[Path, str]) -> None:
    caching = {f["path"]: f["cache_control"] for f in _listed(made[0])["files"]}
    kept = {re.sub(r"\.[0-9a-f]{10}\.", ".", p) for p, said in caching.items() if said == FOR_GOOD}
    assert {"assets/style.css", "assets/icon.svg", "assets/inter-400.woff2"} <= kept
    assert {said for p, said in caching.items() if p.endswith((".html", ".json", ".csv", ".webp"))} == {EACH_TIME}
    assert is_named_by_content("a.2c26b46b68.css", hashlib.sha256(b"foo").hexdigest())
    assert not is_named_by_content("a.2c26b46b68.css", hashlib.sha256(b"bar").hexdigest()), (
        "an editor's name that looks like a hash"
    )


def test_pages_have_the_policy_that_they_hold_and_old_ones_lead_on(made: tuple[Path, str]) -> None:
    root, base = made
    told = _listed(root)
    for file in told["files"]:
        is_page = file["path"].endswith(".html")
        assert ("content_security_policy" in file) == is_page
        assert not is_page or file["content_security_policy"].endswith("; frame-ancestors 'none'")
    [old] = [f for f in told["files"] if "redirect" in f]
    assert f"/{old['path']}" == f"{ALIAS}index.html"
    assert old["redirect"] == f"{base}notes/brook/"


def test_copies_unpack_to_their_files_and_are_smaller(made: tuple[Path, str]) -> None:
    site = made[0] / "dist" / "host" / "site"
    packed = [p for p in site.rglob("*") if p.suffix in {".gz", ".br"}]
    assert {p.suffix for p in packed} == {".gz", ".br"}
    for path in packed:
        plain = path.with_suffix("").read_bytes()
        data = path.read_bytes()
        assert (gzip.decompress(data) if path.suffix == ".gz" else brotli.decompress(data)) == plain
        assert len(data) < len(plain)
    assert not [p for p in packed if p.with_suffix("").suffix in {".png", ".webp", ".woff2"}]
    assert (site / "index.html.gz").is_file()


def test_it_is_written_alike_and_holds_its_own_manifest(made: tuple[Path, str], tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert main(["host", "-q", "--project", str(made[0]), "--out", str(again)]) == DONE
    first = made[0] / "dist" / "host"
    for path in sorted(p for p in first.rglob("*") if p.is_file()):
        assert (again / path.relative_to(first)).read_bytes() == path.read_bytes(), path
    assert main(["verify-site", str(first)]) == DONE
    assert main(["verify-site", str(first / "site" / "manifest.json")]) == CONTENT, "packed copies are listed elsewhere"
    assert main(["verify-site", str(made[0] / "_site")]) == DONE


@pytest.mark.parametrize("inside", ["_site", "_site/below", "."])
def test_it_never_writes_into_the_site(inside: str, made: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["host", "--project", str(made[0]), "--out", str(made[0] / inside)]) == SURROUNDINGS
    assert "lie in each other" in capsys.readouterr().err
    assert main(["verify-site", str(made[0] / "_site")]) == DONE


def test_a_site_that_was_changed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = _built(tmp_path / "project", "https://example.org/")
    (root / "_site" / "index.html").write_text("other")
    assert main(["host", "--project", str(root)]) == CONTENT
    assert "[site-differs]" in capsys.readouterr().err
    assert not (root / "dist").exists()
    assert main(["host", "--project", str(root), "--site", str(root / "none")]) == SURROUNDINGS


def test_what_nginx_would_read_as_its_own_is_quoted_or_left_to_the_page() -> None:
    files = (
        File('a"b\\c.html', b"", False, "default-src 'self'"),
        *(File(f"{n}.html", b"", False, "default-src 'none'") for n in range(3)),
        File("b.html", b"", False, "default-src $host"),
        File("c.html", b"", False, "default-src 'none'; \x01"),
    )
    made = configuration(Served("/", files), with_brotli=False)
    assert set(made) == {"nginx/http.conf", "nginx/server.conf"}
    policies = made["nginx/http.conf"].decode().partition("$pinpress_policy {")[2].partition("}")[0]
    assert policies.splitlines()[1:] == [
        '    default "";',
        '    "/a\\"b\\\\c.html" "default-src \'self\'";',
        '    "/b.html" "";',
        '    "/c.html" "";',
        "    ~\\.html$ \"default-src 'none'\";",
    ]


def test_without_brotli_there_are_none_of_its_files_and_that_is_said(
    made: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "brotli", None)
    assert main(["host", "--project", str(made[0]), "--out", str(tmp_path / "host")]) == DONE
    assert "No .br files: the package brotli is not installed" in capsys.readouterr().out
    names = {p.name for p in (tmp_path / "host").rglob("*")}
    assert "index.html.gz" in names
    assert not {n for n in names if n.endswith(".br") or n == "brotli.conf"}


# --- what nginx sends


def test_every_file_is_sent_with_its_headers(made: tuple[Path, str], server: nginx.Server) -> None:
    root, base = made
    told = _listed(root)
    for file in told["files"]:
        if "redirect" in file:
            continue
        status, headers, body = server.get(quote(base + file["path"]))
        assert (status, body) == (200, (root / "_site" / file["path"]).read_bytes()), file["path"]
        sent = {"content_type": "content-type", "cache_control": "cache-control"}
        is_typed = Path(file["path"]).suffix
        assert all(headers[h] == file[k] for k, h in sent.items() if k != "content_type" or is_typed), file["path"]
        assert headers.get("content-security-policy") == file.get("content_security_policy"), file["path"]
        assert {n: headers[n.lower()] for n in told["headers"]} == told["headers"]


def test_a_folder_answers_with_its_page(made: tuple[Path, str], server: nginx.Server) -> None:
    root, base = made
    for folder in ("", "notes/brook/"):
        status, headers, body = server.get(base + folder)
        assert (status, body) == (200, (root / "_site" / folder / "index.html").read_bytes())
        assert "content-security-policy" in headers
    assert server.get(base + "notes/brook")[:1] == (301,)
    assert server.get(base + "notes/brook")[1]["location"] == base + "notes/brook/"
    if base != "/":
        assert server.get(base.rstrip("/"))[1]["location"] == base


def test_what_is_not_there_is_a_page_with_404(made: tuple[Path, str], server: nginx.Server) -> None:
    root, base = made
    for path in ("nothing/", "nothing", "notes/", "assets/", "assets/style.0123456789.css", "notes/brook/deep/er"):
        status, headers, body = server.get(base + path)
        assert (status, body) == (404, (root / "_site" / "404.html").read_bytes())
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == EACH_TIME
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].endswith("; frame-ancestors 'none'")


def test_an_old_address_is_a_redirect(made: tuple[Path, str], server: nginx.Server) -> None:
    _, base = made
    for path in (ALIAS, f"{ALIAS}index.html"):
        status, headers, _ = server.get(quote(base.rstrip("/") + path))
        assert (status, headers["location"]) == (301, f"{base}notes/brook/")
        assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(("asked", "sent"), [("gzip", "gzip"), ("gzip, br", "br"), ("identity", "")])
def test_packed_copies_are_sent_to_those_who_unpack(
    asked: str, sent: str, made: tuple[Path, str], server: nginx.Server
) -> None:
    if sent == "br" and not nginx.HAS_BROTLI:
        lacking("the module of nginx for Brotli", "apt-get install libnginx-mod-http-brotli-static")
    root, base = made
    told = {f["path"]: f for f in _listed(root)["files"]}
    unpack = {"gzip": gzip.decompress, "br": brotli.decompress, "": bytes}[sent]
    for path in ("index.html", "notes/brook/index.md", "feed.xml", "sources.json"):
        status, headers, body = server.get(base + path, asked)
        assert (status, headers.get("content-encoding", "")) == (200, sent), path
        assert unpack(body) == (root / "_site" / path).read_bytes()
        assert headers["content-type"] == told[path]["content_type"]
        assert headers["cache-control"] == EACH_TIME
        assert "Accept-Encoding" in headers["vary"]


def test_hosts_that_read_headers_keep_what_is_named_by_its_content(made: tuple[Path, str]) -> None:
    root, base = made
    rules = re.findall(r"^(/\S+)\n  Cache-Control: (.+)$", (root / "_site" / "_headers").read_text("utf-8"), re.M)
    kept = [f"{base}{f['path']}" for f in _listed(root)["files"] if f["cache_control"] == FOR_GOOD]
    assert kept
    assert rules == [(path, FOR_GOOD) for path in kept]

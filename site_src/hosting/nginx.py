"""How a site is to be served → the files that nginx includes: maps for `http`, the rest for `server`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from ..caching import EACH_TIME
from ..robots import ALWAYS
from .kinds import CHARSET, FEED, OF_ENDING, UNKNOWN, content_type, has_charset
from .served import NOT_FOUND, Served

HTTP: Final = "nginx/http.conf"
SERVER: Final = "nginx/server.conf"
BROTLI: Final = "nginx/brotli.conf"
_BUILT: Final = "# Written by pinpress for this build of the site: include the files of one build together."
# An entry of a hash table holds its key, a pointer and a length; a bucket holds one entry and a pointer at least.
_BESIDE_KEY: Final = 64
_ANY_PAGE: Final = r"~\.html$"
_LEAST_BUCKET: Final = 128
_LEAST_TABLE: Final = 2048


def configuration(site: Served, *, with_brotli: bool) -> dict[str, bytes]:
    """Return the files that nginx includes, by their path; the folder of the site is its variable $pinpress."""
    made = {HTTP: _http(site), SERVER: _server(site)}
    made |= {BROTLI: ["# Needs the module ngx_brotli.", "brotli_static on;"]} if with_brotli else {}
    return {path: "\n".join([*lines, ""]).encode() for path, lines in made.items()}


def _http(site: Served) -> list[str]:
    common, policies = _policies(site)
    caching = {site.address(f.path): f.caching for f in site.files if f.is_for_good}
    moved: dict[str, str] = {}
    for f in site.files:
        if f.moved_to:
            address = site.address(f.path)
            moved |= {address: f.moved_to, address.removesuffix("index.html"): f.moved_to}
    longest = max((len(key.encode()) for key in {*policies, *caching, *moved}), default=0)
    return [
        _BUILT,
        f"map_hash_bucket_size {_power(2 * (longest + _BESIDE_KEY), _LEAST_BUCKET)};",
        f"map_hash_max_size {_power(4 * len(policies), _LEAST_TABLE)};",
        *_map("policy", "", {**policies, _ANY_PAGE: common}),
        *_map("cache", EACH_TIME, caching),
        *_map("moved", "", moved),
    ]


def _policies(site: Served) -> tuple[str, dict[str, str]]:
    """Return the policy that most pages have, and by address those of the others: a guide's names its data."""
    held = {site.address(f.path): f.policy if _is_plain(f.policy) else "" for f in site.files if f.is_page}
    counted = Counter(held.values())
    common = max(sorted(counted), key=counted.__getitem__, default="")
    return common, {address: policy for address, policy in held.items() if policy != common}


def _power(wanted: int, least: int) -> int:
    return max(least, 1 << (wanted - 1).bit_length()) if wanted else least


def _map(name: str, default: str, entries: Mapping[str, str]) -> list[str]:
    lines = [
        f"    {_quoted(key) if key != _ANY_PAGE else key} {_quoted(value)};" for key, value in sorted(entries.items())
    ]
    return [f"map $uri $pinpress_{name} {{", f"    default {_quoted(default)};", *lines, "}"]


def _is_plain(value: str) -> bool:
    """Tell whether nginx can hold a text: it reads a $ as a variable, and has no way to write one."""
    return "$" not in value and value.isprintable()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _types() -> Iterable[str]:
    endings: dict[str, list[str]] = {}
    for ending, kind in OF_ENDING.items():
        endings.setdefault(kind, []).append(ending.removeprefix("."))
    return (f"    {kind} {' '.join(found)};" for kind, found in sorted(endings.items()))


def _server(site: Served) -> list[str]:
    base, feed = site.base, content_type(FEED).removesuffix(CHARSET)
    # nginx sends text/html with its encoding by itself, and calls it twice named.
    encoded = sorted({k for k in (*OF_ENDING.values(), feed) if has_charset(k)} - {"text/html"})
    return [
        _BUILT,
        "charset utf-8;",
        f"charset_types {' '.join(encoded)};",
        "types {",
        *_types(),
        "}",
        f"default_type {UNKNOWN};",
        "index index.html;",
        "absolute_redirect off;",
        # A folder without a page is refused, where it is no secret that nothing is there.
        f"error_page 403 =404 {_quoted(base + NOT_FOUND)};",
        f"error_page 404 {_quoted(base + NOT_FOUND)};",
        "gzip_static on;",
        "gzip_vary on;",
        *(f"add_header {name} {value} always;" for name, value in ALWAYS),
        "add_header Content-Security-Policy $pinpress_policy always;",
        "add_header Cache-Control $pinpress_cache always;",
        "if ($pinpress_moved) {",
        "    return 301 $pinpress_moved;",
        "}",
        *_location(f"= {_quoted(base + FEED)}", f"$pinpress/site/{FEED}", f" types {{}} default_type {feed};"),
        *(
            [f"location = {_quoted(base.rstrip('/'))} {{", f"    return 301 {_quoted(base)};", "}"]
            if base != "/"
            else []
        ),
        *_location(_quoted(base), "$pinpress/site/"),
    ]


def _location(where: str, folder: str, more: str = "") -> list[str]:
    return [f"location {where} {{", f"    alias {folder};{more}", "}"]

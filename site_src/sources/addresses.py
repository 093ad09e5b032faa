"""Addresses that may be asked: text → Address, name → checked numeric addresses, Location → the next Address.

An address in a record is written by others. It must not make this machine ask its own services or those of its
network, be it by a literal address, by a name that resolves to one, or by a redirect.
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Final
from urllib.parse import quote, urljoin, urlsplit

from ..urls import fault_of_url
from .manners import Manners
from .unreachable import Unreachable

Ip = IPv4Address | IPv6Address
Endpoint = tuple[socket.AddressFamily, Any]
"""A family and the numeric address to connect to, as `socket.connect` takes it."""

_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
# Forms that a resolver reads as an IPv4 address, though they are none: 127.1, 2130706433, 0x7f.1.
_NUMBER: Final = re.compile(r"(.*\.)?(\d+|0x[0-9a-f]*)")
# Names that never leave this machine or network (RFC 6761, 6762, 8375; .internal is reserved by ICANN). They matter
# behind a proxy, where the proxy resolves the name; otherwise the addresses themselves are checked.
_LOCAL_NAME: Final = re.compile(r"(.*\.)?(localhost|local|internal|home\.arpa)")
# Public IPv6 is global unicast (RFC 4291) or a public IPv4 address behind a gateway (RFC 6052).
_UNICAST: Final = IPv6Network("2000::/3")
_NAT64: Final = IPv6Network("64:ff9b::/96")
_LOCATION_SAFE: Final = "%/:?#[]@!$&'()*+,;=~"


@dataclass(frozen=True)
class Address:
    """One address, taken apart. `host` is a lower-case name or a bare numeric address; `target` is path and query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def url(self) -> str:
        """Return the address as it is asked, without a fragment."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.target}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """Return what a redirect may not change."""
        return self.scheme, self.host, self.port


def parse(url: str, manners: Manners) -> Address:
    """Return an address that may be asked, or raise Unreachable. No name is looked up here."""
    fault = fault_of_url(url)
    if fault:
        raise Unreachable(_shown(url), "address", fault)
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower().removesuffix(".")
    fault = _fault_of_host(host, manners)
    if not fault and scheme == "http" and host not in manners.allow_plain:
        fault = "only https is asked, and this is plain http"
    if fault:
        raise Unreachable(_shown(url), "address", fault)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(scheme, host, parts.port or _PORTS[scheme], target)


def after_redirect(here: Address, location: str, manners: Manners) -> Address:
    """Return the address to which a Location header leads, or raise Unreachable: only the same host is followed."""
    # Header bytes arrive as Latin-1; quoting them restores what the server sent and leaves no blank or control sign.
    quoted = quote(location.encode("latin-1", "replace"), safe=_LOCATION_SAFE)
    try:
        there = parse(urljoin(here.url, quoted), manners)
    except ValueError:
        raise Unreachable(here.url, "redirect", "it leads on to a malformed address") from None
    except Unreachable as refused:
        raise Unreachable(here.url, "redirect", f"it leads on to {refused.url}: {refused.happened}") from None
    if there.origin != here.origin:
        raise Unreachable(here.url, "redirect", f"it leads on to another host, {_shown(there.url)}")
    return there


def endpoints(url: str, host: str, port: int, manners: Manners) -> list[Endpoint]:
    """Look a name up once and return what to connect to, or raise Unreachable if any of its addresses is not public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        words = error.strerror if isinstance(error, socket.gaierror) and error.strerror else "not a name"
        raise Unreachable(url, "name", f"the name {host} has no address ({words})") from None
    if host not in manners.allow_private:
        for *_, numeric in found:
            kind = _kind(ip_address(str(numeric[0])))
            if kind:
                raise Unreachable(url, "address", f"{host} is at {numeric[0]}, {kind}")
    return [(family, numeric) for family, *_, numeric in found]


def _fault_of_host(host: str, manners: Manners) -> str | None:
    ip = _literal(host)
    if ip is None and (not _NAME.fullmatch(host) or _NUMBER.fullmatch(host)):
        return "its host is neither a name of ASCII letters (xn-- for others) nor a full numeric address"
    if host in manners.allow_private:
        return None
    if ip is None:
        return f"{host} is a name of this machine or network" if _LOCAL_NAME.fullmatch(host) else None
    kind = _kind(ip)
    return f"{host} is {kind}" if kind else None


def _literal(host: str) -> Ip | None:
    try:
        return None if "%" in host else ip_address(host)
    except ValueError:
        return None


def _kind(ip: Ip) -> str | None:
    """Return what makes an address one that is not asked, or None for a public one."""
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        return _kind(ip.ipv4_mapped)
    if ip.is_loopback:
        return "a loopback address"
    if ip.is_link_local:
        return "a link-local address"
    if isinstance(ip, IPv6Address):
        if ip in _NAT64:
            return _kind(IPv4Address(int(ip) & 0xFFFFFFFF))
        if ip.sixtofour and _kind(ip.sixtofour):
            return _kind(ip.sixtofour)
        public = ip in _UNICAST and ip.is_global
    else:
        public = ip.is_global and not ip.is_multicast
    return None if public else "a private or reserved address"


def _shown(url: str) -> str:
    """Return an address fit for a terminal: short, ASCII, no control characters."""
    text = "".join(c if c.isascii() and c.isprintable() else quote(c, errors="replace") for c in url)
    return text if len(text) <= 200 else f"{text[:199]}…"

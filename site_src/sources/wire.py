"""One request over the network with urllib3: an Address → an Answer, or Unreachable. Nothing is followed or repeated.

urllib3 was chosen among the clients alive at the end of 2026: version 2.8.0 is of September 2026, it needs no other
package, carries its types, and lets the place where a socket is opened be replaced, which a judged address needs.
niquests (3.21.2) brings six packages, aiohttp (3.14.5) eight and an event loop; httpx has made no stable release since
December 2024. Only this module imports the client, and `fetch` imports this module only when it is called, so that no
other command pays for it.

What is checked, and what cannot be:

- Without a proxy a name is looked up once, every address is judged, and the connection goes to a judged numeric
  address; an answer that changes between the check and the connection (rebinding) has no second lookup to change.
- With a proxy from the environment the proxy looks names up. Literal addresses and local names are refused here, but
  not a public name that the proxy resolves to a private address: the proxy has to know its network.
- A body without a length that ends early over plain TCP looks complete; the hash of the record tells, if there is one.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import RemoteDisconnected
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import urllib3
from urllib3 import exceptions
from urllib3.connection import HTTPConnection, HTTPSConnection

from .addresses import Address, endpoints
from .body import Body
from .deadline import Deadline
from .manners import Manners
from .unreachable import Reason, Unreachable

_PIECE: Final = 64 * 1024
_OK: Final = 200

Received = Callable[[int, int | None], None]
"""Hears how many bytes have come, and of how many."""


@dataclass(frozen=True)
class Answer:
    """A status, its headers (any case), and the decoded bytes of a 200; the bodies of others are not read."""

    status: int
    headers: Mapping[str, str]
    data: bytes


def ask(address: Address, headers: Mapping[str, str], manners: Manners, received: Received) -> Answer:
    """Send one GET and return what came back. Raises Unreachable."""
    begun = False
    with Deadline(manners.total_seconds) as deadline:
        pool, target = _pool(address, manners, deadline)
        try:
            response = pool.urlopen(
                "GET",
                target,
                headers={"Accept": "*/*", "Accept-Encoding": "gzip", **headers},
                retries=False,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
                decode_content=False,
                timeout=urllib3.Timeout(connect=manners.connect_seconds, read=manners.read_seconds),
            )
            try:
                begun = response.status == _OK
                data = _body(address.url, response, manners.max_bytes, received) if begun else b""
            finally:
                response.close()
            # A connection that was cut may look like a document that has ended.
            if deadline.passed:
                raise TimeoutError
            return Answer(response.status, response.headers, data)
        except (exceptions.HTTPError, OSError) as error:
            if deadline.passed:
                words = f"it was not complete after {manners.total_seconds:g} s"
                raise Unreachable(address.url, "timeout", words) from None
            raise Unreachable(address.url, *_reason(error, manners, begun)) from None
        finally:
            pool.close()


def _body(url: str, response: urllib3.BaseHTTPResponse, most: int, received: Received) -> bytes:
    total = response.length_remaining if isinstance(response, urllib3.HTTPResponse) else None
    if total is not None and total > most:
        raise Unreachable(url, "too-large", f"the server announced {total} bytes, more than the {most} accepted")
    body = Body(url, response.headers.get("content-encoding", ""), most)
    received(0, total)
    while piece := response.read1(_PIECE, decode_content=False):
        body.add(piece)
        received(body.received, total)
    return body.end()


def _pool(address: Address, manners: Manners, deadline: Deadline) -> tuple[urllib3.HTTPConnectionPool, str]:
    """Return a pool of one connection to the host or to its proxy, and the target of the request line."""
    # Certificates of the system, or of SSL_CERT_FILE; reading them takes as long as a whole plain request.
    context = ssl.create_default_context() if address.scheme == "https" else None
    proxy = _proxy(address)
    manager = (
        urllib3.ProxyManager(proxy, proxy_headers=_proxy_headers(proxy), ssl_context=context)
        if proxy
        else urllib3.PoolManager(ssl_context=context)
    )
    pool = manager.connection_from_host(address.host, address.port, address.scheme)
    kind = HTTPConnection if pool.scheme == "http" else HTTPSConnection
    pool.ConnectionCls = _watched(kind, deadline) if proxy else _checked(kind, address, manners, deadline)
    return pool, address.url if proxy and address.scheme == "http" else address.target


def _proxy(address: Address) -> str | None:
    """Return the proxy that the environment names for an address, or None. Raises Unreachable for one of no use."""
    named = getproxies_environment()
    proxy = named.get(address.scheme) or named.get("all")
    if not proxy or proxy_bypass(f"{address.host}:{address.port}"):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parts = urlsplit(proxy)
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        # It is not shown, since it may hold a password.
        raise Unreachable(address.url, "proxy", "the proxy in the environment is not an http or https address")
    return proxy


def _proxy_headers(proxy: str) -> dict[str, str] | None:
    parts = urlsplit(proxy)
    if not parts.username:
        return None
    account = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return dict(urllib3.make_headers(proxy_basic_auth=account))


# `_new_conn` is where urllib3 opens its socket. The name is not documented, but other libraries replace it as well,
# and the tests fail if it goes unused: no address would be refused and no request cut.


def _watched(kind: type[HTTPConnection], deadline: Deadline) -> Any:
    """Return a class of connections that end with the deadline; urllib3 looks their host, the proxy, up itself."""

    class Watched(kind):  # type: ignore[misc, valid-type]
        def _new_conn(self) -> socket.socket:
            opened: socket.socket = super()._new_conn()
            deadline.watch(opened)
            return opened

    return Watched


def _checked(kind: type[HTTPConnection], address: Address, manners: Manners, deadline: Deadline) -> Any:
    """Return a class of connections that open to judged addresses only, and end with the deadline."""

    class Checked(kind):  # type: ignore[misc, valid-type]
        def _new_conn(self) -> socket.socket:
            opened = _connected(address, manners, deadline)
            deadline.watch(opened)
            return opened

    return Checked


def _connected(address: Address, manners: Manners, deadline: Deadline) -> socket.socket:
    """Return a socket connected to the first address of the host that accepts. Raises Unreachable."""
    reason: Reason = "refused"
    words = "its name has no address"
    for family, numeric in endpoints(address.url, address.host, address.port, manners):
        opened = socket.socket(family, socket.SOCK_STREAM)
        try:
            opened.settimeout(min(manners.connect_seconds, deadline.left()))
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            opened.connect(numeric)
        except TimeoutError:
            opened.close()
            reason, words = "timeout", f"{numeric[0]} did not accept a connection within {manners.connect_seconds:g} s"
        except OSError as error:
            opened.close()
            reason, words = "refused", f"no connection to {numeric[0]} ({error.strerror})"
        except BaseException:
            opened.close()
            raise
        else:
            return opened
    raise Unreachable(address.url, reason, words)


def _reason(error: Exception, manners: Manners, begun: bool) -> tuple[Reason, str]:
    """Return the word and the sentence for an error of the client; `begun` if the document had begun to come."""
    cause = error.args[1] if isinstance(error, exceptions.ProtocolError) and len(error.args) > 1 else error
    if isinstance(error, exceptions.ProxyError):
        return "proxy", "the proxy in the environment could not be used"
    if isinstance(error, exceptions.SSLError):
        return "tls", f"no trusted connection ({_tls_words(error)})"
    if isinstance(error, exceptions.TimeoutError | TimeoutError):
        return "timeout", f"the server sent nothing for {manners.read_seconds:g} s"
    if begun:
        return "truncated", "the document broke off"
    if isinstance(cause, RemoteDisconnected | ConnectionError):
        return "reset", "the server closed the connection before an answer"
    return "answer", "the answer is not HTTP"


def _tls_words(error: exceptions.SSLError) -> str:
    inner = error.args[0] if error.args else error
    if isinstance(inner, ssl.SSLCertVerificationError):
        return inner.verify_message
    reason = getattr(inner, "reason", None)
    return str(reason).replace("_", " ").lower() if reason else "the TLS handshake failed"

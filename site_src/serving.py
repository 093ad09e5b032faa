"""A preview over HTTP: the bytes of the build, with one script tag in each page, to the hosts it was bound to only."""

from __future__ import annotations

import asyncio
import contextlib
import json
import mimetypes
import platform
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from markupsafe import escape
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from .clashes import MANIFEST
from .hrefs import NOT_FOUND
from .ledger import sentence
from .rendering import file_of

if TYPE_CHECKING:
    from .check import Explainer
    from .edition import Edition
    from .preview import Preview

_OWN: Final = "/.preview/"
_CLIENT: Final = Path(__file__).parent / "preview_client"
_STRICT: Final = b"default-src 'none';"
_OF_SCRIPTS: Final = b" script-src "
_HEADERS: Final = {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_EVERY: Final = frozenset({"0.0.0.0", "::"})


def tag(build: str, *, follow: bool) -> bytes:
    """Return what is put before the end of a page's head."""
    kept = "yes" if follow else "no"
    return f'<script src="{_OWN}client.js" data-build="{build}" data-follow="{kept}"></script>\n</head>'.encode()


class _Answers:
    """Answers requests from what a preview holds."""

    def __init__(self, preview: Preview, host: str, *, follow: bool) -> None:
        self.preview, self.host, self.follow = preview, host, follow

    async def answer(self, request: Request) -> Response:
        """Answer one request, if it is meant for this preview."""
        if not self._is_ours(request.url.hostname, request):
            return Response("This preview does not answer to that host name.", 400, headers=_HEADERS)
        origin = request.headers.get("origin")
        if origin is not None and origin != f"{request.url.scheme}://{request.url.netloc}":
            return Response("This preview answers to its own pages only.", 403, headers=_HEADERS)
        path = request.url.path
        if path == f"{_OWN}events":
            return StreamingResponse(self._events(), media_type="text/event-stream", headers=_HEADERS)
        if path == f"{_OWN}marks":
            told = marks(self.preview.edition, request.query_params.get("page", ""))
            return Response(json.dumps(told), media_type="application/json", headers=_HEADERS)
        if path in {f"{_OWN}client.js", f"{_OWN}client.css"}:
            name = path.removeprefix(_OWN)
            return Response((_CLIENT / name).read_bytes(), media_type=_kind(name), headers=_HEADERS)
        return await self._page(path)

    def _is_ours(self, name: str | None, request: Request) -> bool:
        """Tell whether a host name is one that this preview was bound to: a page elsewhere may lead its own here."""
        if name is None:
            return False
        if self.host in _EVERY:
            server = request.scope.get("server") or ("",)
            return name in {*_LOOPBACK, server[0], platform.node().lower()}
        return name in (_LOOPBACK if self.host in _LOOPBACK else {self.host.lower()})

    async def _page(self, path: str) -> Response:
        """Answer one address of the site from memory."""
        name = file_of(path)
        edition = await self.preview.complete(name)
        if edition is None:
            return self._marked("", _failure_page(self.preview.failure), 200)
        if name == MANIFEST:
            data = await asyncio.to_thread(self.preview.manifest, edition)
            return Response(data, media_type=_kind(name), headers=_HEADERS)
        files = await _files(edition, name)
        if name in files:
            data = files[name]
            if name.endswith(".html"):
                return self._marked(edition.build, data, 200)
            return Response(data, media_type=_kind(name), headers=_HEADERS)
        below = file_of(f"{path}/")
        if below in await _files(edition, below):
            return Response(status_code=307, headers={"location": f"{path}/", **_HEADERS})
        return self._marked(edition.build, edition.files[file_of(NOT_FOUND)], 404)

    def _marked(self, build: str, data: bytes, status: int) -> Response:
        put = tag(build, follow=self.follow)
        marked = data.replace(b"</head>", put, 1) if b"</head>" in data else data + put.removesuffix(b"\n</head>")
        head, end, body = marked.partition(b"</head>")
        return Response(_relaxed(head) + end + body, status, media_type="text/html", headers=_HEADERS)

    async def _events(self) -> AsyncIterator[str]:
        """Tell an open page the state now, then every other one."""
        told = self.preview.news()
        while True:
            yield f"data: {told}\n\n"
            told = await self.preview.after(told)


async def _files(edition: Edition, name: str) -> Mapping[str, bytes]:
    """Return the files among which one is looked for: at once, or made in a thread where they are not yet."""
    held = edition.at_hand(name)
    return held if held is not None else await asyncio.to_thread(edition.beside, name)


def _relaxed(head: bytes) -> bytes:
    """Let a page run the client, too."""
    if _OF_SCRIPTS + b"'self'" in head:
        return head
    if _OF_SCRIPTS in head:
        return head.replace(_OF_SCRIPTS, _OF_SCRIPTS + b"'self' ", 1)
    return head.replace(_STRICT, _STRICT + _OF_SCRIPTS + b"'self';", 1)


def _kind(name: str) -> str:
    known = {".js": "text/javascript", ".woff2": "font/woff2", ".webp": "image/webp"}
    return known.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def marks(edition: Edition | None, page: str) -> dict[str, Any]:
    """Return what only an editor sees of a page: whether it is a draft, its open claims, its findings."""
    explainers = edition.checked.explainers if edition else ()
    drafts = [e.record.path for e in explainers if e.record.draft]
    above = [e for e in explainers if page.startswith(e.record.path)]
    if not above:
        return {"draft": False, "open": [], "findings": [], "heavy": [], "drafts": drafts}
    explainer = max(above, key=lambda e: len(e.record.path))
    findings = [
        {"code": f.code, "message": f.message, "pointer": f.pointer, "accepted": f.reason is not None}
        for f in explainer.findings
    ]
    # What every page loads is too heavy on each of them.
    files = {e.document.file for e in explainers} - {explainer.document.file}
    heavy = [f"{p.message}. {p.remedy}" for p in (edition.heavy if edition else ()) if p.file not in files]
    told = {"draft": explainer.record.draft, "open": _open(explainer), "findings": findings}
    return {**told, "heavy": heavy, "drafts": drafts}


def _open(explainer: Explainer) -> list[dict[str, str]]:
    bound = {id(b.spot) for b in explainer.claims.bound}
    spots = (s for s in explainer.claims.spots if id(s) not in bound)
    return [{"written": f"{s.token.written} {s.token.unit}".rstrip(), "sentence": sentence(s)} for s in spots]


def _failure_page(failure: str) -> bytes:
    head = '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Not built</title></head>'
    return f"{head}\n<body><main><h1>Not built</h1><pre>{escape(failure)}</pre></main></body></html>\n".encode()


def application(preview: Preview, host: str, *, follow: bool, ended: Callable[[BaseException], object]) -> Starlette:
    """Return the server's application; it watches the project for as long as it runs.

    `ended` is told why the watch ended, should it do so by itself: a preview that notices nothing is none.
    """

    def end(watching: asyncio.Task[None]) -> None:
        if not watching.cancelled() and (error := watching.exception()):
            ended(error)
            preview.on_end()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(preview.watch())
        watching.add_done_callback(end)
        up = asyncio.create_task(preview.watching.wait())
        # Whoever is answered can rely on it that the next save is noticed.
        await asyncio.wait({watching, up}, return_when=asyncio.FIRST_COMPLETED)
        yield
        up.cancel()
        watching.cancel()

    return Starlette(routes=[Route("/{path:path}", _Answers(preview, host, follow=follow).answer)], lifespan=lifespan)

"""An editor's preview: the same pipeline into memory, served on loopback, rebuilt and reloaded on change.

A failed rebuild prints its problems and keeps the last good site. Pages get one script tag that waits for the
next build; every other byte is the one a build writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import socket
import time
import webbrowser
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from watchfiles import awatch

from . import report
from .pipeline import Options, site_files
from .problems import Rejected, Surroundings
from .project import RESOURCES, Project
from .render import file_of

_CLIENT: Final = "/.preview/reload.js"
_EVENTS: Final = "/.preview/events"
_SCRIPT: Final = f"""const build = new EventSource("{_EVENTS}");
build.onmessage = () => location.reload();
"""
_TAG: Final = f'<script src="{_CLIENT}"></script>\n</head>'.encode()
_STRICT: Final = b"default-src 'none';"
_RELAXED: Final = b"default-src 'none'; script-src 'self';"
_HEADERS: Final = {"cache-control": "no-store"}


class Preview:
    """The last good site in memory, and the wish of open pages to hear of the next one."""

    def __init__(self, project: Project, jobs: int) -> None:
        """Build once; `files` stays empty where that fails."""
        self.project, self.jobs = project, jobs
        self.files: dict[str, bytes] = {}
        self.failure = ""
        self.builds = 0
        self.changed = asyncio.Condition()
        self.rebuild("start")

    def rebuild(self, reason: str) -> None:
        """Run the pipeline; say in one line what came of it."""
        started = time.perf_counter()
        try:
            files, summary = site_files(self.project, Options(jobs=self.jobs, drafts=True))
        except Rejected as rejected:
            self.failure = report.text(report.entries(self.project, rejected.problems))
            print(f"{self.failure}\n{reason}: not rebuilt, the last good site is served", flush=True)
            return
        self.files, self.failure = files, ""
        self.builds += 1
        took = (time.perf_counter() - started) * 1000
        print(f"{reason}: {summary.pages} pages, {len(summary.drawn)} figures drawn, {took:.0f} ms", flush=True)

    async def watch(self) -> None:
        """Rebuild whenever an input changes; one rebuild for a burst of changes."""
        folders = {self.project.records, self.project.root / "templates", self.project.root / "assets"}
        folders |= {RESOURCES / "templates", RESOURCES / "assets"}
        async for changes in awatch(*(f for f in folders if f.is_dir())):
            names = sorted({Path(path).name for _, path in changes})
            before = self.builds
            await asyncio.to_thread(self.rebuild, ", ".join(names[:3]) + (", …" if len(names) > 3 else ""))
            if self.builds > before:
                async with self.changed:
                    self.changed.notify_all()

    async def page(self, request: Request) -> Response:
        """Answer one address from memory."""
        path = request.url.path
        if path == _CLIENT:
            return Response(_SCRIPT, media_type="text/javascript", headers=_HEADERS)
        name = file_of(path)
        status = 200
        if name not in self.files:
            if f"{name}/index.html" in self.files:
                return Response(status_code=307, headers={"location": f"{path}/", **_HEADERS})
            name, status = "404.html", 404
        data = self.files.get(name, _failure_page(self.failure))
        if name.endswith(".html"):
            data = data.replace(b"</head>", _TAG, 1).replace(_STRICT, _RELAXED, 1)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(data, status, media_type=kind, headers=_HEADERS)

    async def events(self, request: Request) -> Response:
        """Tell an open page of the next build."""

        async def stream() -> AsyncIterator[str]:
            yield ": waiting\n\n"
            async with self.changed:
                await self.changed.wait()
            yield "data: built\n\n"

        return StreamingResponse(stream(), media_type="text/event-stream", headers=_HEADERS)


def _failure_page(failure: str) -> bytes:
    from markupsafe import escape

    head = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Not built</title></head>"
    return f"{head}<body><main><h1>Not built</h1><pre>{escape(failure)}</pre></main></body></html>".encode()


def application(preview: Preview, hosts: frozenset[str]) -> Starlette:
    """Return the server's application; it answers only the host names it was bound to."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(preview.watch())
        yield
        watching.cancel()

    async def answer(request: Request) -> Response:
        if (request.url.hostname or "") not in hosts:
            return Response("This preview does not answer to that host name.", 400, headers=_HEADERS)
        return await (preview.events(request) if request.url.path == _EVENTS else preview.page(request))

    return Starlette(routes=[Route("/{path:path}", answer)], lifespan=lifespan)


def serve(project: Project, host: str, port: int, *, open_browser: bool = False, jobs: int = 0) -> int:
    """Serve until Ctrl-C. Raises Surroundings for a port in use, naming the next free one."""
    bound = _bind(host, port)
    address = f"http://{host}:{bound.getsockname()[1]}/"
    preview = Preview(project, jobs)
    hosts = frozenset({host, "localhost", "127.0.0.1"} if host in {"127.0.0.1", "localhost"} else {host})
    config = uvicorn.Config(
        application(preview, hosts), log_level="warning", timeout_graceful_shutdown=1, server_header=False
    )
    print(f"Preview at {address} (Ctrl-C stops it)", flush=True)
    if open_browser:
        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[bound])
    return 0


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen()  # requests wait from now on, instead of being refused until the first build is done
    except OSError as error:
        bound.close()
        free = next((p for p in range(port + 1, port + 50) if _is_free(family, host, p)), 0)
        raise Surroundings(f"{host}:{port} cannot be served: {error.strerror}. Try --port {free}.") from None
    return bound


def _is_free(family: int, host: str, port: int) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError, OverflowError):
            probe.bind((host, port))
            return True
    return False

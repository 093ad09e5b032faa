"""The body of one answer: pieces off the wire → the document's bytes, never more than allowed.

gzip is undone here and not by the client, so that the limit holds for every piece before it takes memory.
"""

from __future__ import annotations

import zlib
from typing import Final

from .unreachable import Unreachable

_GZIP: Final = 16 + zlib.MAX_WBITS


class Body:
    """Collects pieces. Raises Unreachable for too many bytes, a damaged encoding or one that was not asked for."""

    def __init__(self, url: str, encoding: str, most: int) -> None:
        """Expect a body in `encoding` (a Content-Encoding header, "" for none) of at most `most` bytes."""
        self.url, self.most = url, most
        self.received = 0
        self._out = bytearray()
        self._member: zlib._Decompress | None = None
        self._zipped = encoding.strip().lower() in {"gzip", "x-gzip"}
        if not self._zipped and encoding.strip().lower() not in {"", "identity"}:
            raise Unreachable(url, "answer", "the server used an encoding that was not asked for")

    def add(self, piece: bytes) -> None:
        """Take one piece as it came."""
        self.received += len(piece)
        if self.received > self.most:
            raise self._too_large("sent")
        if self._zipped:
            self._unzip(piece)
        else:
            self._out += piece

    def end(self) -> bytes:
        """Return the document. Raises Unreachable where a gzip member is not finished."""
        if self._member and not self._member.eof:
            raise Unreachable(self.url, "truncated", f"the compressed document breaks off after {self.received} bytes")
        return bytes(self._out)

    def _unzip(self, piece: bytes) -> None:
        while piece:
            if self._member is None or self._member.eof:
                self._member = zlib.decompressobj(_GZIP)
            try:
                self._out += self._member.decompress(piece, self.most + 1 - len(self._out))
            except zlib.error:
                raise Unreachable(self.url, "answer", "the compressed document is damaged") from None
            if len(self._out) > self.most:
                raise self._too_large("unpacked")
            piece = self._member.unused_data if self._member.eof else self._member.unconsumed_tail

    def _too_large(self, how: str) -> Unreachable:
        return Unreachable(self.url, "too-large", f"more than {self.most} bytes were {how}, the most that is accepted")

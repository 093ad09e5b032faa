"""A tar archive, gzip or zstd → its files, one after another, in memory and within limits.

What a site has no need of is refused: links, devices, paths that lead out, names held twice, sparse files, long
headers, and data that swell. Nothing is written, so a hostile name can reach no file.
"""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from collections.abc import Iterator
from typing import IO, Final, Protocol

from ..problems import Problem, Rejected
from .names import fault_of_name, shown

MAX_FILE: Final = 64 * 2**20
"""Bytes that one file of an archive may have."""
FREE: Final = 64 * 2**20
"""Bytes that any archive may hold; beyond them, MAX_RATIO for each byte of the archive."""
MAX_RATIO: Final = 200
MAX_HEADER: Final = 64 * 2**10
"""Bytes of an extended header, which holds a long name."""
_MAX_WINDOW: Final = 2**27
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_BLOCK: Final = 2**16
_EXTENDED: Final = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip
_REMEDY: Final = "Take an archive that `pinpress archive` wrote, from where it was published."


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class _Refused(Exception):
    """What stands in an archive that no site needs; the text is the fact."""


class _Bounded:
    """Unpacked data that end with a refusal once there are more than `most` bytes of them."""

    def __init__(self, inner: _Readable, most: int) -> None:
        self.inner, self.most, self.given = inner, most, 0

    def read(self, size: int) -> bytes:
        data = self.inner.read(size)
        self.given += len(data)
        if self.given > self.most:
            raise _Refused(f"it unpacks to more than {self.most:,} bytes, more than {MAX_RATIO} times its own size")
        return data


class _Member(tarfile.TarInfo):
    """A header; the library reads an extended one whole before anybody can look, so its size is judged here."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        member = super().frombuf(buf, encoding, errors)
        if member.size < 0:
            raise _Refused("a header gives a negative size")
        if member.type in _EXTENDED and member.size > MAX_HEADER:
            raise _Refused(f"a header of {member.size:,} bytes is longer than any name")
        return member


def files_of_archive(file: IO[bytes], name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive by their path. Raises Rejected at the first thing that no site holds."""
    import zstandard

    damage = (tarfile.TarError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile, EOFError, ValueError, OverflowError)
    try:
        yield from _files(_unpacked(file))
    except _Refused as refused:
        raise _rejected(name, str(refused)) from None
    except damage as error:
        raise _rejected(name, f"it cannot be read to its end: {error or type(error).__name__}") from None


def _rejected(name: str, message: str) -> Rejected:
    return Rejected([Problem(name, "", None, "bad-archive", message, _REMEDY)], {name: None})


def _unpacked(file: IO[bytes]) -> _Bounded:
    import zstandard

    most = FREE + MAX_RATIO * os.fstat(file.fileno()).st_size
    magic = file.read(len(_ZSTD))
    file.seek(0)
    if magic.startswith(_GZIP):
        return _Bounded(gzip.GzipFile(fileobj=file, mode="rb"), most)
    if magic == _ZSTD:
        reader = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).stream_reader(file, read_across_frames=True)
        return _Bounded(reader, most)
    raise _Refused("it is no .tar.gz and no .tar.zst")


def _files(data: _Bounded) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    with tarfile.open(fileobj=data, mode="r|", tarinfo=_Member) as tar:  # type: ignore[call-overload]
        while (member := tar.next()) is not None:
            # The library remembers every header; a site can have many.
            tar.members = []
            path = member.name.removeprefix("./")
            if member.isdir():
                continue
            _refuse(member, path, seen)
            seen.add(path)
            held = tar.extractfile(member)
            yield path, held.read() if held else b""
    # The check sum of a gzip file stands at its end, behind what tar reads.
    while data.read(_BLOCK):
        pass


def _refuse(member: tarfile.TarInfo, path: str, seen: set[str]) -> None:
    called = shown(path)
    if fault := fault_of_name(path):
        raise _Refused(f"the name {called} {fault}")
    if not member.isfile() or member.issparse():
        kind = "a link" if member.issym() or member.islnk() else "no regular file"
        raise _Refused(f"{called} is {kind}, and a site holds files alone")
    if path in seen:
        raise _Refused(f"{called} stands in it twice")
    if not 0 <= member.size <= MAX_FILE:
        raise _Refused(f"{called} has {member.size:,} bytes, and a file may have {MAX_FILE:,}")

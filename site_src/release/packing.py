"""The files of a site → one archive with the same bytes anywhere, and a SHA256SUMS beside it.

Files stand in the order of their paths, with mode 0644, owner 0 without a name and time 0. zstd comes from a locked
package, so that its bytes are the same on every machine; gzip is Python's own, and its bytes depend on the zlib there.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final, cast

from ..problems import Surroundings

ENDINGS: Final = (".tar.zst", ".tar.gz")
SUMS: Final = "SHA256SUMS"
_ZSTD_LEVEL: Final = 19
_GZIP_LEVEL: Final = 9
_MODE: Final = 0o644
_SUM: Final = re.compile(r"([0-9a-f]{64})  (\S.*)", re.ASCII)


def ending_of(out: Path) -> str:
    """Return which kind of archive a name asks for. Raises Surroundings for any other."""
    for ending in ENDINGS:
        if out.name.endswith(ending):
            return ending
    raise Surroundings(f"{out} ends in neither {' nor '.join(ENDINGS)}. Name the archive with one of them.")


def pack(files: Iterable[tuple[str, bytes]], file: IO[bytes], ending: str) -> None:
    """Write files, which come in the order of their paths, into an archive of this kind."""
    with _packer(file, ending) as packer, tarfile.open(fileobj=packer, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for path, data in files:
            # Everything else that a header holds is zero or empty unless it is set.
            member = tarfile.TarInfo(path)
            member.size, member.mode = len(data), _MODE
            tar.addfile(member, io.BytesIO(data))


@contextlib.contextmanager
def _packer(file: IO[bytes], ending: str) -> Iterator[IO[bytes]]:
    if ending == ".tar.gz":
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0) as packer:
            yield cast(IO[bytes], packer)
        return
    import zstandard

    compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL, write_checksum=True)
    with compressor.stream_writer(file, closefd=False) as packer:
        yield packer


def put(out: Path, data: bytes) -> None:
    """Write a file as a whole or not at all, readable by all. Raises Surroundings."""
    with placed(out) as file:
        file.write(data)


@contextlib.contextmanager
def placed(out: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of `out` once it is complete. Raises Surroundings."""
    fresh = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            os.fchmod(file.fileno(), _MODE)
            yield file
        fresh.replace(out)
    except OSError as error:
        raise Surroundings(f"{error.filename or out}: {error.strerror}. {out} was not written.") from error
    finally:
        fresh.unlink(missing_ok=True)


def sums(known: str, files: Mapping[str, bytes | str]) -> str:
    """Return a list of check sums with these files in it, as bytes or as SHA-256; other lines are kept.

    Raises ValueError where a line is none of `sha256sum`.
    """
    listed = {}
    for line in known.splitlines():
        if (match := _SUM.fullmatch(line)) is None:
            raise ValueError(line)
        listed[match[2]] = match[1]
    listed |= {n: d if isinstance(d, str) else hashlib.sha256(d).hexdigest() for n, d in files.items()}
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(listed.items()))


def add_sum(out: Path) -> Path:
    """Enter a file into the SHA256SUMS beside it and return where that is. Raises Surroundings."""
    beside = out.with_name(SUMS)
    try:
        known = beside.read_text("utf-8") if beside.exists() else ""
        with out.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        put(beside, sums(known, {out.name: sha256}).encode())
    except OSError as error:
        raise Surroundings(f"{error.filename or beside}: {error.strerror}.") from error
    except ValueError:
        raise Surroundings(f"{beside} holds a line that sha256sum did not write. Name another folder.") from None
    return beside

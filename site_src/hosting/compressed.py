"""The files of a site → packed copies beside them, for servers that send those to clients that can unpack.

The bytes of gzip depend on the zlib that Python was built with, those of Brotli on the version of its package.
"""

from __future__ import annotations

import gzip
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from .kinds import is_packable

_PACKAGE: Final = "brotli"
_LEVEL: Final = 9


def has_brotli() -> bool:
    """Tell whether the optional package is installed."""
    return importlib.util.find_spec(_PACKAGE) is not None


def packers(*, with_brotli: bool) -> dict[str, Callable[[bytes], bytes]]:
    """Return what packs a file, by the ending of the copy."""
    made: dict[str, Callable[[bytes], bytes]] = {".gz": lambda data: gzip.compress(data, _LEVEL, mtime=0)}
    if with_brotli:
        import brotli

        made[".br"] = brotli.compress
    return made


def copies(files: Mapping[str, bytes], *, with_brotli: bool) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each copy that is smaller than its file; no file of the site is written over."""
    for path, data in files.items():
        for ending, pack in packers(with_brotli=with_brotli).items() if is_packable(path) else ():
            packed = pack(data)
            if len(packed) < len(data) and path + ending not in files:
                yield path + ending, packed

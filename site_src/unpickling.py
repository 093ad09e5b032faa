"""Bytes that a build before left → the values they stand for: nothing but values of this package and plain ones.

Whoever wrote the bytes, reading them runs nothing.
"""

from __future__ import annotations

import io
import pickle
from typing import Any, Final

_PACKAGE: Final = __name__.rpartition(".")[0]
_PLAIN: Final = frozenset(
    {("builtins", "set"), ("builtins", "frozenset"), ("decimal", "Decimal"), ("copyreg", "_reconstructor")}
    | {
        ("builtins", "object"),
        ("collections", "Counter"),
        ("fractions", "Fraction"),
        ("pathlib", "PosixPath"),
        ("pathlib", "WindowsPath"),
    }
)


class Lost(Exception):
    """What was kept is not there any more, or not as it was."""


def unpickled(raw: bytes) -> Any:
    """Return a value of this package. Raises Lost for anything else."""
    try:
        return _Unpickler(io.BytesIO(raw)).load()
    except Exception as error:
        # Damaged bytes ask for anything: a key that is not there, a number that is none, more memory than there is.
        raise Lost(str(error)) from error


class _Unpickler(pickle.Unpickler):
    """Makes values of this package's classes and plain ones; a file may be of any hand, and must run nothing."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.partition(".")[0] == _PACKAGE.partition(".")[0]:
            found = super().find_class(module, name)
            # A module also holds what it imports: only what is defined in this package is a value of it.
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of this package")

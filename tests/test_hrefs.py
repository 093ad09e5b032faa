"""Addresses between pages."""

from __future__ import annotations

import posixpath

from hypothesis import given
from hypothesis import strategies as st

from site_src.hrefs import relative_path

_PATHS = st.lists(st.sampled_from(["a", "b", "guides", "x.html", "ä", "a b"]), max_size=4).map(
    lambda steps: "/" + "/".join(steps)
)


@given(name=_PATHS, folder=_PATHS)
def test_a_relative_path_is_the_one_of_the_standard_library(name: str, folder: str) -> None:
    assert relative_path(name, folder) == posixpath.relpath(name, folder)
    assert relative_path(f"{name}/", folder) == posixpath.relpath(name, folder)

"""A preview that is edited and asked all the time serves whole sites, and keeps no more than it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit import soak
from tests.bench import corpus
from tests.browser import program
from tests.edits import at_a_desk

__all__ = ["at_a_desk"]
pytestmark = pytest.mark.audit


def test_forty_edits_leave_the_served_site_equal_to_a_clean_one(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    told = soak.soak(tmp_path, 40, 1, warm_up=20)
    request.node.user_properties.append(("reported", f"soak: {told}"))
    assert told.differing == []
    assert told.rebuilds >= 40
    assert told.growth < 0.1
    assert told.end.files <= told.warm.files
    assert told.end.threads <= told.warm.threads


def test_fifty_connections_get_no_half_built_answer(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    program(("wrk",), "wrk", "apt-get install wrk")
    told = soak.load(tmp_path, 15, 1)
    requests = [s.strip() for s in told.wrk.splitlines() if "requests in" in s]
    request.node.user_properties.append(("reported", f"load: {told.bodies} bodies compared, wrk: {requests}"))
    assert told.strange == []
    assert told.errors == []
    assert told.bodies > 50
    assert requests


def test_a_file_that_is_served_otherwise_is_told(tmp_path: Path) -> None:
    root = corpus.write(1, tmp_path / "site")
    with soak.running(root) as preview:
        assert preview.differing({"robots.txt": b"other", "index.html": b"<html>", "gone.txt": b"x"}) == [
            "robots.txt",
            "index.html",
            "gone.txt",
        ]

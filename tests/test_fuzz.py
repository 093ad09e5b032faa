"""What fuzzing ever found is fed again, and the machinery finds, makes smaller and reports what it must."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import run, shrink, work
from tests.fuzz.target import FOUND, NAMES, Target, load, of_bytes

KEPT = sorted(path for path in FOUND.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", NAMES)
def test_seeds_and_a_few_made_up_inputs_break_nothing(name: str) -> None:
    target = load(name)
    assert target.seeds
    for seed in target.seeds:
        target.one(seed)
    assert target.by_hypothesis(20) >= 20


@pytest.mark.parametrize("path", KEPT, ids=[p.relative_to(FOUND).as_posix() for p in KEPT])
def test_what_was_found_is_mended(path: Path) -> None:
    with work.in_time(work.SECONDS_AN_INPUT):
        load(path.parent.name).one(path.read_bytes())


def test_what_breaks_a_target_is_seen_and_made_smaller() -> None:
    def one(data: bytes) -> None:
        assert b"bad" not in data

    target: Target = of_bytes(one, b"so far so good")
    with pytest.raises(AssertionError):
        of_bytes(one, b"is bad").by_hypothesis(200)
    assert shrink.shrunk(target, b"some bytes, and bad among them, and more") == b"bad"
    assert shrink.shrunk(target, b"nothing is wrong") == b"nothing is wrong"


def test_an_input_that_takes_too_long_is_seen() -> None:
    with pytest.raises(work.Slow), work.in_time(0.0):
        sum(range(100_000))


def test_a_run_counts_inputs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["run", "permalinks", "--seconds", "1", "--alone"])
    assert run.main() == 0
    assert "permalinks" in (said := capsys.readouterr().out)
    assert "inputs at 1 entry points: nothing found" in said
    assert " 0 inputs" not in said


def test_an_entry_point_that_could_not_be_fed_is_broken() -> None:
    outcome = run.fed("no_such_name", 1, alone=True)
    assert outcome.failed
    assert "no_such_name" in outcome.said

"""What a fuzzed entry point is, and what must hold of every refusal, whatever was refused."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from site_src import report
from site_src.codes import PROBLEMS
from site_src.load import normal_lines
from site_src.problems import Problem
from site_src.project import Project

HERE: Final = Path(__file__).resolve().parent
FOUND: Final = HERE / "found"
NAMES: Final = tuple(sorted(p.stem for p in (HERE / "entries").glob("[a-z]*.py")))
NOWHERE: Final = Project(HERE / "no-project")
_MOST_BYTES: Final = 4096


@dataclass(frozen=True)
class Target:
    """An entry point: `one` takes an input and raises what is a finding; `seeds` are sound or nearly sound inputs.

    `draw` gives the inputs that hypothesis makes up where it works alone.
    """

    one: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    draw: Callable[[int], object] | None = None

    def by_hypothesis(self, examples: int) -> int:
        """Have hypothesis make inputs, without coverage to guide it; return how many it tried."""
        if self.draw is not None:
            self.draw(examples)
            return examples
        tried = 0

        @_settings(examples)
        @given(_damaged(self.seeds))
        def try_one(data: bytes) -> None:
            nonlocal tried
            tried += 1
            self.one(data)

        try_one()
        return tried


def of_bytes(one: Callable[[bytes], object], *seeds: bytes) -> Target:
    """Return the target whose inputs are bytes as they stand."""
    return Target(one, seeds)


def of_cases(cases: st.SearchStrategy[Any], holds: Callable[[Any], object]) -> Target:
    """Return the target whose inputs are what a strategy makes of bytes."""

    def draw(examples: int) -> None:
        _settings(examples)(given(cases)(_returning_none(holds)))()

    test = settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))(
        given(cases)(_returning_none(holds))
    )
    seeds = tuple(hashlib.shake_256(bytes([n])).digest(400) for n in range(8))
    one: Callable[[bytes], object] = test.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    return Target(one, seeds, draw)


def load(name: str) -> Target:
    """Return the target of an entry point."""
    target = import_module(f"tests.fuzz.entries.{name}").TARGET
    assert isinstance(target, Target)
    return target


def told(problems: Sequence[Problem], file: str, raw: bytes) -> None:
    """Hold what must be true of every refusal: a known code, a fact, a remedy, a place; one report in each format."""
    text = normal_lines(raw.decode("utf-8", "replace"))
    found = report.entries(NOWHERE, problems[:20], {file: text})
    for entry in found:
        problem = entry.problem
        assert problem.code in PROBLEMS, problem
        assert problem.message and problem.remedy, problem
        assert problem.file != file or entry.place, problem
    hidden = [c for c in report.text(found) if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert not hidden, hidden
    assert len(json.loads(report.as_json(found))) == len(found)
    assert len(json.loads(report.sarif(found))["runs"][0]["results"]) == len(found)
    assert len(report.github(found).splitlines()) == len(found)


def _returning_none(holds: Callable[[Any], object]) -> Callable[[Any], None]:
    def test(case: Any) -> None:
        holds(case)

    return test


def _settings(examples: int) -> settings:
    phases = (Phase.generate, Phase.shrink)
    return settings(
        max_examples=examples, database=None, deadline=None, phases=phases, suppress_health_check=list(HealthCheck)
    )


def _damaged(seeds: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """Return bytes of any kind, and seeds of which a piece was replaced."""
    anything = st.binary(max_size=_MOST_BYTES)
    if not seeds:
        return anything

    @st.composite
    def replaced(draw: st.DrawFn) -> bytes:
        seed = draw(st.sampled_from(seeds))
        start = draw(st.integers(0, len(seed)))
        end = draw(st.integers(start, min(len(seed), start + 64)))
        other = draw(st.sampled_from(seeds))
        piece = draw(st.one_of(st.binary(max_size=16), st.text(max_size=8).map(lambda t: t.encode("utf-8", "replace"))))
        at = draw(st.integers(0, len(other)))
        return seed[:start] + draw(st.sampled_from([piece, other[at : at + 40]])) + seed[end:]

    return st.one_of(replaced(), anything)

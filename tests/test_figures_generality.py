"""Specs nobody foresaw: whatever the texts and counts, a figure comes out without faults and drops nothing."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from site_src.figures import lint
from site_src.figures.draw import laid_out
from site_src.figures.sheet import tidy
from site_src.figures.spec import (
    Capacity,
    CapacityRow,
    Cell,
    Counted,
    Curve,
    CurvePoint,
    CurveSeries,
    FigureSpec,
    Gauge,
    Hero,
    HeroColumn,
    Incident,
    Matrix,
    Memory,
    Note,
    Panel,
    Plotted,
    RateGroup,
    RateRow,
    Rates,
    Reading,
    Step,
)
from tests.figure_samples import DRAWN, face

bounded = settings(
    max_examples=30,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
ALPHABETS = ("abcdefgh ijklm nop", "ABC 123 /-_. ", "αβγδε ωψ", "Жук привет", "שלום עולם", "مرحبا بالعالم", "wWM")


def words(most: int, least: int = 0) -> st.SearchStrategy[str]:
    return st.one_of([st.text(alphabet, min_size=least, max_size=most) for alphabet in ALPHABETS])


def plotted(value: float) -> Plotted:
    return Plotted(f"{Decimal(repr(value)):,f}", value)


values = st.one_of(
    st.sampled_from([0.0, 1e-9, 1e12, 5.0, 12.0]),
    st.integers(0, 5000).map(float),
    st.floats(1e-9, 1e12).map(lambda v: float(f"{v:.6g}")),
).map(plotted)
shares = st.none() | st.sampled_from([0.0, 0.01, 0.5, 0.51, 1.0, 1.2]).map(plotted)


def several(part: st.SearchStrategy, least: int, most: int) -> st.SearchStrategy:
    return st.lists(part, min_size=least, max_size=most).map(tuple)


rows = st.builds(
    RateRow,
    words(60),
    values,
    st.integers(0, 5),
    st.booleans(),
    several(st.builds(Note, words(50), st.booleans()), 0, 4),
)
rates = st.builds(
    Rates,
    words(30),
    several(st.builds(RateGroup, words(80), several(rows, 1, 10)), 1, 4),
    several(words(40), 0, 4),
    words(120),
)
memory = st.integers(0, 7).flatmap(
    lambda count: st.builds(
        Memory,
        several(words(30), count, count),
        several(
            st.builds(
                Reading,
                values.map(lambda v: v.text),
                words(20),
                st.sampled_from(["free", "used", ""]),
                several(words(70), count, count),
            ),
            1,
            12,
        ),
        several(words(70), 0, 5),
    )
)
counted = st.builds(Counted, words(60), values) | st.builds(Counted, words(60), values, words(30), values)
incident = st.builds(
    Incident,
    several(st.builds(Step, words(40), several(words(60), 0, 3), st.booleans()), 1, 6),
    several(st.builds(Gauge, words(40), words(40), shares, shares), 0, 6),
    several(counted, 0, 12),
)
cells = values.map(Cell) | st.builds(Cell, st.none(), words(50))
matrix = st.tuples(st.integers(1, 16), st.sampled_from([3, 30])).flatmap(
    lambda size: st.builds(
        Matrix,
        words(30),
        several(words(size[1]), size[0], size[0]),
        several(st.builds(Panel, words(50), words(50), several(cells, size[0], size[0])), 1, 6),
        words(120),
    )
)
figures = st.one_of(words(16, 1), values.map(lambda v: v.text))
hero = st.builds(
    Hero,
    words(40),
    words(100),
    several(st.builds(HeroColumn, words(30), figures, words(80)), 0, 3),
    words(90),
    words(30),
)
profiles = st.builds(
    CapacityRow,
    words(60),
    words(60),
    st.one_of(st.sampled_from([0.01, 1.0, 16.0, 10_000.0]), st.floats(0.01, 10_000).map(lambda v: round(v, 2))).map(
        plotted
    ),
    st.one_of(st.sampled_from([1, 2, 16, 4096]), st.integers(1, 4096)).map(lambda v: Plotted(f"{v:,}", float(v))),
    words(70),
    st.sampled_from([0.0, 0.001, 0.5, 0.97, 1.0]),
    st.one_of(st.sampled_from([1, 64]), st.integers(1, 64)),
)
capacity = st.builds(Capacity, several(profiles, 1, 8), words(50), words(120))
steps = st.one_of(st.integers(0, 2_000_000).map(float), st.integers(0, 20).map(float)).map(plotted)
points = st.builds(CurvePoint, steps, values, st.just(""), st.booleans()) | st.builds(
    CurvePoint, steps, st.none(), st.sampled_from(["", "not run"]) | words(60)
)
ordered = several(points, 1, 40).map(lambda row: tuple(sorted(row, key=lambda point: point.x.at)))
curve = st.builds(Curve, words(50), words(40), several(st.builds(CurveSeries, words(60), ordered), 1, 3), words(120))
few = several(points, 1, 4).map(lambda row: tuple(sorted(row, key=lambda point: point.x.at)))
short_curve = st.builds(Curve, words(20), words(9), several(st.builds(CurveSeries, words(9), few), 1, 3), words(9))


def texts(part: object) -> Iterator[str]:
    """Every text of a spec that a figure shows."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from texts(item)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name not in {"quantity", "note_heads", "stem", "kind", "desc", "say"}:
                yield from texts(getattr(part, field.name))


def squeezed(text: str) -> str:
    return "".join(tidy(text).split())


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("rates", rates),
        ("memory", memory),
        ("incident", incident),
        ("matrix", matrix),
        ("hero", hero),
        ("capacity", capacity),
        ("curve", curve),
        ("curve", short_curve),
    ],
)
def test_any_spec_is_drawn_without_faults_and_without_loss(kind, content) -> None:  # type: ignore[no-untyped-def]
    @bounded
    @given(content, words(120, 1), words(150), words(150))
    def check(part, title, subtitle, source) -> None:  # type: ignore[no-untyped-def]
        spec = FigureSpec("any", kind, title, subtitle, source, "", part, DRAWN)
        if kind == "hero":
            spec = replace(spec, subtitle="", source="")
        for wide in (True, False):
            sheet = laid_out(spec, face(), wide=wide)
            assert lint.faults(sheet) == ()
            shown = "".join(squeezed(label.text) for label in sheet.labels)
            for text in texts(spec):
                assert squeezed(text) in shown

    check()

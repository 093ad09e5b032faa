"""Capacity: what stands for the pool, the ceiling and the measured requests, whatever their proportions."""

from dataclasses import replace

import pytest

from site_src.figures import lint
from site_src.figures.draw import laid_out
from site_src.figures.sheet import Shape, Sheet
from site_src.figures.spec import Capacity, CapacityRow
from tests.figure_samples import CAPACITY, face, number


def drawn(*rows: CapacityRow, wide: bool) -> Sheet:
    sheet = laid_out(replace(CAPACITY, content=Capacity(rows, "windows", "")), face(), wide=wide)
    assert lint.faults(sheet) == ()
    return sheet


def profile(windows: str, ceiling: str, share: float, requests: int) -> CapacityRow:
    return CapacityRow("profile", "tokens", number(windows), number(ceiling), "depth", share, requests)


def blocks(sheet: Sheet) -> list[Shape]:
    return [shape for shape in sheet.shapes if shape.fill == "b"][2:]  # the first two explain the mark in the key


def bars(sheet: Sheet) -> list[Shape]:
    return [shape for shape in sheet.shapes if shape.fill == "tint"][1:]


def ticks(sheet: Sheet) -> list[float]:
    return [stroke.start[0] for stroke in sheet.strokes if stroke.colour == "ink"][1:]


@pytest.mark.parametrize("wide", [True, False])
def test_bar_tick_and_blocks_share_one_axis(wide: bool) -> None:
    sheet = drawn(profile("8", "16", 0.5, 4), wide=wide)
    (bar,), (tick,), row = bars(sheet), ticks(sheet), blocks(sheet)
    zero, unit = bar.box[0], bar.box[2] / 8
    assert tick == pytest.approx(zero + 16 * unit)
    assert len(row) == 4
    assert row[0].box[0] == zero
    assert row[-1].box[0] + row[-1].box[2] == pytest.approx(zero + 2 * unit)


@pytest.mark.parametrize("wide", [True, False])
def test_blocks_too_narrow_to_part_are_one_bar_and_the_key_says_so(wide: bool) -> None:
    sheet = drawn(profile("2000", "4096", 0.5, 64), wide=wide)
    assert len(blocks(sheet)) == 1
    assert "as one bar" in " ".join(label.text for label in sheet.labels)


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize(
    ("row", "texts"),
    [
        (profile("1.00", "1", 0.5, 1), {"1.00 pool, ceiling 1"}),
        (profile("4.76", "16", 0.5, 2), {"4.76", "16"}),
        (profile("12.5", "4", 0.5, 2), {"12.5", "4"}),
        (profile("12.5", "4", 0.9, 9), {"12.5 pool, ceiling 4"}),
        (profile("10,000", "1", 0.5, 2), {"10,000 pool, ceiling 1"}),
    ],
)
def test_numbers_stand_at_their_marks_or_together(row: CapacityRow, texts: set[str], wide: bool) -> None:
    sheet = drawn(row, wide=wide)
    assert texts <= {label.text for label in sheet.labels if label.kind.size == 14}


def test_windows_are_called_derived_in_both_cuts() -> None:
    for wide in (True, False):
        words = [label.text for label in laid_out(CAPACITY, face(), wide=wide).labels]
        assert any("(derived)" in text for text in words)

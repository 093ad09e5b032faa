"""Curves: lines join neighbours with values only, values stand clear of lines, nothing else hides a gap."""

from dataclasses import replace

import pytest

from site_src.figures import lint
from site_src.figures.draw import laid_out
from site_src.figures.placing import crosses
from site_src.figures.sheet import Sheet, Stroke
from site_src.figures.spec import Curve, CurvePoint, CurveSeries
from tests.figure_samples import CURVE, curve_points, face


def drawn(*series: CurveSeries, wide: bool) -> Sheet:
    sheet = laid_out(replace(CURVE, content=Curve("tokens", "s", series, "")), face(), wide=wide)
    assert lint.faults(sheet) == ()
    return sheet


def joins(sheet: Sheet, hue: str = "a") -> list[Stroke]:
    """The lines of a series; the level one of 28 px in the key line is none of them."""
    found = [stroke for stroke in sheet.strokes if stroke.colour == hue and stroke.layer == 2]
    return [s for s in found if s.start[1] != s.end[1] or round(s.end[0] - s.start[0], 6) != 28]


STEEP = CurveSeries("one", curve_points("10 200 400 800", "5 700 90 900"))
FLAT = CurveSeries("two", curve_points("10 200 400 800", "1 20 30 41"))


@pytest.mark.parametrize("wide", [True, False])
def test_a_line_never_passes_a_point_without_value(wide: bool) -> None:
    sheet = drawn(CurveSeries("one", curve_points("1 2 3 4 5", "10 20 - 40 50")), wide=wide)
    (box,) = [shape for shape in sheet.shapes if shape.dashed]
    left, top, width, height = box.box
    assert len(joins(sheet)) == 2
    for line in joins(sheet):
        assert not crosses((left, top, left + width, top + height), (line.start, line.end))
    assert "not run" in {label.text for label in sheet.labels}


@pytest.mark.parametrize("wide", [True, False])
def test_gaps_of_several_series_stand_above_the_plot(wide: bool) -> None:
    gap = CurveSeries("one", curve_points("100 200 300", "10 - 40"))
    sheet = drawn(gap, CurveSeries("two", curve_points("100 200 300", "5 15 20")), wide=wide)
    (box,) = [shape for shape in sheet.shapes if shape.dashed]
    marks_top = min(min(line.start[1], line.end[1]) for line in joins(sheet, "b"))
    assert joins(sheet) == []
    assert box.box[1] + box.box[3] < marks_top


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("series", [(STEEP,), (FLAT,), (STEEP, FLAT)], ids=["steep", "flat", "both"])
def test_values_touch_no_line(series: tuple[CurveSeries, ...], wide: bool) -> None:
    sheet = drawn(*series, wide=wide)
    lines = joins(sheet) + joins(sheet, "b")
    for label in sheet.labels:
        area = (label.x, label.top, label.right, label.bottom)
        assert not [line for line in lines if crosses(area, (line.start, line.end))], label.text


@pytest.mark.parametrize("wide", [True, False])
def test_crowded_values_stand_in_a_table_with_the_condition(wide: bool) -> None:
    xs, values = " ".join(str(n) for n in range(1, 41)), " ".join(f"{n}.125" for n in range(1, 41))
    sheet = drawn(CurveSeries("one", curve_points(xs, values)), wide=wide)
    words = [label.text for label in sheet.labels]
    assert all(words.count(text) == 1 for text in values.split())
    assert words.count("tokens") >= 2  # at the axis and over the table


@pytest.mark.parametrize("wide", [True, False])
def test_a_series_without_any_value_is_one_box_with_its_words(wide: bool) -> None:
    empty = CurveSeries("one", curve_points("1 2 4 128", "- - - -"))
    for others in ((), (CurveSeries("two", curve_points("1 2 4 128", "10 20 40 900")),)):
        sheet = drawn(empty, *others, wide=wide)
        (box,) = [shape for shape in sheet.shapes if shape.dashed]
        left, top, width, height = box.box
        inside = [la.text for la in sheet.labels if left < la.x < left + width and top < la.y < top + height]
        assert inside == ["not run"]


def test_both_axes_begin_at_zero() -> None:
    for wide in (True, False):
        sheet = drawn(CurveSeries("one", curve_points("900 1,000", "95 100")), wide=wide)
        assert [label.text for label in sheet.labels].count("0") == 2


def test_nothing_is_measured_where_every_value_is_missing() -> None:
    sheet = drawn(CurveSeries("one", curve_points("1 2", "- -")), CurveSeries("two", ()), wide=True)
    assert not joins(sheet)
    assert "0.25" not in {label.text for label in sheet.labels}


def test_filled_and_hollow_marks_follow_the_points() -> None:
    points = tuple(replace(p, filled=bool(n)) for n, p in enumerate(curve_points("100 200", "10 20")))
    fills = [shape.fill for shape in drawn(CurveSeries("", points), wide=True).shapes if shape.edge == "a"]
    assert fills == ["page", "a"]


def test_a_second_point_at_the_same_place_is_kept() -> None:
    twice: tuple[CurvePoint, ...] = curve_points("7 7 7", "1.625 1.625 -")
    words = [label.text for label in drawn(CurveSeries("one", twice), wide=False).labels]
    assert words.count("1.625") == 2 and "not run" in words

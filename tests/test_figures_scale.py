"""Axes from zero: round steps that hold every value."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src.figures.scale import Axis, axis_texts, scale_for, shown_steps
from site_src.figures.sheet import Sheet
from site_src.interface import of_drawings
from tests.figure_samples import DRAWN, face


@pytest.mark.parametrize(
    ("top", "texts"),
    [
        (422.037, ("0", "100", "200", "300", "400", "500")),
        (3.42, ("0", "1", "2", "3", "4")),
        (0.0123, ("0.0000", "0.0025", "0.0050", "0.0075", "0.0100", "0.0125")),
        (5_000, ("0", "1,000", "2,000", "3,000", "4,000", "5,000")),
        (0.0, ("0.00", "0.25", "0.50", "0.75", "1.00")),
    ],
)
def test_steps_are_round_and_print_their_digits(top: float, texts: tuple[str, ...]) -> None:
    assert scale_for([top]).texts(DRAWN) == texts


def test_steps_are_printed_as_the_language_prints_numbers() -> None:
    assert scale_for([5_000]).texts(of_drawings("de"))[-1] == "5\u00a0000"
    assert scale_for([0.0123]).texts(of_drawings("de"))[1] == "0,0025"


@settings(max_examples=100, derandomize=True, database=None)
@given(st.floats(min_value=1e-9, max_value=1e12))
def test_every_value_lies_on_its_axis(value: float) -> None:
    scale = scale_for([value])
    assert 4 <= len(scale.steps) <= 6
    assert value <= scale.end < 2 * value * 1.01
    assert 0 <= scale.at(value, 10, 110) - 10 <= 100


def test_no_values_give_a_scale_to_one() -> None:
    assert scale_for([]).end == 1


def test_texts_that_do_not_fit_are_thinned_out_but_the_end_stays() -> None:
    sheet = Sheet(face(), DRAWN, 400, 200, 0, 12)
    scale = scale_for([1e12])
    assert shown_steps(sheet, scale, 2000, 13) == [0, 1, 2, 3, 4, 5]
    assert shown_steps(sheet, scale, 200, 13) == [0, 5]
    assert shown_steps(sheet, scale, 20, 13) == [5]


def test_the_unit_stands_once_beside_the_last_step_or_below() -> None:
    sheet = Sheet(face(), DRAWN, 400, 200, 0, 12)
    axis_texts(sheet, Axis(scale_for([5]), 20, 200), 50, 13, "s")
    assert [label.text for label in sheet.labels][-2:] == ["5", "s"]
    assert sheet.labels[-1].y == 50
    axis_texts(sheet, Axis(scale_for([5]), 20, 200), 50, 13, "a unit with a very long name for its place")
    assert sheet.labels[-1].y > 50

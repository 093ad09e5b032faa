"""The lint catches a seeded fault of each kind and passes the same drawing without it."""

from collections.abc import Callable

import pytest

from site_src.figures import lint, marks
from site_src.figures.sheet import Sheet
from site_src.figures.style import Type
from tests.figure_samples import DRAWN, face

TEXT = Type(14)


def sound() -> Sheet:
    sheet = Sheet(face(), DRAWN, 400, 200, 20, 13)
    sheet.text(40, 60, "first", TEXT)
    sheet.line((20, 100), (380, 100))
    marks.mark(sheet, 200, 60, ("a", "circle"), filled=False)
    return sheet


def close(sheet: Sheet) -> None:
    sheet.text(40 + sheet.measure("first", TEXT) + 4.5, 60, "second", TEXT)


def over_mark(sheet: Sheet) -> None:
    sheet.text(190, 64, "covered", TEXT)


def over_stem(sheet: Sheet) -> None:
    marks.lying_stem(sheet, (40, 150), 300, "a")
    sheet.text(100, 154, "struck", TEXT, knocks=True)


def over_line(sheet: Sheet) -> None:
    sheet.text(40, 104, "crossed", TEXT)


def over_rim(sheet: Sheet) -> None:
    marks.absence(sheet, 250, 130, 60, 30)
    sheet.text(255, 150, "longer than its box", TEXT)


def outside(sheet: Sheet) -> None:
    sheet.text(370, 150, "beyond the edge", TEXT)


def below(sheet: Sheet) -> None:
    sheet.text(40, 203, "low", TEXT)


def margin(sheet: Sheet) -> None:
    sheet.text(388, 150, "margin", TEXT, align="right")


def small(sheet: Sheet) -> None:
    sheet.text(40, 150, "tiny", Type(12.5))


def pale(sheet: Sheet) -> None:
    sheet.text(40, 150, "pale", Type(14, colour="edge"))


def pale_on_panel(sheet: Sheet) -> None:
    sheet.text(40, 150, "blue on orange", Type(14, colour="a"), ground="b")


def glyph(sheet: Sheet) -> None:
    sheet.text(40, 150, "漢", TEXT)


def tall(sheet: Sheet) -> None:
    sheet.need = 230


def test_a_sound_drawing_has_no_faults() -> None:
    assert lint.faults(sound()) == ()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (close, "texts 4.5 px apart: 'first' and 'second'"),
        (over_mark, "text over mark: 'covered'"),
        (over_stem, "text over mark: 'struck'"),
        (over_line, "text over line: 'crossed'"),
        (over_rim, "text over mark: 'longer than its box'"),
        (outside, "outside the canvas: 'beyond the edge'"),
        (below, "outside the canvas: 'low'"),
        (margin, "in the margin: 'margin'"),
        (small, "under 13 px: 'tiny' at 12.5 px"),
        (pale, "contrast 3.86: 'pale'"),
        (pale_on_panel, "contrast 1.76: 'blue on orange'"),
        (glyph, "no font has '漢' (U+6F22): '漢'"),
        (tall, "too tall: needs 230 px of 200"),
    ],
)
def test_a_seeded_fault_is_named(spoil: Callable[[Sheet], None], words: str) -> None:
    sheet = sound()
    spoil(sheet)
    assert words in lint.faults(sheet)


def test_knocked_out_text_may_stand_on_the_grid_and_a_paragraph_may_be_tight() -> None:
    sheet = sound()
    sheet.text(40, 104, "value", TEXT, knocks=True)
    sheet.para(40, 150, "lines of one paragraph", 60, Type(14, leading=0.95))
    assert lint.faults(sheet) == ()

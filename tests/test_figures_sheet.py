"""Placing and wrapping of texts."""

import pytest

from site_src.figures.sheet import Sheet, tidy
from site_src.figures.style import BOLD, Type
from tests.figure_samples import DRAWN, face


@pytest.fixture
def sheet() -> Sheet:
    return Sheet(face(), DRAWN, 400, 300, 0, 12)


@pytest.mark.parametrize("width", [30.0, 75.0, 200.0])
@pytest.mark.parametrize("text", ["some words to wrap into lines", "a-long/path_without.any:spaces" * 3, "漢字" * 20])
def test_lines_keep_every_character_and_their_width(sheet: Sheet, text: str, width: float) -> None:
    lines = sheet.lines(text, width, Type(13, BOLD))
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(sheet.measure(line, Type(13, BOLD)) <= width for line in lines)


def test_a_token_breaks_after_a_joint_where_that_costs_little(sheet: Sheet) -> None:
    assert sheet.lines("organisation/repository", 110, Type(13))[0] == "organisation/"


def test_a_no_break_space_holds_words_together(sheet: Sheet) -> None:
    assert sheet.lines("wait 24.85\u00a0s", 60, Type(13)) == ["wait", "24.85\u00a0s"]


def test_newlines_break_and_control_characters_take_no_part(sheet: Sheet) -> None:
    assert sheet.lines("one\ntwo", 300, Type(13)) == ["one", "two"]
    assert tidy("a\tb\x00c") == "a b c"
    assert tidy("e\u0301") == "é"


def test_an_empty_text_leaves_no_label(sheet: Sheet) -> None:
    assert sheet.text(5, 20, " ", Type(13)) == 5
    assert sheet.para(5, 20, "", 100, Type(13)) == 20
    assert not sheet.labels


def test_alignment_moves_the_start(sheet: Sheet) -> None:
    for align in ("left", "center", "right"):
        sheet.text(100, 20, "word", Type(13), align=align)
    width = sheet.measure("word", Type(13))
    assert [label.x for label in sheet.labels] == pytest.approx([100, 100 - width / 2, 100 - width])


def test_lines_beside_a_mark_are_centred_on_it(sheet: Sheet) -> None:
    sheet.beside(0, 100, "one two three four", 40, Type(13))
    tops, bottoms = [la.y for la in sheet.labels], [la.y for la in sheet.labels]
    assert (tops[0] + bottoms[-1]) / 2 == pytest.approx(100 + 0.35 * 13)

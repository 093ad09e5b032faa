"""Which font file draws which character, and how wide a text comes out."""

import multiprocessing
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import matplotlib
import pytest

from site_src.figures import fonts
from site_src.figures.fonts import FontError, Typeface, font_folder
from site_src.figures.style import BOLD, REGULAR
from tests.figure_samples import face


def files(text: str, weight: int = REGULAR) -> list[tuple[str, str]]:
    return [(run.text, Path(run.file).name) for run in face().runs(text, weight)]


@pytest.mark.parametrize("text", ["plain 15,725 ÷ 42.833 s", "Ελληνικά", "Кириллица", "Čeština, őű"])
def test_inter_draws_latin_greek_and_cyrillic(text: str) -> None:
    assert files(text) == [(text, "Inter-400-fig.ttf")]
    assert files(text, BOLD) == [(text, "Inter-700-fig.ttf")]


def test_other_characters_come_from_dejavu_in_their_own_run() -> None:
    assert files("a ≠ b") == [
        ("a ", "Inter-400-fig.ttf"),
        ("≠", "DejaVuSans.ttf"),
        (" b", "Inter-400-fig.ttf"),
    ]


def test_right_to_left_words_share_a_run_so_that_their_order_is_right() -> None:
    assert files("שלום 12 עולם") == [("שלום 12 עולם", "DejaVuSans.ttf")]
    assert files("שלום and עולם")[0] == ("שלום", "DejaVuSans.ttf")


def test_a_combining_mark_stays_with_its_base() -> None:
    assert len(files("x\u0302")) == 1


def test_characters_without_ink_are_dropped_and_others_are_missing() -> None:
    assert files("a\U000e0061b") == [("ab", "Inter-400-fig.ttf")]
    assert face().missing("a\U000e0061漢b漢", REGULAR) == ("漢",)


def test_digits_are_tabular_and_widths_scale() -> None:
    advances = {face().extent(digit, 10, weight).advance for digit in "0123456789" for weight in (REGULAR,)}
    assert len(advances) == 1
    one, two = face().extent("width", 10, BOLD), face().extent("width", 20, BOLD)
    assert two.advance == pytest.approx(2 * one.advance)
    assert face().extent("a b", 10, REGULAR).advance > face().extent("ab", 10, REGULAR).advance


def test_fonts_of_the_project_are_asked_after_inter(tmp_path: Path) -> None:
    shipped = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    shutil.copy(shipped / "STIXGeneral.ttf", tmp_path / "own.ttf")
    shutil.copy(shipped / "STIXGeneralBol.ttf", tmp_path / "own-bold.ttf")
    (tmp_path / "readme.txt").write_text("no font")
    own = Typeface(font_folder(), tmp_path)
    assert [Path(r.file).name for r in own.runs("a≠", REGULAR)] == ["Inter-400-fig.ttf", "own.ttf"]
    assert [Path(r.file).name for r in own.runs("a≠", BOLD)] == ["Inter-700-fig.ttf", "own-bold.ttf"]


def test_a_broken_font_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.otf").write_bytes(b"not a font")
    with pytest.raises(FontError, match=r"broken\.otf"):
        Typeface(font_folder(), tmp_path)


def test_the_page_fonts_keep_their_budget() -> None:
    sizes = [(font_folder() / f"inter-{weight}.woff2").stat().st_size for weight in (400, 700)]
    assert sum(sizes) <= 30_000


def opened() -> int:
    return fonts._opened.cache_info().currsize


def test_a_forked_process_opens_its_own_files() -> None:
    """An open file that two processes share is read from one place: each would move it under the other."""
    face().extent("drawn here", 12, REGULAR)
    assert opened() > 0
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        assert pool.submit(opened).result() == 0

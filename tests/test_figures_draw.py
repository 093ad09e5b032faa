"""Whole figures: sizes, files, determinism, faults."""

import io
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib
import pytest
from PIL import Image

from site_src.figures.draw import draw, laid_out
from site_src.figures.spec import FigureLint, FigureSpec, Hero, Rates
from tests.figure_samples import ALL, HERO, INCIDENT, RATES, face

ROOT = Path(__file__).resolve().parent.parent
DIGEST = """
import hashlib
from site_src.figures.draw import draw
from tests.figure_samples import ALL
for spec in ALL:
    files = draw(spec)
    print(hashlib.sha256(files.wide + files.narrow + files.webp + files.png).hexdigest())
"""


@pytest.mark.parametrize("spec", ALL, ids=lambda s: s.kind)
def test_every_raster_is_1600_by_900_and_lossless_in_both_formats(spec: FigureSpec) -> None:
    files = draw(spec)
    webp, png = Image.open(io.BytesIO(files.webp)), Image.open(io.BytesIO(files.png))
    assert webp.size == png.size == files.raster_size == (1600, 900)
    assert webp.convert("RGB").tobytes() == png.convert("RGB").tobytes()
    assert files.narrow_size[0] == 328
    assert not png.info.keys() & {"Software", "Creation Time"}


def digests(folder: Path, **environment: str) -> str:
    path = {"PYTHONPATH": str(ROOT), "MPLCONFIGDIR": matplotlib.get_configdir()}
    settings = os.environ | path | environment
    ran = subprocess.run(
        [sys.executable, "-c", DIGEST], cwd=folder, env=settings, capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_bytes_depend_on_neither_hash_seed_nor_time_zone_nor_a_matplotlibrc(tmp_path: Path) -> None:
    hostile = "figure.facecolor: red\nsvg.fonttype: none\npath.sketch: 5, 50, 9\nlines.antialiased: False\n"
    hostile += "savefig.dpi: 7\ntext.hinting: native\naxes.unicode_minus: False\npatch.antialiased: False\n"
    (tmp_path / "matplotlibrc").write_text(hostile)
    plain = digests(ROOT, PYTHONHASHSEED="1", TZ="UTC")
    assert plain.count("\n") == len(ALL)
    assert digests(tmp_path, PYTHONHASHSEED="2", TZ="Asia/Tokyo", LANG="C") == plain


def test_drawing_leaves_the_callers_settings_alone() -> None:
    with matplotlib.rc_context({"text.hinting": "native", "lines.linewidth": 7.0}):
        draw(HERO)
        assert matplotlib.rcParams["text.hinting"] == "native"
        assert matplotlib.rcParams["lines.linewidth"] == 7.0


def test_results_and_faults_survive_a_process_boundary() -> None:
    files = draw(HERO)
    assert pickle.loads(pickle.dumps(files)) == files
    fault = pickle.loads(pickle.dumps(FigureLint("stem", ("one", "two"))))
    assert (fault.stem, fault.faults) == ("stem", ("one", "two"))


def test_a_character_no_font_has_is_named_with_its_cut() -> None:
    with pytest.raises(FigureLint, match=r"x-hero: wide: no font has '漢' \(U\+6F22\)"):
        draw(replace(HERO, title="漢"))


def test_a_broken_font_of_the_project_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"")
    with pytest.raises(FigureLint, match=r"broken\.ttf"):
        draw(HERO, tmp_path)


def test_markup_of_matplotlib_is_plain_text() -> None:
    title = r"Cost $5 and \alpha_1^2 of $x$ & <b>"
    assert [la.text for la in laid_out(replace(HERO, title=title), face(), wide=False).labels if "$" in la.text]
    draw(replace(HERO, title=title))


def test_the_title_card_keeps_its_size_for_long_texts() -> None:
    content = HERO.content
    assert isinstance(content, Hero)
    columns = tuple(replace(c, words="twelve words that say what it is, " * 3) for c in content.columns)
    long = replace(HERO, title="A finding in many words " * 5, content=replace(content, columns=columns))
    for spec in (long, replace(HERO, content=replace(content, columns=()))):
        assert draw(spec).wide_size == (800, 450)


def test_more_rows_take_more_height() -> None:
    content = RATES.content
    assert isinstance(content, Rates)
    long = replace(RATES, content=replace(content, groups=content.groups * 5))
    assert draw(long).wide_size[1] > draw(RATES).wide_size[1] == 450


def test_missing_values_are_said_in_words() -> None:
    for wide in (True, False):
        texts = [label.text for label in laid_out(INCIDENT, face(), wide=wide).labels]
        assert "earlier value not reported" in texts
        assert "2 of 12" in texts and "900 of 4,096" in texts

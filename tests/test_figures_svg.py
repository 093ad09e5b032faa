"""The SVG files: clean, accessible, themed by value, digits of the words untouched."""

import re
import xml.etree.ElementTree as ET
from functools import cache

import pytest

from site_src.figures import style
from site_src.figures.draw import draw
from site_src.figures.spec import Drawn, FigureSpec
from site_src.figures.svg import identifier
from tests.figure_samples import ALL, HERO, RATES

SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(spec: FigureSpec) -> Drawn:
    return draw(spec)


@pytest.mark.parametrize("spec", ALL, ids=lambda s: s.kind)
@pytest.mark.parametrize("cut", ["wide", "narrow"])
def test_the_file_has_presentation_attributes_only(spec: FigureSpec, cut: str) -> None:
    text = getattr(drawn(spec), cut).decode()
    assert text.startswith("<svg ") and "<!DOCTYPE" not in text and "metadata" not in text
    root = ET.fromstring(text)
    allowed = {f"{SVG}{tag}" for tag in ("svg", "title", "desc", "style", "g", "defs", "path", "use")}
    prefix = identifier(spec.stem, cut[0])
    for element in root.iter():
        assert element.tag in allowed
        assert not {"style", "class"} & element.attrib.keys()
        assert all(":" not in name and "{" not in name for name in element.attrib)
        if "id" in element.attrib:
            assert element.attrib["id"].startswith(prefix)
            assert element.tag in {f"{SVG}path", f"{SVG}title", f"{SVG}desc"}
    ids = [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    assert {e.attrib["href"].removeprefix("#") for e in root.iter(f"{SVG}use")} <= set(ids)


def test_title_and_desc_name_the_picture_with_the_digits_as_given() -> None:
    root = ET.fromstring(drawn(RATES).wide)
    assert root.attrib["role"] == "img"
    title, desc, switch = root[0], root[1], root[2]
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {desc.attrib['id']}"
    assert (title.text, desc.text) == (RATES.title, RATES.desc)
    assert switch.tag == f"{SVG}style"


def test_every_colour_of_the_drawing_has_a_dark_one() -> None:
    for spec in ALL:
        text = drawn(spec).wide.decode()
        root = ET.fromstring(text)
        used = {e.attrib[n] for e in root.iter() for n in ("fill", "stroke") if n in e.attrib} - {"none"}
        assert used <= set(style.LIGHT.values())
        assert all(f'[fill="{colour}"]' in text for colour in used)


def test_the_page_cut_loses_its_margin_but_the_card_does_not() -> None:
    assert ET.fromstring(drawn(RATES).wide).attrib["viewBox"] == "28 0 744 450"
    assert ET.fromstring(drawn(HERO).wide).attrib["viewBox"] == "0 0 800 450"
    assert drawn(RATES).wide_size == (744, 450)


def test_geometry_is_short_and_scales_are_whole() -> None:
    text = drawn(RATES).wide.decode()
    assert not re.search(r'\sd="[^"]*\.\d{3}', text)
    assert "scale(0.13 -0.13)" in text


def test_ids_of_two_stems_differ_even_where_a_character_cannot_stand_in_an_id() -> None:
    assert identifier("a b", "w") != identifier("a_b", "w") != identifier("a/b", "w")
    assert re.fullmatch(r"[a-z][\w-]*", identifier("é 1", "n"), re.ASCII)
